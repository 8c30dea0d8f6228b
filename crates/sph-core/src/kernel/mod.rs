//! Smoothing kernels W and their gradients, normalised for two and three dimensions.
//!
//! A kernel is stored by its support radius, the distance at which it becomes zero. The literature's smoothing length h is half of it
//! for the kernels here.

mod cubic_spline;
mod poly6;
mod spiky;
mod wendland_c2;
mod wendland_c4;

pub use cubic_spline::CubicSpline;
pub use poly6::Poly6;
pub use spiky::Spiky;
pub use wendland_c2::WendlandC2;
pub use wendland_c4::WendlandC4;

pub use crate::simd::Real;

use crate::parameters::{Dimensions, Discretization};
use glam::Vec3;

/// A radial kernel with compact support. Distances in m; W in 1/m³ (1/m² in two dimensions). Written for one distance and for several
/// side by side.
pub trait SmoothingKernel: Copy + Send + Sync {
    /// W at distance `r` ≥ 0; zero from the support radius on.
    fn w<N: Real>(self, r: N) -> N;

    /// W′(r)/r at distance `r` ≥ 0, finite at 0 as well: the gradient is this times the separation vector.
    fn dw_over_r<N: Real>(self, r: N) -> N;

    /// ∇W at particle i, for `x_ij = x_i − x_j`: points from i towards j, and is zero when they coincide.
    fn grad_w(self, x_ij: Vec3) -> Vec3 {
        self.dw_over_r(x_ij.length()) * x_ij
    }
}

/// The kernels one can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelKind {
    /// [`CubicSpline`]: few neighbours needed; the kernel of computer graphics.
    CubicSpline,
    /// [`WendlandC2`]: no pairing instability; the kernel of engineering.
    WendlandC2,
    /// [`WendlandC4`]: smoother still, for large support radii.
    WendlandC4,
    /// [`Poly6`]: does not push particles apart that have come close; for comparison.
    Poly6,
    /// [`Spiky`]: with a point at the centre; for comparison.
    Spiky,
}

impl KernelKind {
    /// Every kernel.
    pub const ALL: [Self; 5] = [Self::CubicSpline, Self::WendlandC2, Self::WendlandC4, Self::Poly6, Self::Spiky];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CubicSpline => "cubic_spline",
            Self::WendlandC2 => "wendland_c2",
            Self::WendlandC4 => "wendland_c4",
            Self::Poly6 => "poly6",
            Self::Spiky => "spiky",
        }
    }
}

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

/// Runs `$body` with `$kernel` bound to the kernel inside, its type known: the choice is made once a pass, not once a pair.
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
    /// The kernel of that kind with the given support radius, m.
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

/// Places of the infinite lattice of the discretisation around the origin, which is one of them, as far as the kernel reaches, m.
pub(crate) fn lattice_places(discretization: &Discretization) -> impl Iterator<Item = Vec3> + use<> {
    let Discretization { dimensions, particle_spacing, support_radius, .. } = *discretization;
    let reach = (support_radius / particle_spacing).ceil() as i32;
    let layers = match dimensions {
        Dimensions::Two => 0..=0,
        Dimensions::Three => -reach..=reach,
    };
    layers.flat_map(move |z| {
        (-reach..=reach)
            .flat_map(move |y| (-reach..=reach).map(move |x| particle_spacing * glam::IVec3::new(x, y, z).as_vec3()))
    })
}

/// Σ W dx^d over the infinite lattice of the discretisation, the particle itself included: near 1, and the factor by which a summed
/// density would miss rest density if particles were not calibrated to it.
pub fn lattice_sum(discretization: &Discretization) -> f32 {
    let Discretization { dimensions, kernel, support_radius, .. } = *discretization;
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let mut sum = 0.0f64;
    for place in lattice_places(discretization) {
        sum += f64::from(kernel.w(place.length()));
    }
    (sum * f64::from(discretization.particle_volume())) as f32
}

#[cfg(test)]
mod tests;
