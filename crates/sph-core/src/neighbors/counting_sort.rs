//! The sort that every structure is built with: count, partial sums, fill.

/// Sorts `0..keys.len()` by key. Afterwards `starts[k]..starts[k + 1]` is the range of key `k` in `order`, and within a range indices ascend.
///
/// `starts` has `bins + 1` entries; every key is below `bins`. Linear in keys and bins.
pub(crate) fn counting_sort(keys: &[u32], bins: usize, starts: &mut Vec<u32>, order: &mut Vec<u32>) {
    starts.clear();
    starts.resize(bins + 1, 0);
    for &key in keys {
        starts[key as usize] += 1;
    }
    let mut sum = 0;
    for start in starts.iter_mut() {
        sum += *start;
        *start = sum;
    }
    // Each entry now holds the end of its range. Walking the keys backwards moves it down to the start and keeps the order stable.
    order.resize(keys.len(), 0);
    for (index, &key) in keys.iter().enumerate().rev() {
        let place = &mut starts[key as usize];
        *place -= 1;
        order[*place as usize] = index as u32;
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
}
