//! The sort that every structure is built with: count, partial sums, fill.

use rayon::prelude::*;

/// Keys below which one thread sorts: handing parts over costs more than they take.
const LEAST: usize = 1 << 15;

/// Most parts that the keys are cut into. Each goes through all of them.
const MOST_PARTS: usize = 8;

/// Sorts `0..keys.len()` by key. Afterwards `starts[k]..starts[k + 1]` is the range of key `k` in `order`, and within a range indices ascend.
///
/// `starts` has `bins + 1` entries; every key is below `bins`. Linear in keys and bins. Each thread sorts the keys of one range.
pub(crate) fn counting_sort(keys: &[u32], bins: usize, starts: &mut Vec<u32>, order: &mut Vec<u32>) {
    starts.clear();
    starts.resize(bins + 1, 0);
    order.resize(keys.len(), 0);
    let parts = if keys.len() < LEAST { 1 } else { rayon::current_num_threads().min(MOST_PARTS) };
    if parts == 1 {
        return sort_range(keys, 0, starts, order, 0);
    }
    let cuts = cuts(keys, bins, parts);
    // Keys below each cut: where the parts begin in `order`.
    let below: Vec<usize> = cuts.par_iter().map(|&cut| keys.iter().filter(|&&key| (key as usize) < cut).count()).collect();
    let (mut starts, mut order) = (starts.as_mut_slice(), order.as_mut_slice());
    rayon::scope(|scope| {
        for part in 0..parts {
            let (first, first_place) = (cuts[part], below[part]);
            let last_part = part + 1 == parts;
            // The last part takes the entry behind the last bin as well.
            let bins = if last_part { starts.len() } else { cuts[part + 1] - first };
            let places = if last_part { order.len() } else { below[part + 1] - first_place };
            let (starts_here, order_here);
            (starts_here, starts) = std::mem::take(&mut starts).split_at_mut(bins);
            (order_here, order) = std::mem::take(&mut order).split_at_mut(places);
            scope.spawn(move |_| sort_range(keys, first, starts_here, order_here, first_place));
        }
    });
}

/// The first key of each part: as many keys in each as a sample of them promises.
fn cuts(keys: &[u32], bins: usize, parts: usize) -> Vec<usize> {
    const SAMPLE: usize = 1024;
    let mut sample: Vec<u32> = keys.iter().step_by(keys.len() / SAMPLE).copied().collect();
    sample.sort_unstable();
    let mut cuts: Vec<usize> = (0..parts).map(|part| (sample[part * sample.len() / parts] as usize).min(bins)).collect();
    cuts[0] = 0;
    cuts
}

/// Sorts those keys that are at least `first` and have an entry in `starts`, which are zeros; their first place is `first_place`.
fn sort_range(keys: &[u32], first: usize, starts: &mut [u32], order: &mut [u32], first_place: usize) {
    let bin = |key: u32| (key as usize).wrapping_sub(first);
    for &key in keys {
        if let Some(start) = starts.get_mut(bin(key)) {
            *start += 1;
        }
    }
    let mut sum = first_place as u32;
    for start in starts.iter_mut() {
        sum += *start;
        *start = sum;
    }
    // Each entry now holds the end of its range. Walking the keys backwards moves it down to the start and keeps the order stable.
    for (index, &key) in keys.iter().enumerate().rev() {
        if let Some(start) = starts.get_mut(bin(key)) {
            *start -= 1;
            order[*start as usize - first_place] = index as u32;
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
    fn sorts_nothing() {
        let (mut starts, mut order) = (Vec::new(), vec![1]);
        counting_sort(&[], 2, &mut starts, &mut order);
        assert_eq!((starts, order), (vec![0, 0, 0], vec![]));
    }

    #[test]
    fn threads_sort_as_one_does() {
        let patterns: [fn(u32) -> u32; 4] = [|k| k / 9, |k| k.wrapping_mul(2_654_435_761) >> 16, |_| 777, |k| 60_000 - k / 9];
        for pattern in patterns {
            let keys: Vec<u32> = (0..3 * LEAST as u32).map(pattern).collect();
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|&index| keys[index as usize]);
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                let (mut starts, mut order) = (Vec::new(), Vec::new());
                pool.install(|| counting_sort(&keys, 1 << 16, &mut starts, &mut order));
                assert_eq!(order, expected);
                assert_eq!((starts.len(), starts[1 << 16]), ((1 << 16) + 1, keys.len() as u32));
                for (bin, range) in starts.windows(2).enumerate() {
                    let ids = &order[range[0] as usize..range[1] as usize];
                    assert!(ids.iter().all(|&id| keys[id as usize] as usize == bin));
                }
            }
        }
    }
}
