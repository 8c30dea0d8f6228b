//! Eight numbers at a time, on whatever vectors the machine has.
//!
//! A pass over pairs is written once, for any [`Lanes`], and compiled for each of them: AVX2, NEON, and plain arrays, which every machine
//! can. Which one runs is decided at run time ([`widest`]). All of them do the same operations in the same order, each rounded as IEEE 754
//! says and none fused, so the results are the same to the bit on every one.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod vector;

pub(crate) use vector::Vec3Lanes;

use crate::simd::Simd;
use glam::Vec4;
use portable::Portable;
use std::ops::{Add, Div, Mul, Sub};

/// How many numbers go together.
pub(crate) const WIDTH: usize = 8;

/// What kernels are written with: one number, or several side by side.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f32, Output = Self>
    + Sub<f32, Output = Self>
    + Mul<f32, Output = Self>
{
    /// The same value everywhere.
    fn splat(value: f32) -> Self;

    /// √, rounded correctly.
    fn sqrt(self) -> Self;

    /// The larger of the two; `other` where one is NaN.
    fn max(self, other: Self) -> Self;

    /// `below` where this is smaller than `bound`, else `other`.
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self {
        if self < bound { below } else { other }
    }
}

/// [`WIDTH`] numbers.
pub(crate) trait Lanes: Number {
    /// These numbers, the first first.
    fn from_array(values: [f32; WIDTH]) -> Self;

    /// The numbers, the first first.
    fn to_array(self) -> [f32; WIDTH];

    /// The records at `indices`, transposed: all x, all y, all z, all w.
    fn gather(records: &[Vec4], indices: &[u32; WIDTH]) -> [Self; 4];

    /// The numbers at `indices`.
    #[inline(always)]
    fn gather_numbers(numbers: &[f32], indices: &[u32; WIDTH]) -> Self {
        let [a, b, c, d, e, f, g, h] = *indices;
        let at = |index: u32| numbers[index as usize];
        Self::from_array([at(a), at(b), at(c), at(d), at(e), at(f), at(g), at(h)])
    }

    /// 0, 1, 2, …
    #[inline(always)]
    fn numbers() -> Self {
        Self::from_array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    }

    /// The first `live` of them, and 0 for the others, whatever is there.
    #[inline(always)]
    fn keep(self, live: usize) -> Self {
        // At most WIDTH, which f32 holds exactly.
        Self::numbers().select_below(Self::splat(live as f32), self, Self::splat(0.0))
    }

    /// |·|
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(Self::splat(0.0) - self)
    }

    /// Their sum, always in the same order.
    #[inline(always)]
    fn sum(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.to_array();
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }

    /// The largest.
    #[inline(always)]
    fn largest(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.to_array();
        let max = <f32 as Number>::max;
        max(max(max(a, e), max(c, g)), max(max(b, f), max(d, h)))
    }
}

/// Work that is written for any lanes. Implementations are `#[inline(always)]`, as are all functions generic over [`Lanes`] that they
/// call: only what is inlined into the compiled variant is compiled for its vectors.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Does `work` with the widest vectors that this machine has.
#[inline]
pub(crate) fn widest<W: Work>(work: W) -> W::Output {
    match Simd::best() {
        // SAFETY: the processor has AVX2, which every one with AVX-512 has.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 | Simd::Avx512 => unsafe { avx2::run(work) },
        #[cfg(target_arch = "aarch64")]
        Simd::Neon => work.run::<neon::Neon>(),
        _ => portable(work),
    }
}

/// Does `work` with plain arrays.
fn portable<W: Work>(work: W) -> W::Output {
    work.run::<Portable>()
}

/// Operators between lanes, and between lanes and one number, from those between lanes.
macro_rules! operators {
    ($lanes:ident: $($trait:ident $method:ident => $function:path),+) => {$(
        impl std::ops::$trait for $lanes {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $function(self, other)
            }
        }

        impl std::ops::$trait<f32> for $lanes {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: f32) -> Self {
                $function(self, <Self as $crate::lanes::Number>::splat(other))
            }
        }
    )+};
}
use operators;

#[cfg(test)]
mod tests;
