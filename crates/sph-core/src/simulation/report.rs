//! The report of a step, and what accelerated the particle because of which one is refused.

use std::time::Duration;

use super::integration::WallClamp;
use super::{Engine, Simulation, State};
use crate::forces::{ExternalForces, Flow};
use crate::kernel::with_kernel;
use crate::neighbors::{Audit, SearchStats, Tally};
use crate::parameters::ViscosityModel;
use crate::passes::{StepContext, sum_cells, sweep};
use crate::report::{AccelerationTerm, Accelerations, Clock, Phase, PhaseTimes, StepError, StepStats};
use crate::solver::SolveReport;
use crate::space::Wrap;
use glam::Vec3;

/// Result of the fluid's neighbour search.
#[derive(Debug, Default)]
pub(super) struct SearchResult {
    pub tally: Tally,
    pub audit: Audit,
}

impl Simulation {
    /// Statistics of the step.
    pub(super) fn report(
        &mut self,
        mut phases: Clock,
        solve: SolveReport,
        search: SearchResult,
        held: Result<WallClamp, StepError>,
    ) -> StepStats {
        let Self { state: State { particles, parameters, time, steps, .. }, discretization, .. } = &*self;
        let count = particles.len();
        let external = self.external_forces();
        let view = self.view();
        let compression = |i: usize| (particles.densities[i] * view.lightness(i) / discretization.rest_density - 1.0).max(0.0);
        let WallClamp { particles: held_particles, impulse } = held.unwrap_or_default();
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
                acoustic_steps: solve.acoustic_steps,
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
                    build: Duration::ZERO,
                    query: Duration::ZERO,
                },
                audit: search.audit,
                error: held.err(),
                accelerations: None,
            }
        });
        let blamed = stats.error.as_ref().and_then(StepError::particle);
        stats.accelerations = blamed.and_then(|(particle_id, _)| self.accelerations_of(particle_id, stats.dt));
        (stats.phases, self.timeline) = phases.stop();
        [stats.search.build, stats.search.query] = [Phase::Build, Phase::Query].map(|phase| stats.phases[phase]);
        stats
    }
}

impl Simulation {
    /// Accelerations of the particle with this id in a step of `dt`, s, that has just been refused: neighbour lists and the solver's
    /// velocities are those of the step, the fluid is as it was before. Costs a pass for each force.
    pub(super) fn accelerations_of(&mut self, particle_id: u32, dt: f32) -> Option<Accelerations> {
        let Self { discretization, state, domain, walls, neighborhood, velocity_update, buffers, forces, next, .. } = self;
        let State { particles, parameters, time, last_dt, density_age, .. } = state;
        let i = particles.ids.iter().position(|&id| id == particle_id)?;
        let external = ExternalForces::new(parameters.gravity, &self.external_forces, *time, domain);
        let ctx = StepContext {
            discretization,
            parameters,
            kernel: self.kernel,
            wrap: Wrap::new(domain),
            rounding_errors: &particles.rounding_errors,
            mass: self.mass,
            has_fluid: true,
            mixture: (!self.fluids.is_empty()).then_some(&self.mixture),
            external,
            cells: self.order.cells(),
            fluid: &neighborhood.fluid,
            walls: &neighborhood.walls,
            wall_neighbors: &neighborhood.wall_neighbors,
            planes: &self.planes,
            wall_integrals: &self.wall_integrals,
            last_dt: *last_dt,
            density_age: *density_age,
            cancel: None,
        };
        // The refused densities and changes by viscosity are in the second buffer.
        let flow =
            Flow { positions: &particles.positions, velocities: &particles.velocities, densities: &next.particles.densities };
        let (viscosity, by_forces) = with_kernel!(self.kernel, kernel => {
            forces.accelerations_by_cause(kernel, &ctx, flow, walls, &particles.spins, buffers)
        });
        let mut viscosity = viscosity[i];
        if parameters.fluid.viscosity_model == ViscosityModel::Implicit {
            viscosity += next.particles.viscosity_changes.get(i).copied().unwrap_or(Vec3::ZERO) / dt;
        }
        let total = (velocity_update.velocities.get(i)? - particles.velocities[i]) / dt;
        Some(Accelerations::new(total, |term| match term {
            AccelerationTerm::Viscosity => viscosity,
            AccelerationTerm::Force(force) => by_forces[force as usize][i],
            AccelerationTerm::External => external.at(particles.positions[i]),
            AccelerationTerm::Pressure => Vec3::ZERO,
        }))
    }
}
