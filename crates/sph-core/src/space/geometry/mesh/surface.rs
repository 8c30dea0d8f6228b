//! Signed distance of a closed surface of triangles.
//!
//! The side of a point is that of the pseudonormal where the surface is nearest: on a face its normal, on an edge the sum of those of
//! its two faces, at a vertex the sum weighted by the faces' angles there (Bærentzen and Aanæs, "Signed distance computation using
//! the angle weighted pseudonormal").

use std::collections::HashMap;

use super::{edges, weld};
use crate::passes::sweep;
use crate::space::geometry::Nearest;
use glam::DVec3;

/// Most triangles that are compared with each other.
const MAX_COMPARED: usize = 200_000;

/// Cosine of the largest angle between a triangle and its neighbours that is drawn round, 45°.
const COS_CREASE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A closed, connected surface.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Surface {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Unit normals of triangles.
    normals: Vec<DVec3>,
    /// Pseudonormals of the three edges and the three vertices of each triangle.
    pseudonormals: Vec<[[DVec3; 3]; 2]>,
    tree: Tree,
}

impl Surface {
    /// The surface of `triangles`, of which there is at least one, with corners among `vertices`, m.
    pub fn new(vertices: &[DVec3], triangles: Vec<[u32; 3]>) -> Self {
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| vertices[vertex as usize]);
        let normal = |triangle: &[u32; 3]| {
            let [a, b, c] = corners(triangle);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let normals: Vec<DVec3> = triangles.iter().map(normal).collect();
        let (mut of_edges, mut of_vertices) = (HashMap::new(), HashMap::new());
        for (triangle, &normal) in triangles.iter().zip(&normals) {
            let at = corners(triangle);
            for (k, [a, b]) in edges(triangle).into_iter().enumerate() {
                *of_edges.entry([a.min(b), a.max(b)]).or_insert(DVec3::ZERO) += normal;
                let [next, last] = [at[(k + 1) % 3] - at[k], at[(k + 2) % 3] - at[k]];
                let angle = next.cross(last).length().atan2(next.dot(last));
                *of_vertices.entry(a).or_insert(DVec3::ZERO) += angle * normal;
            }
        }
        let pseudonormal = |triangle: &[u32; 3]| {
            [edges(triangle).map(|[a, b]| of_edges[&[a.min(b), a.max(b)]]), triangle.map(|vertex| of_vertices[&vertex])]
        };
        let boxes: Vec<[DVec3; 2]> = triangles.iter().map(|triangle| around(corners(triangle))).collect();
        let pseudonormals = triangles.iter().map(pseudonormal).collect();
        Self { vertices: vertices.to_vec(), normals, pseudonormals, tree: Tree::new(&boxes), triangles }
    }

    /// Surface next to `at`, m.
    pub fn nearest(&self, at: DVec3) -> Nearest {
        let mut best = (f64::INFINITY, DVec3::ZERO, 0, Feature::Face);
        self.tree.visit_near(at, |triangle| {
            let (foot, feature) = nearest_of_triangle(self.corners(triangle), at);
            let squared = at.distance_squared(foot);
            if squared < best.0 {
                best = (squared, foot, triangle as usize, feature);
            }
            best.0
        });
        let (_, foot, triangle, feature) = best;
        let [of_edges, of_vertices] = &self.pseudonormals[triangle];
        let outward = match feature {
            Feature::Face => self.normals[triangle],
            Feature::Edge(edge) => of_edges[edge],
            Feature::Vertex(vertex) => of_vertices[vertex],
        };
        let offset = at - foot;
        let side = if offset.dot(outward) < 0.0 { -1.0 } else { 1.0 };
        let normal = offset.try_normalize().map_or(outward.normalize_or(DVec3::Y), |direction| side * direction);
        Nearest { distance: side * offset.length(), normal }
    }

