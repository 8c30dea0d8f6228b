//! The spatial hash: an unbounded grid of cells scattered over a dense table (Muller2022, Teschner2003).

use super::cells::Cells;
use super::counting_sort::counting_sort;
use super::{Candidates, HashFunction, NeighborSearch, Occupancy};
use glam::{IVec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Most cells that a query hashes one by one. Four times the largest stencil of [`GridParameters`](super::GridParameters) is far below.
const MAX_STENCIL_CELLS: i64 = 1 << 15;

/// Two arrays, rebuilt from scratch in linear time: `cell_count[b]..cell_count[b + 1]` is the range of bucket b in `particle_map`.
///
/// All points of a cell share a bucket. Cells may share one too: such a collision costs candidates, never correctness.
#[derive(Debug)]
pub struct SpatialHash {
    cells: Cells,
    table_size: u32,
    hash: HashFunction,
    cell_of: Vec<IVec3>,
    bucket_of: Vec<u32>,
    cell_count: Vec<u32>,
    particle_map: Vec<u32>,
    /// The points in the order of `particle_map`.
    points: Vec<Vec3>,
}

/// The buckets of the last query's cells; queries from one cell mostly touch the same.
#[derive(Debug, Default)]
pub struct Stencil {
    cells: Option<(IVec3, IVec3)>,
    buckets: Vec<u32>,
    ranges: Vec<Range<u32>>,
}

impl SpatialHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, m.
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction) -> Self {
        Self {
            cells: Cells::new(cell_size),
            table_size,
            hash,
            cell_of: Vec::new(),
            bucket_of: Vec::new(),
            cell_count: vec![0; table_size as usize + 1],
            particle_map: Vec::new(),
            points: Vec::new(),
        }
    }

    fn range(&self, bucket: u32) -> Range<u32> {
        self.cell_count[bucket as usize]..self.cell_count[bucket as usize + 1]
    }

    /// Puts the non-empty buckets of the cells from `low` to `high` into `stencil`, each once though several cells may share it.
    fn gather(&self, low: IVec3, high: IVec3, stencil: &mut Stencil) {
        let Stencil { buckets, ranges, .. } = stencil;
        buckets.clear();
        ranges.clear();
        // A radius of thousands of cells would hash for ever; reading the whole table is as right.
        let extent = (high.as_i64vec3() - low.as_i64vec3()) + 1;
        if extent.x.saturating_mul(extent.y).saturating_mul(extent.z) > MAX_STENCIL_CELLS {
            ranges.push(0..self.particle_map.len() as u32);
            return;
        }
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let bucket = self.hash.bucket(IVec3::new(x, y, z), self.table_size);
                    if !self.range(bucket).is_empty() {
                        buckets.push(bucket);
                    }
                }
            }
        }
        deduplicate(buckets);
        ranges.extend(buckets.iter().map(|&bucket| self.range(bucket)));
    }
}

/// Removes what occurs twice. A small stencil keeps the order of its cells: where that is also the order of points in memory, the
/// neighbour lists come out sorted.
fn deduplicate(buckets: &mut Vec<u32>) {
    const SMALL: usize = 64;
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

impl NeighborSearch for SpatialHash {
    type Cursor = Stencil;

    fn rebuild(&mut self, points: &[Vec3]) {
        let Self { cells, hash, table_size, .. } = *self;
        points.par_iter().with_min_len(4096).map(|&point| cells.of(point)).collect_into_vec(&mut self.cell_of);
        self.cell_of
            .par_iter()
            .with_min_len(4096)
            .map(|&cell| hash.bucket(cell, table_size))
            .collect_into_vec(&mut self.bucket_of);
        counting_sort(&self.bucket_of, table_size as usize, &mut self.cell_count, &mut self.particle_map);
        self.particle_map.par_iter().with_min_len(4096).map(|&id| points[id as usize]).collect_into_vec(&mut self.points);
    }

    fn candidates<'a>(&'a self, center: Vec3, radius: f32, cursor: &'a mut Stencil) -> Candidates<'a> {
        let (low, high) = self.cells.touched_by_cube(center, radius);
        let changed = cursor.cells != Some((low, high));
        if changed {
            self.gather(low, high, cursor);
            cursor.cells = Some((low, high));
        }
        Candidates { ids: &self.particle_map, points: &self.points, ranges: &cursor.ranges, changed }
    }

    fn occupancy(&self) -> Occupancy {
        let bytes = size_of_val(&*self.cell_of)
            + size_of_val(&*self.bucket_of)
            + size_of_val(&*self.cell_count)
            + size_of_val(&*self.particle_map)
            + size_of_val(&*self.points);
        Occupancy::of_buckets(self.table_size as usize, bytes, |bucket| {
            let range = self.range(bucket as u32);
            (&self.particle_map[range.start as usize..range.end as usize], &*self.cell_of)
        })
    }
}
