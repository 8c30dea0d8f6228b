//! The query of a distance test.

use glam::Vec3;

/// Query position and radius that candidates are tested against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// Query position, m.
    pub center: Vec3,
    pub radius_squared: f32,
    /// Index of the query point, which is not its own neighbour; [`NO_INDEX`] if it is not registered.
    pub itself: u32,
}

/// The index of no point.
pub(crate) const NO_INDEX: u32 = u32::MAX;
