//! Pressure solvers, one file each, reading as the paper.

mod equation_of_state;
mod wcsph;

pub(crate) use equation_of_state::EquationOfState;
pub(crate) use wcsph::Wcsph;

use crate::boundary::BoundaryParticles;
use crate::particles::Particles;
use crate::stats::PhaseTimes;
use crate::surroundings::Surroundings;
use crate::time_step::TimeStepLimit;
use glam::Vec3;

/// Any one of the solvers.
#[derive(Clone, Debug)]
pub(crate) enum Solver {
    /// Weakly compressible.
    Wcsph(Wcsph),
}

/// Where a step leads: one entry a particle. The particles themselves still stand where they stood, so that the step can be refused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    /// Velocities after the step, m/s, in which walls have not been asked yet.
    pub velocities: Vec<Vec3>,
}

/// What a solver says of its step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Advance {
    /// Length of the step, s.
    pub dt: f32,
    /// What kept it from being longer.
    pub limit: TimeStepLimit,
    /// How far the particles' densities will be behind their positions, s.
    pub lag: f32,
}

impl Solver {
    /// Computes one step: densities and pressures in `particles` and `walls`, velocities in `moves`.
    pub fn advance(
        &mut self,
        around: &Surroundings<'_>,
        particles: &mut Particles,
        walls: &mut BoundaryParticles,
        moves: &mut Moves,
        phases: &mut PhaseTimes,
    ) -> Advance {
        match self {
            Self::Wcsph(solver) => solver.advance(around, particles, walls, moves, phases),
        }
    }
}
