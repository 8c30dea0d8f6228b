//! Pressure operator A of the incompressible solvers: from k = p/(ρ₀R²), m²/s², to the rate of change of dR/dt, 1/s².
//!
//! A is [`compression_rates`] of [`acceleration`]. Both use the same rest volumes V = m/ρ₀ and the same gradients; so A is
//! symmetric, and negative definite where walls have no pressure of their own (Ihmsen2014, Bender2017).

use crate::boundary::{BoundaryParticles, Pressures, SolidTerms};
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::passes::{Gather, GatherBuffers, StepContext, gather};
use crate::simd::{Lanes, Vec3Lanes};
use crate::solver::gradients::{BothRows, Fill, FluidRowMut, Gradients, Pairs, WallRowMut};
use glam::{Vec3, Vec4};

/// Smallest D of particles with pressure, over the support radius squared: below it there are too few neighbours.
const LEAST_STIFFNESS: f32 = 1e-6;

/// Deficit of relative density at a free surface, over the support radius times |∇C|. For a flat surface the ratio is largest
/// at the surface itself: ½ over the integral of W over a plane, 0.33 (Wendland C2) to 0.37 (cubic spline).
const SURFACE_DEFICIT: f32 = 0.4;

/// Least support radius times |∇C| of a free surface; up to this it is the disorder of particles inside the fluid, whose gaps may
/// be filled. At a flat surface it is 1.4. With 0.3 the deep rows of still water settle for a second, with 0 a full box that
/// turns loses its order.
const LEAST_SURFACE: f32 = 0.2;

/// Support radius times |∇C| from which on a particle counts as one at a free surface.
const AT_SURFACE: f32 = 0.6;

/// Relative density and inverse stiffness of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DensityAndAlpha {
    /// R = ρ/ρ₀ by summation over fluid and walls.
    pub relative_density: f32,
    /// α = 1/D, m²; 0 where D is below the least stiffness.
    pub alpha: f32,
    /// Deficit 1 − R that a free surface beside the particle accounts for, at most: 0.4 Hs |∇C| with the support radius Hs and the
    /// part along walls of the concentration gradient `∇C = Σ_j V∇W + Σ_b V_b∇W`; 0 inside the fluid.
    pub surface_deficit: f32,
}

impl DensityAndAlpha {
    /// Gap of the relative density below `target`: negative where the fluid is compressed, positive where there is room for
    /// more. Neighbours that are missing because of a free surface leave no room: fluid that filled it would let the surface
    /// sink onto the rows below, and every wave would lose energy to the impact.
    pub fn gap(&self, target: f32) -> f32 {
        let gap = target - self.relative_density;
        if gap > 0.0 { (gap - self.surface_deficit).max(0.0) } else { gap }
    }

    /// True away from free surfaces.
    pub fn is_inside(&self) -> bool {
        self.surface_deficit < SURFACE_DEFICIT * AT_SURFACE
    }

    /// α of the iterations, m²: α/R where the fluid is compressed. Its particles have more neighbours than on a lattice, which makes
    /// the operator stiffer.
    pub fn damped_alpha(&self) -> f32 {
        self.alpha / self.relative_density.max(1.0)
    }

    /// Relative density that a step may reach for `target`: as much more than the present one as the gap is wide.
    pub fn attainable(&self, target: f32) -> f32 {
        self.relative_density + self.gap(target)
    }
}

/// Computes R and α = 1/D of every particle: `R_i = V W(0) + Σ_j V W_ij + Σ_b V_b W_ib`,
/// `D_i = b_i |Σ_j V∇W + Σ_b V_b∇W|² + Σ_j b_j |V∇W|²`, 1/m², with the lightness b, 1 for a single fluid. Caches
/// the gradients for the iterations; `buffers` is workspace.
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
    let pass = DensityAndAlphaPass { kernel, ctx, positions, volumes: &walls.volumes, radius, least };
    buffers.fill(positions, ctx.rounding_errors, |_| 0.0);
    gradients.fill((kernel, ctx), (&buffers.positions, &buffers.vectors), walls, (density_and_alpha, &pass));
}

/// Pass of [`density_and_alpha`].
struct DensityAndAlphaPass<'a, K> {
    kernel: K,
    ctx: &'a StepContext<'a>,
    positions: &'a [Vec3],
    /// Volumes V_b of the boundary particles, m³.
    volumes: &'a [f32],
    /// Support radius Hs, m.
    radius: f32,
    /// Least D, 1/m².
    least: f32,
}

