//! Curvature of a fluid's surface at each particle.

use super::of_same;
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::passes::{Gather, StepContext};
use crate::simd::{Lanes, Vec3Lanes};
use glam::Vec4;

/// Pass for numerator N (x, 1/m) and denominator T (y) of the curvature, each times |HG|², and |HG|² (z).
pub(super) struct CurvaturePass<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    /// Positions, m, with the fluid in w.
    pub positions: &'a [Vec4],
    /// Normals, with |HG|² in w.
    pub normals: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for CurvaturePass<'_, K> {
    type Value = Vec4;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec4 {
        let Self { kernel, ctx, positions, normals } = *self;
        let (position, own) = (positions[i].truncate(), positions[i].w);
        let normal = Vec3Lanes::<L>::splat(normals[i].truncate());
        let (mut numerator, mut denominator) = (L::splat(0.0), L::splat(0.0));
        for (block, left) in rows.blocks(i) {
            let [x, y, z, fluid] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let [x, y, z, weight] = L::gather(normals, block);
            let change = Vec3Lanes { x, y, z } - normal;
            let r_squared = x_ij.length_squared();
            let weight = of_same(weight * kernel.dw_over_r(r_squared.sqrt()).keep(left), own, fluid);
            let depth = x_ij.dot(normal);
            numerator = numerator - weight * (change.dot(x_ij) - change.dot(normal) * depth);
            denominator = denominator - weight * (r_squared - depth * depth);
        }
        let rank = (ctx.discretization.dimensions.count() - 1) as f32;
        let weight = normals[i].w * ctx.rest_volume();
        Vec4::new(weight * rank * numerator.sum(), weight * denominator.sum(), normals[i].w, 0.0)
    }
}
