//! Second buffer of the particles' state, in which a step is written before it is accepted or refused.

use crate::particles::Particles;

/// Arrays that a step writes while it reads the present ones, and that are swapped with them afterwards. Besides, the second
/// buffer of permutations: between two steps its values mean nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Next(pub Particles);

impl Next {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.0.memory()
    }

    /// Permutes the particles into `order`.
    pub fn sort(&mut self, order: &[u32], particles: &mut Particles) {
        particles.permute(order, &mut self.0);
    }

    /// Copies densities and pressures, which the solver overwrites, for the case that the step is refused.
    pub fn keep_densities(&mut self, particles: &Particles) {
        self.0.densities.clone_from(&particles.densities);
        self.0.pressures.clone_from(&particles.pressures);
    }

    /// Accepts the step: the new positions and velocities replace the old ones.
    pub fn accept(&mut self, particles: &mut Particles) {
        std::mem::swap(&mut particles.positions, &mut self.0.positions);
        std::mem::swap(&mut particles.rounding_errors, &mut self.0.rounding_errors);
        std::mem::swap(&mut particles.velocities, &mut self.0.velocities);
    }

    /// Refuses the step: restores the densities and pressures of [`Next::keep_densities`].
    pub fn refuse(&mut self, particles: &mut Particles) {
        std::mem::swap(&mut particles.densities, &mut self.0.densities);
        std::mem::swap(&mut particles.pressures, &mut self.0.pressures);
    }
}
