//! Lanes as one AVX register.
//!
//! The intrinsics are called in functions without the target feature, which are inlined into [`run`], which has it: the only way to have
//! operators on them. That is what the `unsafe` blocks are for; one of them touches memory.

use super::{Lanes, Number, WIDTH, Work, operators};
use glam::Vec4;
use std::arch::x86_64::{
    __m128, __m256, __m256i, _CMP_LT_OQ, _mm256_add_ps, _mm256_blendv_ps, _mm256_castps128_ps256, _mm256_cmp_ps,
    _mm256_cmpeq_epi32, _mm256_div_ps, _mm256_insertf128_ps, _mm256_max_epu32, _mm256_max_ps, _mm256_mul_ps, _mm256_set1_epi32,
    _mm256_set1_ps, _mm256_shuffle_ps, _mm256_sqrt_ps, _mm256_sub_ps, _mm256_testz_si256, _mm256_unpackhi_ps,
    _mm256_unpacklo_ps,
};
use std::mem::transmute;

/// Does `work` with these lanes.
///
/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn run<W: Work>(work: W) -> W::Output {
    work.run::<Avx2>()
}

/// Made and used inside [`run`] only.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(__m256);

#[inline(always)]
fn add(a: Avx2, b: Avx2) -> Avx2 {
    // SAFETY: lanes are made inside `run` only, so the processor has AVX.
    Avx2(unsafe { _mm256_add_ps(a.0, b.0) })
}

#[inline(always)]
fn sub(a: Avx2, b: Avx2) -> Avx2 {
    // SAFETY: as in `add`.
    Avx2(unsafe { _mm256_sub_ps(a.0, b.0) })
}

#[inline(always)]
fn mul(a: Avx2, b: Avx2) -> Avx2 {
    // SAFETY: as in `add`.
    Avx2(unsafe { _mm256_mul_ps(a.0, b.0) })
}

#[inline(always)]
fn div(a: Avx2, b: Avx2) -> Avx2 {
    // SAFETY: as in `add`.
    Avx2(unsafe { _mm256_div_ps(a.0, b.0) })
}

operators!(Avx2: Add add => add, Sub sub => sub, Mul mul => mul, Div div => div);

impl Number for Avx2 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm256_blendv_ps(other.0, below.0, _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, bound.0)) })
    }
}

/// Whether all `indices` are below `length`.
#[inline(always)]
fn all_below(indices: &[u32; WIDTH], length: usize) -> bool {
    let bound = u32::try_from(length).unwrap_or(u32::MAX);
    // SAFETY: both are eight u32, for which any bits will do; and as in `add`, with AVX2.
    unsafe {
        let indices = transmute::<[u32; WIDTH], __m256i>(*indices);
        // The larger of the two is the index where that is not below.
        let beyond = _mm256_cmpeq_epi32(_mm256_max_epu32(indices, _mm256_set1_epi32(bound.cast_signed())), indices);
        _mm256_testz_si256(beyond, beyond) == 1
    }
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn from_array(values: [f32; WIDTH]) -> Self {
        // SAFETY: both are eight f32, for which any bits will do.
        Self(unsafe { transmute::<[f32; WIDTH], __m256>(values) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; WIDTH] {
        // SAFETY: as in `from_array`.
        unsafe { transmute::<__m256, [f32; WIDTH]>(self.0) }
    }

    #[inline(always)]
    fn gather(records: &[Vec4], indices: &[u32; WIDTH]) -> [Self; 4] {
        assert!(all_below(indices, records.len()), "an index beyond the {} records: {indices:?}", records.len());
        // Eight checks of their own, in the innermost loops, would cost as much as all that is done with the records.
        // SAFETY: all indices have just been found to be below the length.
        let record = |k: usize| __m128::from(unsafe { *records.get_unchecked(indices[k] as usize) });
        // Two records in a register, then two 4 × 4 transpositions at once.
        // SAFETY: as in `add`.
        let two = |k: usize| unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(record(k)), record(k + 4)) };
        let (r0, r1, r2, r3) = (two(0), two(1), two(2), two(3));
        // SAFETY: as in `add`.
        unsafe {
            let (xy01, zw01) = (_mm256_unpacklo_ps(r0, r1), _mm256_unpackhi_ps(r0, r1));
            let (xy23, zw23) = (_mm256_unpacklo_ps(r2, r3), _mm256_unpackhi_ps(r2, r3));
            [
                Self(_mm256_shuffle_ps::<0x44>(xy01, xy23)),
                Self(_mm256_shuffle_ps::<0xEE>(xy01, xy23)),
                Self(_mm256_shuffle_ps::<0x44>(zw01, zw23)),
                Self(_mm256_shuffle_ps::<0xEE>(zw01, zw23)),
            ]
        }
    }
}
