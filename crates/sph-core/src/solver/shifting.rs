//! Particle shifting (Lind2012, Skillen2013): particles move a little from where there are many to where there are few.
//!
//! In a flow that goes round and round they would otherwise line up along its streamlines, with gaps between the lines.

use super::surface::{SurfaceIndicator, surface_indicators, threshold};
use crate::boundary::BoundaryParticles;
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::Method;
use crate::particles::Particles;
use crate::passes::{Gather, StepContext, gather, sweep};
use crate::report::held;
use crate::simd::{Lanes, Vec3Lanes};
use glam::{Vec3, Vec4};

/// Farthest that a particle is shifted in a step, in particle spacings.
const FARTHEST: f32 = 0.1;

/// What shifting keeps between steps: memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shifting {
    /// Positions, m, as they are gathered.
    places: Vec<Vec4>,
    surface_indicators: Vec<SurfaceIndicator>,
    /// What is added to the velocities with which particles move, m/s, as it is gathered.
    shifts: Vec<Vec4>,
    /// Σ_j V δv_j·∇W, 1/s.
    gains: Vec<f32>,
}

impl Shifting {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { places, surface_indicators, shifts, gains } = self;
        held(places) + held(surface_indicators) + held(shifts) + held(gains)
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
        ctx: &StepContext<'_>,
        particles: &mut Particles,
        walls: &BoundaryParticles,
        dt: f32,
        advection_velocities: &mut [Vec3],
    ) {
        let Self { places, surface_indicators: filled, shifts, gains } = self;
        let Particles { positions, velocities, densities, .. } = particles;
        let dimensions = ctx.discretization.dimensions;
        let surface = threshold(dimensions);
        let inside = dimensions.count() as f32 - surface;
        let factor = ctx.parameters.solver.shifting * ctx.smoothing_length();
        let fastest = FARTHEST * ctx.discretization.particle_spacing / dt;
        sweep::map(positions.len(), places, |i| positions[i].extend(0.0));
        with_kernel!(ctx.kernel, kernel => {
            surface_indicators(kernel, ctx, places, walls, filled);
            sweep::map(positions.len(), shifts, |i| {
                let SurfaceIndicator { divergence, gradient } = filled[i];
                let share = ((divergence - surface) / inside).clamp(0.0, 1.0);
                let shift = -factor * velocities[i].length() * share * gradient;
                // Without a step there is no shift either: NaN stays with the velocity, where the step is refused.
                shift.clamp_length_max(fastest).extend(0.0)
            });
            if ctx.parameters.solver.method == Method::Wcsph {
                gather(places.len(), gains, &Gains { kernel, ctx, places, shifts });
                sweep::update(densities, |i, density| {
                    *density *= 1.0 + dt * (shifts[i].truncate().dot(filled[i].gradient) - gains[i]);
                });
            }
        });
        sweep::update(advection_velocities, |i, advection_velocities| *advection_velocities += shifts[i].truncate());
    }
}

/// The pass that finds what the shifts of the particles around each one do to its density.
struct Gains<'a, K> {
    kernel: K,
    ctx: &'a StepContext<'a>,
    places: &'a [Vec4],
    shifts: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for Gains<'_, K> {
    type Value = f32;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> f32 {
        let Self { kernel, ctx, places, shifts } = *self;
        let place = places[i].truncate();
        let mut sum = L::splat(0.0);
        for (block, left) in rows.blocks(i) {
            let [x, y, z, _] = L::gather(places, block);
            let x_ij = ctx.minimum_image_lanes(place, Vec3Lanes { x, y, z });
            let [x, y, z, _] = L::gather(shifts, block);
            let dw = kernel.dw_over_r(x_ij.length_squared().sqrt());
            sum = sum + (Vec3Lanes { x, y, z }.dot(x_ij) * dw).keep(left);
        }
        ctx.rest_volume() * sum.sum()
    }
}
