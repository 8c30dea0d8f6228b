//! Relative density of solids, `Σ_b V_b W + λ`, and how full a support is with them.

use super::Solids;
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
    /// True if particle i has at least `least` neighbours, fluid or solid. The part of the support behind planes holds no
    /// particles, and needs none.
    pub fn has_neighbors(&self, i: usize, least: f32) -> bool {
        let ctx = self.ctx;
        let neighbors = ctx.fluid.of(i).len() + ctx.walls.of(i).len();
        let open_share = ctx.wall_integrals.get(i).map_or(1.0, |planes| 1.0 - planes.density);
        neighbors as f32 >= open_share * least
    }

    /// Fill of the support of particle i: its neighbours, fluid and solid, over the number `full` in a full support, and the
    /// share of planes.
    #[inline(always)]
    pub fn fill(&self, i: usize, full: f32) -> f32 {
        let ctx = self.ctx;
        let neighbors = ctx.fluid.of(i).len() + ctx.walls.of(i).len();
        neighbors as f32 / full + ctx.wall_integrals.get(i).map_or(0.0, |planes| planes.density)
    }

    /// Adds to `sum` the relative density of the solids near particle i at `position` (m).
    #[inline(always)]
    pub fn add_density(&self, sum: f32, i: usize, position: Vec3) -> f32 {
        let mut solid = 0.0;
        for (b, x_ib) in self.near(i, position) {
            solid += self.walls.volumes[b] * self.kernel.w(x_ib.length());
        }
        sum + solid + self.ctx.wall_integral(position).density
    }
}
