//! Momentum pass of WCSPH: accelerations by pressure, viscosity and external forces.

use crate::boundary::Solids;
use crate::forces::{Pair, Viscosity};
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::passes::{Gather, GatherBuffers};
use crate::simd::{Lanes, Vec3Lanes};
use glam::Vec3;

/// Pass for `dv_i/dt = −1/ρ_i Σ_j V_j (p_i + p_j) ∇W + viscosity + external forces`. This form of the pressure term conserves
/// energy together with [`super::continuity`].
pub(super) struct MomentumPass<'a, K> {
    pub solids: Solids<'a, K>,
    /// Positions with pressures p + q, Pa, and velocities with 1/ρ, m³/kg.
    pub buffers: &'a GatherBuffers,
    pub viscosity: Option<Viscosity>,
    /// p_i of the sum p_i + p_j, Pa, with damper, background pressure and sign.
    pub own_pressures: &'a [f32],
}

impl<K: SmoothingKernel> Gather for MomentumPass<'_, K> {
    type Value = Vec3;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.solids.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec3 {
        let Self { solids, buffers: GatherBuffers { positions, vectors: motions }, viscosity, own_pressures } = *self;
        let Solids { kernel, ctx, .. } = solids;
        let (position, pressure) = (positions[i].truncate(), own_pressures[i]);
        let (velocity, per_density) = (motions[i].truncate(), motions[i].w);
        let (mut pressure_force, mut viscous) = (Vec3Lanes::<L>::zero(), Vec3Lanes::<L>::zero());
        for (block, left) in rows.blocks(i) {
            let [x, y, z, other_pressure] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let [x, y, z, other_per_density] = L::gather(motions, block);
            let r_squared = x_ij.length_squared();
            let dw_over_r = kernel.dw_over_r(r_squared.sqrt()).keep(left);
            // V_j = m/ρ_j.
            pressure_force = pressure_force - x_ij * ((other_pressure + pressure) * dw_over_r * other_per_density);
            if let Some(viscosity) = &viscosity {
                let v_ij = Vec3Lanes::splat(velocity) - Vec3Lanes { x, y, z };
                let per_density = [L::splat(per_density), other_per_density];
                let pair = Pair { x_ij, v_ij, per_density, r_squared, dw_over_r };
                viscous = viscous
                    + match ctx.mixture {
                        None => viscosity.acceleration(pair),
                        Some(mixture) => viscosity.acceleration_in(mixture, i, block, pair),
                    };
            }
        }
        let at = (i, position);
        let pressure_force = solids.add_pressure_force(ctx.mass * pressure_force.sum(), at, (pressure, per_density));
        let drag = viscosity.map_or(Vec3::ZERO, |viscosity| solids.drag(viscosity.laminar, at, velocity, per_density.recip()));
        ctx.lightness(i) * (per_density * pressure_force + viscous.sum() + drag) + ctx.external.at(position)
    }
}
