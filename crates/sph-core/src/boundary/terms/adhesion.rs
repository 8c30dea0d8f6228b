//! Adhesion of fluid to boundary particles: `−Σ_b β ρ₀ V_b A(r) x/r`. Planes have none.

use super::Solids;
use crate::forces::Adhesion;
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Acceleration of particle i at `position` (m) by adhesion, m/s².
    #[inline(always)]
    pub fn adhesion(&self, adhesion: Adhesion, i: usize, position: Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (b, x_ib) in self.near(i, position) {
            sum += adhesion.pull(self.walls.volumes[b], x_ib);
        }
        -adhesion.coefficient * sum
    }
}
