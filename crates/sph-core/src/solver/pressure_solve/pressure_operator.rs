//! What a pressure does to the density: the one linear operator that the incompressible solvers share.
//!
//! The unknown is k = p/(ρ₀R²), m²/s², with the relative density R = ρ/ρ₀. Every particle has the rest volume V = m/ρ₀; walls have
//! theirs. With one and the same volume and gradient in [`acceleration`] and in [`compression_rates`] the operator A, which takes k to the
//! rate of dR/dt, is symmetric and negative where walls do not push back (Ihmsen2014, Bender2017).

use super::gradients::{BothRows, Fill, FluidRowMut, Gradients, Pairs, WallRowMut};
use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::passes::{Gather, GatherBuffers, StepContext, gather, sweep};
use crate::simd::Lanes;
use glam::{Vec3, Vec4};

/// D below this over the support radius squared has no pressure: there is next to nobody to push against.
const LEAST_STIFFNESS: f32 = 1e-6;

/// Density and stiffness of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DensityAndAlpha {
    /// R = ρ/ρ₀ by summation over fluid and walls.
    pub relative_density: f32,
    /// α = 1/D, m²; 0 where D is next to nothing.
    pub alpha: f32,
}

/// R and α of every particle: `R_i = V W(0) + Σ_j V W_ij + Σ_b V_b W_ib`,
/// `D_i = |Σ_j V∇W + Σ_b V_b∇W|² + Σ_j |V∇W|²`, 1/m². The gradients are kept for the iterations; `buffers` is workspace.
pub(crate) fn density_and_alpha<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    positions: &[Vec3],
    walls: &BoundaryParticles,
    buffers: &mut GatherBuffers,
    (gradients, density_and_alpha): (&mut Gradients, &mut Vec<DensityAndAlpha>),
) {
    let radius = ctx.discretization.support_radius;
    let least = LEAST_STIFFNESS / (radius * radius);
    let pass = DensityAndAlphaPass { kernel, ctx, positions, volumes: &walls.volumes, least };
    gradients.fill((kernel, ctx), positions, walls, buffers, (density_and_alpha, &pass));
}

/// The pass of [`density_and_alpha`].
struct DensityAndAlphaPass<'a, K> {
    kernel: K,
    ctx: &'a StepContext<'a>,
    positions: &'a [Vec3],
    /// Of the walls, m³.
    volumes: &'a [f32],
    /// Least D, 1/m².
    least: f32,
}

impl<K: SmoothingKernel> Fill for DensityAndAlphaPass<'_, K> {
    type Value = DensityAndAlpha;

    #[inline(always)]
    fn value<L: Lanes>(&self, i: usize, fluid: FluidRowMut<'_>, solid: WallRowMut<'_>) -> DensityAndAlpha {
        let Self { kernel, ctx, positions, volumes, least } = *self;
        let volume = ctx.rest_volume();
        let near = fluid.weigh::<L, K>(kernel, volume);
        let near_walls = solid.weigh::<L, K>(kernel, volumes);
        let wall_integral = ctx.wall_integral(positions[i]);
        let stiffness = (near.gradient + near_walls.gradient + wall_integral.gradient).length_squared() + near.squares;
        DensityAndAlpha {
            relative_density: volume * kernel.w(0.0)
                + near.density
                + near_walls.density
                + (wall_integral.density + wall_integral.gradient.dot(ctx.rounding_errors[i])),
            // Written so that NaN has no pressure.
            alpha: if stiffness >= least { stiffness.recip() } else { 0.0 },
        }
    }
}

/// R of particle i alone, at `places`.
pub(crate) fn relative_density<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    places: &[Vec3],
    walls: &BoundaryParticles,
    i: usize,
) -> f32 {
    let mut fluid = kernel.w(0.0);
    for &j in ctx.fluid.of(i) {
        fluid += kernel.w(ctx.minimum_image(places[i], places[j as usize]).length());
    }
    let mut solid = 0.0;
    for &b in ctx.walls.of(i) {
        let b = b as usize;
        solid += walls.volumes[b] * kernel.w(ctx.minimum_image(places[i], walls.positions[b]).length());
    }
    ctx.rest_volume() * fluid + solid + ctx.wall_integral(places[i]).density
}

