//! Continuity pass of WCSPH: rate of change of the density.
//!
//! The continuity equation sees no expansion of a particle that has no neighbours to move away from. A drop of one or two
//! particles would keep the density with which it left a splash, bring its pressure along, and throw apart whatever it meets.
//! So the density of spray relaxes to the rest density, in the time in which sound crosses the smoothing length.

use crate::boundary::Solids;
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::passes::{Gather, GatherBuffers};
use crate::simd::{Indices, Lanes, Vec3Lanes};
use glam::{Vec3, Vec4};

/// Fill of the support below which a particle is spray. At a flat surface 0.57 to 0.63 of the lattice's neighbours are there, at a
/// right-angled corner in the plane 0.32 to 0.38. Nearer one half, the convex surface of a drop would be spray, and the drop too stiff.
const SPRAY_FILL: f32 = 0.35;

/// Pass for `dρ_i/dt = ρ_i Σ_j V_j v_ij·∇W + δ h c₀ Σ_j V_j ψ_ij·∇W`, `ψ_ij = 2 Δρ_ij (x_j − x_i)/(r² + η²)`.
///
/// Δρ is the density difference less the part explained by `slope`. Walls contribute to the first sum only. In spray, with a
/// fill f of the support below f₀ = 0.35, the rate has the term `−(1 − f/f₀) (ρ_i − ρ₀) c₀/h` as well.
pub(super) struct ContinuityPass<'a, K, S> {
    pub solids: Solids<'a, K>,
    /// Positions with volumes m/ρ, m³, and velocities with densities, kg/m³.
    pub buffers: &'a GatherBuffers,
    pub slope: S,
    /// Number of neighbours in a full support: those on the lattice.
    pub full_support: f32,
}

/// Result of the continuity pass for a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    /// Rate dρ/dt, kg/(m³ s).
    pub density: f32,
    /// Compression rate −∇·v, 1/s.
    pub compression: f32,
    /// Approach speed max |h v_ij·x_ij / (r² + η²)| over the neighbours, m/s.
    pub approach: f32,
}

/// Density gradient of a pair that diffusion leaves alone, kg/m⁴.
pub(super) trait Slope: Sync {
    /// Gradient between particle i and the particles of `indices`.
    fn of<L: Lanes>(&self, i: usize, indices: Indices<'_>) -> Vec3Lanes<L>;
}

/// One gradient for all pairs: zero (Molteni2009), or hydrostatic to first order in g Δy / c₀² (Fourtakas2019), which at c₀ =
/// 10 √(gH) neglects 3 % · Δy/H.
pub(super) struct Uniform(pub Vec3);

impl Slope for Uniform {
    #[inline(always)]
    fn of<L: Lanes>(&self, _: usize, _: Indices<'_>) -> Vec3Lanes<L> {
        Vec3Lanes::splat(self.0)
    }
}

/// Mean of the gradients of the two particles (Antuono2010).
pub(super) struct Mean<'a>(pub &'a [Vec4]);

impl Slope for Mean<'_> {
    #[inline(always)]
    fn of<L: Lanes>(&self, i: usize, indices: Indices<'_>) -> Vec3Lanes<L> {
        let [x, y, z, _] = L::gather(self.0, indices);
        (Vec3Lanes { x, y, z } + Vec3Lanes::splat(self.0[i].truncate())) * L::splat(0.5)
    }
}

impl<K: SmoothingKernel, S: Slope> Gather for ContinuityPass<'_, K, S> {
    type Value = Rate;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.solids.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Rate {
        let Self { solids, buffers: GatherBuffers { positions, vectors: motions }, .. } = *self;
        let Solids { kernel, ctx, .. } = solids;
        let fluid = &ctx.parameters.fluid;
        let (h, eta_squared) = (ctx.smoothing_length(), ctx.eta_squared());
        let (position, velocity, density) = (positions[i].truncate(), motions[i].truncate(), motions[i].w);
        let (mut divergence, mut diffused, mut approach) = (L::splat(0.0), L::splat(0.0), L::splat(0.0));
        for (block, left) in rows.blocks(i) {
            let [x, y, z, volume] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let [x, y, z, other] = L::gather(motions, block);
            let v_x = (Vec3Lanes::splat(velocity) - Vec3Lanes { x, y, z }).dot(x_ij).keep(left);
            let r_squared = x_ij.length_squared();
            let inverse = L::splat(1.0) / (r_squared + eta_squared);
            let volume_dw = (volume * kernel.dw_over_r(r_squared.sqrt())).keep(left);
            divergence = divergence + volume_dw * v_x;
            let difference = other - density + self.slope.of(i, block).dot(x_ij);
            diffused = diffused - volume_dw * difference * r_squared * inverse;
            approach = approach.max((v_x * inverse).abs());
        }
        let against = solids.compression(i, position, velocity);
        let compression = divergence.sum() + against.rate;
        let diffusion = 2.0 * fluid.density_diffusion * h * fluid.sound_speed;
        let spray = (1.0 - solids.fill(i, self.full_support) / SPRAY_FILL).max(0.0);
        let relaxation = spray * fluid.sound_speed / h * (density - ctx.discretization.rest_density);
        Rate {
            density: ctx.relative_rest_density(i) * (density * compression + diffusion * diffused.sum() - relaxation),
            compression,
            approach: h * approach.largest().max(against.approach),
        }
    }
}
