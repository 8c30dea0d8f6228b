//! What accelerated the particle because of which a step is refused.

use crate::forces::{ExternalForces, Flow};
use crate::kernel::with_kernel;
use crate::parameters::ViscosityModel;
use crate::passes::StepContext;
use crate::report::Accelerations;
use crate::simulation::{Simulation, State};
use crate::space::Wrap;
use glam::Vec3;

impl Simulation {
    /// Accelerations of the particle with this id in a step of `dt`, s, that has just been refused: neighbour lists and the solver's
    /// velocities are those of the step, the fluid is as it was before. Costs a pass for each force.
    pub(in crate::simulation) fn accelerations_of(&mut self, particle_id: u32, dt: f32) -> Option<Accelerations> {
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
        let [mut viscosity, tension, adhesion, spin] = with_kernel!(self.kernel, kernel => {
            forces.accelerations_by_cause(kernel, &ctx, flow, walls, &particles.spins, buffers).map(|all| all[i])
        });
        if parameters.fluid.viscosity_model == ViscosityModel::Implicit {
            viscosity += next.particles.viscosity_changes.get(i).copied().unwrap_or(Vec3::ZERO) / dt;
        }
        let total = (velocity_update.velocities.get(i)? - particles.velocities[i]) / dt;
        Some(Accelerations::new(total, [viscosity, tension, adhesion, spin, external.at(particles.positions[i])]))
    }
}
