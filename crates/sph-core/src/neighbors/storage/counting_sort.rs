//! Counting sort, by which points are put into their cells or buckets: count, partial sums, fill.

use rayon::prelude::*;

/// Number of keys below which one thread sorts: distributing fewer costs more than sorting them.
const MIN_PARALLEL_KEYS: usize = 1 << 14;

/// Largest number of parts that are sorted in parallel. Each part reads all keys.
const MAX_PARTS: usize = 8;

/// Sorts `0..keys.len()` by key. Afterwards `starts[k]..starts[k + 1]` is the range of key `k` in `order`, and indices ascend
/// within a range.
///
/// `starts` gets `bins + 1` entries; every key is below `bins`. Linear in keys and bins. Each thread sorts one range of keys.
pub(crate) fn counting_sort(keys: &[u32], bins: usize, starts: &mut Vec<u32>, order: &mut Vec<u32>) {
    starts.clear();
    starts.resize(bins + 1, 0);
    order.resize(keys.len(), 0);
    let count = if keys.len() < MIN_PARALLEL_KEYS { 1 } else { rayon::current_num_threads().min(MAX_PARTS) };
    let cuts = cuts(keys, bins, count);
    let mut parts: [Part<'_>; MAX_PARTS] = Default::default();
    let mut rest = starts.as_mut_slice();
    for (number, part) in parts[..count].iter_mut().enumerate() {
        let length = cuts[number + 1] - cuts[number];
        (part.starts, rest) = std::mem::take(&mut rest).split_at_mut(length);
        part.first_key = cuts[number];
    }
    parts[..count].par_iter_mut().with_max_len(1).for_each(|part| part.count(keys));
    let (mut rest, mut position) = (order.as_mut_slice(), 0);
    for part in &mut parts[..count] {
        (part.order, rest) = std::mem::take(&mut rest).split_at_mut(part.total);
        part.first_position = position;
        position += part.total;
    }
    parts[..count].par_iter_mut().with_max_len(1).for_each(|part| part.fill(keys));
}

/// First key of each part, chosen by a sample of the keys so that parts are about equally long, and the end of `starts`.
fn cuts(keys: &[u32], bins: usize, parts: usize) -> [usize; MAX_PARTS + 1] {
    const SAMPLE: usize = 256;
    let mut sample = [0; SAMPLE];
    for (number, entry) in sample.iter_mut().enumerate() {
        *entry = keys.get(number * keys.len() / SAMPLE).copied().unwrap_or(0);
    }
    sample.sort_unstable();
    let mut cuts = [0; MAX_PARTS + 1];
    for part in 1..parts {
        cuts[part] = sample[part * SAMPLE / parts] as usize;
    }
    // The last part includes the entry behind the last bin.
    cuts[parts] = bins + 1;
    cuts
}

/// One range of keys, sorted by one thread.
#[derive(Default)]
struct Part<'a> {
    first_key: usize,
    /// Entries of `starts` for the keys of the range.
    starts: &'a mut [u32],
    /// Number of points with a key in the range.
    total: usize,
    /// Position of the first of them in the order of all.
    first_position: usize,
    order: &'a mut [u32],
}

impl Part<'_> {
    /// Counts each key of the range.
    fn count(&mut self, keys: &[u32]) {
        for &key in keys {
            if let Some(start) = self.starts.get_mut((key as usize).wrapping_sub(self.first_key)) {
                *start += 1;
            }
        }
        self.total = self.starts.iter().map(|&count| count as usize).sum();
    }

    /// Writes the order of the range.
    fn fill(&mut self, keys: &[u32]) {
        let Self { first_key, starts, first_position, order, .. } = self;
        let mut sum = *first_position as u32;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        // Each entry is now the end of its range. Filling backwards moves it down to the start and keeps the order stable.
        for (index, &key) in keys.iter().enumerate().rev() {
            if let Some(start) = starts.get_mut((key as usize).wrapping_sub(*first_key)) {
                *start -= 1;
                order[*start as usize - *first_position] = index as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_stably_and_marks_ranges() {
        let (mut starts, mut order) = (vec![9; 3], vec![9; 9]);
        counting_sort(&[2, 0, 2, 3, 0], 5, &mut starts, &mut order);
        assert_eq!(order, [1, 4, 0, 2, 3]);
        assert_eq!(starts, [0, 2, 2, 4, 5, 5]);
    }

    #[test]
    fn sorts_no_keys() {
        let (mut starts, mut order) = (Vec::new(), vec![1]);
        counting_sort(&[], 2, &mut starts, &mut order);
        assert_eq!((starts, order), (vec![0, 0, 0], vec![]));
    }

    #[test]
    fn order_is_the_same_for_any_number_of_threads() {
        let patterns: [fn(u32) -> u32; 4] = [|k| k / 9, |k| k.wrapping_mul(2_654_435_761) >> 16, |_| 777, |k| 60_000 - k / 9];
        for pattern in patterns {
            let keys: Vec<u32> = (0..3 * MIN_PARALLEL_KEYS as u32).map(pattern).collect();
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|&index| keys[index as usize]);
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                let (mut starts, mut order) = (Vec::new(), Vec::new());
                pool.install(|| counting_sort(&keys, 1 << 16, &mut starts, &mut order));
                assert_eq!(order, expected);
                assert_eq!((starts.len(), starts[1 << 16]), ((1 << 16) + 1, keys.len() as u32));
                for (bin, range) in starts.windows(2).enumerate() {
                    let indices = &order[range[0] as usize..range[1] as usize];
                    assert!(indices.iter().all(|&index| keys[index as usize] as usize == bin));
                }
            }
        }
    }
}
