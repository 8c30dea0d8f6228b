//! Roofline ceilings of the machine: peak arithmetic rate and memory bandwidth, measured.

use crate::simd::Available;
#[cfg(target_arch = "x86_64")]
use crate::simd::Simd;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// Independent chains of multiply–adds: enough to hide their latency on present processors.
const CHAINS: usize = 12;

/// Multiply–adds in one chain.
const LENGTH: usize = 1 << 18;

/// Floats in each array of the triad: 128 MiB, larger than the caches of all but the largest machines.
const FLOATS: usize = 1 << 25;

/// Measurements of each ceiling, of which the median is taken.
const MEASUREMENTS: usize = 5;

/// Ceilings of all threads of a pool together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceilings {
    /// Peak floating-point rate, 1/s: f32 multiplications and additions, fused, in the widest vector registers.
    pub flops: f64,
    /// Memory bandwidth, bytes/s: read and written by the triad `a = b + s c` over arrays of 128 MiB, counted as in STREAM
    /// (McCalpin1995).
    pub bandwidth: f64,
}

impl Ceilings {
    /// Measures both ceilings on the threads of the current rayon pool. Takes about half a second and 384 MiB.
    pub fn measure() -> Self {
        Self { flops: median((0..MEASUREMENTS).map(|_| multiply_adds()).collect()), bandwidth: triad() }
    }

    /// Least time for `operations` (flops) and `bytes` of memory traffic, s, if they overlap (roofline model).
    pub fn floor(&self, operations: f64, bytes: f64) -> f64 {
        (operations / self.flops).max(bytes / self.bandwidth)
    }
}

/// Measures the floating-point rate of all threads together, 1/s.
fn multiply_adds() -> f64 {
    let start = Instant::now();
    let threads = rayon::current_num_threads();
    let simd = Available::best();
    // Converges to 1, so that values stay normal.
    let recurrence = Recurrence { start: 1.0, factor: 0.999, term: 1e-3 };
    let flops: usize = (0..threads).into_par_iter().with_max_len(1).map(|_| Chains::run(simd, recurrence).flops()).sum();
    flops as f64 / start.elapsed().as_secs_f64()
}

/// Recurrence `x ← factor · x + term`, from `x = start`.
#[derive(Clone, Copy, Debug)]
struct Recurrence {
    start: f32,
    factor: f32,
    term: f32,
}

/// [`CHAINS`] recurrences of [`LENGTH`] multiply–adds, in every lane of a register.
struct Chains {
    /// Last `x` of each lane of each chain.
    values: Vec<f32>,
}

impl Chains {
    /// Runs the chains of one thread in the registers of `simd`.
    fn run(simd: Available, recurrence: Recurrence) -> Self {
        let values = match simd.simd() {
            // SAFETY: the processor has AVX-512; an `Available` with it exists only then.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { chains_of_16(recurrence) },
            // SAFETY: as above, AVX2 with FMA.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { chains_of_8(recurrence) },
            // The compiler vectorises this: NEON is part of every AArch64 processor.
            _ => chains_of::<4>(recurrence),
        };
        Self { values: black_box(values) }
    }

    /// Number of multiplications and additions.
    fn flops(&self) -> usize {
        2 * LENGTH * self.values.len()
    }
}

#[cfg(target_arch = "x86_64")]
/// Chains of sixteen lanes, with intrinsics: the compiler would not keep them in one register.
#[target_feature(enable = "avx512f")]
fn chains_of_16(recurrence: Recurrence) -> Vec<f32> {
    use std::arch::x86_64::{_mm512_fmadd_ps, _mm512_set1_ps, _mm512_storeu_ps};
    let Recurrence { start, factor, term } = black_box(recurrence);
    let mut chains = [_mm512_set1_ps(start); CHAINS];
    let (factor, term) = (_mm512_set1_ps(factor), _mm512_set1_ps(term));
    for _ in 0..LENGTH {
        for chain in &mut chains {
            *chain = _mm512_fmadd_ps(*chain, factor, term);
        }
    }
    let store = |chain| {
        let mut lanes = [0.0f32; 16];
        // SAFETY: `lanes` has room for sixteen values.
        unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), chain) };
        lanes
    };
    chains.map(store).concat()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn chains_of_8(recurrence: Recurrence) -> Vec<f32> {
    chains_of::<8>(recurrence)
}

#[inline(always)]
fn chains_of<const LANES: usize>(recurrence: Recurrence) -> Vec<f32> {
    let Recurrence { start, factor, term } = recurrence;
    let mut chains = black_box([[start; LANES]; CHAINS]);
    let (factor, term) = (black_box([factor; LANES]), black_box([term; LANES]));
    for _ in 0..LENGTH {
        for chain in &mut chains {
            for lane in 0..LANES {
                chain[lane] = chain[lane].mul_add(factor[lane], term[lane]);
            }
        }
    }
    chains.concat()
}

/// Measures the memory bandwidth of all threads together, bytes/s.
fn triad() -> f64 {
    let (mut a, b, c) = (vec![0.0f32; FLOATS], vec![1.0f32; FLOATS], vec![2.0f32; FLOATS]);
    let chunk = FLOATS.div_ceil(rayon::current_num_threads());
    let mut measure = || {
        let start = Instant::now();
        a.par_chunks_mut(chunk).zip(b.par_chunks(chunk)).zip(c.par_chunks(chunk)).for_each(|((a, b), c)| {
            for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                *a = b + 3.0 * c;
            }
        });
        black_box(&mut a);
        3.0 * 4.0 * FLOATS as f64 / start.elapsed().as_secs_f64()
    };
    // Warm-up: the first run takes page faults.
    measure();
    median((0..MEASUREMENTS).map(|_| measure()).collect())
}

/// Median; `values` must not be empty.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_is_the_longer_of_both_times() {
        let ceilings = Ceilings { flops: 100e9, bandwidth: 10e9 };
        assert_eq!(ceilings.floor(100e9, 1e9), 1.0);
        assert_eq!(ceilings.floor(100e9, 30e9), 3.0);
    }

    /// Lanes that add 1 in each multiply–add: their sum is the number of multiply–adds, of two flops each.
    #[test]
    fn chains_count_two_operations_a_multiply_add() {
        for simd in Available::all() {
            let counted = Chains::run(simd, Recurrence { start: 0.0, factor: 1.0, term: 1.0 });
            let made: f64 = counted.values.iter().map(|&count| f64::from(count)).sum();
            assert!(made > 1e7 && counted.flops() as f64 == 2.0 * made, "{simd:?}: {made} made, {} flops", counted.flops());
        }
    }

    /// `xₙ = aⁿ x₀ + b (1 − aⁿ)/(1 − a)`, in every lane.
    #[test]
    fn chains_follow_their_recurrence() {
        let recurrence = Recurrence { start: 3.0, factor: 1.0 - 1e-5, term: 1e-5 };
        let Recurrence { start, factor, term } = recurrence;
        let [start, factor, term] = [start, factor, term].map(f64::from);
        let power = factor.powi(LENGTH as i32);
        let expected = power * start + term * (1.0 - power) / (1.0 - factor);
        for simd in Available::all() {
            for value in Chains::run(simd, recurrence).values {
                // One step changes the value by a part of 1e-5 of the way to 1, with a relative rounding error of up to 6e-8.
                assert!((f64::from(value) / expected - 1.0).abs() < 5e-3, "{simd:?}: {value}, not {expected}");
            }
        }
    }
}
