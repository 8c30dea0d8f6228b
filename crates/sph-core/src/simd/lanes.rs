//! Lanes: sixteen numbers as one value, with vectors and indices of them; work that is generic over their implementation; the portable
//! implementation.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

use glam::{Vec3, Vec4};

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
        let numbers = indices.of(numbers);
        Self::from_array(each(|k| numbers.at(k)))
    }

    /// The records at `indices` side by side: the first in lanes 0 to 3, and so on.
    #[inline(always)]
    fn gather_records(buffers: &[Vec4], indices: Indices<'_, RECORDS>) -> Self {
        let (records, mut lanes) = (indices.of(buffers), [0.0; WIDTH]);
        for (k, record) in lanes.as_chunks_mut().0.iter_mut().enumerate() {
            *record = records.at(k).to_array();
        }
        Self::from_array(lanes)
    }

    /// The numbers at `indices`, each in the lanes of one record: the first in lanes 0 to 3, and so on.
    #[inline(always)]
    fn gather_repeated(numbers: &[f32], indices: Indices<'_, RECORDS>) -> Self {
        let numbers = indices.of(numbers);
        Self::from_array(each(|k| numbers.at(k / 4)))
    }

    /// The lanes with these whole numbers, in order.
    #[inline(always)]
    fn from_whole(numbers: &[i16; WIDTH]) -> Self {
        Self::from_array(each(|k| f32::from(numbers[k])))
    }

    /// The same record in the lanes of each.
    #[inline(always)]
    fn repeated(record: Vec4) -> Self {
        let record = record.to_array();
        Self::from_array(each(|k| record[k % 4]))
    }

    /// Sum of the records that lie side by side, in the order of [`Lanes::sum`].
    #[inline(always)]
    fn sum_records(self) -> Vec4 {
        let [a, b, c, d] = [0, 4, 8, 12].map(|first| Vec4::from_slice(&self.to_array()[first..]));
        (a + c) + (b + d)
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
fn each(of: impl Fn(usize) -> f32) -> [f32; WIDTH] {
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

// Real arithmetic on one number or on several lanes, so that one formula of a kernel serves both.

/// A real number in single precision, or several side by side.
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
    /// The same value in all lanes.
    fn splat(value: f32) -> Self;

    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// The larger of the two; `other` if either is NaN.
    fn max(self, other: Self) -> Self;

    /// `below` where `self` < `bound`, else `other`.
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

/// Sixteen vectors: their x, y and z components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec3Lanes<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Lanes> Vec3Lanes<L> {
    /// The same vector in all lanes.
    #[inline(always)]
    pub fn splat(vector: Vec3) -> Self {
        Self { x: L::splat(vector.x), y: L::splat(vector.y), z: L::splat(vector.z) }
    }

    /// The zero vector in all lanes.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(Vec3::ZERO)
    }

    /// Gathers the vectors at `indices`.
    #[inline(always)]
    pub fn gather(vectors: &[Vec3], indices: Indices<'_>) -> Self {
        // Not `map`: it is a separate function, compiled without vector instructions.
        let (vectors, [mut x, mut y, mut z]) = (indices.of(vectors), [[0.0; WIDTH]; 3]);
        for k in 0..WIDTH {
            (x[k], y[k], z[k]) = vectors.at(k).into();
        }
        Self { x: L::from_array(x), y: L::from_array(y), z: L::from_array(z) }
    }

    /// The first `live` vectors, and zero in the other lanes, even where those are NaN.
    #[inline(always)]
    pub fn keep(self, live: usize) -> Self {
        Self { x: self.x.keep(live), y: self.y.keep(live), z: self.z.keep(live) }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn length_squared(self) -> L {
        self.dot(self)
    }

    /// Sum of the sixteen vectors, always in the same order.
    #[inline(always)]
    pub fn sum(self) -> Vec3 {
        self.sums().truncate()
    }

    /// Sum of the sixteen vectors, and 0 as the fourth component.
    #[inline(always)]
    pub fn sums(self) -> Vec4 {
        L::sums([self.x, self.y, self.z])
    }
}

impl<L: Lanes> Add for Vec3Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<L: Lanes> Sub for Vec3Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<L: Lanes> Mul<L> for Vec3Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

// Indices with a known upper bound, so that one bounds check serves a whole block.

/// Number of lanes.
pub(crate) const WIDTH: usize = 16;

/// Number of records of four numbers that fill the lanes.
pub(crate) const RECORDS: usize = WIDTH / 4;

/// Indices, mostly [`WIDTH`] of them, and an upper bound of all, so that as many records are gathered with one bounds check.
///
/// A check of each index would cost as much as the arithmetic on the records. A check of all sixteen in a register makes the
/// compiler extract them from it one by one, which costs more than loading them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indices<'a, const N: usize = WIDTH> {
    values: &'a [u32; N],
    largest: u32,
}

