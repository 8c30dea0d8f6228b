//! The canonical order of particles in memory, and the counting sort that makes it.

use crate::neighbors::grid::Cells;
use crate::report::held;
use glam::{I64Vec3, IVec3, Vec3};
use rayon::prelude::*;

/// Order of points by cell, z slowest and x fastest, and within a cell by index or by id.
///
/// For particles in memory the cells have the side of the support radius, whatever the grid parameters, and the particles of a
/// cell are in the order of their ids: the order decides in which sequence neighbours are summed, and must depend neither on
/// the grid nor on the past.
#[derive(Clone, Debug, Default)]
pub struct CellOrder {
    keys: Vec<u32>,
    /// `starts[c]..starts[c + 1]` is the range in `order` of the c-th cell of the bounding box; empty if the box is too large.
    starts: Vec<u32>,
    order: Vec<u32>,
    /// Index of the first point of each occupied cell, and the number of points; for points with ids.
    occupied: Vec<u32>,
}

/// Largest number of cells in the bounding box of so many points for which points are counted cell by cell.
fn most_cells(points: usize) -> i64 {
    8 * points as i64 + 4096
}

impl CellOrder {
    /// Sorts `points` (m) by cells of side `cell_size`, m. Returns the permutation: entry k is the index of the k-th point.
    pub fn sort(&mut self, points: &[Vec3], cell_size: f32) -> &[u32] {
        let cells = Cells::new(cell_size);
        let (low, high) = cells.bounds(points);
        // In 64 bits, so that the extent between any two i32 cells fits.
        let extent = (high.as_i64vec3() - low.as_i64vec3() + I64Vec3::ONE).max(I64Vec3::ONE);
        let cell_count = extent.x.saturating_mul(extent.y).saturating_mul(extent.z);
        if cell_count <= most_cells(points.len()) {
            // Few enough cells for keys of 32 bits.
            let (width, height) = (extent.x as u32, extent.y as u32);
            let key = |cell: IVec3| {
                let offset = (cell - low).as_uvec3();
                (offset.z * height + offset.y) * width + offset.x
            };
            cells.map_into(points, key, &mut self.keys);
            counting_sort(&self.keys, cell_count as usize, &mut self.starts, &mut self.order);
        } else {
            // A few points far away make the box too large to count; comparing gives the same order.
            self.starts.clear();
            self.order.clear();
            self.order.extend(0..points.len() as u32);
            self.order.par_sort_by_key(|&index| {
                let cell = cells.of(points[index as usize]);
                (cell.z, cell.y, cell.x)
            });
        }
        &self.order
    }

    /// The cell of `point` (m) among cells of side `cell_size` (m), as [`CellOrder::sort`] rounds.
    pub fn cell_of(point: Vec3, cell_size: f32) -> IVec3 {
        Cells::new(cell_size).of(point)
    }

    /// [`CellOrder::sort`], with the points of a cell in the order of their ids. [`CellOrder::cells`] are then the cells.
    pub(crate) fn sort_by_id(&mut self, points: &[Vec3], ids: &[u32], cell_size: f32) -> &[u32] {
        self.sort(points, cell_size);
        self.find_cells(points, cell_size);
        sort_ranges(&self.occupied, &mut self.order, ids);
        &self.order
    }

    /// Finds the occupied cells of the last [`CellOrder::sort`], which was of these points.
    pub(crate) fn find_cells(&mut self, points: &[Vec3], cell_size: f32) {
        let Self { starts, order, occupied, .. } = self;
        occupied.clear();
        if starts.is_empty() {
            let cells = Cells::new(cell_size);
            let cell = |index: &u32| cells.of(points[*index as usize]);
            let first = (0..order.len()).filter(|&k| k == 0 || cell(&order[k]) != cell(&order[k - 1]));
            occupied.extend(first.map(|k| k as u32));
        } else {
            let first = starts.array_windows().filter(|[start, end]| start < end);
            occupied.extend(first.map(|[start, _]| *start));
        }
        occupied.push(order.len() as u32);
    }

    /// Occupied cells found last: place of the first point of each in the order, and the number of points.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.occupied
    }

    /// Heap memory, bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        held(&self.keys) + held(&self.starts) + held(&self.order) + held(&self.occupied)
    }

    /// Frees everything but `starts`.
    pub(crate) fn drop_update_buffers(&mut self) {
        *self = Self { starts: std::mem::take(&mut self.starts), ..Self::default() };
    }

    /// Start of each cell's range in the order; empty if the bounding box is too large.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }
}

/// Smallest number of cells per task.
const GRAIN: usize = 256;

/// Sorts the points of each cell by id. `cells` are the starts of the cells and the end of the last; `order` are the points from
/// the first start on.
fn sort_ranges(cells: &[u32], order: &mut [u32], ids: &[u32]) {
    let count = cells.len() - 1;
    if count > GRAIN {
        let middle = count / 2;
        let (low, high) = order.split_at_mut((cells[middle] - cells[0]) as usize);
        rayon::join(|| sort_ranges(&cells[..=middle], low, ids), || sort_ranges(&cells[middle..], high, ids));
        return;
    }
    for cell in cells.array_windows() {
        let [start, end] = cell.map(|index| (index - cells[0]) as usize);
        // Most cells keep their particles from step to step, in their order.
        if !order[start..end].is_sorted_by_key(|&index| ids[index as usize]) {
            order[start..end].sort_unstable_by_key(|&index| ids[index as usize]);
        }
    }
}

// Counting sort, by which points are put into their cells or buckets: count, partial sums, fill.

/// Keys and bins below which one thread sorts: distributing fewer costs more than sorting them. A bin takes a tenth of a key's time.
const MIN_PARALLEL_KEYS: usize = 1 << 14;

