//! Sorted cells: points sorted by cell, so that a query reads whole rows of cells as single ranges.

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{CellOrder, SortedPoints};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::report::held;
use glam::{IVec3, Vec3};
use std::ops::Range;

/// Points sorted by cell, x fastest and z slowest: the cells of a stencil that are adjacent along x form one range.
///
/// The start of each cell is counted over the bounding box of the points, as in the uniform grid. If the box has far more cells
/// than there are points, only the occupied cells are listed and a query finds its rows by bisection: the domain is unbounded.
#[derive(Clone, Debug)]
pub struct SortedCells {
    radius: f32,
    cells: Cells,
    bounds: CellBox,
    order: CellOrder,
    points: SortedPoints,
    /// Occupied cells in order, if they are listed, with the index of their first point. One entry more than cells.
    listed: Vec<(IVec3, u32)>,
}

/// Sort key of a cell.
fn rank(cell: IVec3) -> (i32, i32, i32) {
    (cell.z, cell.y, cell.x)
}

impl SortedCells {
    /// An empty structure of cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(cell_size: f32, radius: f32) -> Self {
        Self {
            radius,
            cells: Cells::new(cell_size),
            bounds: EMPTY,
            order: CellOrder::default(),
            points: SortedPoints::default(),
            listed: Vec::new(),
        }
    }

    /// Box of cells that a query looks into.
    fn reach(&self, center: Vec3, radius: f32) -> CellBox {
        stencil::common(self.cells.touched_by_cube(center, radius), self.bounds)
    }

    /// True if only the occupied cells are listed.
    fn is_listed(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Index of a cell in the bounding box, if cells are not listed.
    fn index(&self, cell: IVec3) -> usize {
        let (low, high) = self.bounds;
        let (offset, size) = ((cell - low).as_usizevec3(), (high - low + 1).as_usizevec3());
        (offset.z * size.y + offset.y) * size.x + offset.x
    }

    /// Adds the points of the cells from `low` to `high`, row by row.
    #[inline(always)]
    fn take_rows(&self, (low, high): CellBox, found: &mut Candidates) {
        let ascend = self.points.is_ascending();
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                found.take::<32>(&self.points, self.row(IVec3::new(low.x, y, z), IVec3::new(high.x, y, z)), ascend);
            }
        }
    }

    /// Range of the points in the cells from `first` to `last`, which lie on one row along x inside the box.
    #[inline(always)]
    fn row(&self, first: IVec3, last: IVec3) -> Range<usize> {
        if self.is_listed() {
            let cells = &self.listed[..self.listed.len() - 1];
            let begin = cells.partition_point(|&(cell, _)| rank(cell) < rank(first));
            let end = cells.partition_point(|&(cell, _)| rank(cell) <= rank(last));
            return self.listed[begin].1 as usize..self.listed[end].1 as usize;
        }
        let starts = self.order.starts();
        starts[self.index(first)] as usize..starts[self.index(last) + 1] as usize
    }

    /// Number of buckets: the cells of the box; if cells are listed, these and one for all empty cells.
    fn buckets(&self) -> usize {
        match self.points.len() {
            0 => 0,
            _ if self.is_listed() => self.listed.len(),
            _ => self.order.starts().len() - 1,
        }
    }

    /// The bucket of a cell inside the box.
    fn bucket(&self, cell: IVec3) -> usize {
        if !self.is_listed() {
            return self.index(cell);
        }
        let empty = self.listed.len() - 1;
        self.listed[..empty].binary_search_by_key(&rank(cell), |&(cell, _)| rank(cell)).unwrap_or(empty)
    }

    /// Range of the points in a bucket.
    fn range(&self, bucket: usize) -> Range<usize> {
        if self.is_listed() {
            let end = self.listed.get(bucket + 1).map_or(self.points.len(), |&(_, start)| start as usize);
            return self.listed[bucket].1 as usize..end;
        }
        self.order.starts()[bucket] as usize..self.order.starts()[bucket + 1] as usize
    }

    /// Lists the occupied cells.
    fn list(&mut self) {
        let Self { cells, points, listed, .. } = self;
        let mut last = None;
        for index in 0..points.len() {
            let cell = cells.of(points.get(index).1);
            if last.replace(cell) != Some(cell) {
                listed.push((cell, index as u32));
            }
        }
        listed.push((IVec3::MAX, points.len() as u32));
    }
}

impl NeighborSearch for SortedCells {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        self.bounds = self.cells.bounds(points);
        self.points.put(points, self.order.sort(points, self.cells.size()));
        self.listed.clear();
        if self.order.starts().is_empty() {
            self.list();
        }
        Ok(())
    }

    fn drop_update_buffers(&mut self) {
        self.order.drop_update_buffers();
    }

    #[inline(always)]
    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.cells, center, radius, self.bounds) else { return };
        found.clear();
        if stencil::is_vast(cells) {
            found.take::<32>(&self.points, 0..self.points.len(), self.points.is_ascending());
        } else if !stencil::is_empty(cells) {
            self.take_rows(cells, found);
        }
    }

    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = size_of_val(self.order.starts()) + size_of_val(&*self.listed) + self.points.bytes();
        let bucket = |bucket, cells: &mut FilledCells| {
            let range = self.range(bucket as usize);
            cells.extend((!range.is_empty()).then(|| (self.cells.of(self.points.get(range.start).1), range.len() as u32)));
            range.len()
        };
        let are_empty = |buckets: Range<usize>| self.range(buckets.start).start == self.range(buckets.end - 1).end;
        Census { table_size: self.buckets(), cell_size: self.cells.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        self.order.memory() + self.points.memory() + held(&self.listed)
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        query.follow(
            self.cells,
            self.reach(query.center, query.radius),
            self.buckets(),
            |cell| self.bucket(cell) as u32,
            |bucket, _, visit| {
                self.range(bucket as usize).map(|position| Entry::tested(self.points.get(position))).for_each(visit);
            },
        )
    }
}
