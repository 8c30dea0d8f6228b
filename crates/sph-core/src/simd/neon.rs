//! Lanes as four NEON registers of four, which every 64-bit ARM processor has.

use super::lanes::{Indices, Real, WIDTH};
use super::lanes::{Lanes, operators};
use glam::Vec4;
use std::arch::aarch64::{
    float32x4_t, vaddq_f32, vbslq_f32, vcgtq_f32, vcltq_f32, vdivq_f32, vdupq_n_f32, vmulq_f32, vsqrtq_f32, vsubq_f32,
};
use std::array::from_fn;
use std::mem::transmute;

#[derive(Clone, Copy, Debug)]
pub struct Neon([float32x4_t; 4]);

impl Neon {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(float32x4_t, float32x4_t) -> float32x4_t) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([operation(a, e), operation(b, f), operation(c, g), operation(d, h)])
    }
}

#[inline(always)]
fn add(a: Neon, b: Neon) -> Neon {
    // SAFETY: every processor of this architecture has NEON.
    a.zip(b, |a, b| unsafe { vaddq_f32(a, b) })
}

#[inline(always)]
fn sub(a: Neon, b: Neon) -> Neon {
    // SAFETY: as in `add`.
    a.zip(b, |a, b| unsafe { vsubq_f32(a, b) })
}

#[inline(always)]
fn mul(a: Neon, b: Neon) -> Neon {
    // SAFETY: as in `add`.
    a.zip(b, |a, b| unsafe { vmulq_f32(a, b) })
}

#[inline(always)]
fn div(a: Neon, b: Neon) -> Neon {
    // SAFETY: as in `add`.
    a.zip(b, |a, b| unsafe { vdivq_f32(a, b) })
}

operators!(Neon: Add add => add, Sub sub => sub, Mul mul => mul, Div div => div);

impl Real for Neon {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: as in `add`.
        Self([unsafe { vdupq_n_f32(value) }; 4])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as in `add`.
        Self(self.0.map(|quarter| unsafe { vsqrtq_f32(quarter) }))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // Not vmaxq, which returns NaN if either is NaN.
        // SAFETY: as in `add`.
        self.zip(other, |a, b| unsafe { vbslq_f32(vcgtq_f32(a, b), a, b) })
    }

    #[inline(always)]
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self {
        // SAFETY: as in `add`.
        Self(from_fn(|k| unsafe { vbslq_f32(vcltq_f32(self.0[k], bound.0[k]), below.0[k], other.0[k]) }))
    }
}

impl Lanes for Neon {
    #[inline(always)]
    fn from_array(values: [f32; WIDTH]) -> Self {
        // SAFETY: both types are sixteen f32, which are valid for any bits.
        Self(unsafe { transmute::<[f32; WIDTH], [float32x4_t; 4]>(values) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; WIDTH] {
        // SAFETY: as in `from_array`.
        unsafe { transmute::<[float32x4_t; 4], [f32; WIDTH]>(self.0) }
    }

    #[inline(always)]
    fn gather(buffers: &[Vec4], indices: Indices<'_>) -> [Self; 4] {
        let records = indices.of(buffers);
        let found: [[f32; 4]; WIDTH] = from_fn(|k| records.at(k).to_array());
        from_fn(|component| Self::from_array(from_fn(|k| found[k][component])))
    }
}
