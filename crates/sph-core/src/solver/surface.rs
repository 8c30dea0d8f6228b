//! Free-surface detection: particles whose neighbourhood is not full (Lee2008), and the normals of the surface (Marrone2010).

use crate::boundary::SolidTerms;
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::Dimensions;
use crate::passes::{Gather, StepContext, gather};
use crate::simd::{Lanes, Vec3Lanes};
use glam::{Vec3, Vec4};

/// Fill of a particle's neighbourhood, walls included.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SurfaceIndicator {
    /// Divergence of position `D = −Σ_j V_j r_ij·∇W`: the number of dimensions inside the fluid, about half of it at a flat
    /// surface (Lee2008).
    pub divergence: f32,
    /// Concentration gradient `∇C = Σ_j V_j ∇W`, 1/m; zero inside a regular lattice.
    pub gradient: Vec3,
}

/// Threshold of D: particles at a surface are below it (Lind2012, Skillen2013).
pub(crate) fn threshold(dimensions: Dimensions) -> f32 {
    match dimensions {
        Dimensions::Two => 1.5,
        Dimensions::Three => 2.75,
    }
}

/// Computes the indicators of every particle, with rest volumes. `positions` are positions, m; w is unused.
pub(crate) fn surface_indicators<K: SmoothingKernel>(
    solids: SolidTerms<'_, K>,
    positions: &[Vec4],
    out: &mut Vec<SurfaceIndicator>,
) {
    gather(positions.len(), out, &SurfaceIndicatorPass { solids, positions });
}

/// Pass of [`surface_indicators`].
struct SurfaceIndicatorPass<'a, K> {
    solids: SolidTerms<'a, K>,
    positions: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for SurfaceIndicatorPass<'_, K> {
    type Value = SurfaceIndicator;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.solids.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> SurfaceIndicator {
        let Self { solids, positions } = *self;
        let SolidTerms { kernel, ctx, .. } = solids;
        let position = positions[i].truncate();
        let (mut divergence, mut gradient) = (L::splat(0.0), Vec3Lanes::<L>::zero());
        for (block, left) in rows.blocks(i) {
            let [x, y, z, _] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let r_squared = x_ij.length_squared();
            let dw = kernel.dw_over_r(r_squared.sqrt()).keep(left);
            divergence = divergence + dw * r_squared;
            gradient = gradient + x_ij * dw;
        }
        let volume = ctx.rest_volume();
        let of_fluid = (-volume * divergence.sum(), volume * gradient.sum());
        let (divergence, gradient) = solids.add_position_divergence(of_fluid, i, position);
        SurfaceIndicator { divergence, gradient }
    }
}

/// Computes the normals of the free surface, inwards: the direction of `Σ_j V (D_j − D_i) ∇W`, along which D grows. Zero for a
/// particle that is not at a surface, D ≥ F with its [`threshold`] F, and has no neighbour there. `positions` are positions,
/// m, with D as w.
pub(crate) fn surface_normals<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>, positions: &[Vec4], out: &mut Vec<Vec3>) {
    gather(positions.len(), out, &SurfaceNormalPass { kernel, ctx, positions });
}

/// Pass of [`surface_normals`].
struct SurfaceNormalPass<'a, K> {
    kernel: K,
    ctx: &'a StepContext<'a>,
    positions: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for SurfaceNormalPass<'_, K> {
    type Value = Vec3;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec3 {
        let Self { kernel, ctx, positions } = *self;
        let (position, divergence) = (positions[i].truncate(), positions[i].w);
        let threshold = threshold(ctx.discretization.dimensions);
        // F − D, where it is largest: above 0 at a surface.
        let (mut deficit, mut gradient) = (L::splat(threshold - divergence), Vec3Lanes::<L>::zero());
        for (block, left) in rows.blocks(i) {
            let [x, y, z, other] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let dw = kernel.dw_over_r(x_ij.length_squared().sqrt());
            gradient = gradient + x_ij * ((other - divergence) * dw).keep(left);
            deficit = deficit.max((L::splat(threshold) - other).keep(left));
        }
        if deficit.largest() > 0.0 { gradient.sum().normalize_or_zero() } else { Vec3::ZERO }
    }
}
