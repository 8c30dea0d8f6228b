//! Particle shifting (Lind2012, Skillen2013): particles move a little from where there are many to where there are few.
//!
//! In a flow that goes round and round they would otherwise line up along its streamlines, with gaps between the lines.

use super::surface::{Filling, fillings, threshold};
use crate::boundary::BoundaryParticles;
use crate::kernel::with_kernel;
use crate::memory::held;
use crate::particles::Particles;
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::Vec3;

/// Farthest that a particle is shifted in a step, in particle spacings.
const FARTHEST: f32 = 0.1;

/// What shifting keeps between steps: memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shifting {
    fillings: Vec<Filling>,
}

impl Shifting {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.fillings)
    }

    /// Adds to the velocities with which particles are about to move, m/s, what shifts them by `−A h |v| dt ∇C`, with `∇C = Σ_j V_j ∇W`, at
    /// most a tenth of a spacing. Velocities and densities stay as they are.
    ///
    /// Near a free surface, where ∇C points inwards because there is nothing outside, less, down to nothing in it: times
    /// `(D − F)/(d − F)` with `D = −Σ_j V_j r·∇W` and F its value in the surface.
    pub fn shift(
        &mut self,
        around: &Surroundings<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        dt: f32,
        transport: &mut [Vec3],
    ) {
        let Particles { positions, velocities, .. } = particles;
        let Self { fillings: filled } = self;
        with_kernel!(around.kernel, kernel => fillings(kernel, around, positions, walls, filled));
        let dimensions = around.discretization.dimensions;
        let surface = threshold(dimensions);
        let inside = dimensions.count() as f32 - surface;
        let factor = around.parameters.solver.shifting * around.smoothing_length();
        let fastest = FARTHEST * around.discretization.particle_spacing / dt;
        sweep::update(transport, |i, transport| {
            let Filling { divergence, gradient } = filled[i];
            let share = ((divergence - surface) / inside).clamp(0.0, 1.0);
            let shift = -factor * velocities[i].length() * share * gradient;
            // Without a step there is no shift either: NaN stays with the velocity, where the step is refused.
            *transport += shift.clamp_length_max(fastest);
        });
    }
}
