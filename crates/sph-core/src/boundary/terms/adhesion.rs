//! Adhesion of fluid to boundary particles: `−Σ_b β ρ₀ V_b A(r) x/r`. Planes have none.

use super::Solids;
use crate::boundary::{Cause, Reactions};
use crate::forces::Adhesion;
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Acceleration of particle i at `position` (m) by adhesion, m/s², as if it were of the reference fluid.
    #[inline(always)]
    pub fn adhesion(&self, adhesion: Adhesion, i: usize, position: Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (b, x_ib) in self.near(i, position) {
            sum += adhesion.pull(self.walls.volumes[b], x_ib);
        }
        -adhesion.coefficient * sum
    }

    /// Adds the reaction to adhesion of the fluid at `positions` (m) for `duration`, s.
    pub fn react_to_adhesion(&self, adhesion: Adhesion, positions: &[Vec3], duration: f32, reactions: &mut Reactions) {
        let Self { ctx, walls, .. } = *self;
        reactions.add(Cause::Adhesion, (ctx, walls), duration, |f, b| {
            -adhesion.coefficient * adhesion.pull(walls.volumes[b], ctx.minimum_image(positions[f], walls.positions[b]))
        });
    }
}
