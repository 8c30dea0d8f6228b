//! Pressure of solids: `−Σ_b V_b (p + p_b) ∇W`, and the push of planes.

use super::Solids;
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Adds to `sum` (N/m³) the pressure force of the solids on particle i at `position` (m), of pressure `own` (Pa) and 1/density
    /// `per_density` (m³/kg).
    #[inline(always)]
    pub fn add_pressure_force(&self, mut sum: Vec3, (i, position): (usize, Vec3), (own, per_density): (f32, f32)) -> Vec3 {
        for (b, x_ib) in self.near(i, position) {
            sum -= self.pressure_gradient(b, x_ib, own);
        }
        if self.ctx.wall_integrals.is_empty() { sum } else { sum + self.push_of_planes((i, position), (own, per_density)) }
    }

    /// Returns `V_b (p + p_b) ∇W`, N/m³, of boundary particle b for fluid of pressure p = `own` (Pa) at `x_ib` = x_i − x_b (m).
    #[inline(always)]
    fn pressure_gradient(&self, b: usize, x_ib: Vec3, own: f32) -> Vec3 {
        self.walls.volumes[b] * (own + self.walls.pressures[b]) * self.kernel.grad_w(x_ib)
    }

    /// Pressure force of the planes on particle i, N/m³.
    #[inline(always)]
    fn push_of_planes(&self, (i, position): (usize, Vec3), (own, per_density): (f32, f32)) -> Vec3 {
        let (ctx, pressures) = (self.ctx, (own, self.walls.at_planes[i]));
        ctx.wall_integral(position).push(ctx.parameters.solver.walls, pressures, per_density.recip(), true)
    }
}
