//! Second buffer of the particles' state, in which a step is written before it is accepted or refused.

use crate::particles::Particles;
use crate::passes::sweep;
use crate::report::held;
use glam::Vec3;

/// Arrays that a step writes while it reads the present ones, and that are swapped with them afterwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Next {
    pub positions: Vec<Vec3>,
    pub rounding_errors: Vec<Vec3>,
    pub velocities: Vec<Vec3>,
    densities: Vec<f32>,
    pressures: Vec<f32>,
    ids: Vec<u32>,
}

impl Next {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { positions, rounding_errors, velocities, densities, pressures, ids } = self;
        let vectors = held(positions) + held(rounding_errors) + held(velocities);
        vectors + held(densities) + held(pressures) + held(ids)
    }

    /// Permutes the particles into `order`.
    pub fn sort(&mut self, order: &[u32], particles: &mut Particles, rounding_errors: &mut Vec<Vec3>) {
        sweep::permute(order, &mut particles.positions, &mut self.positions);
        sweep::permute(order, rounding_errors, &mut self.rounding_errors);
        sweep::permute(order, &mut particles.velocities, &mut self.velocities);
        sweep::permute(order, &mut particles.densities, &mut self.densities);
        sweep::permute(order, &mut particles.pressures, &mut self.pressures);
        sweep::permute(order, &mut particles.ids, &mut self.ids);
    }

    /// Copies densities and pressures, which the solver overwrites, for the case that the step is refused.
    pub fn keep_densities(&mut self, particles: &Particles) {
        self.densities.clone_from(&particles.densities);
        self.pressures.clone_from(&particles.pressures);
    }

    /// Accepts the step: the new positions and velocities replace the old ones.
    pub fn accept(&mut self, particles: &mut Particles, rounding_errors: &mut Vec<Vec3>) {
        std::mem::swap(&mut particles.positions, &mut self.positions);
        std::mem::swap(rounding_errors, &mut self.rounding_errors);
        std::mem::swap(&mut particles.velocities, &mut self.velocities);
    }

    /// Refuses the step: restores the densities and pressures of [`Next::keep_densities`].
    pub fn refuse(&mut self, particles: &mut Particles) {
        std::mem::swap(&mut particles.densities, &mut self.densities);
        std::mem::swap(&mut particles.pressures, &mut self.pressures);
    }
}
