//! What the machine can do at most: what the times of passes are judged by.

use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// Independent chains of multiply–adds: enough to hide their latency on every processor so far.
const CHAINS: usize = 12;

/// Multiply–adds in one chain.
const LENGTH: usize = 1 << 18;

/// Floats in each of the triad's arrays: 128 MiB, beyond the caches of all but the largest machines.
const FLOATS: usize = 1 << 25;

/// Measurements of each, of which the median counts.
const TURNS: usize = 5;

/// The ceilings of the threads that measure them, all together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceilings {
    /// Multiplications and additions in f32 a second, fused two and two in the widest registers there are.
    pub flops: f64,
    /// Bytes read and written a second by `a = b + s c` over arrays of 128 MiB, as STREAM counts them (McCalpin1995).
    pub bandwidth: f64,
}

impl Ceilings {
    /// Measures both on the threads of the rayon pool that it is called from; takes half a second or so, and 384 MiB meanwhile.
    pub fn measure() -> Self {
        Self { flops: median((0..TURNS).map(|_| multiply_adds()).collect()), bandwidth: triad() }
    }

    /// The least time, s, in which so many operations can be made and so many bytes moved.
    pub fn floor(&self, operations: f64, bytes: f64) -> f64 {
        (operations / self.flops).max(bytes / self.bandwidth)
    }
}

/// Flops a second of all threads together.
fn multiply_adds() -> f64 {
    let start = Instant::now();
    let threads = rayon::current_num_threads();
    let flops: usize = (0..threads).into_par_iter().with_max_len(1).map(|_| chains()).sum();
    flops as f64 / start.elapsed().as_secs_f64()
}

/// Runs the chains with the widest registers there are; returns how many flops that was.
fn chains() -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512F.
            return unsafe { chains_of_16() };
        }
        if std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2 and FMA.
            return unsafe { chains_of_8() };
        }
    }
    // NEON is part of every AArch64: the compiler makes vectors of these loops by itself.
    chains_of::<4>()
}

#[cfg(target_arch = "x86_64")]
/// With intrinsics: left to itself, the compiler does not keep sixteen lanes in one register.
#[target_feature(enable = "avx512f")]
fn chains_of_16() -> usize {
    use std::arch::x86_64::{_mm512_fmadd_ps, _mm512_reduce_add_ps, _mm512_set1_ps};
    let mut sums = [_mm512_set1_ps(black_box(1.0)); CHAINS];
    let (factor, term) = (_mm512_set1_ps(black_box(0.999)), _mm512_set1_ps(black_box(1e-3)));
    for _ in 0..LENGTH {
        for chain in &mut sums {
            *chain = _mm512_fmadd_ps(*chain, factor, term);
        }
    }
    black_box(sums.map(|chain| _mm512_reduce_add_ps(chain)));
    2 * 16 * CHAINS * LENGTH
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn chains_of_8() -> usize {
    chains_of::<8>()
}

#[inline(always)]
fn chains_of<const LANES: usize>() -> usize {
    let mut sums = black_box([[1.0f32; LANES]; CHAINS]);
    let (factor, term) = (black_box([0.999f32; LANES]), black_box([1e-3f32; LANES]));
    for _ in 0..LENGTH {
        for chain in &mut sums {
            for lane in 0..LANES {
                chain[lane] = chain[lane].mul_add(factor[lane], term[lane]);
            }
        }
    }
    black_box(sums);
    2 * LANES * CHAINS * LENGTH
}

/// Bytes a second.
fn triad() -> f64 {
    let (mut a, b, c) = (vec![0.0f32; FLOATS], vec![1.0f32; FLOATS], vec![2.0f32; FLOATS]);
    let chunk = FLOATS.div_ceil(rayon::current_num_threads());
    let mut turn = || {
        let start = Instant::now();
        a.par_chunks_mut(chunk).zip(b.par_chunks(chunk)).zip(c.par_chunks(chunk)).for_each(|((a, b), c)| {
            for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                *a = b + 3.0 * c;
            }
        });
        black_box(&mut a);
        3.0 * 4.0 * FLOATS as f64 / start.elapsed().as_secs_f64()
    };
    // The first finds its pages.
    turn();
    median((0..TURNS).map(|_| turn()).collect())
}

/// The middle of some numbers, which are not none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scarcer_of_the_two_is_the_floor() {
        let ceilings = Ceilings { flops: 100e9, bandwidth: 10e9 };
        assert_eq!(ceilings.floor(100e9, 1e9), 1.0);
        assert_eq!(ceilings.floor(100e9, 30e9), 3.0);
    }

    #[test]
    fn chains_make_as_many_operations_as_they_say() {
        // Two for each lane of each chain: whatever registers there are, a multiple of four lanes.
        assert!([4, 8, 16].map(|lanes| 2 * lanes * CHAINS * LENGTH).contains(&chains()));
    }
}
