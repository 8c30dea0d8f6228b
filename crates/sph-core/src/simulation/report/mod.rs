//! The report of a step.

mod accelerations;

use super::confinement::Held;
use super::{Simulation, State};
use crate::neighbors::{Audit, SearchStats, Tally};
use crate::passes::{sum_cells, sweep};
use crate::report::{Clock, Phase, PhaseTimes, StepError, StepStats};
use crate::simulation::Engine;
use crate::solver::SolveReport;
use std::time::Duration;

/// Result of the neighbour search, and its times.
#[derive(Debug, Default)]
pub(super) struct SearchResult {
    pub tally: Tally,
    /// Wall-clock time of registering the fluid.
    pub build: Duration,
    /// Wall-clock time of filling the lists of its fluid neighbours.
    pub query: Duration,
    pub audit: Audit,
}

impl Simulation {
    /// Statistics of the step.
    pub(super) fn report(
        &mut self,
        mut phases: Clock,
        solve: SolveReport,
        search: SearchResult,
        held: Result<Held, StepError>,
    ) -> StepStats {
        let Self { state: State { particles, parameters, time, steps, .. }, discretization, .. } = &*self;
        let count = particles.len();
        let external = self.external_forces();
        let view = self.view();
        let compression = |i: usize| (particles.densities[i] * view.lightness(i) / discretization.rest_density - 1.0).max(0.0);
        let Held { particles: held_particles, impulse } = held.unwrap_or_default();
        let mut stats = phases.measure(Phase::Statistics, || {
            let [error, kinetic_energy, potential_energy] = sum_cells(self.order.cells(), |i| {
                let kinetic = 0.5 * view.mass_of(i) * f64::from(particles.velocities[i].length_squared());
                [f64::from(compression(i)), kinetic, view.mass_of(i) * external.potential(particles.positions[i])]
            });
            StepStats {
                step: *steps,
                time: *time,
                dt: solve.time_step.dt,
                dt_limit: solve.time_step.limit,
                dt_exceeds: solve.time_step.exceeded,
                particles: count,
                exchange: self.inflow.exchange,
                phases: PhaseTimes::default(),
                density_error: (error / count.max(1) as f64) as f32,
                max_density_error: sweep::max(count, compression),
                max_speed: sweep::max(count, |i| particles.velocities[i].length()),
                held_particles,
                held_force: if held_particles == 0 { 0.0 } else { impulse / f64::from(solve.time_step.dt) },
                density_solve: solve.density,
                divergence_solve: solve.divergence,
                viscosity_solve: self.forces.solve,
                kinetic_energy,
                potential_energy,
                search: SearchStats {
                    parameters: parameters.grid,
                    occupancy: self.neighborhood.fluid_search.occupancy(),
                    tally: search.tally,
                    build: search.build,
                    query: search.query,
                },
                audit: search.audit,
                error: held.err(),
                accelerations: None,
            }
        });
        let blamed = stats.error.as_ref().and_then(StepError::particle);
        stats.accelerations = blamed.and_then(|(particle_id, _)| self.accelerations_of(particle_id, stats.dt));
        (stats.phases, self.timeline) = phases.stop();
        stats
    }
}
