//! Ceilings of the machine: multiply–adds per second, and bytes per second.

use crate::record::Record;
use rayon::ThreadPool;
use sph_core::Ceilings;

/// Name of the row of multiply–adds, with the widest vectors.
pub const ARITHMETIC: &str = "multiply-add in f32";
/// Name of the row of memory bandwidth.
pub const MEMORY: &str = "triad a = b + s c";

/// Measures both on the threads of `pool`.
pub fn measure(pool: &ThreadPool, record: &mut Record) -> Ceilings {
    let threads = pool.current_num_threads();
    let ceilings = pool.install(Ceilings::measure);
    record.add(ARITHMETIC, threads, ceilings.flops / 1e9, "GFLOP/s");
    record.add(MEMORY, threads, ceilings.bandwidth / 1e9, "GB/s");
    ceilings
}
