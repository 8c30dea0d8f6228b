//! Lanes as one AVX-512 register of sixteen.
//!
//! As in [`super::avx2`], the intrinsics are called in functions without the target feature, which are inlined into [`run`].

use super::avx2;
use super::lanes::{Indices, RECORDS, Real, Records, WIDTH};
use super::lanes::{Lanes, Work, operators};
use glam::Vec4;
use std::arch::x86_64::{
    __m128, __m256, __m512, __mmask16, _CMP_LT_OQ, _mm_setr_ps, _mm256_castpd_ps, _mm256_loadu_si256, _mm512_add_ps,
    _mm512_castps_pd, _mm512_castps128_ps512, _mm512_castps512_ps256, _mm512_cmp_ps_mask, _mm512_cvtepi16_epi32,
    _mm512_cvtepi32_ps, _mm512_div_ps, _mm512_extractf64x4_pd, _mm512_insertf32x4, _mm512_mask_blend_ps, _mm512_maskz_mov_ps,
    _mm512_max_ps, _mm512_mul_ps, _mm512_permutexvar_ps, _mm512_set1_ps, _mm512_setr_epi32, _mm512_shuffle_ps, _mm512_sqrt_ps,
    _mm512_sub_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps,
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

/// Four records from the `first` on, `stride` apart, side by side. No closure: one that is not inlined into [`run`] has no
/// AVX-512.
#[inline(always)]
fn four<const N: usize>(records: Records<'_, Vec4, N>, first: usize, stride: usize) -> __m512 {
    let (a, b) = (__m128::from(records.at(first)), __m128::from(records.at(first + stride)));
    let (c, d) = (__m128::from(records.at(first + 2 * stride)), __m128::from(records.at(first + 3 * stride)));
    // SAFETY: as in `add`.
    unsafe {
        let two = _mm512_insertf32x4::<1>(_mm512_castps128_ps512(a), b);
        _mm512_insertf32x4::<3>(_mm512_insertf32x4::<2>(two, c), d)
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
        let (r0, r1, r2, r3) = (four(records, 0, 4), four(records, 1, 4), four(records, 2, 4), four(records, 3, 4));
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
    fn gather_records(buffers: &[Vec4], indices: Indices<'_, RECORDS>) -> Self {
        Self(four(indices.of(buffers), 0, 1))
    }

    #[inline(always)]
    fn gather_repeated(numbers: &[f32], indices: Indices<'_, RECORDS>) -> Self {
        let numbers = indices.of(numbers);
        // SAFETY: as in `add`.
        unsafe {
            let four = _mm_setr_ps(numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3));
            let lanes = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
            Self(_mm512_permutexvar_ps(lanes, _mm512_castps128_ps512(four)))
        }
    }

    #[inline(always)]
    fn from_whole(numbers: &[i16; WIDTH]) -> Self {
        // SAFETY: `Lanes` are used inside `run` only, so the processor has AVX-512F; sixteen numbers of two bytes are 256 bits.
        Self(unsafe { _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256(numbers.as_ptr().cast()))) })
    }

    #[inline(always)]
    fn sum_records(self) -> Vec4 {
        Vec4::from(avx2::fold_to_four(halves(self)))
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