impl<K: SmoothingKernel> Fill for DensityAndAlphaPass<'_, K> {
    type Value = DensityAndAlpha;

    #[inline(always)]
    fn value<L: Lanes>(&self, i: usize, fluid: FluidRowMut<'_>, solid: WallRowMut<'_>) -> DensityAndAlpha {
        let Self { kernel, ctx, positions, volumes, radius, least } = *self;
        let volume = ctx.rest_volume();
        let near = match ctx.mixture {
            None => fluid.weigh::<L, K>(kernel, volume, 1.0),
            Some(mixture) => fluid.weigh::<L, K>(kernel, volume, mixture.lightness.as_slice()),
        };
        let sums = (volume * kernel.w(0.0) + near.density, near.gradient);
        let (relative_density, gradient) = solid.add_weights::<L, K>(kernel, volumes, positions[i], sums);
        let stiffness = ctx.lightness(i) * gradient.length_squared() + near.squares;
        DensityAndAlpha {
            relative_density,
            // NaN fails the comparison: no pressure.
            alpha: if stiffness >= least { stiffness.recip() } else { 0.0 },
            surface_deficit: surface_deficit(radius * along_walls(gradient, gradient - near.gradient).length()),
        }
    }
}

/// Deficit of a free surface with the support radius times |∇C| `gradient`.
fn surface_deficit(gradient: f32) -> f32 {
    if gradient > LEAST_SURFACE { SURFACE_DEFICIT * gradient } else { 0.0 }
}

/// Part of the concentration gradient `total` that is at right angles to that of the walls, `of_walls`: room between fluid and a
/// wall is no free surface, and may be filled.
fn along_walls(total: Vec3, of_walls: Vec3) -> Vec3 {
    of_walls.try_normalize().map_or(total, |normal| total - total.dot(normal) * normal)
}

/// Computes the relative density R of every particle with the fluid at `positions` (m; w is unused), of the neighbours that were
/// found where the step began.
pub(crate) fn relative_densities<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    positions: &[Vec4],
    walls: &BoundaryParticles,
    out: &mut Vec<f32>,
) {
    gather(positions.len(), out, &RelativeDensityPass { solids: SolidTerms { kernel, ctx, walls }, positions });
}

/// Pass of [`relative_densities`].
struct RelativeDensityPass<'a, K> {
    solids: SolidTerms<'a, K>,
    positions: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for RelativeDensityPass<'_, K> {
    type Value = f32;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.solids.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> f32 {
        let Self { solids, positions } = *self;
        let SolidTerms { kernel, ctx, .. } = solids;
        let position = positions[i].truncate();
        let mut near = L::splat(0.0);
        for (block, left) in rows.blocks(i) {
            let [x, y, z, _] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            near = near + kernel.w(x_ij.length_squared().sqrt()).keep(left);
        }
        solids.add_density(ctx.rest_volume() * (kernel.w(0.0) + near.sum()), i, position)
    }
}

/// Computes `a_i(k) = −Σ_j V (k_i + k_j) ∇W − Σ_b V_b (k_i + k_b) ∇W`, plus the push of planes, m/s²; w is unused.
pub(crate) fn acceleration(
    gradients: &Gradients,
    ctx: &StepContext<'_>,
    pressures: Pressures<'_>,
    accelerations: &mut Vec<Vec4>,
) {
    gather(ctx.fluid.len(), accelerations, &PressureAccelerationPass { pairs: Pairs { ctx, gradients }, pressures });
}

/// Pass of [`acceleration`].
struct PressureAccelerationPass<'a> {
    pairs: Pairs<'a>,
    pressures: Pressures<'a>,
}

impl<'p> Gather for PressureAccelerationPass<'p> {
    type Value = Vec4;
    type Source = Pairs<'p>;

    fn source(&self) -> &Self::Source {
        &self.pairs
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: BothRows<'_>, i: usize) -> Vec4 {
        let Pressures { fluid: k, walls, planes } = self.pressures;
        let sum = rows.fluid.of(i).weighted::<L>(k[i], k);
        self.pairs.ctx.lightness(i) * rows.solids.acceleration::<L>(i, sum, k[i], (walls, planes))
    }
}

/// Computes `out[i] = finish(i, Σ_j V (v_i − v_j)·∇W + Σ_b V_b (v_i − v_b)·∇W)`. The sum is dR/dt, 1/s, if `field` holds
/// velocities v, and its rate of change, 1/s², if it holds accelerations. `wall` is v_b of the boundary particles; `None` for
/// 0, as for walls at rest, and for accelerations by pressure. The w of the field must be finite.
pub(crate) fn compression_rates(
    gradients: &Gradients,
    ctx: &StepContext<'_>,
    (field, wall): (&[Vec4], Option<&[Vec3]>),
    out: &mut Vec<f32>,
    finish: impl Fn(usize, f32) -> f32 + Sync,
) {
    gather(ctx.fluid.len(), out, &CompressionRatePass { pairs: Pairs { ctx, gradients }, field, wall, finish });
}

/// Pass of [`compression_rates`].
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
        let fluid = rows.fluid.of(i).difference::<L>(field[i], field);
        finish(i, rows.solids.add_compression::<L>(i, fluid, field[i].truncate(), wall))
    }
}

#[cfg(test)]
pub(crate) mod tests;
