//! Forces of a fluid's surface, and the particles that they act on.

use super::{fluid_of, of_same};
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::passes::{Gather, StepContext};
use crate::simd::{Lanes, Vec3Lanes};
use crate::space::lattice_points;
use glam::{Vec3, Vec4};

/// Mean denominator of the curvature below which there is no surface: about a thousandth of that at a flat one.
const LEAST: f32 = 1e-3;

/// Added to |HG|² in the shares by which a force is divided: between that of the outermost particles, about 1.6, and 0 inside.
const INSIDE: f32 = 1.0;

/// Integral of W t² over the plane through the centre, m, with t one coordinate in it: by the sum over the lattice.
pub(super) fn plane_moment<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>) -> f32 {
    let spacing = ctx.discretization.particle_spacing;
    let area = spacing.powi(ctx.discretization.dimensions.count() as i32 - 1);
    let in_plane = lattice_points(ctx.discretization).filter(|point| point.y == 0.0);
    area * in_plane.map(|point| kernel.w(point.length()) * point.x * point.x).sum::<f32>()
}

/// Pass for `f_i = 2σ/ρ₀ κ_i G_i / Σ_j ω_j W_ij`, m/s² over 1/m³ (1/m² in two dimensions), with the shares `ω = |HG|² + 1`.
pub(super) struct ForcePass<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    /// Positions, m, with the fluid in w.
    pub positions: &'a [Vec4],
    /// Normals, with |HG|² in w.
    pub normals: &'a [Vec4],
    /// Numerators (x, 1/m) and denominators (y) of the curvature.
    pub curvatures: &'a [Vec4],
    /// [`plane_moment`], m.
    pub moment: f32,
}

impl<K> ForcePass<'_, K> {
    /// Curvature of the surface over the integral of 2|G| across it, 1/m, for the `curvature` of the outermost particles. These
    /// are half a spacing within the fluid; and the integral is 1 + κ ∫ W t² if the surface has the height −κt²/2.
    fn of_surface(&self, curvature: f32) -> f32 {
        let rank = (self.ctx.discretization.dimensions.count() - 1) as f32;
        // No drop is smaller than a ball of half the support radius.
        let highest = 2.0 * rank / self.ctx.discretization.support_radius;
        let inside = curvature.clamp(-highest, highest);
        let outside = inside / (1.0 + 0.5 * self.ctx.discretization.particle_spacing * inside / rank);
        outside / (1.0 + self.moment * outside)
    }
}

impl<K: SmoothingKernel> Gather for ForcePass<'_, K> {
    type Value = Vec4;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec4 {
        let Self { kernel, ctx, positions, normals, curvatures, .. } = *self;
        let (position, own) = (positions[i].truncate(), positions[i].w);
        let (mut numerator, mut denominator, mut weights) = (L::splat(0.0), L::splat(0.0), L::splat(0.0));
        for (block, left) in rows.blocks(i) {
            let [x, y, z, fluid] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let weight = of_same(kernel.w(x_ij.length_squared().sqrt()).keep(left), own, fluid);
            let [n, t, share, _] = L::gather(curvatures, block);
            numerator = numerator + weight * n;
            denominator = denominator + weight * t;
            weights = weights + weight * (share + INSIDE);
        }
        let (volume, itself) = (ctx.rest_volume(), kernel.w(0.0f32));
        let numerator = volume * (numerator.sum() + itself * curvatures[i].x);
        let denominator = volume * (denominator.sum() + itself * curvatures[i].y);
        let curvature = self.of_surface(numerator / (denominator + LEAST));
        let weights = weights.sum() + itself * (normals[i].w + INSIDE);
        let fluid = fluid_of(ctx, i);
        let tension =
            ctx.mixture.map_or(ctx.parameters.forces.surface_tension, |mixture| mixture.fluids()[fluid].surface_tension);
        let gradient = normals[i].w.sqrt() / ctx.discretization.support_radius * normals[i].truncate();
        (2.0 * tension / ctx.rest_density_of(i) * curvature / weights * gradient).extend(0.0)
    }
}

/// Pass for `a_i = ω_i Σ_j W_ij f_j`, m/s²: each particle's force is divided among its neighbours and itself.
pub(super) struct SharePass<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    /// Positions, m, with the fluid in w.
    pub positions: &'a [Vec4],
    /// Normals, with |HG|² in w.
    pub normals: &'a [Vec4],
    /// Values of [`ForcePass`].
    pub forces: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for SharePass<'_, K> {
    type Value = Vec3;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec3 {
        let Self { kernel, ctx, positions, normals, forces } = *self;
        let (position, own) = (positions[i].truncate(), positions[i].w);
        let mut sum = Vec3Lanes::<L>::zero();
        for (block, left) in rows.blocks(i) {
            let [x, y, z, fluid] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let weight = of_same(kernel.w(x_ij.length_squared().sqrt()).keep(left), own, fluid);
            let [x, y, z, _] = L::gather(forces, block);
            sum = sum + Vec3Lanes { x, y, z } * weight;
        }
        (normals[i].w + INSIDE) * (sum.sum() + kernel.w(0.0f32) * forces[i].truncate())
    }
}
