//! Smoothing kernels W and their gradients, normalised for two and three dimensions.
//!
//! Kernels are parametrised by their support radius, the distance at which they become zero. The smoothing length h of the
//! literature is half of it for the kernels here.

mod choice;
mod cubic_spline;
mod poly6;
mod smoothing_kernel;
mod spiky;
mod wendland_c2;
mod wendland_c4;

pub use choice::Kernel;
pub use cubic_spline::CubicSpline;
pub use poly6::Poly6;
pub use smoothing_kernel::SmoothingKernel;
pub use spiky::Spiky;
pub use wendland_c2::WendlandC2;
pub use wendland_c4::WendlandC4;

pub use crate::simd::Real;
pub use crate::space::lattice_sum;

pub(crate) use choice::with_kernel;

#[cfg(test)]
mod tests;
