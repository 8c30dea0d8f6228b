//! Memory of a solver: numbers that it carries from step to step, besides the attributes of the particles.

/// Numbers that a solver carries from step to step. With the attributes of the particles they are all that it remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverMemory {
    /// Past of the fluid, as far as the solver has to know it.
    pub past: Past,
    /// Length of the step of the last divergence solve of DFSPH, s; 0 before the first.
    pub divergence_dt: f32,
}

/// Past of the fluid before the next step of its solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Past {
    /// No solver has moved the fluid yet.
    #[default]
    Initial,
    /// Another solver has moved the fluid so far.
    TakenOver,
    /// The solver has moved the fluid in the last step.
    Own,
}
