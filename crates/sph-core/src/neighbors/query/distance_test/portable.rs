//! Distance test of eight candidates at a time in portable code.

use super::query::Query;
use crate::neighbors::storage::Run;
use glam::Vec3;

/// See [`super::select`].
///
/// Eight flags are packed into one integer, and a loop visits its set bits: one candidate in seven is near, and the other six
/// cost almost nothing and no branch.
pub(super) fn select(candidates: Run<'_>, query: Query, near: &mut [u32]) -> usize {
    let Run { indices, x, y, z } = candidates;
    let mut count = 0;
    for first in (0..indices.len()).step_by(8) {
        let mut flags = [0u8; 8];
        let (x, y, z) = (&x[first..first + 8], &y[first..first + 8], &z[first..first + 8]);
        for lane in 0..8 {
            let distance_squared = (query.center - Vec3::new(x[lane], y[lane], z[lane])).length_squared();
            flags[lane] = u8::from(distance_squared < query.radius_squared);
        }
        let mut flags = u64::from_le_bytes(flags);
        while flags != 0 {
            let index = indices[first + flags.trailing_zeros() as usize / 8];
            flags &= flags - 1;
            if index != query.itself {
                near[count] = index;
                count += 1;
            }
        }
    }
    count
}
