//! Number of points registered in each cell, where each point is registered in a box of cells.

use crate::neighbors::grid::{CellBox, EMPTY, Table, stencil};
use glam::IVec3;
use std::collections::HashMap;

/// The occupied cells, sorted by bucket. Counting all cells at once hashes each of them once, not once per registered point.
#[derive(Debug)]
pub(crate) struct CellCounts(Vec<(u32, IVec3, u32)>);

impl CellCounts {
    /// Counts the points registered in `registered`, one box of cells per point, which is empty for a point in no cell. Vast
    /// boxes are left out: they have too many cells to count.
    pub fn new(registered: &[CellBox], table: Table) -> Self {
        let boxes = registered.iter().copied().filter(|&cells| !stencil::is_vast(cells));
        let registrations: i64 = boxes.clone().map(stencil::count).sum();
        let around = boxes.clone().fold(EMPTY, |a, b| if stencil::is_empty(b) { a } else { (a.0.min(b.0), a.1.max(b.1)) });
        let mut counts = Vec::new();
        let mut add = |cell, points| counts.push((table.bucket(cell), cell, points));
        if stencil::count(around) <= 2 * registrations + 4096 {
            count_densely(boxes, around, &mut add);
        } else {
            count_sparsely(boxes, &mut add);
        }
        counts.sort_unstable_by_key(|&(bucket, cell, _)| (bucket, cell.z, cell.y, cell.x));
        Self(counts)
    }

    /// The occupied cells of a bucket, with their numbers of points.
    pub fn in_bucket(&self, bucket: u32) -> impl Iterator<Item = (IVec3, u32)> {
        let first = self.0.partition_point(|&(other, ..)| other < bucket);
        self.0[first..].iter().take_while(move |&&(other, ..)| other == bucket).map(|&(_, cell, points)| (cell, points))
    }
}

/// Counts with one counter per cell of the bounding box `around`.
fn count_densely(boxes: impl Iterator<Item = CellBox>, around: CellBox, add: &mut impl FnMut(IVec3, u32)) {
    if stencil::is_empty(around) {
        return;
    }
    let size = (around.1 - around.0 + 1).as_usizevec3();
    let mut counts = vec![0u32; size.element_product()];
    for (low, high) in boxes.filter(|&cells| !stencil::is_empty(cells)) {
        let (low, high) = ((low - around.0).as_usizevec3(), (high - around.0).as_usizevec3());
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                let row = (z * size.y + y) * size.x;
                counts[row + low.x..=row + high.x].iter_mut().for_each(|count| *count += 1);
            }
        }
    }
    for (cell, &count) in stencil::each(around).zip(&counts) {
        if count > 0 {
            add(cell, count);
        }
    }
}

/// Counts with a map, for points so far apart that most cells between them are empty. Points near each other mostly have equal
/// boxes.
fn count_sparsely(boxes: impl Iterator<Item = CellBox>, add: &mut impl FnMut(IVec3, u32)) {
    let mut boxes: Vec<[i32; 6]> = boxes.map(|(low, high)| [low.x, low.y, low.z, high.x, high.y, high.z]).collect();
    boxes.sort_unstable();
    let mut counts: HashMap<IVec3, u32> = HashMap::new();
    for equal in boxes.chunk_by(|a, b| a == b) {
        let [x, y, z, to_x, to_y, to_z] = equal[0];
        for cell in stencil::each((IVec3::new(x, y, z), IVec3::new(to_x, to_y, to_z))) {
            *counts.entry(cell).or_default() += equal.len() as u32;
        }
    }
    counts.into_iter().for_each(|(cell, count)| add(cell, count));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::HashFunction;

    /// A distant box makes the count sparse instead of dense; the counts of the other cells stay the same.
    #[test]
    fn counts_the_same_densely_and_sparsely() {
        let table = Table { size: 7, hash: HashFunction::Teschner };
        let boxes: Vec<CellBox> = (0..60)
            .map(|k| (IVec3::new(k * 37 % 11, -k * 53 % 7, k * 29 % 5), IVec3::new(k % 3, k % 2, 1)))
            .map(|(low, extent)| (low, low + extent))
            .chain([EMPTY])
            .collect();
        let far = IVec3::splat(1 << 30);
        let with_far: Vec<CellBox> = boxes.iter().copied().chain([(far, far)]).collect();
        let (dense, sparse) = (CellCounts::new(&boxes, table), CellCounts::new(&with_far, table));
        for bucket in 0..7 {
            let mut expected: HashMap<IVec3, u32> = HashMap::new();
            for &cells in &boxes {
                for cell in stencil::each(cells).filter(|&cell| table.bucket(cell) == bucket) {
                    *expected.entry(cell).or_default() += 1;
                }
            }
            assert_eq!(dense.in_bucket(bucket).collect::<HashMap<_, _>>(), expected);
            assert_eq!(sparse.in_bucket(bucket).filter(|&(cell, _)| cell != far).collect::<HashMap<_, _>>(), expected);
        }
    }

    #[test]
    fn counts_no_points_and_leaves_out_vast_boxes() {
        let table = Table { size: 1, hash: HashFunction::Muller };
        assert_eq!(CellCounts::new(&[], table).in_bucket(0).count(), 0);
        assert_eq!(CellCounts::new(&[EMPTY, (IVec3::MIN, IVec3::MAX)], table).in_bucket(0).count(), 0);
    }
}
