//! Momentum pass of WCSPH: accelerations by pressure, viscosity and external forces.

use crate::boundary::BoundaryParticles;
use crate::forces::{Pair, Viscosity};
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::passes::{Gather, GatherBuffers, StepContext};
use crate::simd::{Lanes, Vec3Lanes};
use glam::Vec3;

/// Pass for `dv_i/dt = −1/ρ_i Σ_j V_j (p_i + p_j) ∇W + viscosity + external forces`. This form of the pressure term conserves
/// energy together with [`super::continuity`].
pub(super) struct MomentumPass<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    pub walls: &'a BoundaryParticles,
    /// Positions with pressures, Pa, and velocities with 1/ρ, m³/kg.
    pub buffers: &'a GatherBuffers,
    pub viscosity: Option<Viscosity>,
    /// p_i of the sum p_i + p_j, Pa, with background pressure and sign.
    pub own_pressures: &'a [f32],
}

impl<K: SmoothingKernel> Gather for MomentumPass<'_, K> {
    type Value = Vec3;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec3 {
        let Self { kernel, ctx, walls, buffers: GatherBuffers { positions, vectors: motions }, viscosity, own_pressures } =
            *self;
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
                viscous = viscous + viscosity.acceleration(pair);
            }
        }
        let mut pressure_force = ctx.mass * pressure_force.sum();
        for &b in ctx.walls.of(i) {
            let b = b as usize;
            let gradient = kernel.grad_w(ctx.minimum_image(position, walls.positions[b]));
            pressure_force -= walls.volumes[b] * (pressure + walls.pressures[b]) * gradient;
        }
        if !ctx.wall_integrals.is_empty() {
            let pressures = (pressure, walls.at_planes[i]);
            let density = per_density.recip();
            pressure_force += ctx.wall_integral(position).push(ctx.parameters.solver.walls, pressures, density, true);
        }
        let at_walls = viscosity.map_or(Vec3::ZERO, |viscosity| {
            viscosity.at_walls(kernel, ctx, walls, (i, position, velocity, per_density.recip()))
        });
        per_density * pressure_force + viscous.sum() + at_walls + ctx.external.at(position)
    }
}
