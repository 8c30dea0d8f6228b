//! Reports of the iterative solves in a step.

/// Report of an iterative pressure solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressureSolve {
    /// Number of iterations.
    pub iterations: u32,
    /// Mean over the particles of the remaining relative compression, as predicted by the solver; where pressure has either sign, of
    /// expansion as well.
    pub error: f32,
    /// Maximum of the same over the particles.
    pub max_error: f32,
}

impl PressureSolve {
    /// Report of a method without this solve.
    pub const NONE: Self = Self { iterations: 0, error: 0.0, max_error: 0.0 };
}

/// Report of the solve of the implicit viscosity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViscositySolve {
    /// Number of iterations.
    pub iterations: u32,
    /// Relative residual: its root mean square over that of the velocity change by viscosity, or of the velocities if that is
    /// less.
    pub error: f32,
}
