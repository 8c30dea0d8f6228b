//! Rate at which fluid is compressed against solids: `Σ_b V_b (v − v_b)·∇W + v·∇λ`.

use super::Solids;
use crate::kernel::SmoothingKernel;
use glam::Vec3;

/// Compression of a fluid particle against solids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compression {
    /// Rate of the relative density, 1/s.
    pub rate: f32,
    /// Approach speed over h: max |v_ib·x_ib / (r² + η²)|, 1/s.
    pub approach: f32,
}

impl<K: SmoothingKernel> Solids<'_, K> {
    /// Compression of particle i, at `position` (m) with `velocity` (m/s). Planes move along themselves only: their v_b·∇λ is
    /// 0.
    #[inline(always)]
    pub fn compression(&self, i: usize, position: Vec3, velocity: Vec3) -> Compression {
        let eta_squared = self.ctx.eta_squared();
        let (mut rate, mut approach) = (0.0, 0.0f32);
        for (b, x_ib) in self.near(i, position) {
            let v_x = (velocity - self.walls.velocity(b)).dot(x_ib);
            let r_squared = x_ib.length_squared();
            rate += self.walls.volumes[b] * self.kernel.dw_over_r(r_squared.sqrt()) * v_x;
            approach = approach.max((v_x / (r_squared + eta_squared)).abs());
        }
        rate += velocity.dot(self.ctx.wall_integral(position).gradient);
        Compression { rate, approach }
    }
}
