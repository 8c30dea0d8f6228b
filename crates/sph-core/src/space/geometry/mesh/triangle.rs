//! Nearest points of triangles, and crossings of two.

use glam::DVec3;

/// Part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Face,
    /// From corner k to the next.
    Edge(usize),
    Vertex(usize),
}

/// The point of the triangle `[a, b, c]` (m) nearest to `at` (m), and the part of the triangle that it lies on (Ericson,
/// "Real-time collision detection", 5.1.5).
pub(super) fn nearest([a, b, c]: [DVec3; 3], at: DVec3) -> (DVec3, Feature) {
    let (ab, ac, ap) = (b - a, c - a, at - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Feature::Vertex(0));
    }
    let bp = at - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Feature::Vertex(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + d1 / (d1 - d3) * ab, Feature::Edge(0));
    }
    let cp = at - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Feature::Vertex(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + d2 / (d2 - d6) * ac, Feature::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let part = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (b + part * (c - b), Feature::Edge(1));
    }
    let scale = 1.0 / (va + vb + vc);
    (a + vb * scale * ab + vc * scale * ac, Feature::Face)
}

/// True if an edge of one triangle passes through the inside of the other. Triangles that touch, or lie in one plane, do not cross.
pub(super) fn cross(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let passes = |edges: [DVec3; 3], face: [DVec3; 3]| (0..3).any(|k| pierces(edges[k], edges[(k + 1) % 3], face));
    passes(first, second) || passes(second, first)
}

fn pierces(from: DVec3, to: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let volume = |p: DVec3, q: DVec3, r: DVec3, s: DVec3| (q - p).cross(r - p).dot(s - p);
    // Differences by rounding are no sides.
    let scale = (b - a).length().max((c - a).length()).max((to - from).length());
    let sign = |value: f64| if value.abs() <= 1e-10 * scale.powi(3) { 0.0 } else { value.signum() };
    let sides = [sign(volume(a, b, c, from)), sign(volume(a, b, c, to))];
    if sides[0] * sides[1] >= 0.0 {
        return false;
    }
    let around = [sign(volume(from, to, a, b)), sign(volume(from, to, b, c)), sign(volume(from, to, c, a))];
    around[0] != 0.0 && around[0] == around[1] && around[1] == around[2]
}
