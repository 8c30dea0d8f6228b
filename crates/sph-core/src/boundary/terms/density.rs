//! Relative density of solids: `Σ_b V_b W + λ`.

use super::Solids;
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
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
