//! Distance test of four candidates at a time with NEON.

use super::Query;
use crate::neighbors::storage::PointSlices;
use std::arch::aarch64::*;

/// Entry m: byte indices of the lanes whose bits are set in m, lowest first.
static SET_LANES: [[u8; 16]; 16] = set_lanes();

const fn set_lanes() -> [[u8; 16]; 16] {
    let mut set_lanes = [[0; 16]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut lane, mut found) = (0, 0);
        while lane < 4 {
            if mask >> lane & 1 == 1 {
                let mut byte = 0;
                while byte < 4 {
                    set_lanes[mask][4 * found + byte] = (4 * lane + byte) as u8;
                    byte += 1;
                }
                found += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    set_lanes
}

/// See [`super::select`].
///
/// # Safety
/// The candidates' arrays have one length, a multiple of 4, and `near` is no shorter.
#[target_feature(enable = "neon")]
pub(super) unsafe fn select(candidates: PointSlices<'_>, query: Query, near: &mut [u32]) -> usize {
    let PointSlices { indices, x, y, z } = candidates;
    let (cx, cy, cz) = (vdupq_n_f32(query.center.x), vdupq_n_f32(query.center.y), vdupq_n_f32(query.center.z));
    let (limit, itself) = (vdupq_n_f32(query.radius_squared), vdupq_n_u32(query.itself));
    let mut count = 0;
    for first in (0..indices.len()).step_by(4) {
        // SAFETY: `first + 4` is within each array. Before this round at most `first` indices have been written, so the four
        // that are written now end within `near`.
        unsafe {
            let bits = vld1q_u32([1u32, 2, 4, 8].as_ptr());
            let dx = vsubq_f32(cx, vld1q_f32(x.as_ptr().add(first)));
            let dy = vsubq_f32(cy, vld1q_f32(y.as_ptr().add(first)));
            let dz = vsubq_f32(cz, vld1q_f32(z.as_ptr().add(first)));
            let squared = vaddq_f32(vaddq_f32(vmulq_f32(dx, dx), vmulq_f32(dy, dy)), vmulq_f32(dz, dz));
            let lanes = vld1q_u32(indices.as_ptr().add(first));
            let is_near = vbicq_u32(vcltq_f32(squared, limit), vceqq_u32(lanes, itself));
            let mask = vaddvq_u32(vandq_u32(is_near, bits));
            let set_lanes = vld1q_u8(SET_LANES[mask as usize & 15].as_ptr());
            let chosen = vqtbl1q_u8(vreinterpretq_u8_u32(lanes), set_lanes);
            vst1q_u32(near.as_mut_ptr().add(count), vreinterpretq_u32_u8(chosen));
            count += mask.count_ones() as usize;
        }
    }
    count
}
