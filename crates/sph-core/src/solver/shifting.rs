//! Particle shifting (Lind2012, Skillen2013): particles are displaced a little down the gradient of their concentration.
//!
//! Without it, particles in vortices line up along the streamlines, with gaps between the lines.

use super::surface::{SurfaceIndicator, surface_indicators, threshold};
use crate::boundary::{BoundaryParticles, Solids};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::Method;
use crate::particles::Particles;
use crate::passes::{Gather, StepContext, gather, sweep};
use crate::report::held;
use crate::simd::{Lanes, Vec3Lanes};
use glam::{Vec3, Vec4};

/// Largest shift in a step, in particle spacings.
const MAX_SHIFT: f32 = 0.1;

/// Workspace of particle shifting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shifting {
    /// Positions, m, in the layout for gathering; w is unused.
    places: Vec<Vec4>,
    surface_indicators: Vec<SurfaceIndicator>,
    /// Shifting velocities δv, m/s, in the layout for gathering; w is unused.
    shifts: Vec<Vec4>,
    /// Σ_j V δv_j·∇W, 1/s.
    divergences: Vec<f32>,
}

impl Shifting {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { places, surface_indicators, shifts, divergences } = self;
        held(places) + held(surface_indicators) + held(shifts) + held(divergences)
    }

    /// Adds the shifting velocity `δv = −A h |v| ∇C` to the advection velocities, m/s, with the concentration gradient
    /// `∇C = Σ_j V_j ∇W`. The shift dt δv is at most a tenth of a spacing. The velocities themselves stay.
    ///
    /// Near a free surface ∇C points inwards, as there is no fluid outside. So δv fades to 0 at the surface: it is multiplied
    /// by `(D − F)/(d − F)` with `D = −Σ_j V_j r·∇W` and F, the threshold of D at a surface.
    ///
    /// The densities of WCSPH change with the shift as with any motion: `dρ_i = dt ρ_i Σ_j V_j (δv_i − δv_j)·∇W` (after
    /// Sun2019, who also exchanges mass and momentum between particles). Without this term they drift away from the summed
    /// densities, by 1 % in the time in which the lid of the driven cavity travels its length.
    pub fn shift(
        &mut self,
        ctx: &StepContext<'_>,
        particles: &mut Particles,
        walls: &BoundaryParticles,
        dt: f32,
        advection_velocities: &mut [Vec3],
    ) {
        let Self { places, surface_indicators: indicators, shifts, divergences } = self;
        let Particles { positions, velocities, densities, .. } = particles;
        let dimensions = ctx.discretization.dimensions;
        let surface = threshold(dimensions);
        let range = dimensions.count() as f32 - surface;
        let factor = ctx.parameters.solver.shifting * ctx.smoothing_length();
        let max_speed = MAX_SHIFT * ctx.discretization.particle_spacing / dt;
        sweep::map(positions.len(), places, |i| positions[i].extend(0.0));
        with_kernel!(ctx.kernel, kernel => {
            surface_indicators(Solids { kernel, ctx, walls }, places, indicators);
            sweep::map(positions.len(), shifts, |i| {
                let SurfaceIndicator { divergence, gradient } = indicators[i];
                let share = ((divergence - surface) / range).clamp(0.0, 1.0);
                let shift = -factor * velocities[i].length() * share * gradient;
                // With dt = 0 the bound is infinite. A velocity that is NaN stays NaN, and the step is refused for it.
                shift.clamp_length_max(max_speed).extend(0.0)
            });
            if ctx.parameters.solver.method == Method::Wcsph {
                gather(places.len(), divergences, &ShiftDivergencePass { kernel, ctx, places, shifts });
                sweep::update(densities, |i, density| {
                    *density *= 1.0 + dt * (shifts[i].truncate().dot(indicators[i].gradient) - divergences[i]);
                });
            }
        });
        sweep::update(advection_velocities, |i, velocity| *velocity += shifts[i].truncate());
    }
}

/// Pass for `Σ_j V δv_j·∇W`, the neighbours' part of the density change by shifting.
struct ShiftDivergencePass<'a, K> {
    kernel: K,
    ctx: &'a StepContext<'a>,
    places: &'a [Vec4],
    shifts: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for ShiftDivergencePass<'_, K> {
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
