//! Vector instructions: which the processor has, sixteen numbers at a time on any of them, and the choice between them at run time.
//!
//! A pass over pairs is written once, for any [`Lanes`], and compiled for each of them: AVX-512, AVX2, NEON, and plain arrays, which every
//! machine can. Which one runs is decided at run time ([`widest`]). All of them do the same operations in the same order, each rounded as
//! IEEE 754 says and none fused, so the results are the same to the bit on every one.

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
