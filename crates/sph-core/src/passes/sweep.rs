//! Parallel loops over particles: map, update, permute, reduce.
//!
//! The value of one particle is computed from its neighbours and written once. No locks and no atomics, so the result
//! is the same to the bit for any number of threads. Sums are divided into chunks of fixed length for the same reason.
//!
//! Recursive halving is generic over the type of the values but not over the pass, which is a `dyn Fn`: only its loop over
//! successive particles is compiled for each pass.

use std::cell::Cell;
use std::iter::Sum;
use std::ops::{Add, Range};
use std::thread::LocalKey;

/// Largest number of particles in one task; with fewer, scheduling costs more than the work.
const GRAIN: usize = 128;

// Tasks begin at multiples of the grain and are no longer, so that each lies in one chunk of the neighbour lists.
const _: () = assert!(QUERIES_PER_CHUNK.is_multiple_of(GRAIN));

/// Particles in one partial sum. Constant, because a sum of floats depends on its partition.
const CHUNK: usize = 1024;

/// Writes `out[i] = value(i)` for `count` particles.
pub(crate) fn map<T: Copy + Default + Send>(count: usize, out: &mut Vec<T>, value: impl Fn(usize) -> T + Sync) {
    out.resize(count, T::default());
    update(out, |i, out| *out = value(i));
}

/// Calls `change(i, &mut values[i])` for every particle.
pub(crate) fn update<T: Send>(values: &mut [T], change: impl Fn(usize, &mut T) + Sync) {
    fill(0, values, &|first, values: &mut [T]| {
        for (k, value) in values.iter_mut().enumerate() {
            change(first + k, value);
        }
    });
}

/// Writes `out[i] = value(cell, i)` for every particle of these cells: index of the first particle of each, and the number of particles.
pub(crate) fn map_cells<T: Copy + Default + Send>(cells: &[u32], out: &mut Vec<T>, value: impl Fn(usize, usize) -> T + Sync) {
    out.resize(cells.last().map_or(0, |&count| count as usize), T::default());
    fill(0, out, &|first, out: &mut [T]| {
        let mut cell = cells.partition_point(|&start| start as usize <= first).saturating_sub(1);
        for (i, out) in (first..).zip(out) {
            while cells[cell + 1] as usize <= i {
                cell += 1;
            }
            *out = value(cell, i);
        }
    });
}

/// Writes `(a[i], b[i], c[i]) = value(i)` for `count` particles.
pub(crate) fn map_three<A, B, C>(
    count: usize,
    (a, b, c): (&mut Vec<A>, &mut Vec<B>, &mut Vec<C>),
    value: impl Fn(usize) -> (A, B, C) + Sync,
) where
    A: Copy + Default + Send,
    B: Copy + Default + Send,
    C: Copy + Default + Send,
{
    a.resize(count, A::default());
    b.resize(count, B::default());
    c.resize(count, C::default());
    fill_three(0, (a, b, c), &|first, (a, b, c): (&mut [A], &mut [B], &mut [C])| {
        for (k, ((a, b), c)) in a.iter_mut().zip(b).zip(c).enumerate() {
            (*a, *b, *c) = value(first + k);
        }
    });
}

/// Calls `change(i, &mut a[i], &mut b[i], &mut c[i])` for every particle.
pub(crate) fn update_three<A: Send, B: Send, C: Send>(
    slices: (&mut [A], &mut [B], &mut [C]),
    change: impl Fn(usize, &mut A, &mut B, &mut C) + Sync,
) {
    fill_three(0, slices, &|first, (a, b, c): (&mut [A], &mut [B], &mut [C])| {
        for (k, ((a, b), c)) in a.iter_mut().zip(b).zip(c).enumerate() {
            change(first + k, a, b, c);
        }
    });
}

/// Permutes `values` so that entry k is the old entry `order[k]`; `scratch` is the second buffer.
pub(crate) fn permute<T: Copy + Default + Send + Sync>(order: &[u32], values: &mut Vec<T>, scratch: &mut Vec<T>) {
    map(order.len(), scratch, |k| values[order[k] as usize]);
    std::mem::swap(values, scratch);
}

/// Σ value(i) over `count` particles, which depends on their order; see [`super::sum_cells`] for sums within a step.
pub(crate) fn sum<T: Sum + Add<Output = T> + Send>(count: usize, value: impl Fn(usize) -> T + Sync) -> T {
    reduce(0..count, &|range: Range<usize>| range.map(&value).sum(), |a, b| a + b)
}

/// Maximum of value(i) over `count` particles, at least 0; NaN is ignored.
pub(crate) fn max(count: usize, value: impl Fn(usize) -> f32 + Sync) -> f32 {
    reduce(0..count, &|range: Range<usize>| range.map(&value).fold(0.0, f32::max), f32::max)
}

/// First `Some` among value(i), in the order of the particles.
pub(crate) fn find_first<T: Send>(count: usize, value: impl Fn(usize) -> Option<T> + Sync) -> Option<T> {
    reduce(0..count, &|mut range: Range<usize>| range.find_map(&value), Option::or)
}

