//! Interface of smoothing kernels.

use crate::simd::Real;
use glam::Vec3;

/// A radial kernel with compact support. Distances in m; W in 1/m³ (1/m² in two dimensions). Generic over one distance and SIMD
/// lanes of distances.
pub trait SmoothingKernel: Copy + Send + Sync {
    /// W at distance `r` ≥ 0; zero beyond the support radius.
    fn w<N: Real>(self, r: N) -> N;

    /// W′(r)/r at distance `r` ≥ 0, also finite at 0: the gradient is this times the separation vector.
    fn dw_over_r<N: Real>(self, r: N) -> N;

    /// ∇W at particle i, for `x_ij = x_i − x_j`: points from i towards j, and is zero when they coincide.
    fn grad_w(self, x_ij: Vec3) -> Vec3 {
        self.dw_over_r(x_ij.length()) * x_ij
    }
}
