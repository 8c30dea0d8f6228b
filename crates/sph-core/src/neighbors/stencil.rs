//! Boxes of cells, and the box that a query looks into.

use super::grid::{Cells, Touched};
use super::lookups::Lookups;
use glam::{IVec3, Vec3};

/// Largest number of cells that are hashed one by one, far above four times the largest stencil of
/// [`GridParameters`](crate::neighbors::GridParameters).
const MAX_CELLS: i64 = 1 << 15;

/// A box of cells: lowest and highest cell, both included.
pub(crate) type CellBox = (IVec3, IVec3);

/// A box without cells.
pub(crate) const EMPTY: CellBox = (IVec3::MAX, IVec3::MIN);

/// True if a box has so many cells that going through all registered points is cheaper than going through the cells.
pub(crate) fn is_vast(cells: CellBox) -> bool {
    count(cells) > MAX_CELLS
}

/// Intersection of two boxes. Clipping a query to the occupied cells leaves one layer of cells in two dimensions.
pub(crate) fn common(a: CellBox, b: CellBox) -> CellBox {
    (a.0.max(b.0), a.1.min(b.1))
}

/// True if a box has no cells.
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

/// Cells of a task's previous query, remembered because most successive queries come from one cell.
#[derive(Debug, Default)]
pub struct Stencil {
    cells: Option<CellBox>,
    /// Cells that the cube of the previous query touches, empty cells included.
    touched: Option<Touched>,
    pub(crate) buckets: Vec<u32>,
    pub(crate) lookups: Lookups,
}

impl Stencil {
    /// Forgets the previous query, which was for another structure or before an update.
    pub(crate) fn forget(&mut self) {
        self.cells = None;
        self.touched = None;
        self.lookups.forget();
    }

    /// The cells among `bounds` that the cube of half-side `radius` (m) around `center` touches; `None` if they are those of
    /// the previous query, whose candidates are still valid.
    #[inline(always)]
    pub(crate) fn look(&mut self, cells: Cells, center: Vec3, radius: f32, bounds: CellBox) -> Option<CellBox> {
        // Mostly decided without conversion to integers.
        if self.touched.is_some_and(|touched| cells.touches(touched, center, radius)) {
            return None;
        }
        let touched = cells.touched_by_cube(center, radius);
        self.touched = Touched::new(touched);
        let cells = common(touched, bounds);
        self.moves_to(cells).then_some(cells)
    }

    /// Stores `cells`; true if they differ from those of the previous query.
    pub(crate) fn moves_to(&mut self, cells: CellBox) -> bool {
        self.cells.replace(cells) != Some(cells)
    }
}
