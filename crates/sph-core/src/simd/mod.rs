//! Vector instructions: sixteen numbers at a time on any instruction set, and the choice of one at run time.
//!
//! A pass over pairs is written once, generic over [`Lanes`], and compiled for each implementation: AVX-512, AVX2, NEON, and
//! plain arrays for every processor. [`widest`] chooses one at run time. All implementations do the same operations in the same
//! order, each rounded according to IEEE 754 and none fused, so their results are identical to the bit.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod indices;
mod instruction_set;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod real;
mod vector;

#[cfg(test)]
mod tests;

pub use instruction_set::Simd;
pub use real::Real;

#[cfg(test)]
pub(crate) use dispatch::on;
pub(crate) use dispatch::widest;
pub(crate) use indices::{Indices, WIDTH};
pub(crate) use instruction_set::{Available, with_simd};
pub(crate) use lanes::{Lanes, Work, each};
pub(crate) use vector::Vec3Lanes;
