//! The uniform grid: every cell of a bounded domain has its place in a dense table; nothing is hashed, nothing collides.

use super::cells::Cells;
use super::counting_sort::counting_sort;
use super::stencil::{self, CellBox, Stencil};
use super::{Candidates, NeighborSearch, Occupancy, TooManyCells};
use glam::{IVec3, U64Vec3, Vec3};
use std::ops::Range;

/// Most cells of a grid: 16 Mi, 64 MiB of counts.
pub const MAX_GRID_CELLS: u64 = 1 << 24;

/// The box around the points, cut into cells; `cell_count[c]..cell_count[c + 1]` is the range of cell c in `particle_map`, with
/// `c = (x·ny + y)·nz + z` counted from the corner of the box.
#[derive(Debug)]
pub struct UniformGrid {
    radius: f32,
    cell_size: f32,
    low: IVec3,
    high: IVec3,
    cell_of: Vec<u32>,
    cell_count: Vec<u32>,
    particle_map: Vec<u32>,
    points: Vec<Vec3>,
}

impl UniformGrid {
    /// An empty grid of cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(cell_size: f32, radius: f32) -> Self {
        Self {
            radius,
            cell_size,
            low: IVec3::ZERO,
            high: IVec3::NEG_ONE,
            cell_of: Vec::new(),
            cell_count: vec![0],
            particle_map: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Place of a cell that lies inside the box.
    fn place(&self, cell: IVec3) -> usize {
        let offset = (cell - self.low).as_usizevec3();
        let size = (self.high - self.low + 1).as_usizevec3();
        (offset.x * size.y + offset.y) * size.z + offset.z
    }

    fn range(&self, place: usize) -> Range<usize> {
        self.cell_count[place] as usize..self.cell_count[place + 1] as usize
    }

    /// The box of cells around `points`; none without points.
    fn bounds(&self, points: &[Vec3]) -> Result<CellBox, TooManyCells> {
        let cells = Cells::new(self.cell_size);
        let all = points.iter().map(|&point| cells.of(point));
        let (low, high) = all.fold((IVec3::MAX, IVec3::MIN), |(low, high), cell| (low.min(cell), high.max(cell)));
        if points.is_empty() {
            return Ok((IVec3::ZERO, IVec3::NEG_ONE));
        }
        let size: U64Vec3 = (high.as_i64vec3() - low.as_i64vec3() + 1).as_u64vec3();
        let needed = size.x.saturating_mul(size.y).saturating_mul(size.z);
        if needed > MAX_GRID_CELLS {
            return Err(TooManyCells { needed, limit: MAX_GRID_CELLS, extent: size.as_vec3() * self.cell_size });
        }
        Ok((low, high))
    }
}

impl NeighborSearch for UniformGrid {
    type Cursor = Stencil;

    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _names: &[u32]) -> Result<(), TooManyCells> {
        (self.low, self.high) = self.bounds(points)?;
        let cells = Cells::new(self.cell_size);
        let places = points.iter().map(|&point| self.place(cells.of(point)) as u32).collect();
        self.cell_of = places;
        let count = stencil::count((self.low, self.high)).max(0) as usize;
        counting_sort(&self.cell_of, count, &mut self.cell_count, &mut self.particle_map);
        self.points.clear();
        self.points.extend(self.particle_map.iter().map(|&id| points[id as usize]));
        Ok(())
    }

    fn collect(&self, center: Vec3, cursor: &mut Stencil, found: &mut Candidates) {
        let cells = Cells::new(self.cell_size).touched_by_cube(center, self.radius);
        if cursor.moves_to(cells) {
            found.clear();
            for cell in stencil::each((cells.0.max(self.low), cells.1.min(self.high))) {
                let range = self.range(self.place(cell));
                found.extend(&self.particle_map[range.clone()], &self.points[range]);
            }
        }
    }

    fn occupancy(&self) -> Occupancy {
        let bytes = size_of_val(&*self.cell_of)
            + size_of_val(&*self.cell_count)
            + size_of_val(&*self.particle_map)
            + size_of_val(&*self.points);
        Occupancy::of_buckets(self.cell_count.len() - 1, bytes, |place, cells| {
            let range = self.range(place);
            cells.extend((!range.is_empty()).then_some(IVec3::ZERO));
            range.len()
        })
    }
}
