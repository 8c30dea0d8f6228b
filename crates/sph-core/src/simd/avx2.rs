//! Lanes as two AVX registers of eight.
//!
//! The intrinsics are called in functions without the target feature, which are inlined into [`run`], which has it: operators
//! are trait methods, which cannot have a target feature. This is the reason for the `unsafe` blocks.

use super::lanes::{Indices, RECORDS, Real, Records, WIDTH};
use super::lanes::{Lanes, Work, operators};
use glam::Vec4;
use std::arch::x86_64::{
    __m128, __m256, _CMP_LT_OQ, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_loadu_si128, _mm_max_ps, _mm_max_ss, _mm_movehl_ps,
    _mm_movelh_ps, _mm_set1_ps, _mm_setzero_ps, _mm_shuffle_ps, _mm_unpackhi_ps, _mm_unpacklo_ps, _mm256_add_ps,
    _mm256_blendv_ps, _mm256_castps128_ps256, _mm256_castps256_ps128, _mm256_cmp_ps, _mm256_cvtepi16_epi32, _mm256_cvtepi32_ps,
    _mm256_div_ps, _mm256_extractf128_ps, _mm256_insertf128_ps, _mm256_max_ps, _mm256_mul_ps, _mm256_set1_ps,
    _mm256_shuffle_ps, _mm256_sqrt_ps, _mm256_sub_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
};
use std::mem::transmute;

/// Runs `work` with AVX2 lanes.
///
/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn run<W: Work>(work: W) -> W::Output {
    work.run::<Avx2>()
}

/// Sixteen lanes, made and used inside [`run`] only.
#[derive(Clone, Copy, Debug)]
pub struct Avx2([__m256; 2]);

#[inline(always)]
fn add(a: Avx2, b: Avx2) -> Avx2 {
    let ([a, b], [c, d]) = (a.0, b.0);
    // SAFETY: lanes are made inside `run` only, so the processor has AVX.
    Avx2(unsafe { [_mm256_add_ps(a, c), _mm256_add_ps(b, d)] })
}

#[inline(always)]
fn sub(a: Avx2, b: Avx2) -> Avx2 {
    let ([a, b], [c, d]) = (a.0, b.0);
    // SAFETY: as in `add`.
    Avx2(unsafe { [_mm256_sub_ps(a, c), _mm256_sub_ps(b, d)] })
}

#[inline(always)]
fn mul(a: Avx2, b: Avx2) -> Avx2 {
    let ([a, b], [c, d]) = (a.0, b.0);
    // SAFETY: as in `add`.
    Avx2(unsafe { [_mm256_mul_ps(a, c), _mm256_mul_ps(b, d)] })
}

#[inline(always)]
fn div(a: Avx2, b: Avx2) -> Avx2 {
    let ([a, b], [c, d]) = (a.0, b.0);
    // SAFETY: as in `add`.
    Avx2(unsafe { [_mm256_div_ps(a, c), _mm256_div_ps(b, d)] })
}

operators!(Avx2: Add add => add, Sub sub => sub, Mul mul => mul, Div div => div);

impl Real for Avx2 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: as in `add`.
        Self([unsafe { _mm256_set1_ps(value) }; 2])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let [a, b] = self.0;
        // SAFETY: as in `add`.
        Self(unsafe { [_mm256_sqrt_ps(a), _mm256_sqrt_ps(b)] })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: as in `add`.
        Self(unsafe { [_mm256_max_ps(a, c), _mm256_max_ps(b, d)] })
    }

    #[inline(always)]
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self {
        let ([a, b], [c, d], [e, f], [g, h]) = (self.0, bound.0, below.0, other.0);
        // SAFETY: as in `add`.
        Self(unsafe {
            [
                _mm256_blendv_ps(g, e, _mm256_cmp_ps::<_CMP_LT_OQ>(a, c)),
                _mm256_blendv_ps(h, f, _mm256_cmp_ps::<_CMP_LT_OQ>(b, d)),
            ]
        })
    }
}

/// Two records side by side. No closure: one that is not inlined into [`run`] has no AVX2.
#[inline(always)]
fn two<const N: usize>(records: Records<'_, Vec4, N>, [first, second]: [usize; 2]) -> __m256 {
    let (low, high) = (__m128::from(records.at(first)), __m128::from(records.at(second)));
    // SAFETY: as in `add`.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high) }
}

