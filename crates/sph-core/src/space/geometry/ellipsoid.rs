//! Signed distance of an ellipsoid.

use super::Nearest;
use glam::DVec3;

/// Most iterations; Newton's method needs about ten.
const MAX_ITERATIONS: u32 = 100;

/// Surface of the ellipsoid with the semi-axes `half` (m) around the origin, next to `at` (m).
///
/// The nearest point of the surface is `x_k = a_k² y_k/(t + a_k²)`, with the largest root t of `F(t) = Σ (a_k y_k/(t + a_k²))² − 1`
/// (Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid"). F falls and is convex to the right of its
/// poles, so Newton's method from the left of the root never passes it.
pub(super) fn nearest(half: DVec3, at: DVec3) -> Nearest {
    let squares = half * half;
    // In the first octant; a little off the planes of symmetry, where a term of F would be 0/0.
    let y = at.abs().max(1e-12 * half);
    let weighted = half * y;
    // Where one term alone is 1, F ≥ 0.
    let mut t = (weighted - squares).max_element();
    for _ in 0..MAX_ITERATIONS {
        let shifted = squares + t;
        let terms = (weighted / shifted) * (weighted / shifted);
        let (value, slope) = (terms.element_sum() - 1.0, -2.0 * (terms / shifted).element_sum());
        let next = t - value / slope;
        if next <= t || next.is_nan() {
            break;
        }
        t = next;
    }
    let foot = squares * y / (squares + t);
    let normal = (foot / squares).normalize_or(DVec3::Y);
    let distance = (y - foot).length();
    let inside = (at / half).length_squared() <= 1.0;
    Nearest { distance: if inside { -distance } else { distance }, normal: normal * sign(at) }
}

/// 1 or −1 along each axis.
pub(super) fn sign(at: DVec3) -> DVec3 {
    DVec3::select(at.cmplt(DVec3::ZERO), DVec3::NEG_ONE, DVec3::ONE)
}