/// `a_i(k) = −Σ_j V (k_i + k_j) ∇W − Σ_b V_b (k_i + k_b) ∇W`, m/s², and a number that means nothing; `wall_pressures` are k_b, m²/s².
pub(crate) fn acceleration(
    gradients: &Gradients,
    ctx: &StepContext<'_>,
    wall_pressures: &[f32],
    k: &[f32],
    accelerations: &mut Vec<Vec4>,
) {
    gather(ctx.fluid.len(), accelerations, &PressureAccelerationPass { pairs: Pairs { ctx, gradients }, wall_pressures, k });
}

/// Adds to `accelerations` what walls do that are not particles; `bear`: whether against what is outside.
pub(crate) fn add_planes(ctx: &StepContext<'_>, walls: &BoundaryParticles, bear: bool, k: &[f32], accelerations: &mut [Vec4]) {
    if ctx.wall_integrals.is_empty() {
        return;
    }
    sweep::update(accelerations, |i, acceleration| {
        let pressures = (k[i], walls.at_planes[i]);
        *acceleration += ctx.wall_integrals[i].push(ctx.parameters.solver.walls, pressures, 1.0, bear).extend(0.0);
    });
}

/// The pass of [`acceleration`].
struct PressureAccelerationPass<'a> {
    pairs: Pairs<'a>,
    wall_pressures: &'a [f32],
    k: &'a [f32],
}

impl<'p> Gather for PressureAccelerationPass<'p> {
    type Value = Vec4;
    type Source = Pairs<'p>;

    fn source(&self) -> &Self::Source {
        &self.pairs
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: BothRows<'_>, i: usize) -> Vec4 {
        let Self { wall_pressures, k, .. } = *self;
        let mut sum = rows.fluid.of(i).weighted::<L>(k[i], k);
        let solid = rows.walls.of(i);
        if !solid.is_empty() {
            sum += solid.weighted::<L>(k[i], wall_pressures);
        }
        -sum
    }
}

/// `out[i] = finish(i, Σ_j V (v_i − v_j)·∇W + Σ_b V_b (v_i − v_b)·∇W)`: for velocities v it is given dR/dt, 1/s; for accelerations its rate,
/// 1/s². `wall` is v_b of the boundary particles, `None` where they do not move: all of them at rest for good, or in what pressure does.
pub(crate) fn compression_rates(
    gradients: &Gradients,
    ctx: &StepContext<'_>,
    (field, wall): (&[Vec4], Option<&[Vec3]>),
    out: &mut Vec<f32>,
    finish: impl Fn(usize, f32) -> f32 + Sync,
) {
    gather(ctx.fluid.len(), out, &CompressionRatePass { pairs: Pairs { ctx, gradients }, field, wall, finish });
}

/// The pass of [`compression_rates`].
struct CompressionRatePass<'a, F> {
    pairs: Pairs<'a>,
    field: &'a [Vec4],
    wall: Option<&'a [Vec3]>,
    finish: F,
}

impl<'p, F: Fn(usize, f32) -> f32 + Sync> Gather for CompressionRatePass<'p, F> {
    type Value = f32;
    type Source = Pairs<'p>;

    fn source(&self) -> &Self::Source {
        &self.pairs
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: BothRows<'_>, i: usize) -> f32 {
        let Self { field, wall, ref finish, .. } = *self;
        let own = field[i].truncate();
        let fluid = rows.fluid.of(i).difference::<L>(own, field);
        let solid = rows.walls.of(i);
        let solid = match wall {
            // Most particles have none.
            _ if solid.is_empty() => 0.0,
            Some(wall) => solid.difference::<L>(own, wall),
            None => solid.difference::<L>(own, Vec3::ZERO),
        };
        // Planes move within themselves at most.
        let planes = self.pairs.ctx.wall_integrals.get(i).map_or(0.0, |wall_integral| own.dot(wall_integral.gradient));
        finish(i, fluid + solid + planes)
    }
}

#[cfg(test)]
pub(crate) mod tests;