/// Eight records from the `first` on, transposed.
#[inline(always)]
fn gather_eight(records: Records<'_, Vec4>, first: usize) -> [__m256; 4] {
    // Two records in a register, then two 4 × 4 transpositions at once.
    let (r0, r1) = (two(records, [first, first + 4]), two(records, [first + 1, first + 5]));
    let (r2, r3) = (two(records, [first + 2, first + 6]), two(records, [first + 3, first + 7]));
    // SAFETY: as in `add`.
    unsafe {
        let (xy01, zw01) = (_mm256_unpacklo_ps(r0, r1), _mm256_unpackhi_ps(r0, r1));
        let (xy23, zw23) = (_mm256_unpacklo_ps(r2, r3), _mm256_unpackhi_ps(r2, r3));
        [
            _mm256_shuffle_ps::<0x44>(xy01, xy23),
            _mm256_shuffle_ps::<0xEE>(xy01, xy23),
            _mm256_shuffle_ps::<0x44>(zw01, zw23),
            _mm256_shuffle_ps::<0xEE>(zw01, zw23),
        ]
    }
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn from_array(values: [f32; WIDTH]) -> Self {
        // SAFETY: both types are sixteen f32, which are valid for any bits.
        Self(unsafe { transmute::<[f32; WIDTH], [__m256; 2]>(values) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; WIDTH] {
        // SAFETY: as in `from_array`.
        unsafe { transmute::<[__m256; 2], [f32; WIDTH]>(self.0) }
    }

    #[inline(always)]
    fn gather(buffers: &[Vec4], indices: Indices<'_>) -> [Self; 4] {
        let records = indices.of(buffers);
        let ([x, y, z, w], [p, q, r, s]) = (gather_eight(records, 0), gather_eight(records, WIDTH / 2));
        [Self([x, p]), Self([y, q]), Self([z, r]), Self([w, s])]
    }

    #[inline(always)]
    fn gather_records(buffers: &[Vec4], indices: Indices<'_, RECORDS>) -> Self {
        let records = indices.of(buffers);
        Self([two(records, [0, 1]), two(records, [2, 3])])
    }

    #[inline(always)]
    fn gather_repeated(numbers: &[f32], indices: Indices<'_, RECORDS>) -> Self {
        let numbers = indices.of(numbers);
        // SAFETY: as in `add`.
        let [a, b, c, d] = unsafe {
            [_mm_set1_ps(numbers.at(0)), _mm_set1_ps(numbers.at(1)), _mm_set1_ps(numbers.at(2)), _mm_set1_ps(numbers.at(3))]
        };
        // SAFETY: as in `add`.
        Self(unsafe {
            [_mm256_insertf128_ps::<1>(_mm256_castps128_ps256(a), b), _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(c), d)]
        })
    }

    #[inline(always)]
    fn from_whole(numbers: &[i16; WIDTH]) -> Self {
        let [low, high]: [*const i16; 2] = [numbers[..WIDTH / 2].as_ptr(), numbers[WIDTH / 2..].as_ptr()];
        // SAFETY: as in `add`; eight numbers begin at each pointer.
        Self(unsafe {
            let eight = |numbers: *const i16| _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(numbers.cast())));
            [eight(low), eight(high)]
        })
    }

    #[inline(always)]
    fn sum_records(self) -> Vec4 {
        Vec4::from(fold_to_four(self.0))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        sum(self.0)
    }

    #[inline(always)]
    fn sums([a, b, c]: [Self; 3]) -> Vec4 {
        sums([a.0, b.0, c.0])
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        largest(self.0)
    }
}

/// Folds two halves into four numbers.
#[inline(always)]
pub fn fold_to_four([low, high]: [__m256; 2]) -> __m128 {
    // SAFETY: as in `add`.
    unsafe {
        let eight = _mm256_add_ps(low, high);
        _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight))
    }
}

/// Sum of two halves, in the order of `fold` in the module `lanes`.
#[inline(always)]
pub fn sum(halves: [__m256; 2]) -> f32 {
    let four = fold_to_four(halves);
    // SAFETY: as in `add`.
    unsafe {
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
    }
}

/// Three [`sum`]s and 0.
#[inline(always)]
pub fn sums([a, b, c]: [[__m256; 2]; 3]) -> Vec4 {
    let (a, b, c) = (fold_to_four(a), fold_to_four(b), fold_to_four(c));
    // SAFETY: as in `add`.
    unsafe {
        let none = _mm_setzero_ps();
        // a₀ + a₂, b₀ + b₂, a₁ + a₃, b₁ + b₃; and likewise for c and 0.
        let ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let c = _mm_add_ps(_mm_unpacklo_ps(c, none), _mm_unpackhi_ps(c, none));
        Vec4::from(_mm_add_ps(_mm_movelh_ps(ab, c), _mm_movehl_ps(c, ab)))
    }
}

/// Largest number of two halves, in the order of `fold` in the module `lanes`.
#[inline(always)]
pub fn largest([low, high]: [__m256; 2]) -> f32 {
    // SAFETY: as in `add`.
    unsafe {
        let eight = _mm256_max_ps(low, high);
        let four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
        let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps::<1>(two, two)))
    }
}
