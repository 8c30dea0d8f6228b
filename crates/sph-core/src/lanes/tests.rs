//! Every kind of lanes does what numbers do, to the bit.

use super::{Lanes, WIDTH, Work, portable, widest};
use glam::Vec4;
use std::array::from_fn;

/// Numbers of all sorts, in an order without one.
fn samples(seed: u32) -> [f32; WIDTH] {
    let special = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, 1e-40, -1.0, 3.0];
    let number = |k: usize| {
        let bits = seed.wrapping_mul(0x9E37_79B9).wrapping_add(k as u32).wrapping_mul(0x85EB_CA6B);
        (bits >> 8) as f32 / 65536.0 - 100.0
    };
    from_fn(|k| if (seed + k as u32).is_multiple_of(5) { special[(seed as usize + k) % WIDTH] } else { number(k) })
}

/// Bits of everything that lanes can do; NaN is NaN, whatever its bits.
struct Everything<'a> {
    seed: u32,
    records: &'a [Vec4],
    indices: [u32; WIDTH],
}

impl Work for Everything<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<u32> {
        let [a, b, c] = [0, 1, 2].map(|k| L::from_array(samples(3 * self.seed + k)));
        let [x, y, z, w] = L::gather(self.records, &self.indices);
        let lanes = [a + b, a - b, a * b, a / b, a + 0.3, a - 0.3, a * 0.3, a.sqrt(), a.max(b), a.abs()];
        let more = [a.select_below(b, c, a), a.keep(self.seed as usize % 9), L::numbers(), x, y, z, w];
        let sums = [a.sum(), a.largest(), b.sum(), b.largest()];
        let bits = |value: f32| if value.is_nan() { u32::MAX } else { value.to_bits() };
        lanes.into_iter().chain(more).flat_map(L::to_array).chain(sums).map(bits).collect()
    }
}

#[test]
fn every_kind_gives_the_same_bits() {
    let records: Vec<Vec4> = (0..20).map(|k| Vec4::new(k as f32, -0.5 * k as f32, f32::NAN, 1e-3 * k as f32)).collect();
    for seed in 0..500 {
        let indices = from_fn(|k| (seed * 7 + 11 * k as u32) % 20);
        let work = || Everything { seed, records: &records, indices };
        assert_eq!(widest(work()), portable(work()), "seed {seed}");
    }
}

/// What the names say, against what one number does.
struct Meaning;

impl Work for Meaning {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (a, b) = (L::numbers() - 3.0, L::from_array([5.0, 4.0, 3.0, 2.0, 1.0, 0.0, -1.0, -2.0]));
        assert_eq!(a.to_array(), [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(a.abs().to_array(), [3.0, 2.0, 1.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(a.max(b).to_array(), [5.0, 4.0, 3.0, 2.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(a.select_below(b, L::splat(9.0), a).to_array(), [9.0, 9.0, 9.0, 9.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(a.keep(2).to_array(), [-3.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!((a.keep(0).sum(), a.keep(WIDTH).sum(), a.largest(), (a * a).sqrt().sum()), (0.0, 4.0, 4.0, 16.0));
        let records: Vec<Vec4> =
            (0..8).map(|k| Vec4::new(k as f32, 10.0 + k as f32, 20.0 + k as f32, 30.0 + k as f32)).collect();
        let indices = [7, 0, 3, 3, 1, 6, 2, 5];
        for (component, found) in L::gather(&records, &indices).into_iter().enumerate() {
            assert_eq!(found.to_array(), indices.map(|index| 10.0 * component as f32 + index as f32));
        }
    }
}

#[test]
fn they_mean_what_they_say() {
    widest(Meaning);
    portable(Meaning);
}

/// Whether gathering with one index among seven that are right is refused.
struct Beyond {
    length: usize,
    lane: usize,
    index: u32,
}

impl Work for Beyond {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let records: Vec<Vec4> = vec![Vec4::ONE; self.length];
        let mut indices = [0; WIDTH];
        indices[self.lane] = self.index;
        let gather = std::panic::AssertUnwindSafe(|| L::gather(&records, &indices)[0].sum());
        std::panic::catch_unwind(gather).is_err()
    }
}

#[test]
fn no_index_beyond_the_records_is_followed() {
    for length in [0, 1, 20] {
        for lane in 0..WIDTH {
            for index in [0, 19, 20, 21, 1 << 31, u32::MAX] {
                let beyond = || Beyond { length, lane, index };
                let expected = length == 0 || index as usize >= length;
                assert_eq!((widest(beyond()), portable(beyond())), (expected, expected), "{index} in lane {lane} of {length}");
            }
        }
    }
}