    /// Distance of `at` (m) from the box around the surface, m.
    pub fn box_distance(&self, at: DVec3) -> f64 {
        self.tree.box_distance_squared(at).sqrt()
    }

    /// Lowest and highest corner, m.
    pub fn bounds(&self) -> [DVec3; 2] {
        self.tree.bounds()
    }

    /// Number of triangles that cross another; 0 for more than [`MAX_COMPARED`], which would take too long.
    pub fn self_intersections(&self) -> usize {
        if self.triangles.len() > MAX_COMPARED {
            return 0;
        }
        sweep::sum(self.triangles.len(), |index| {
            let (corners, own) = (self.corners(index as u32), self.triangles[index]);
            let crosses = |other: u32| {
                let shares = self.triangles[other as usize].iter().any(|vertex| own.contains(vertex));
                !shares && cross(corners, self.corners(other))
            };
            usize::from(self.tree.any_overlapping(around(corners), crosses))
        })
    }

    /// The prism along z over its cut by the plane z = 0, without ends, which are too far away to matter; none where the plane
    /// misses it.
    pub fn cut(&self) -> Option<Self> {
        let [min, max] = self.bounds();
        let end = 10.0 * (max - min).element_sum();
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for triangle in 0..self.triangles.len() as u32 {
            let corners = self.corners(triangle);
            let mut crossings = Vec::new();
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                // On one side or the other; never on the plane, so that every crossing has two ends.
                if (from.z >= 0.0) != (to.z >= 0.0) {
                    // From the lower end, so that both triangles of an edge get the same point.
                    let (low, high) = if from.z < to.z { (from, to) } else { (to, from) };
                    crossings.push((low + low.z / (low.z - high.z) * (high - low)).with_z(0.0));
                }
            }
            let [a, b] = crossings[..] else { continue };
            // The outline runs so that the outside is on its right.
            let outward = self.normals[triangle as usize];
            let (a, b) = if (b - a).cross(DVec3::Z).dot(outward) < 0.0 { (b, a) } else { (a, b) };
            if a != b {
                let first = vertices.len() as u32;
                vertices.extend([a.with_z(-end), b.with_z(-end), b.with_z(end), a.with_z(end)]);
                triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        let (vertices, triangles) = weld(&vertices, &triangles).ok()?;
        Some(Self::new(&vertices, triangles))
    }

    /// Corners (m) of each triangle, with the unit normal to be drawn: the mean of the triangles around, or the triangle's own at a crease.
    pub fn shaded(&self) -> impl Iterator<Item = [(DVec3, DVec3); 3]> {
        (0..self.triangles.len()).map(|triangle| {
            let (corners, own) = (self.corners(triangle as u32), self.normals[triangle]);
            let mean = self.pseudonormals[triangle][1].map(|normal| normal.normalize_or(own));
            std::array::from_fn(|k| (corners[k], if mean[k].dot(own) > COS_CREASE { mean[k] } else { own }))
        })
    }

    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|vertex| self.vertices[vertex as usize])
    }
}

fn around(corners: [DVec3; 3]) -> [DVec3; 2] {
    [corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2])]
}

// Bounding volume hierarchy of triangles.

/// Most triangles of a leaf.
const LEAF: usize = 4;
/// Deepest path of a tree that is halved at each node, for up to 2³² triangles.
const DEPTH: usize = 64;

/// A binary tree of boxes, halved by the number of triangles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Triangles in the order of the leaves.
    pub order: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    min: DVec3,
    max: DVec3,
    /// First entry of `order` of a leaf; index of the second child otherwise, the first child being the next node.
    link: u32,
    /// Number of triangles of a leaf; 0 otherwise.
    count: u32,
}

