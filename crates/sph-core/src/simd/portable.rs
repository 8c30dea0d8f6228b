//! Lanes as a plain array, for every processor.

use super::indices::{Indices, WIDTH};
use super::lanes::{Lanes, operators};
use super::real::Real;
use glam::Vec4;
use std::array::from_fn;

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
        let record = indices.of(buffers);
        let found: [[f32; 4]; WIDTH] = from_fn(|k| record(k).to_array());
        from_fn(|component| Self(from_fn(|k| found[k][component])))
    }
}
