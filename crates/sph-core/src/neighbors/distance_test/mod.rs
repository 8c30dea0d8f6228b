//! Distance test: selects the candidates closer than the radius to the query position, several at a time.
//!
//! Every variant computes `(dx·dx + dy·dy) + dz·dz < R²` with one rounding per operation and without fused multiply-add, which
//! would round once instead of twice. All variants therefore select the same candidates.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

use super::storage::{LANES, PointSlices};
use crate::simd::{Available, Simd};
use glam::Vec3;

/// Writes the indices of the candidates strictly closer than the radius to the front of `near`, in their order, and returns
/// their number.
///
/// The candidates are padded to a multiple of [`LANES`] with points at infinity, which are near no query. `near` is at least as
/// long as the candidates; its entries behind the result may be overwritten.
#[inline(always)]
pub(crate) fn select(available: Available, candidates: PointSlices<'_>, query: Query, near: &mut [u32]) -> usize {
    let PointSlices { indices, x, y, z } = candidates;
    assert!(indices.len().is_multiple_of(LANES) && near.len() >= indices.len());
    assert!([x, y, z].iter().all(|coordinates| coordinates.len() == indices.len()));
    match available.simd() {
        // SAFETY: an `Available` exists only for an instruction set that the processor has, and the lengths have been checked.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { avx2::select(candidates, query, near) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { avx512::select(candidates, query, near) },
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        Simd::Neon => unsafe { neon::select(candidates, query, near) },
        _ => select_portable(candidates, query, near),
    }
}

/// Query position and radius that candidates are tested against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// Query position, m.
    pub center: Vec3,
    pub radius_squared: f32,
    /// Index of the query point, which is not its own neighbour; [`NO_INDEX`] if it is not registered.
    pub itself: u32,
}

/// The index of no point.
pub(crate) const NO_INDEX: u32 = u32::MAX;

// Distance test of eight candidates at a time in portable code.

/// See [`select`].
///
/// Eight flags are packed into one integer, and a loop visits its set bits: one candidate in seven is near, and the other six
/// cost almost nothing and no branch.
fn select_portable(candidates: PointSlices<'_>, query: Query, near: &mut [u32]) -> usize {
    let PointSlices { indices, x, y, z } = candidates;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::storage::SortedPoints;
    use glam::Vec3;

    /// Pseudo-random numbers in −1 to 1.
    fn numbers() -> impl Iterator<Item = f32> {
        let mut state = 1u32;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        })
    }

    fn expected(points: &[Vec3], query: Query) -> Vec<u32> {
        let near = |&(index, point): &(usize, &Vec3)| {
            (query.center - *point).length_squared() < query.radius_squared && index as u32 != query.itself
        };
        points.iter().enumerate().filter(near).map(|(index, _)| index as u32).collect()
    }

    #[test]
    fn all_variants_select_the_same_candidates() {
        let mut numbers = numbers();
        let mut next = || Vec3::from_array(std::array::from_fn(|_| numbers.next().expect("an endless iterator")));
        let variants = Available::all();
        for count in [0, 1, 7, 8, 15, 16, 17, 100, 333] {
            let mut points: Vec<Vec3> = (0..count).map(|_| next()).collect();
            // Points with non-finite or overflowing coordinates match nothing.
            points.extend([Vec3::NAN, Vec3::INFINITY, Vec3::NEG_INFINITY, Vec3::MAX]);
            let order: Vec<u32> = (0..points.len() as u32).collect();
            let mut sorted = SortedPoints::default();
            sorted.put(&points, &order);
            for itself in [0, 5, NO_INDEX] {
                for radius in [0.0, 0.3, 1.0, 4.0f32] {
                    let center = points.get(itself as usize).copied().unwrap_or_else(&mut next);
                    let query = Query { center, radius_squared: radius * radius, itself };
                    let expected = expected(&points, query);
                    for &simd in &variants {
                        let mut near = vec![0; sorted.padded().indices.len()];
                        let found = select(simd, sorted.padded(), query, &mut near);
                        assert_eq!(near[..found], expected, "{simd:?}, {count} points, radius {radius}");
                    }
                }
            }
        }
    }

    #[test]
    fn points_at_the_radius_are_not_near() {
        // Coordinates that f32 represents exactly.
        let points = [Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.0, -0.25, 0.0), Vec3::new(0.0, 0.0, 0.5)];
        let mut sorted = SortedPoints::default();
        sorted.put(&points, &[0, 1, 2]);
        let query = Query { center: Vec3::ZERO, radius_squared: 0.25, itself: NO_INDEX };
        for simd in Available::all() {
            let mut near = [0; LANES];
            assert_eq!(select(simd, sorted.padded(), query, &mut near), 1);
            assert_eq!(near[0], 1, "{simd:?}");
        }
    }
}