/// Divides `values` into parts and calls `part(index of the part's first value, part)` for each, in parallel; `first` is the
/// index of `values[0]`.
pub(super) fn fill<T: Send>(first: usize, values: &mut [T], part: &(dyn Fn(usize, &mut [T]) + Sync)) {
    if values.len() <= GRAIN {
        return part(first, values);
    }
    let half = (values.len() / 2).next_multiple_of(GRAIN);
    let (low, high) = values.split_at_mut(half);
    rayon::join(|| fill(first, low, part), || fill(first + half, high, part));
}

/// Three slices of equal length.
type Three<'a, A, B, C> = (&'a mut [A], &'a mut [B], &'a mut [C]);

/// Function called with the index of a part's first entry and the part of each of three slices.
type Part<'p, A, B, C> = &'p (dyn Fn(usize, Three<'_, A, B, C>) + Sync);

/// [`fill`] for three slices at once.
fn fill_three<A: Send, B: Send, C: Send>(first: usize, (a, b, c): Three<'_, A, B, C>, part: Part<'_, A, B, C>) {
    if a.len() <= GRAIN {
        return part(first, (a, b, c));
    }
    let half = (a.len() / 2).next_multiple_of(GRAIN);
    let ((a, x), (b, y), (c, z)) = (a.split_at_mut(half), b.split_at_mut(half), c.split_at_mut(half));
    rayon::join(|| fill_three(first, (a, b, c), part), || fill_three(first + half, (x, y, z), part));
}

/// Reduces `range` by a binary tree that depends on its length only: `part` of each leaf, combined with `join`.
fn reduce<R: Send>(range: Range<usize>, part: &(dyn Fn(Range<usize>) -> R + Sync), join: fn(R, R) -> R) -> R {
    if range.len() <= CHUNK {
        return part(range);
    }
    let middle = range.start + (range.len() / 2).next_multiple_of(CHUNK);
    let (low, high) = rayon::join(|| reduce(range.start..middle, part, join), || reduce(middle..range.end, part, join));
    join(low, high)
}

// Chunk size of neighbour lists and of arrays with one entry for each neighbour.

/// Queries in one chunk, the work of one task. Constant, so that the chunks do not depend on the number of threads.
pub(crate) const QUERIES_PER_CHUNK: usize = 256;

// Thread-local workspace, reused from task to task so that tasks do not allocate.

/// Runs `work` with the thread's workspace `kept`, in the state that the last task left it in. A nested task gets a new
/// workspace.
pub(crate) fn with_kept<T: Default, R>(kept: &'static LocalKey<Cell<T>>, work: impl FnOnce(&mut T) -> R) -> R {
    let mut value = kept.take();
    let result = work(&mut value);
    kept.set(value);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_the_number_of_threads() {
        // Terms of very different magnitude, so that another order would give another sum.
        let term = |i: usize| (i as f64 * 0.7).sin() * 10f64.powi((i % 30) as i32 - 15);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| sum(10_000, term)).to_bits()
        };
        assert!([2, 3, 8].into_iter().all(|threads| on(threads) == on(1)));
        for count in [0, 1, 127, 129, 10_000] {
            assert_eq!(sum(count, |i| i as u64 + 1), (1..=count as u64).sum(), "each term once");
        }
    }

    #[test]
    fn particles_know_their_cells() {
        let cells = [0, 1, 5, 130, 131, 400, 1000];
        let mut out = vec![(9, 9); 2000];
        map_cells(&cells, &mut out, |cell, i| (cell, i));
        let expected =
            cells.array_windows().enumerate().flat_map(|(cell, [start, end])| (*start..*end).map(move |i| (cell, i as usize)));
        assert!(out.into_iter().eq(expected));
        let mut none = vec![1];
        map_cells(&[0], &mut none, |_, _| 2);
        map_cells(&[], &mut none, |_, _| 2);
        assert!(none.is_empty());
    }

    #[test]
    fn three_arrays_are_filled_at_once() {
        let (mut a, mut b, mut c) = (Vec::new(), vec![7u8; 5000], Vec::new());
        map_three(3000, (&mut a, &mut b, &mut c), |i| (i, (i % 251) as u8, -(i as f32)));
        assert!((a.len(), b.len(), c.len()) == (3000, 3000, 3000));
        assert!((0..3000).all(|i| (a[i], b[i], c[i]) == (i, (i % 251) as u8, -(i as f32))));
    }

    #[test]
    fn three_arrays_are_changed_at_once() {
        let (mut a, mut b, mut c) = ((0..3000).collect::<Vec<usize>>(), vec![1.0f32; 3000], vec![0u8; 3000]);
        update_three((&mut a, &mut b, &mut c), |i, a, b, c| (*a, *b, *c) = (*a + i, *b + i as f32, *c + 2));
        assert!((0..3000).all(|i| (a[i], b[i], c[i]) == (2 * i, 1.0 + i as f32, 2)));
    }

    #[test]
    fn finds_the_first() {
        assert_eq!(find_first(100_000, |i| (i >= 777).then_some(i)), Some(777));
        assert_eq!(find_first(10, |_| None::<u32>), None);
        assert_eq!(max(3, |i| [-1.0, f32::NAN, -2.0][i]), 0.0);
    }
}