impl Tree {
    /// The tree of triangles with the given boxes (m), of which there is at least one.
    pub fn new(boxes: &[[DVec3; 2]]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..boxes.len() as u32).collect() };
        tree.split(boxes, 0, boxes.len());
        tree
    }

    fn split(&mut self, boxes: &[[DVec3; 2]], from: usize, to: usize) {
        let members = &mut self.order[from..to];
        let unit = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let join = |[low, high]: [DVec3; 2], &member: &u32| {
            let [min, max] = boxes[member as usize];
            [low.min(min), high.max(max)]
        };
        let [min, max] = members.iter().fold(unit, join);
        let node = self.nodes.len();
        self.nodes.push(Node { min, max, link: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let extent = max - min;
        let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
        let key = |member: u32| boxes[member as usize][0][axis] + boxes[member as usize][1][axis];
        let half = (to - from) / 2;
        members.select_nth_unstable_by(half, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        self.split(boxes, from, from + half);
        let second = self.nodes.len() as u32;
        self.split(boxes, from + half, to);
        (self.nodes[node].link, self.nodes[node].count) = (second, 0);
    }

    /// Lowest and highest corner, m.
    pub fn bounds(&self) -> [DVec3; 2] {
        [self.nodes[0].min, self.nodes[0].max]
    }

    /// Squared distance of `at` (m) from the box around all, m².
    pub fn box_distance_squared(&self, at: DVec3) -> f64 {
        self.nodes[0].distance_squared(at)
    }

    /// Calls `visit` for triangles in boxes nearer to `at` (m) than the squared distance (m²) that it has returned last, nearer
    /// boxes first.
    pub fn visit_near(&self, at: DVec3, mut visit: impl FnMut(u32) -> f64) {
        let mut nearest = f64::INFINITY;
        let (mut stack, mut height) = ([(0u32, 0.0f64); DEPTH], 1);
        stack[0] = (0, self.nodes[0].distance_squared(at));
        while height > 0 {
            height -= 1;
            let (index, distance) = stack[height];
            if distance >= nearest {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.count > 0 {
                for &triangle in &self.order[node.link as usize..(node.link + node.count) as usize] {
                    nearest = visit(triangle);
                }
                continue;
            }
            let children = [index + 1, node.link].map(|child| (child, self.nodes[child as usize].distance_squared(at)));
            let [near, far] = if children[0].1 <= children[1].1 { children } else { [children[1], children[0]] };
            (stack[height], stack[height + 1]) = (far, near);
            height += 2;
        }
    }

    /// Calls `visit` for triangles in leaves whose boxes overlap the box from `min` to `max` (m), until it returns true.
    pub fn any_overlapping(&self, [min, max]: [DVec3; 2], mut visit: impl FnMut(u32) -> bool) -> bool {
        let (mut stack, mut height) = ([0u32; DEPTH], 1);
        while height > 0 {
            height -= 1;
            let index = stack[height];
            let node = &self.nodes[index as usize];
            if node.min.cmpgt(max).any() || node.max.cmplt(min).any() {
                continue;
            }
            if node.count == 0 {
                (stack[height], stack[height + 1]) = (node.link, index + 1);
                height += 2;
            } else if self.order[node.link as usize..(node.link + node.count) as usize].iter().any(|&member| visit(member)) {
                return true;
            }
        }
        false
    }
}

impl Node {
    fn distance_squared(&self, at: DVec3) -> f64 {
        at.distance_squared(at.clamp(self.min, self.max))
    }
}

// Nearest points of triangles, and crossings of two.

/// Part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Face,
    /// From corner k to the next.
    Edge(usize),
    Vertex(usize),
}

/// Distance of a triangle with these corners (m) from `at` (m), m.
pub(crate) fn distance_to_triangle(corners: [DVec3; 3], at: DVec3) -> f64 {
    nearest_of_triangle(corners, at).0.distance(at)
}

/// The point of the triangle `[a, b, c]` (m) nearest to `at` (m), and the part of the triangle that it lies on (Ericson,
/// "Real-time collision detection", 5.1.5).
pub(super) fn nearest_of_triangle([a, b, c]: [DVec3; 3], at: DVec3) -> (DVec3, Feature) {
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
