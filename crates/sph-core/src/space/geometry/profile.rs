//! Signed distances of solids of revolution about y, from the polygon that generates them.

use super::Nearest;
use glam::{DVec2, DVec3};

/// Surface next to `at` (m) of the solid that the convex polygon through `corners` (distance from the axis and height, m) sweeps
/// out around y. The corners run counter-clockwise, from the axis to the axis.
pub(super) fn nearest<const N: usize>(corners: [DVec2; N], at: DVec3) -> Nearest {
    let radial = DVec3::new(at.x, 0.0, at.z);
    let outward = radial.normalize_or(DVec3::X);
    let point = DVec2::new(radial.length(), at.y);
    let (mut offset, mut beside, mut inside) = (DVec2::INFINITY, DVec2::Y, true);
    for edge in corners.windows(2) {
        let along = edge[1] - edge[0];
        let normal = DVec2::new(along.y, -along.x).normalize_or(DVec2::Y);
        let from = point - edge[0];
        inside &= from.dot(normal) <= 0.0;
        let part = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let from = from - part * along;
        if from.length_squared() < offset.length_squared() {
            (offset, beside) = (from, normal);
        }
    }
    let side = if inside { -1.0 } else { 1.0 };
    // On the edge itself the offset has no direction.
    let normal = offset.try_normalize().map_or(beside, |direction| side * direction);
    Nearest { distance: side * offset.length(), normal: normal.x * outward + normal.y * DVec3::Y }
}
