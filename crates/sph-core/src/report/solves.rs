//! What the iterations of a step took, and what they left.

/// What an iteration for the pressure took, and what it left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressureSolve {
    /// Iterations made.
    pub iterations: u32,
    /// Mean over the particles of the relative compression that is left, by the solver's own prediction.
    pub error: f32,
    /// The largest such compression.
    pub max_error: f32,
}

impl PressureSolve {
    /// Nothing to solve.
    pub const NONE: Self = Self { iterations: 0, error: 0.0, max_error: 0.0 };
}

/// What the iterations of the implicit viscosity took, and what they left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViscositySolve {
    /// Iterations made.
    pub iterations: u32,
    /// Root mean square of the residual over that of what viscosity does in a step, or of the velocities where that is less.
    pub error: f32,
}
