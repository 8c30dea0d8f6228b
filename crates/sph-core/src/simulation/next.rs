//! Second buffer of the particles' state, in which a step is written before it is accepted or refused.

use crate::particles::Particles;
use crate::solver::SolverMemory;

/// Arrays that a step writes while it reads the present ones, and that are swapped with them afterwards. Besides, the second
/// buffer of permutations: between two steps its values mean nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Next {
    pub particles: Particles,
    /// Memory of the solver before the step.
    solver: SolverMemory,
}

impl Next {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.particles.memory()
    }

    /// Permutes the particles into `order`.
    pub fn sort(&mut self, order: &[u32], particles: &mut Particles) {
        particles.permute(order, &mut self.particles);
    }

    /// Copies what the solver overwrites, for the case that the step is refused: densities, pressures, and what it remembers.
    pub fn keep(&mut self, particles: &Particles, solver: SolverMemory) {
        self.solver = solver;
        self.particles.densities.clone_from(&particles.densities);
        self.particles.pressures.clone_from(&particles.pressures);
        self.particles.viscosity_changes.clone_from(&particles.viscosity_changes);
        self.particles.divergence_k.clone_from(&particles.divergence_k);
        self.particles.density_offsets.clone_from(&particles.density_offsets);
    }

    /// Accepts the step: the new positions and velocities replace the old ones.
    pub fn accept(&mut self, particles: &mut Particles) {
        std::mem::swap(&mut particles.positions, &mut self.particles.positions);
        std::mem::swap(&mut particles.rounding_errors, &mut self.particles.rounding_errors);
        std::mem::swap(&mut particles.velocities, &mut self.particles.velocities);
    }

    /// Refuses the step: restores what [`Next::keep`] has copied.
    pub fn refuse(&mut self, particles: &mut Particles, solver: &mut SolverMemory) {
        *solver = self.solver;
        std::mem::swap(&mut particles.densities, &mut self.particles.densities);
        std::mem::swap(&mut particles.pressures, &mut self.particles.pressures);
        std::mem::swap(&mut particles.viscosity_changes, &mut self.particles.viscosity_changes);
        std::mem::swap(&mut particles.divergence_k, &mut self.particles.divergence_k);
        std::mem::swap(&mut particles.density_offsets, &mut self.particles.density_offsets);
    }
}
