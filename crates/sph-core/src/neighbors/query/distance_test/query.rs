//! The question that a distance test answers.

use glam::Vec3;

/// What candidates are tested against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub center: Vec3,
    pub radius_squared: f32,
    /// Name of the point that asks, or [`NOBODY`]; it is not its own neighbour.
    pub itself: u32,
}

/// The name of no point.
pub(crate) const NOBODY: u32 = u32::MAX;
