//! What the fluid meets of a point set, and what it does to the points.

use glam::Vec3;
use std::sync::Arc;

/// Column of angular velocities, rad/s, of points that turn.
pub const SPIN: &str = "spin";

/// Column of the impulses of the fluid that have yet to act on the points, N s. The load on a point that is lighter than the fluid that
/// moves with it acts in parts, over several steps.
pub const PENDING_IMPULSE: &str = "pending_impulse";

/// What the fluid meets of the points of a set.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Coating {
    /// Nothing: the fluid flows through the points.
    #[default]
    None,
    /// Balls of these radii (m), in the order of the points, with those that come later. The fluid flows through those less than
    /// [`LEAST_WIDTH`] particle spacings wide.
    Balls(Arc<[f32]>),
    /// A sheet with this rest shape: positions of its points, m. Which triangles it has, its dynamics say.
    Sheet(Arc<[Vec3]>),
}

/// Least diameter of a ball that the fluid meets, particle spacings.
pub const LEAST_WIDTH: f32 = 2.0;

/// True if fluid of particles `spacing` (m) apart meets a ball of this `radius`, m.
pub fn is_met(radius: f32, spacing: f32) -> bool {
    // Tolerance for the rounding of decimal numbers.
    2.0 * radius >= 0.9999 * LEAST_WIDTH * spacing
}

/// Impulse of the fluid on a point during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointImpulse {
    /// Impulse, N s.
    pub linear: Vec3,
    /// Angular impulse about the point, N m s.
    pub angular: Vec3,
    /// Mass of the fluid that moves with the point, kg: during the step whatever pushes the point accelerates its mass and this one.
    pub added_mass: f32,
}
