//! Static dispatch over kernels: passes are compiled for each kernel, and the kernel is selected once for each pass.

use super::cubic_spline::CubicSpline;
use super::poly6::Poly6;
use super::smoothing_kernel::SmoothingKernel;
use super::spiky::Spiky;
use super::wendland_c2::WendlandC2;
use super::wendland_c4::WendlandC4;
use crate::parameters::{Dimensions, KernelKind};
use crate::simd::Real;

/// Any one of the kernels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// The cubic spline.
    CubicSpline(CubicSpline),
    /// Wendland's C2 function.
    WendlandC2(WendlandC2),
    /// Wendland's C4 function.
    WendlandC4(WendlandC4),
    /// Poly6.
    Poly6(Poly6),
    /// Spiky.
    Spiky(Spiky),
}

/// Runs `$body` with `$kernel` bound to the concrete kernel in `$choice`, so that the match is outside the loop over pairs.
macro_rules! with_kernel {
    ($choice:expr, $kernel:ident => $body:expr) => {
        match $choice {
            $crate::kernel::Kernel::CubicSpline($kernel) => $body,
            $crate::kernel::Kernel::WendlandC2($kernel) => $body,
            $crate::kernel::Kernel::WendlandC4($kernel) => $body,
            $crate::kernel::Kernel::Poly6($kernel) => $body,
            $crate::kernel::Kernel::Spiky($kernel) => $body,
        }
    };
}
pub(crate) use with_kernel;

impl Kernel {
    /// Kernel of the given kind and support radius, m.
    pub fn new(kind: KernelKind, dimensions: Dimensions, support_radius: f32) -> Self {
        match kind {
            KernelKind::CubicSpline => Self::CubicSpline(CubicSpline::new(dimensions, support_radius)),
            KernelKind::WendlandC2 => Self::WendlandC2(WendlandC2::new(dimensions, support_radius)),
            KernelKind::WendlandC4 => Self::WendlandC4(WendlandC4::new(dimensions, support_radius)),
            KernelKind::Poly6 => Self::Poly6(Poly6::new(dimensions, support_radius)),
            KernelKind::Spiky => Self::Spiky(Spiky::new(dimensions, support_radius)),
        }
    }
}

impl SmoothingKernel for Kernel {
    fn w<N: Real>(self, r: N) -> N {
        with_kernel!(self, kernel => kernel.w(r))
    }

    fn dw_over_r<N: Real>(self, r: N) -> N {
        with_kernel!(self, kernel => kernel.dw_over_r(r))
    }
}
