//! Lanes as one AVX-512 register of sixteen.
//!
//! As in [`super::avx2`], the intrinsics are called in functions without the target feature, which are inlined into [`run`].

use super::avx2;
use super::lanes::{Indices, Real, Records, WIDTH};
use super::lanes::{Lanes, Work, operators};
use glam::Vec4;
use std::arch::x86_64::{
    __m128, __m256, __m512, __mmask16, _CMP_LT_OQ, _mm256_castpd_ps, _mm512_add_ps, _mm512_castps_pd, _mm512_castps128_ps512,
    _mm512_castps512_ps256, _mm512_cmp_ps_mask, _mm512_div_ps, _mm512_extractf64x4_pd, _mm512_i32gather_ps, _mm512_insertf32x4,
    _mm512_loadu_si512, _mm512_mask_blend_ps, _mm512_maskz_mov_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_set1_ps,
    _mm512_shuffle_ps, _mm512_sqrt_ps, _mm512_sub_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps,
};
use std::mem::transmute;

/// Runs `work` with AVX-512 lanes.
///
/// # Safety
/// The processor has AVX-512F.
#[target_feature(enable = "avx512f")]
pub unsafe fn run<W: Work>(work: W) -> W::Output {
    work.run::<Avx512>()
}

/// Sixteen lanes, made and used inside [`run`] only.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(__m512);

#[inline(always)]
fn add(a: Avx512, b: Avx512) -> Avx512 {
    // SAFETY: lanes are made inside `run` only, so the processor has AVX-512F.
    Avx512(unsafe { _mm512_add_ps(a.0, b.0) })
}

#[inline(always)]
fn sub(a: Avx512, b: Avx512) -> Avx512 {
    // SAFETY: as in `add`.
    Avx512(unsafe { _mm512_sub_ps(a.0, b.0) })
}

#[inline(always)]
fn mul(a: Avx512, b: Avx512) -> Avx512 {
    // SAFETY: as in `add`.
    Avx512(unsafe { _mm512_mul_ps(a.0, b.0) })
}

#[inline(always)]
fn div(a: Avx512, b: Avx512) -> Avx512 {
    // SAFETY: as in `add`.
    Avx512(unsafe { _mm512_div_ps(a.0, b.0) })
}

operators!(Avx512: Add add => add, Sub sub => sub, Mul mul => mul, Div div => div);

impl Real for Avx512 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm512_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self {
        // SAFETY: as in `add`.
        Self(unsafe { _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, bound.0), other.0, below.0) })
    }
}

/// The lower and the upper eight lanes.
#[inline(always)]
fn halves(lanes: Avx512) -> [__m256; 2] {
    // SAFETY: as in `add`.
    unsafe { [_mm512_castps512_ps256(lanes.0), _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(lanes.0)))] }
}

/// Every fourth record from the `first` on, of sixteen. No closure: one that is not inlined into [`run`] has no AVX-512.
#[inline(always)]
fn four(records: Records<'_, Vec4>, first: usize) -> __m512 {
    let (r0, r4) = (__m128::from(records.at(first)), __m128::from(records.at(first + 4)));
    let (r8, r12) = (__m128::from(records.at(first + 8)), __m128::from(records.at(first + 12)));
    // SAFETY: as in `add`.
    unsafe {
        let two = _mm512_insertf32x4::<1>(_mm512_castps128_ps512(r0), r4);
        _mm512_insertf32x4::<3>(_mm512_insertf32x4::<2>(two, r8), r12)
    }
}

impl Lanes for Avx512 {
    #[inline(always)]
    fn from_array(values: [f32; WIDTH]) -> Self {
        // SAFETY: both types are sixteen f32, which are valid for any bits.
        Self(unsafe { transmute::<[f32; WIDTH], __m512>(values) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; WIDTH] {
        // SAFETY: as in `from_array`.
        unsafe { transmute::<__m512, [f32; WIDTH]>(self.0) }
    }

    #[inline(always)]
    fn gather(buffers: &[Vec4], indices: Indices<'_>) -> [Self; 4] {
        let records = indices.of(buffers);
        let (r0, r1, r2, r3) = (four(records, 0), four(records, 1), four(records, 2), four(records, 3));
        // Four records in a register, then four 4 × 4 transpositions at once.
        // SAFETY: as in `add`.
        unsafe {
            let (xy01, zw01) = (_mm512_unpacklo_ps(r0, r1), _mm512_unpackhi_ps(r0, r1));
            let (xy23, zw23) = (_mm512_unpacklo_ps(r2, r3), _mm512_unpackhi_ps(r2, r3));
            [
                Self(_mm512_shuffle_ps::<0x44>(xy01, xy23)),
                Self(_mm512_shuffle_ps::<0xEE>(xy01, xy23)),
                Self(_mm512_shuffle_ps::<0x44>(zw01, zw23)),
                Self(_mm512_shuffle_ps::<0xEE>(zw01, zw23)),
            ]
        }
    }

    #[inline(always)]
    fn gather_numbers(numbers: &[f32], indices: Indices<'_>) -> Self {
        // The gather instruction: with it an iteration of the pressure solve takes 0.94 of the time (docs/adr/0013).
        let values = indices.within(numbers);
        // SAFETY: as in `add`; `within` has checked the indices.
        Self(unsafe { _mm512_i32gather_ps::<4>(_mm512_loadu_si512(values.as_ptr().cast()), numbers.as_ptr().cast()) })
    }

    #[inline(always)]
    fn keep(self, live: usize) -> Self {
        let live = if live < WIDTH { (1 << live) - 1 } else { __mmask16::MAX };
        // SAFETY: as in `add`.
        Self(unsafe { _mm512_maskz_mov_ps(live, self.0) })
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        avx2::sum(halves(self))
    }

    #[inline(always)]
    fn sums(three: [Self; 3]) -> Vec4 {
        let [a, b, c] = three;
        avx2::sums([halves(a), halves(b), halves(c)])
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        avx2::largest(halves(self))
    }
}