/// Largest number of parts that are sorted in parallel. Each part reads all keys.
const MAX_PARTS: usize = 8;

/// Sorts `0..keys.len()` by key. Afterwards `starts[k]..starts[k + 1]` is the range of key `k` in `order`, and indices ascend
/// within a range.
///
/// `starts` gets `bins + 1` entries; every key is below `bins`. Linear in keys and bins. Each thread sorts one range of keys.
pub(crate) fn counting_sort(keys: &[u32], bins: usize, starts: &mut Vec<u32>, order: &mut Vec<u32>) {
    sort_values(keys, bins, starts, order, |index| index as u32);
}

/// [`counting_sort`] that puts `value(index)` instead of the index.
pub(crate) fn sort_values<T: Copy + Default + Send>(
    keys: &[u32],
    bins: usize,
    starts: &mut Vec<u32>,
    sorted: &mut Vec<T>,
    value: impl Fn(usize) -> T + Sync,
) {
    starts.resize(bins + 1, 0);
    sorted.resize(keys.len(), T::default());
    let count = if keys.len() + bins / 10 < MIN_PARALLEL_KEYS { 1 } else { rayon::current_num_threads().min(MAX_PARTS) };
    let cuts = cuts(keys, bins, count);
    let mut parts: [Part<'_, T>; MAX_PARTS] = Default::default();
    let mut rest = starts.as_mut_slice();
    for (number, part) in parts[..count].iter_mut().enumerate() {
        let length = cuts[number + 1] - cuts[number];
        (part.starts, rest) = std::mem::take(&mut rest).split_at_mut(length);
        part.first_key = cuts[number];
    }
    parts[..count].par_iter_mut().with_max_len(1).for_each(|part| part.count(keys));
    let (mut rest, mut position) = (sorted.as_mut_slice(), 0);
    for part in &mut parts[..count] {
        (part.sorted, rest) = std::mem::take(&mut rest).split_at_mut(part.total);
        part.first_position = position;
        position += part.total;
    }
    parts[..count].par_iter_mut().with_max_len(1).for_each(|part| part.fill(keys, &value));
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
struct Part<'a, T> {
    first_key: usize,
    /// Entries of `starts` for the keys of the range.
    starts: &'a mut [u32],
    /// Number of points with a key in the range.
    total: usize,
    /// Position of the first of them in the order of all.
    first_position: usize,
    sorted: &'a mut [T],
}

impl<T> Part<'_, T> {
    /// Counts each key of the range.
    fn count(&mut self, keys: &[u32]) {
        let Self { first_key, starts, total, .. } = self;
        starts.fill(0);
        for &key in keys {
            if let Some(start) = starts.get_mut((key as usize).wrapping_sub(*first_key)) {
                *start += 1;
                *total += 1;
            }
        }
    }

    /// Writes the values of the range.
    fn fill(&mut self, keys: &[u32], value: impl Fn(usize) -> T) {
        let Self { first_key, starts, first_position, sorted, .. } = self;
        let mut sum = *first_position as u32;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        // Each entry is now the end of its range. Filling backwards moves it down to the start and keeps the order stable.
        for (index, &key) in keys.iter().enumerate().rev() {
            if let Some(start) = starts.get_mut((key as usize).wrapping_sub(*first_key)) {
                *start -= 1;
                sorted[*start as usize - *first_position] = value(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_cell_are_in_the_order_of_their_ids() {
        let points: Vec<Vec3> = (0..2000).map(|k| Vec3::new((k * 37 % 64) as f32, (k * 53 % 50) as f32, 0.0)).collect();
        let ids: Vec<u32> = (0..2000).map(|k| k * 7919 % 10_007).collect();
        let cell = |index: u32| (points[index as usize] / 3.0).floor().as_ivec3();
        for far in [None, Some(Vec3::splat(1e6))] {
            let points: Vec<Vec3> = points.iter().copied().chain(far).collect();
            let ids: Vec<u32> = ids.iter().copied().chain(far.map(|_| 0)).collect();
            let mut order = CellOrder::default();
            let mut expected: Vec<u32> = (0..2000).collect();
            expected.sort_by_key(|&index| (cell(index).z, cell(index).y, cell(index).x, ids[index as usize]));
            assert_eq!(order.sort_by_id(&points, &ids, 3.0)[..2000], expected);
            let cells: Vec<u32> =
                (0..2000u32).filter(|&k| k == 0 || cell(expected[k as usize]) != cell(expected[k as usize - 1])).collect();
            assert_eq!(order.cells()[..cells.len()], cells);
            assert_eq!(order.cells().last(), Some(&(points.len() as u32)));
        }
        assert_eq!(CellOrder::default().sort_by_id(&[], &[], 1.0), [0u32; 0]);
    }

    #[test]
    fn counting_and_comparing_give_one_order() {
        let near: Vec<Vec3> =
            (0..200).map(|k| Vec3::new((k * 37 % 11) as f32, (k * 53 % 7) as f32, (k * 29 % 5) as f32) - 3.0).collect();
        let mut far = near.clone();
        far.push(Vec3::splat(1e6));
        let (mut counted, mut compared) = (CellOrder::default(), CellOrder::default());
        let counted = counted.sort(&near, 2.0);
        let compared = compared.sort(&far, 2.0);
        assert_eq!(counted, &compared[..200]);
        assert_eq!(compared[200], 200);
    }

    #[test]
    fn sorts_no_points_and_extreme_points() {
        assert!(CellOrder::default().sort(&[], 1.0).is_empty());
        assert_eq!(CellOrder::default().sort(&[Vec3::MAX, Vec3::MIN], 1e-3), [1, 0]);
    }

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
