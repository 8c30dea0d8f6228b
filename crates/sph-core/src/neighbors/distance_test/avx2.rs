//! Distance test of eight candidates at a time with AVX2.

use super::Query;
use crate::neighbors::storage::PointSlices;
use std::arch::x86_64::*;

/// Entry m: positions of the set bits of m, lowest first, one byte each.
static SET_BITS: [u64; 256] = set_bits();

const fn set_bits() -> [u64; 256] {
    let mut set_bits = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut found) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                set_bits[mask] |= lane << (8 * found);
                found += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    set_bits
}

/// See [`super::select`].
///
/// # Safety
/// The processor has AVX2 and POPCNT. The candidates' arrays have one length, a multiple of 8, and `near` is no shorter.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn select(candidates: PointSlices<'_>, query: Query, near: &mut [u32]) -> usize {
    let PointSlices { indices, x, y, z } = candidates;
    let (cx, cy, cz) = (_mm256_set1_ps(query.center.x), _mm256_set1_ps(query.center.y), _mm256_set1_ps(query.center.z));
    let limit = _mm256_set1_ps(query.radius_squared);
    let itself = _mm256_set1_epi32(query.itself.cast_signed());
    let mut count = 0;
    for first in (0..indices.len()).step_by(8) {
        // SAFETY: `first + 8` is within each array. Before this round at most `first` indices have been written, so the eight
        // that are written now end within `near`.
        unsafe {
            let dx = _mm256_sub_ps(cx, _mm256_loadu_ps(x.as_ptr().add(first)));
            let dy = _mm256_sub_ps(cy, _mm256_loadu_ps(y.as_ptr().add(first)));
            let dz = _mm256_sub_ps(cz, _mm256_loadu_ps(z.as_ptr().add(first)));
            let squared = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
            let lanes = _mm256_loadu_si256(indices.as_ptr().add(first).cast());
            let is_itself = _mm256_castsi256_ps(_mm256_cmpeq_epi32(lanes, itself));
            let is_near = _mm256_andnot_ps(is_itself, _mm256_cmp_ps::<_CMP_LT_OQ>(squared, limit));
            let mask = _mm256_movemask_ps(is_near) as usize & 0xff;
            let set_bits = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(SET_BITS[mask].cast_signed()));
            _mm256_storeu_si256(near.as_mut_ptr().add(count).cast(), _mm256_permutevar8x32_epi32(lanes, set_bits));
            count += mask.count_ones() as usize;
        }
    }
    count
}
