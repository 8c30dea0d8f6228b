//! Sixteen numbers at a time, on whatever vectors the machine has.
//!
//! A pass over pairs is written once, for any [`Lanes`], and compiled for each of them: AVX-512, AVX2, NEON, and plain arrays, which every
//! machine can. Which one runs is decided at run time ([`widest`]). All of them do the same operations in the same order, each rounded as
//! IEEE 754 says and none fused, so the results are the same to the bit on every one.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod vector;

pub(crate) use vector::Vec3Lanes;

use crate::simd::{Available, Simd};
use glam::Vec4;
use portable::Portable;
use std::ops::{Add, Div, Mul, Sub};

/// How many numbers go together.
pub(crate) const WIDTH: usize = 16;

/// What kernels are written with: one number, or several side by side.
pub trait Real:
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

impl Real for f32 {
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

/// [`WIDTH`] indices up to a largest, so that as many records are gathered with one check.
///
/// A check of each index would cost as much as all that is done with the records; one of all sixteen in a register makes the compiler take
/// them out of it again one by one, which costs more than loading them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indices<'a> {
    values: &'a [u32; WIDTH],
    largest: u32,
}

impl<'a> Indices<'a> {
    /// # Safety
    /// None of `values` is larger than `largest`.
    #[inline(always)]
    pub unsafe fn up_to(largest: u32, values: &'a [u32; WIDTH]) -> Self {
        debug_assert!(values.iter().all(|&index| index <= largest), "{values:?} up to {largest}");
        Self { values, largest }
    }

    /// The indices.
    #[cfg(test)]
    pub fn values(self) -> &'a [u32; WIDTH] {
        self.values
    }

    /// No index is larger.
    #[cfg(test)]
    pub fn largest(self) -> u32 {
        self.largest
    }

    /// What `gather` makes of the numbers and the indices: each is that of a number, and below 2³¹ − 1.
    ///
    /// # Panics
    /// The largest is not, even if all these are.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn gathered<T>(self, numbers: &[f32], gather: impl FnOnce(&[f32], &[u32; WIDTH]) -> T) -> T {
        assert!(
            (self.largest as usize) < numbers.len().min(i32::MAX as usize),
            "indices up to {} of {} numbers",
            self.largest,
            numbers.len()
        );
        gather(numbers, self.values)
    }

    /// The record at the k-th index.
    ///
    /// # Panics
    /// The largest is no index of `buffers`, even if all these are.
    #[inline(always)]
    fn of<T: Copy>(self, buffers: &[T]) -> impl Fn(usize) -> T {
        assert!((self.largest as usize) < buffers.len(), "indices up to {} of {} records", self.largest, buffers.len());
        // SAFETY: no index is larger than the largest, which is below the length.
        move |k| unsafe { *buffers.get_unchecked(self.values[k] as usize) }
    }
}

/// [`WIDTH`] numbers.
pub(crate) trait Lanes: Real {
    /// These numbers, the first first.
    fn from_array(values: [f32; WIDTH]) -> Self;

    /// The numbers, the first first.
    fn to_array(self) -> [f32; WIDTH];

    /// The records at `indices`, transposed: all x, all y, all z, all w.
    fn gather(buffers: &[Vec4], indices: Indices<'_>) -> [Self; 4];

    /// The numbers at `indices`.
    #[inline(always)]
    fn gather_numbers(numbers: &[f32], indices: Indices<'_>) -> Self {
        Self::from_array(each(indices.of(numbers)))
    }

    /// 0, 1, 2, …
    #[inline(always)]
    fn numbers() -> Self {
        Self::from_array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0])
    }

    /// The first `live` of them, and 0 for the others, whatever is there.
    #[inline(always)]
    fn keep(self, live: usize) -> Self {
        // Exact: live is the length of a list.
        Self::numbers().select_below(Self::splat(live as f32), self, Self::splat(0.0))
    }

    /// |·|
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(Self::splat(0.0) - self)
    }

    /// Their sum, always in the same order: [`fold`] with `+`.
    #[inline(always)]
    fn sum(self) -> f32 {
        fold(self.to_array(), |a, b| a + b)
    }

    /// The [sums](Lanes::sum) of three, and 0.
    #[inline(always)]
    fn sums([a, b, c]: [Self; 3]) -> Vec4 {
        Vec4::new(a.sum(), b.sum(), c.sum(), 0.0)
    }

    /// The largest: [`fold`] with [`Real::max`].
    #[inline(always)]
    fn largest(self) -> f32 {
        fold(self.to_array(), Real::max)
    }
}

/// `of(k)` for each k. Not `from_fn` or `map`: they are functions of their own, compiled for no vectors.
#[inline(always)]
pub(crate) fn each(of: impl Fn(usize) -> f32) -> [f32; WIDTH] {
    let mut values = [0.0; WIDTH];
    for (k, value) in values.iter_mut().enumerate() {
        *value = of(k);
    }
    values
}

/// Joins the second half to the first until one number is left.
#[inline(always)]
fn fold(mut values: [f32; WIDTH], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = WIDTH / 2;
    while half > 0 {
        for k in 0..half {
            values[k] = join(values[k], values[k + half]);
        }
        half /= 2;
    }
    values[0]
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
    on(Available::best(), work)
}

/// Does `work` with the vectors of this instruction set.
#[inline]
pub(crate) fn on<W: Work>(available: Available, work: W) -> W::Output {
    match available.simd() {
        // SAFETY: the processor has AVX-512: an `Available` of it was made.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { avx512::run(work) },
        // SAFETY: the processor has AVX2, as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { avx2::run(work) },
        #[cfg(target_arch = "aarch64")]
        Simd::Neon => work.run::<neon::Neon>(),
        _ => work.run::<Portable>(),
    }
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
                $function(self, <Self as $crate::lanes::Real>::splat(other))
            }
        }
    )+};
}
use operators;

#[cfg(test)]
mod tests;
