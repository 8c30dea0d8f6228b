//! Cubic cells over a box.

use crate::parameters::Dimensions;
use glam::{DVec3, I64Vec3};

/// Numbers of steps of `pitch` (m) that cover the box from `min` to `max` (m), and the corner of the first cell so that they are
/// centred; one layer in the plane z = 0 in two dimensions.
pub(crate) fn centred_cells(min: DVec3, max: DVec3, pitch: f64, dimensions: Dimensions) -> (I64Vec3, DVec3) {
    let counts = ((max - min) / pitch).ceil().as_i64vec3().max(I64Vec3::ONE);
    let corner = |counts: I64Vec3| 0.5 * (min + max - pitch * counts.as_dvec3());
    match dimensions {
        Dimensions::Two => (counts.with_z(1), corner(counts).with_z(-0.5 * pitch)),
        Dimensions::Three => (counts, corner(counts)),
    }
}