impl<'a, const N: usize> Indices<'a, N> {
    /// # Safety
    /// None of `values` is larger than `largest`.
    #[inline(always)]
    pub unsafe fn up_to(largest: u32, values: &'a [u32; N]) -> Self {
        debug_assert!(values.iter().all(|&index| index <= largest), "an index of {values:?} exceeds the bound {largest}");
        Self { values, largest }
    }

    /// The indices.
    #[cfg(test)]
    pub fn values(self) -> &'a [u32; N] {
        self.values
    }

    /// Upper bound of the indices.
    #[cfg(test)]
    pub fn largest(self) -> u32 {
        self.largest
    }

    /// The records at these indices.
    ///
    /// # Panics
    /// The upper bound is no index of `records`, even if all indices are.
    #[inline(always)]
    pub(super) fn of<T>(self, records: &'a [T]) -> Records<'a, T, N> {
        assert!(
            (self.largest as usize) < records.len(),
            "index bound {} is out of range for {} records",
            self.largest,
            records.len()
        );
        Records { records, indices: self.values }
    }
}

/// Records at N indices, each of which is below their number.
///
/// No closure: one that is not inlined into a function with a target feature costs several times its work, and the compiler need not inline it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records<'a, T, const N: usize = WIDTH> {
    records: &'a [T],
    indices: &'a [u32; N],
}

impl<T: Copy, const N: usize> Records<'_, T, N> {
    /// The record at the k-th index.
    #[inline(always)]
    pub fn at(self, k: usize) -> T {
        // SAFETY: `Indices::of` has compared the upper bound of the indices with the number of records.
        unsafe { *self.records.get_unchecked(self.indices[k] as usize) }
    }
}

/// Lanes as a plain array, for every processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable([f32; WIDTH]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        Self(from_fn(|k| operation(self.0[k], other.0[k])))
    }
}

#[inline(always)]
fn add(a: Portable, b: Portable) -> Portable {
    a.zip(b, |a, b| a + b)
}

#[inline(always)]
fn sub(a: Portable, b: Portable) -> Portable {
    a.zip(b, |a, b| a - b)
}

#[inline(always)]
fn mul(a: Portable, b: Portable) -> Portable {
    a.zip(b, |a, b| a * b)
}

#[inline(always)]
fn div(a: Portable, b: Portable) -> Portable {
    a.zip(b, |a, b| a / b)
}

operators!(Portable: Add add => add, Sub sub => sub, Mul mul => mul, Div div => div);

impl Real for Portable {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; WIDTH])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, Real::max)
    }

    #[inline(always)]
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self {
        Self(from_fn(|k| self.0[k].select_below(bound.0[k], below.0[k], other.0[k])))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn from_array(values: [f32; WIDTH]) -> Self {
        Self(values)
    }

    #[inline(always)]
    fn to_array(self) -> [f32; WIDTH] {
        self.0
    }

    #[inline(always)]
    fn gather(buffers: &[Vec4], indices: Indices<'_>) -> [Self; 4] {
        let records = indices.of(buffers);
        let found: [[f32; 4]; WIDTH] = from_fn(|k| records.at(k).to_array());
        from_fn(|component| Self(from_fn(|k| found[k][component])))
    }
}
