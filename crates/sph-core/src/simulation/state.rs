//! State of a simulation: all that the next steps depend on, besides its setup.

use crate::boundary::{BodyState, MovedBody};
use crate::parameters::Parameters;
use crate::particles::Particles;
use crate::simulation::DroppedBody;
use crate::solver::SolverMemory;

/// State of a simulation between two steps. With the [`Setup`](crate::Setup) it determines all later steps to the bit; see
/// [`Simulation::from_state`](crate::Simulation::from_state).
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Particles, in any order: each step sorts them by cell and id.
    pub particles: Particles,
    /// Bodies that move by forces: those of the setup in its order, then the dropped ones.
    pub bodies: Vec<BodyState>,
    /// Bodies that have been dropped, in that order: as they were at that moment.
    pub dropped: Vec<DroppedBody>,
    /// Bodies of the setup that a user has moved, each once, in the order in which they were first moved; none of them moves by forces.
    pub moved: Vec<MovedBody>,
    /// Parameters of the next step.
    pub parameters: Parameters,
    /// Keys of the parameters that have been taken off their curves.
    pub off_curve: Vec<&'static str>,
    /// Simulated time, s.
    pub time: f64,
    /// Completed steps.
    pub steps: u64,
    /// Length of the last step, s; 0 before the first.
    pub last_dt: f32,
    /// Age of the densities: time by which they lag behind the positions, s.
    pub density_age: f32,
    /// Time at which emitters and drains acted last, s; `None` before the first step.
    pub exchanged: Option<f64>,
    /// Id of the next particle that is added, above all ids so far.
    pub next_id: u32,
    /// Numbers that the solver carries from step to step.
    pub solver: SolverMemory,
}

impl State {
    /// State of `particles` and `bodies` that have not moved yet.
    pub(crate) fn initial(parameters: Parameters, particles: Particles, bodies: Vec<BodyState>) -> Self {
        let next_id = particles.len() as u32;
        Self {
            particles,
            bodies,
            dropped: Vec::new(),
            moved: Vec::new(),
            parameters,
            off_curve: Vec::new(),
            time: 0.0,
            steps: 0,
            last_dt: 0.0,
            density_age: 0.0,
            exchanged: None,
            next_id,
            solver: SolverMemory::default(),
        }
    }
}
