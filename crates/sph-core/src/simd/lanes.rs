//! Lanes: sixteen numbers as one value, and work that is generic over their implementation.

use super::indices::{Indices, WIDTH};
use super::real::Real;
use glam::Vec4;

/// A vector of [`WIDTH`] numbers.
pub(crate) trait Lanes: Real {
    /// The lanes with these numbers, in order.
    fn from_array(values: [f32; WIDTH]) -> Self;

    /// The numbers in the lanes, in order.
    fn to_array(self) -> [f32; WIDTH];

    /// Gathers the records at `indices`, transposed: all x, all y, all z, all w.
    fn gather(buffers: &[Vec4], indices: Indices<'_>) -> [Self; 4];

    /// Gathers the numbers at `indices`.
    #[inline(always)]
    fn gather_numbers(numbers: &[f32], indices: Indices<'_>) -> Self {
        Self::from_array(each(indices.of(numbers)))
    }

    /// The lane indices 0, 1, 2, …
    #[inline(always)]
    fn numbers() -> Self {
        Self::from_array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0])
    }

    /// The first `live` lanes, and 0 in the others, even where those are NaN.
    #[inline(always)]
    fn keep(self, live: usize) -> Self {
        // Exact: live is the length of a list.
        Self::numbers().select_below(Self::splat(live as f32), self, Self::splat(0.0))
    }

    /// Absolute values.
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(Self::splat(0.0) - self)
    }

    /// Sum of the lanes, always in the same order: [`fold`] with `+`.
    #[inline(always)]
    fn sum(self) -> f32 {
        fold(self.to_array(), |a, b| a + b)
    }

    /// The [sums](Lanes::sum) of three vectors, and 0.
    #[inline(always)]
    fn sums([a, b, c]: [Self; 3]) -> Vec4 {
        Vec4::new(a.sum(), b.sum(), c.sum(), 0.0)
    }

    /// Largest of the lanes: [`fold`] with [`Real::max`].
    #[inline(always)]
    fn largest(self) -> f32 {
        fold(self.to_array(), Real::max)
    }
}

/// The values `of(k)` for each lane k. Not `from_fn` or `map`: these are separate functions, compiled without vector
/// instructions.
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

/// Work that is generic over lanes. Implementations are `#[inline(always)]`, as are all functions generic over [`Lanes`] that
/// they call: only inlined code is compiled for the vector instructions of the lanes.
pub(crate) trait Work {
    /// Result of the work.
    type Output;

    /// Does the work with lanes `L`.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Arithmetic operators between lanes, and between lanes and one number, from functions of lanes.
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
                $function(self, <Self as $crate::simd::Real>::splat(other))
            }
        }
    )+};
}
pub(super) use operators;
