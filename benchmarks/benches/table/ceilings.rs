//! What the machine can do: multiply–adds a second, and bytes a second.

use crate::record::{Record, median};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// Independent chains of multiply–adds: enough to hide their latency on every processor so far.
const CHAINS: usize = 12;

/// Multiply–adds in one chain.
const LENGTH: usize = 1 << 20;

/// Floats in each of the triad's arrays: 128 MiB, beyond every cache.
const FLOATS: usize = 1 << 25;

/// Measures both on the threads of `pool`.
pub fn measure(pool: &ThreadPool, record: &mut Record) {
    let threads = pool.current_num_threads();
    let rates = (0..9).map(|_| pool.install(|| multiply_adds(threads))).collect();
    record.add("multiply-add in f32", threads, median(rates), "GFLOP/s");
    record.add("triad a = b + s c", threads, triad(pool), "GB/s");
}

/// Gigaflops of all threads together.
fn multiply_adds(threads: usize) -> f64 {
    let start = Instant::now();
    let flops: usize = (0..threads).into_par_iter().with_max_len(1).map(|_| chains()).sum();
    flops as f64 / start.elapsed().as_secs_f64() / 1e9
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
#[target_feature(enable = "avx512f")]
fn chains_of_16() -> usize {
    chains_of::<16>()
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

/// Gigabytes a second read and written, as STREAM counts them: three arrays.
fn triad(pool: &ThreadPool) -> f64 {
    let (mut a, b, c) = (vec![0.0f32; FLOATS], vec![1.0f32; FLOATS], vec![2.0f32; FLOATS]);
    let chunk = FLOATS / pool.current_num_threads();
    let mut turn = || {
        let start = Instant::now();
        pool.install(|| {
            a.par_chunks_mut(chunk).zip(b.par_chunks(chunk)).zip(c.par_chunks(chunk)).for_each(|((a, b), c)| {
                for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                    *a = b + 3.0 * c;
                }
            });
        });
        black_box(&mut a);
        3.0 * 4.0 * FLOATS as f64 / start.elapsed().as_secs_f64() / 1e9
    };
    median((0..9).map(|_| turn()).collect())
}
