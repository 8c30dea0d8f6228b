//! What the machine can do: multiply–adds a second, and bytes a second.

use crate::record::Record;
use rayon::ThreadPool;
use sph_core::{Ceilings, Simd};

/// Measures both on the threads of `pool`.
pub fn measure(pool: &ThreadPool, record: &mut Record) -> Ceilings {
    let threads = pool.current_num_threads();
    let ceilings = pool.install(Ceilings::measure);
    record.add(format!("multiply-add in f32 with {}", Simd::best().name()), threads, ceilings.flops / 1e9, "GFLOP/s");
    record.add("triad a = b + s c", threads, ceilings.bandwidth / 1e9, "GB/s");
    ceilings
}
