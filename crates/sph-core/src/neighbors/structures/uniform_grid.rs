//! The uniform grid: a dense table with one entry for each cell of a bounded domain; no hashing, no collisions.

use crate::neighbors::grid::{CellBox, Cells, Stencil};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{SortedPoints, counting_sort};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::report::held;
use glam::{IVec3, U64Vec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Smallest number of points per parallel task.
const GRAIN: usize = 4096;

/// Largest number of cells: 16 Mi, 64 MiB of counts.
pub const MAX_GRID_CELLS: u64 = 1 << 24;

/// The bounding box of the points, divided into cells; `cell_count[c]..cell_count[c + 1]` is the range of cell c in
/// `particle_map`, with `c = (x·ny + y)·nz + z` counted from the lowest cell of the box.
#[derive(Clone, Debug)]
pub struct UniformGrid {
    radius: f32,
    cells: Cells,
    low: IVec3,
    high: IVec3,
    cell_of: Vec<u32>,
    cell_count: Vec<u32>,
    particle_map: Vec<u32>,
    /// The points in the order of `particle_map`.
    points: SortedPoints,
}

impl UniformGrid {
    /// An empty grid of cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(cell_size: f32, radius: f32) -> Self {
        Self {
            radius,
            cells: Cells::new(cell_size),
            low: IVec3::ZERO,
            high: IVec3::NEG_ONE,
            cell_of: Vec::new(),
            cell_count: vec![0],
            particle_map: Vec::new(),
            points: SortedPoints::default(),
        }
    }

    /// Index of a cell inside the box.
    fn index(&self, cell: IVec3) -> usize {
        let offset = (cell - self.low).as_usizevec3();
        let size = (self.high - self.low + 1).as_usizevec3();
        (offset.x * size.y + offset.y) * size.z + offset.z
    }

    /// The cell with this index.
    fn cell_at(&self, index: usize) -> IVec3 {
        let size = (self.high - self.low + 1).as_usizevec3();
        let (rest, z) = (index / size.z, index % size.z);
        self.low + IVec3::new((rest / size.y) as i32, (rest % size.y) as i32, z as i32)
    }

    /// Box of cells that a query looks into.
    fn reach(&self, center: Vec3, radius: f32) -> CellBox {
        stencil::common(self.cells.touched_by_cube(center, radius), (self.low, self.high))
    }

    fn range(&self, index: usize) -> Range<usize> {
        self.cell_count[index] as usize..self.cell_count[index + 1] as usize
    }

    /// Bounding box of the cells of `points`; empty without points.
    fn bounds(&self, points: &[Vec3]) -> Result<CellBox, TooManyCells> {
        let (low, high) = self.cells.bounds(points);
        if points.is_empty() {
            return Ok((IVec3::ZERO, IVec3::NEG_ONE));
        }
        let size: U64Vec3 = (high.as_i64vec3() - low.as_i64vec3() + 1).as_u64vec3();
        let needed = size.x.saturating_mul(size.y).saturating_mul(size.z);
        if needed > MAX_GRID_CELLS {
            return Err(TooManyCells { needed, limit: MAX_GRID_CELLS, extent: size.as_vec3() * self.cells.size() });
        }
        Ok((low, high))
    }
}

impl NeighborSearch for UniformGrid {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        (self.low, self.high) = self.bounds(points)?;
        let mut cell_of = std::mem::take(&mut self.cell_of);
        let indices = points.par_iter().with_min_len(GRAIN).map(|&point| self.index(self.cells.of(point)) as u32);
        indices.collect_into_vec(&mut cell_of);
        self.cell_of = cell_of;
        let count = stencil::count((self.low, self.high)).max(0) as usize;
        counting_sort(&self.cell_of, count, &mut self.cell_count, &mut self.particle_map);
        self.points.put(points, &self.particle_map);
        Ok(())
    }

    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.cells, center, radius, (self.low, self.high)) else { return };
        found.clear();
        for cell in stencil::each(cells) {
            found.take::<16>(&self.points, self.range(self.index(cell)), true);
        }
    }

    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = size_of_val(&*self.cell_of)
            + size_of_val(&*self.cell_count)
            + size_of_val(&*self.particle_map)
            + self.points.bytes();
        let bucket = |index, cells: &mut FilledCells| {
            let points = self.range(index as usize).len();
            cells.extend((points > 0).then(|| (self.cell_at(index as usize), points as u32)));
            points
        };
        let are_empty = |cells: Range<usize>| self.cell_count[cells.start] == self.cell_count[cells.end];
        Census { table_size: self.cell_count.len() - 1, cell_size: self.cells.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        let Self { cell_of, cell_count, particle_map, points, .. } = self;
        held(cell_of) + held(cell_count) + held(particle_map) + points.memory()
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let (reach, buckets) = (self.reach(query.center, query.radius), self.cell_count.len() - 1);
        query.follow(
            self.cells,
            reach,
            buckets,
            |cell| self.index(cell) as u32,
            |index, _, visit| {
                // A vast reach visits every cell of the box.
                if !stencil::is_empty(stencil::common((self.cell_at(index as usize), self.cell_at(index as usize)), reach)) {
                    let range = self.range(index as usize);
                    range.map(|position| Entry::tested(self.points.get(position))).for_each(visit);
                }
            },
        )
    }
}
