//! Part of solids in the surface indicator: position divergence `−Σ_b V_b r·∇W`, and concentration gradient `Σ_b V_b ∇W + ∇λ`.

use super::Solids;
use crate::kernel::SmoothingKernel;
use glam::Vec3;

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Adds to a position divergence, and to a concentration gradient (1/m), the parts of the solids near particle i at
    /// `position` (m).
    #[inline(always)]
    pub fn add_position_divergence(
        &self,
        (mut divergence, mut gradient): (f32, Vec3),
        i: usize,
        position: Vec3,
    ) -> (f32, Vec3) {
        for (b, x_ib) in self.near(i, position) {
            let dw = self.walls.volumes[b] * self.kernel.dw_over_r(x_ib.length());
            divergence -= dw * x_ib.length_squared();
            gradient += dw * x_ib;
        }
        let planes = self.ctx.wall_integral(position);
        (divergence + planes.filling, gradient + planes.gradient)
    }
}
