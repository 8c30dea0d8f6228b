//! The few loops that every pass is written with.
//!
//! Each gathers: the value of one particle is computed from its neighbours and written once. No locks and no atomics, so the result
//! is the same to the bit for any number of threads. Sums are cut into chunks of fixed length for the same reason.

use rayon::prelude::*;

/// Least particles that a thread takes at once; below that, handing work over costs more than doing it.
const GRAIN: usize = 128;

/// Particles in one partial sum. Fixed, because a sum of floats depends on how it is cut.
const CHUNK: usize = 1024;

/// `out[i] = value(i)` for `count` particles.
pub(crate) fn map<T: Send>(count: usize, out: &mut Vec<T>, value: impl Fn(usize) -> T + Sync + Send) {
    (0..count).into_par_iter().with_min_len(GRAIN).map(value).collect_into_vec(out);
}

/// `change(i, &mut values[i])` for every particle.
pub(crate) fn update<T: Send>(values: &mut [T], change: impl Fn(usize, &mut T) + Sync + Send) {
    values.par_iter_mut().with_min_len(GRAIN).enumerate().for_each(|(i, value)| change(i, value));
}

/// Puts `values` into `order`, with `scratch` as the other buffer.
pub(crate) fn permute<T: Copy + Send + Sync>(order: &[u32], values: &mut Vec<T>, scratch: &mut Vec<T>) {
    map(order.len(), scratch, |k| values[order[k] as usize]);
    std::mem::swap(values, scratch);
}

/// Σ value(i) over `count` particles.
pub(crate) fn sum(count: usize, value: impl Fn(usize) -> f64 + Sync) -> f64 {
    let chunk = |number: usize| (number * CHUNK..count.min((number + 1) * CHUNK)).map(&value).sum::<f64>();
    let partial: Vec<f64> = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
    partial.iter().sum()
}

/// The largest value(i) over `count` particles, at least 0. NaN is passed over.
pub(crate) fn max(count: usize, value: impl Fn(usize) -> f32 + Sync + Send) -> f32 {
    (0..count).into_par_iter().with_min_len(GRAIN).map(value).reduce(|| 0.0, f32::max)
}

/// The first particle for which `value` yields something.
pub(crate) fn find_first<T: Send>(count: usize, value: impl Fn(usize) -> Option<T> + Sync + Send) -> Option<T> {
    (0..count).into_par_iter().with_min_len(GRAIN).map(value).find_first(Option::is_some).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_alike_for_any_number_of_threads() {
        // Terms of very different size, so that another order would give another sum.
        let term = |i: usize| (i as f64 * 0.7).sin() * 10f64.powi((i % 30) as i32 - 15);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| sum(10_000, term)).to_bits()
        };
        assert!([2, 3, 8].into_iter().all(|threads| on(threads) == on(1)));
    }

    #[test]
    fn finds_the_first() {
        assert_eq!(find_first(100_000, |i| (i >= 777).then_some(i)), Some(777));
        assert_eq!(find_first(10, |_| None::<u32>), None);
        assert_eq!(max(3, |i| [-1.0, f32::NAN, -2.0][i]), 0.0);
    }
}
