//! From a box of cells to the buckets that it falls into, each once.

use super::cells::{Cells, Touched};
use crate::parameters::HashFunction;
use glam::{IVec3, Vec3};

/// Most cells that are hashed one by one. Four times the largest stencil of [`GridParameters`](crate::neighbors::GridParameters) is far below.
const MAX_CELLS: i64 = 1 << 15;

/// A table of `size` buckets and the function that scatters cells over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub size: u32,
    pub hash: HashFunction,
}

/// A box of cells: the lowest and the highest, both included.
pub(crate) type CellBox = (IVec3, IVec3);

/// A box without a cell.
pub(crate) const EMPTY: CellBox = (IVec3::MAX, IVec3::MIN);

impl Table {
    /// The bucket of `cell`.
    #[inline]
    pub fn bucket(self, cell: IVec3) -> u32 {
        self.hash.bucket(cell, self.size)
    }

    /// Replaces `buckets` with the buckets of the cells of `cells` for which `keep` holds, each once though cells may share it.
    ///
    /// A small box keeps the order of its cells: where that is also the order of points in memory, neighbour lists come out sorted.
    pub fn buckets(self, cells: CellBox, buckets: &mut Vec<u32>, keep: impl Fn(u32) -> bool) {
        const SMALL: usize = 64;
        buckets.clear();
        // A radius of thousands of cells would hash for ever; taking the whole table is as right.
        if is_vast(cells) {
            buckets.extend((0..self.size).filter(|&bucket| keep(bucket)));
            return;
        }
        buckets.extend(each(cells).map(|cell| self.bucket(cell)).filter(|&bucket| keep(bucket)));
        if buckets.len() > SMALL {
            buckets.sort_unstable();
            buckets.dedup();
            return;
        }
        let mut kept = 0;
        for index in 0..buckets.len() {
            let bucket = buckets[index];
            if !buckets[..kept].contains(&bucket) {
                buckets[kept] = bucket;
                kept += 1;
            }
        }
        buckets.truncate(kept);
    }
}

/// Whether a box has so many cells that going through everything registered is cheaper than going through them.
pub(crate) fn is_vast(cells: CellBox) -> bool {
    count(cells) > MAX_CELLS
}

/// The cells of both boxes. A query need not look beyond the cells that hold anything: in two dimensions that leaves one layer.
pub(crate) fn common(a: CellBox, b: CellBox) -> CellBox {
    (a.0.max(b.0), a.1.min(b.1))
}

/// Whether a box has no cell.
pub(crate) fn is_empty((low, high): CellBox) -> bool {
    low.cmpgt(high).any()
}

/// Number of cells in a box; saturates.
pub(crate) fn count((low, high): CellBox) -> i64 {
    let extent = (high.as_i64vec3() - low.as_i64vec3() + 1).max(glam::I64Vec3::ZERO);
    extent.x.saturating_mul(extent.y).saturating_mul(extent.z)
}

/// The cells of a box, x fastest and z slowest.
pub(crate) fn each((low, high): CellBox) -> impl Iterator<Item = IVec3> {
    (low.z..=high.z).flat_map(move |z| (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| IVec3::new(x, y, z))))
}

/// What one worker remembers of the query before: most successive queries come from one cell.
#[derive(Debug, Default)]
pub struct Stencil {
    cells: Option<CellBox>,
    /// The cells that the cube of the query before touches, those without points included.
    touched: Option<Touched>,
    pub(crate) buckets: Vec<u32>,
}

impl Stencil {
    /// Forgets the query before, which was of another structure or another moment.
    pub(crate) fn forget(&mut self) {
        self.cells = None;
        self.touched = None;
    }

    /// The cells among `bounds` that the cube of half-side `radius` (m) around `center` touches; `None` where they are those of the query before, whose
    /// candidates are still there.
    #[inline(always)]
    pub(crate) fn look(&mut self, cells: Cells, center: Vec3, radius: f32, bounds: CellBox) -> Option<CellBox> {
        // Mostly found without turning anything into an integer.
        if self.touched.is_some_and(|touched| cells.touches(touched, center, radius)) {
            return None;
        }
        let touched = cells.touched_by_cube(center, radius);
        self.touched = Touched::new(touched);
        let cells = common(touched, bounds);
        self.moves_to(cells).then_some(cells)
    }

    /// Whether the cells are others than those of the query before.
    pub(crate) fn moves_to(&mut self, cells: CellBox) -> bool {
        self.cells.replace(cells) != Some(cells)
    }
}
