//! Particle shifting (Lind2012, Skillen2013): particles move a little from where there are many to where there are few.
//!
//! In a flow that goes round and round they would otherwise line up along its streamlines, with gaps between the lines.

use super::Method;
use super::surface::{Filling, fillings, threshold};
use crate::boundary::BoundaryParticles;
use crate::kernel::{SmoothingKernel, with_kernel};
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
    /// What is added to the velocities with which particles move, m/s.
    shifts: Vec<Vec3>,
}

impl Shifting {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { fillings, shifts } = self;
        held(fillings) + held(shifts)
    }

    /// Adds to the velocities with which particles are about to move, m/s, what shifts them by `−A h |v| dt ∇C`, with `∇C = Σ_j V_j ∇W`, at
    /// most a tenth of a spacing. Velocities stay as they are.
    ///
    /// Near a free surface, where ∇C points inwards because there is nothing outside, less, down to nothing in it: times
    /// `(D − F)/(d − F)` with `D = −Σ_j V_j r·∇W` and F its value in the surface.
    ///
    /// Densities that are carried from step to step change with it, as with any other motion: `dρ_i = dt ρ_i Σ_j V_j (δv_i − δv_j)·∇W`
    /// (after Sun2019, who lets mass and momentum flow between particles as well, so that fluid stays where it is while they shift). Without that, those of a flow that is shifted all the time drift away from the distances between particles, by 1 % in the
    /// time in which a lid passes over its cavity.
    pub fn shift(
        &mut self,
        around: &Surroundings<'_>,
        particles: &mut Particles,
        walls: &BoundaryParticles,
        dt: f32,
        transport: &mut [Vec3],
    ) {
        let Self { fillings: filled, shifts } = self;
        let Particles { positions, velocities, densities, .. } = particles;
        let dimensions = around.discretization.dimensions;
        let surface = threshold(dimensions);
        let inside = dimensions.count() as f32 - surface;
        let factor = around.parameters.solver.shifting * around.smoothing_length();
        let fastest = FARTHEST * around.discretization.particle_spacing / dt;
        with_kernel!(around.kernel, kernel => {
            fillings(kernel, around, positions, walls, filled);
            sweep::map(positions.len(), shifts, |i| {
                let Filling { divergence, gradient } = filled[i];
                let share = ((divergence - surface) / inside).clamp(0.0, 1.0);
                let shift = -factor * velocities[i].length() * share * gradient;
                // Without a step there is no shift either: NaN stays with the velocity, where the step is refused.
                shift.clamp_length_max(fastest)
            });
            if around.parameters.solver.method == Method::Wcsph {
                let volume = around.rest_volume();
                sweep::update(densities, |i, density| {
                    let others: f32 = (around.fluid.of(i).iter())
                        .map(|&j| shifts[j as usize].dot(kernel.grad_w(around.between(positions[i], positions[j as usize]))))
                        .sum();
                    *density *= 1.0 + dt * (shifts[i].dot(filled[i].gradient) - volume * others);
                });
            }
        });
        sweep::update(transport, |i, transport| *transport += shifts[i]);
    }
}
