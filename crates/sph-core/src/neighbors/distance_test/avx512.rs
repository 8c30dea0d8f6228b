//! Distance test of sixteen candidates at a time with AVX-512.

use super::Query;
use crate::neighbors::storage::PointSlices;
use std::arch::x86_64::*;

/// See [`super::select`].
///
/// # Safety
/// The processor has AVX-512F and POPCNT. The candidates' arrays have one length, a multiple of 16, and `near` is no shorter.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
pub(super) unsafe fn select(candidates: PointSlices<'_>, query: Query, near: &mut [u32]) -> usize {
    let PointSlices { indices, x, y, z } = candidates;
    let (cx, cy, cz) = (_mm512_set1_ps(query.center.x), _mm512_set1_ps(query.center.y), _mm512_set1_ps(query.center.z));
    let limit = _mm512_set1_ps(query.radius_squared);
    let itself = _mm512_set1_epi32(query.itself.cast_signed());
    let mut count = 0;
    for first in (0..indices.len()).step_by(16) {
        // SAFETY: `first + 16` is within each array. Before this round at most `first` indices have been written, so the
        // sixteen that are written now end within `near`.
        unsafe {
            let dx = _mm512_sub_ps(cx, _mm512_loadu_ps(x.as_ptr().add(first)));
            let dy = _mm512_sub_ps(cy, _mm512_loadu_ps(y.as_ptr().add(first)));
            let dz = _mm512_sub_ps(cz, _mm512_loadu_ps(z.as_ptr().add(first)));
            let squared = _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy)), _mm512_mul_ps(dz, dz));
            let lanes = _mm512_loadu_si512(indices.as_ptr().add(first).cast());
            let mask = _mm512_mask_cmpneq_epi32_mask(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(squared, limit), lanes, itself);
            // Compressed in a register: compressing into memory is slow on some processors.
            _mm512_storeu_si512(near.as_mut_ptr().add(count).cast(), _mm512_maskz_compress_epi32(mask, lanes));
            count += mask.count_ones() as usize;
        }
    }
    count
}
