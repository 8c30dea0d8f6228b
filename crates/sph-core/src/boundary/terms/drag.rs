//! Explicit viscosity between fluid and no-slip walls, which act with mirrored velocities, as fluid of density ρ₀ and mass
//! ρ₀V_b.

use super::Solids;
use crate::boundary::{Cause, Reactions};
use crate::forces::{Flow, Laminar};
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Acceleration by no-slip walls of particle i, of `velocity` (m/s) and `density` (kg/m³) at `position` (m), m/s²; as if it
    /// were of the reference fluid, with its own dynamic viscosity.
    #[inline(always)]
    pub fn drag(&self, laminar: Laminar, (i, position): (usize, Vec3), velocity: Vec3, density: f32) -> Vec3 {
        let mut sum = Vec3::ZERO;
        if self.have_drag(laminar) {
            let laminar = laminar.of_particle(self.ctx, i);
            for (b, x_ib) in self.near_no_slip(i, position) {
                sum += self.drag_by(b, laminar, x_ib, velocity, density);
            }
        }
        sum
    }

    /// Adds the reaction to the drag on `flow` for `duration`, s.
    pub fn react_to_drag(&self, laminar: Laminar, flow: Flow<'_>, duration: f32, reactions: &mut Reactions) {
        let (Self { ctx, walls, .. }, Flow { positions, velocities, densities }) = (*self, flow);
        if self.have_drag(laminar) {
            reactions.add(Cause::Viscosity, (ctx, walls), duration, |f, b| {
                if !walls.no_slip[b] {
                    return Vec3::ZERO;
                }
                let x_fb = ctx.minimum_image(positions[f], walls.positions[b]);
                self.drag_by(b, laminar.of_particle(ctx, f), x_fb, velocities[f], ctx.lightness(f) * densities[f])
            });
        }
    }

    fn have_drag(&self, laminar: Laminar) -> bool {
        !self.walls.mirrored.is_empty() && !laminar.is_zero()
    }

    /// Acceleration by no-slip boundary particle b of fluid of `velocity` (m/s) and `density` (kg/m³) at `x_ib` = x_i − x_b
    /// (m), m/s².
    #[inline(always)]
    fn drag_by(&self, b: usize, laminar: Laminar, x_ib: Vec3, velocity: Vec3, density: f32) -> Vec3 {
        let Laminar { across, along } = laminar;
        let rest_density = self.ctx.discretization.rest_density;
        let v_ib = velocity - self.walls.mirrored[b];
        let r_squared = x_ib.length_squared();
        let dw = self.kernel.dw_over_r(r_squared.sqrt());
        let weight = 2.0 * rest_density * self.walls.volumes[b] / (density + rest_density) * dw;
        weight * (along * v_ib.dot(x_ib) / (r_squared + self.ctx.eta_squared()) * x_ib + across * v_ib)
    }
}
