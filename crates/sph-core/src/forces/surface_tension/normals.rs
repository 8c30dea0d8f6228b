//! Normals of a fluid's surface.

use super::of_same;
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::passes::{Gather, StepContext};
use crate::simd::{Lanes, Vec3Lanes};
use glam::Vec4;

/// Pass for the normals n = G/|G| of `G = Σ_j V ∇W`, inwards, with |HG|² in w, H the support radius; n is 0 where G is.
pub(super) struct NormalPass<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    /// Positions, m, with the fluid in w.
    pub positions: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for NormalPass<'_, K> {
    type Value = Vec4;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec4 {
        let Self { kernel, ctx, positions } = *self;
        let (position, own) = (positions[i].truncate(), positions[i].w);
        let mut sum = Vec3Lanes::<L>::zero();
        for (block, left) in rows.blocks(i) {
            let [x, y, z, fluid] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let dw = kernel.dw_over_r(x_ij.length_squared().sqrt()).keep(left);
            sum = sum + x_ij * of_same(dw, own, fluid);
        }
        let gradient = ctx.discretization.support_radius * ctx.rest_volume() * sum.sum();
        gradient.normalize_or_zero().extend(gradient.length_squared())
    }
}
