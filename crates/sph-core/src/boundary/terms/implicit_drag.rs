//! Implicit viscosity between fluid and no-slip walls: `2(d + 2) dt ν Σ_b V_b 2(v_i − v_b)·x/(r² + η²) W′/r x`.
//!
//! The factor 2 stands for the mirrored wall velocity of the explicit forms, `2 v_b − v_i`, which keeps the term implicit in
//! v_i.

use super::Solids;
use crate::boundary::{Cause, Reactions};
use crate::forces::implicit_weight;
use crate::kernel::SmoothingKernel;
use glam::{Mat3, Vec3};

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Change of the velocity of particle i, of `velocity` (m/s) at `position` (m), by no-slip walls in `dt` (s), m/s.
    pub fn implicit_drag(&self, dt: f32, (i, position): (usize, Vec3), velocity: Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (b, x_ib) in self.near_no_slip(i, position) {
            sum += self.implicit_drag_by((i, b), dt, x_ib, velocity - self.walls.velocity(b));
        }
        sum
    }

    /// Adds the reaction to [`Solids::implicit_drag`] on fluid of `velocities` (m/s) at `positions` (m).
    pub fn react_to_implicit_drag(&self, dt: f32, (positions, velocities): (&[Vec3], &[Vec3]), reactions: &mut Reactions) {
        let Self { ctx, walls, .. } = *self;
        // Changes of velocity: accelerations that act for a second.
        reactions.add(Cause::Viscosity, (ctx, walls), 1.0, |f, b| {
            if !walls.no_slip[b] {
                return Vec3::ZERO;
            }
            let x_fb = ctx.minimum_image(positions[f], walls.positions[b]);
            self.implicit_drag_by((f, b), dt, x_fb, velocities[f] - walls.velocity(b))
        });
    }

    /// [`Solids::implicit_drag`] with all walls at rest.
    pub fn implicit_drag_at_rest(&self, dt: f32, (i, position): (usize, Vec3), velocity: Vec3) -> Vec3 {
        self.near_no_slip(i, position).map(|(b, x_ib)| self.implicit_drag_by((i, b), dt, x_ib, velocity)).sum()
    }

    /// Subtracts from `block`, the diagonal block of the matrix for particle i, the part of no-slip walls.
    pub fn subtract_implicit_drag(&self, dt: f32, block: Mat3, (i, position): (usize, Vec3)) -> Mat3 {
        self.near_no_slip(i, position).fold(block, |block, (b, x_ib)| {
            let along = self.weight((i, b), dt, x_ib) * x_ib;
            block - Mat3::from_cols(along * x_ib.x, along * x_ib.y, along * x_ib.z)
        })
    }

    /// Change of velocity by no-slip boundary particle b of fluid particle i with the relative velocity `v_ib` (m/s) at `x_ib` (m), m/s.
    fn implicit_drag_by(&self, (i, b): (usize, usize), dt: f32, x_ib: Vec3, v_ib: Vec3) -> Vec3 {
        self.weight((i, b), dt, x_ib) * v_ib.dot(x_ib) * x_ib
    }

    fn weight(&self, (i, b): (usize, usize), dt: f32, x_ib: Vec3) -> f32 {
        let viscosity = self.ctx.mixture.map_or(1.0, |mixture| mixture.viscosity[i]);
        2.0 * viscosity * implicit_weight(self.kernel, self.ctx, dt, (self.walls.volumes[b], x_ib.length_squared()))
    }
}
