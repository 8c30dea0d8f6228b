//! Pressure of solids: `−Σ_b V_b (p + p_b) ∇W`, and the push of planes.

use super::{Pressures, Solids};
use crate::boundary::{Cause, Reactions};
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Adds to `sum` (N/m³) the pressure force of the solids on particle i at `position` (m), of pressure `own` (Pa) and
    /// 1/density `per_density` (m³/kg), of a particle of the reference fluid with the same relative density.
    #[inline(always)]
    pub fn add_pressure_force(&self, mut sum: Vec3, (i, position): (usize, Vec3), (own, per_density): (f32, f32)) -> Vec3 {
        for (b, x_ib) in self.near(i, position) {
            sum -= self.pressure_gradient(b, x_ib, own + self.walls.pressures[b]);
        }
        if self.ctx.wall_integrals.is_empty() { sum } else { sum + self.push_of_planes((i, position), (own, per_density)) }
    }

    /// Adds the reaction to the pressure force on fluid at `positions` (m), of pressures `own(i)` (Pa) and `densities` (kg/m³),
    /// for `duration`, s.
    pub fn react_to_pressure(
        &self,
        positions: &[Vec3],
        (own, densities): (impl Fn(usize) -> f32 + Sync, &[f32]),
        duration: f32,
        reactions: &mut Reactions,
    ) {
        let Self { ctx, walls, .. } = *self;
        reactions.add(Cause::Pressure, (ctx, walls), duration, |f, b| {
            let x_fb = ctx.minimum_image(positions[f], walls.positions[b]);
            -(ctx.lightness(f) * densities[f]).recip() * self.pressure_gradient(b, x_fb, own(f) + walls.pressures[b])
        });
        reactions.add_planes(Cause::Pressure, (ctx, positions), duration, |f| {
            let per_density = (ctx.lightness(f) * densities[f]).recip();
            per_density * self.push_of_planes((f, positions[f]), (own(f), per_density))
        });
    }

    /// Adds the reaction to accelerations `−Σ_b V_b (k_i + k_b) ∇W`, m/s², and to the push of planes on fluid at
    /// `positions` (m), for `duration`, s. The gradients are those of the cached pairs, at the exact positions.
    pub fn react_to_solve(&self, positions: &[Vec3], pressures: Pressures<'_>, duration: f32, reactions: &mut Reactions) {
        let Self { ctx, walls, .. } = *self;
        reactions.add(Cause::Pressure, (ctx, walls), duration, |f, b| {
            let x_fb = ctx.minimum_image(positions[f], walls.positions[b]) + ctx.rounding_errors[f];
            -self.pressure_gradient(b, x_fb, pressures.fluid[f] + pressures.walls[b])
        });
        let push = |f: usize| pressures.planes.push(f, pressures.fluid[f]);
        reactions.add_planes(Cause::Pressure, (ctx, positions), duration, push);
    }

    /// Returns `V_b p ∇W` of boundary particle b for fluid at `x_ib` = x_i − x_b (m), with the sum p of both pressures.
    #[inline(always)]
    fn pressure_gradient(&self, b: usize, x_ib: Vec3, both: f32) -> Vec3 {
        self.walls.volumes[b] * both * self.kernel.grad_w(x_ib)
    }

    /// Pressure force of the planes on particle i, N/m³.
    #[inline(always)]
    fn push_of_planes(&self, (i, position): (usize, Vec3), (own, per_density): (f32, f32)) -> Vec3 {
        let (ctx, pressures) = (self.ctx, (own, self.walls.at_planes[i]));
        let density = (ctx.lightness(i) * per_density).recip();
        ctx.wall_integral(position).push(ctx.parameters.solver.walls, pressures, density, true)
    }
}
