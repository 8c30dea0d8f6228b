//! Vector instructions: sixteen numbers at a time on any instruction set, and the choice of one at run time.
//!
//! A pass over pairs is written once, generic over [`Lanes`], and compiled for each implementation: AVX-512, AVX2, NEON, and
//! plain arrays for every processor. [`widest`] chooses one at run time. All implementations do the same operations in the same
//! order, each rounded according to IEEE 754 and none fused, so their results are identical to the bit.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod instruction_set;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod prefetch;

pub use instruction_set::Simd;
pub use lanes::Real;

pub(crate) use instruction_set::{Available, widest, with_simd};
pub(crate) use lanes::{Indices, Lanes, RECORDS, Vec3Lanes, WIDTH, Work};
pub(crate) use prefetch::Prefetch;

#[cfg(test)]
pub(crate) use instruction_set::on;

#[cfg(test)]
mod tests {
    use std::array::from_fn;
    use std::panic::catch_unwind;

    use super::{Available, Indices, Lanes, RECORDS, Vec3Lanes, WIDTH, Work, on};
    use glam::{Vec3, Vec4};

    // Every implementation of lanes agrees with scalar arithmetic to the bit.

    /// Pseudo-random numbers, and special values among them.
    fn samples(seed: u32) -> [f32; WIDTH] {
        let special = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, 1e-40, -1.0, 3.0];
        let number = |k: usize| {
            let bits = seed.wrapping_mul(0x9E37_79B9).wrapping_add(k as u32).wrapping_mul(0x85EB_CA6B);
            (bits >> 8) as f32 / 65536.0 - 100.0
        };
        from_fn(|k| if (seed + k as u32).is_multiple_of(5) { special[(seed as usize + k) % special.len()] } else { number(k) })
    }

    /// Bits of the results of all operations; any NaN counts as the same.
    struct AllOperations<'a> {
        seed: u32,
        buffers: &'a [Vec4],
        numbers: &'a [f32],
        indices: Indices<'a>,
        four: Indices<'a, RECORDS>,
    }

    impl Work for AllOperations<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<L: Lanes>(self) -> Vec<u32> {
            let [a, b, c] = [0, 1, 2].map(|k| L::from_array(samples(3 * self.seed + k)));
            let [x, y, z, w] = L::gather(self.buffers, self.indices);
            let lanes = [a + b, a - b, a * b, a / b, a + 0.3, a - 0.3, a * 0.3, a.sqrt(), a.max(b), a.abs()];
            let more = [a.select_below(b, c, a), a.keep(self.seed as usize % (WIDTH + 2)), L::numbers(), x, y, z, w];
            let sums = [a.sum(), a.largest(), b.sum(), b.largest()];
            let three = L::sums([a, b, c]).to_array();
            let numbers = L::gather_numbers(self.numbers, self.indices);
            let records = [L::gather_records(self.buffers, self.four), L::gather_repeated(self.numbers, self.four)];
            let repeated = L::repeated(self.buffers[3]);
            let whole = L::from_whole(&from_fn(|k| (self.seed as i16).wrapping_mul(7919).wrapping_mul(k as i16)));
            let of_records = a.sum_records().to_array();
            let bits = |value: f32| if value.is_nan() { u32::MAX } else { value.to_bits() };
            let all = lanes.into_iter().chain(more).chain([numbers, repeated, whole]).chain(records);
            all.flat_map(L::to_array).chain(sums).chain(three).chain(of_records).map(bits).collect()
        }
    }

    #[test]
    fn all_instruction_sets_give_the_same_bits() {
        let buffers: Vec<Vec4> = (0..20).map(|k| Vec4::new(k as f32, -0.5 * k as f32, f32::NAN, 1e-3 * k as f32)).collect();
        let numbers: Vec<f32> = buffers.iter().map(|record| record.w - 0.01).collect();
        let kinds = Available::all();
        for seed in 0..500 {
            let indices = from_fn(|k| (seed * 7 + 11 * k as u32) % 20);
            // SAFETY: remainders of 20.
            let (indices, four) =
                unsafe { (Indices::up_to(19, &indices), Indices::up_to(19, indices.first_chunk().expect("sixteen"))) };
            let work = || AllOperations { seed, buffers: &buffers, numbers: &numbers, indices, four };
            let plain = on(kinds[0], work());
            for &kind in &kinds {
                assert_eq!(on(kind, work()), plain, "{kind:?}, seed {seed}");
            }
        }
    }

    /// Operations compared with scalar arithmetic.
    struct ScalarReference;

    impl Work for ScalarReference {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self) {
            let (a, b) = (L::numbers() - 7.0, L::splat(8.0) - L::numbers());
            let each = |value: fn(i8) -> i8| from_fn(|k| f32::from(value(k as i8)));
            assert_eq!(a.to_array(), each(|k| k - 7));
            assert_eq!(a.abs().to_array(), each(|k| (k - 7).abs()));
            assert_eq!(a.max(b).to_array(), each(|k| (k - 7).max(8 - k)));
            assert_eq!(a.select_below(b, L::splat(9.0), a).to_array(), each(|k| if k < 8 { 9 } else { k - 7 }));
            assert_eq!(a.keep(2).to_array(), each(|k| if k < 2 { k - 7 } else { 0 }));
            assert_eq!((a.keep(0).sum(), a.keep(WIDTH).sum(), a.largest(), (a * a).sqrt().sum()), (0.0, 8.0, 8.0, 64.0));
            assert_eq!(L::sums([a, b, a * a]), Vec4::new(a.sum(), b.sum(), (a * a).sum(), 0.0));
            let buffers: Vec<Vec4> =
                (0..16).map(|k| Vec4::new(k as f32, 20.0 + k as f32, 40.0 + k as f32, 60.0 + k as f32)).collect();
            let indices = [7, 0, 3, 3, 1, 6, 2, 5, 15, 14, 8, 9, 9, 4, 12, 10];
            // SAFETY: no index exceeds 15.
            let gathered = unsafe { Indices::up_to(15, &indices) };
            for (component, found) in L::gather(&buffers, gathered).into_iter().enumerate() {
                assert_eq!(found.to_array(), indices.map(|index| 20.0 * component as f32 + index as f32));
            }
            let numbers: Vec<f32> = (0..16).map(|k| 0.5 * k as f32).collect();
            assert_eq!(L::gather_numbers(&numbers, gathered).to_array(), indices.map(|index| 0.5 * index as f32));
            let four = [7, 0, 3, 15];
            // SAFETY: no index exceeds 15.
            let gathered = unsafe { Indices::up_to(15, &four) };
            let lane = |k: usize| 20.0 * (k % 4) as f32 + four[k / 4] as f32;
            let records = L::gather_records(&buffers, gathered);
            assert_eq!(records.to_array(), from_fn(lane));
            assert_eq!(records.sum_records(), Vec4::new(25.0, 105.0, 185.0, 265.0));
            assert_eq!(L::gather_repeated(&numbers, gathered).to_array(), from_fn(|k| 0.5 * four[k / 4] as f32));
            let whole = L::from_whole(&from_fn(|k| (4000 * k as i32 - 32_768) as i16)).to_array();
            assert_eq!(whole, from_fn(|k| 4000.0 * k as f32 - 32_768.0));
            assert_eq!(L::repeated(buffers[1]).to_array(), from_fn(|k| 1.0 + 20.0 * (k % 4) as f32));
        }
    }

    #[test]
    fn operations_agree_with_scalar_arithmetic() {
        Available::all().into_iter().for_each(|kind| on(kind, ScalarReference));
    }

    /// Gathers with an index bound `largest` from `length` records, vectors and numbers, sixteen or four; true for each that panics.
    struct OutOfRange {
        length: usize,
        largest: u32,
    }

    impl Work for OutOfRange {
        type Output = [bool; 5];

        #[inline(always)]
        fn run<L: Lanes>(self) -> [bool; 5] {
            let Self { length, largest } = self;
            let (values, four) = ([largest; WIDTH], [largest; RECORDS]);
            // SAFETY: every index is `largest`.
            let (indices, four) = unsafe { (Indices::up_to(largest, &values), Indices::up_to(largest, &four)) };
            let (buffers, vectors, numbers) = (vec![Vec4::ONE; length], vec![Vec3::ONE; length], vec![1.0; length]);
            [
                catch_unwind(|| L::gather(&buffers, indices)[0].sum()).is_err(),
                catch_unwind(|| Vec3Lanes::<L>::gather(&vectors, indices).sum()).is_err(),
                catch_unwind(|| L::gather_numbers(&numbers, indices).sum()).is_err(),
                catch_unwind(|| L::gather_records(&buffers, four).sum()).is_err(),
                catch_unwind(|| L::gather_repeated(&numbers, four).sum()).is_err(),
            ]
        }
    }

    #[test]
    fn indices_out_of_range_are_refused() {
        for length in [0, 1, 20] {
            for largest in [0, 1, 19, 20, 21, 1 << 31, u32::MAX] {
                for kind in Available::all() {
                    let refused = on(kind, OutOfRange { length, largest });
                    assert_eq!(refused, [largest as usize >= length; 5], "{kind:?}: {largest} of {length}");
                }
            }
        }
    }
}
