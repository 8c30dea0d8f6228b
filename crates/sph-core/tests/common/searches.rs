//! Structures to test, the neighbours that they must find, and what they hold and test: counted from the definitions with maps and
//! plain loops.

use glam::{IVec3, Vec3};
use proptest::prelude::*;
use sph_core::neighbors::{GridParameters, HashFunction, Pairing, Registration, Storage, Structure, Walk};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Neighbour lists by definition: every other point strictly closer than `radius`, indices ascending.
pub fn by_definition(points: &[Vec3], queries: &[Vec3], radius: f32, pairing: Pairing) -> Vec<Vec<u32>> {
    let near = |query: usize, point: usize| {
        let other = pairing == Pairing::Across || query != point;
        other && queries[query].distance_squared(points[point]) < radius * radius
    };
    (0..queries.len()).map(|query| (0..points.len()).filter(|&point| near(query, point)).map(|p| p as u32).collect()).collect()
}

/// Grids for a test with `count` points: all of them if there are few, else a quarter, in which each structure has each size of cells and
/// each table. Which quarter depends on `count`.
pub fn some_grids(radius: f32, count: usize) -> impl Iterator<Item = GridParameters> {
    let wanted = move |index: usize| {
        let (structure, table, cell_size) = (index / 24, index / 6 % 4, index % 6);
        count < 10 || (structure + table + cell_size) % 4 == count % 4
    };
    grids(radius).enumerate().filter(move |&(index, _)| wanted(index)).map(|(_, grid)| grid)
}

/// Every structure with every option, for tables from one bucket up and cells from small to large.
pub fn grids(radius: f32) -> impl Iterator<Item = GridParameters> {
    let tables =
        [(1, HashFunction::Muller), (2, HashFunction::Teschner), (97, HashFunction::Morton), (4096, HashFunction::Mix)];
    let ratios = [0.25, 0.5, 1.0, 1.5, 2.5, 4.0];
    Structure::all().into_iter().flat_map(move |structure| {
        tables.into_iter().zip([2, 4, 1, 8]).flat_map(move |((table_size, hash), bucket_capacity)| {
            let grid = move |ratio| GridParameters { structure, table_size, cell_size: ratio * radius, hash, bucket_capacity };
            ratios.map(grid)
        })
    })
}

/// The ids 0, 1, … of `count` points.
pub fn ids(count: usize) -> Vec<u32> {
    (0..count as u32).collect()
}

/// Random points in a cube.
pub fn cloud(coordinates: std::ops::Range<f32>, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec3>> {
    let point = [coordinates.clone(), coordinates.clone(), coordinates].prop_map(Vec3::from_array);
    prop::collection::vec(point, count)
}

/// A box of cells: lowest and highest cell, both included.
type Box = (IVec3, IVec3);

/// Points registered according to `grid`, for neighbours within `radius`, m.
pub struct Model<'a> {
    grid: GridParameters,
    radius: f32,
    points: &'a [Vec3],
    /// Box of cells in which each point is registered.
    pub registered: Vec<Box>,
    /// Bounding box of the cells that contain points.
    bounds: Box,
    /// Indices of the points registered in each occupied cell.
    pub cells: HashMap<IVec3, Vec<u32>>,
    /// Indices of the points in each occupied bucket.
    pub buckets: HashMap<u32, Vec<u32>>,
    /// Coordinates (z, y, x) of the occupied cells in each occupied bucket.
    pub cells_of_bucket: BTreeMap<u32, BTreeSet<[i32; 3]>>,
}

impl<'a> Model<'a> {
    pub fn new(grid: GridParameters, radius: f32, points: &'a [Vec3]) -> Self {
        let cell_of_point: Vec<IVec3> = points.iter().map(|&point| cell_of(&grid, point)).collect();
        let bounds = cell_of_point.iter().fold((IVec3::MAX, IVec3::MIN), |(low, high), &cell| (low.min(cell), high.max(cell)));
        let registered: Vec<Box> = points
            .iter()
            .map(|&point| match grid.structure {
                Structure::BucketHash(_, _, Registration::Everywhere) => around(&grid, point, radius),
                Structure::BlockMap(..) => around(&grid, point, block_reach(radius)),
                _ => (cell_of(&grid, point), cell_of(&grid, point)),
            })
            .collect();
        let (cells, buckets, cells_of_bucket) = (HashMap::new(), HashMap::new(), BTreeMap::new());
        let mut model = Self { grid, radius, points, registered, bounds, cells, buckets, cells_of_bucket };
        for index in 0..points.len() {
            for cell in each(model.registered[index]) {
                let bucket = model.bucket(cell);
                model.cells.entry(cell).or_default().push(index as u32);
                let here = model.buckets.entry(bucket).or_default();
                // Once, although several of its cells may hash to this bucket.
                if here.last() != Some(&(index as u32)) {
                    here.push(index as u32);
                }
            }
        }
        for &cell in model.cells.keys() {
            model.cells_of_bucket.entry(model.bucket(cell)).or_default().insert([cell.z, cell.y, cell.x]);
        }
        model
    }

    /// Number of buckets.
    pub fn table_size(&self) -> usize {
        match self.grid.structure {
            Structure::BruteForce => 1,
            Structure::UniformGrid | Structure::SortedCells if self.points.is_empty() => 0,
            Structure::SortedCells if self.is_listed() => self.occupied().len() + 1,
            Structure::UniformGrid | Structure::SortedCells => {
                (self.bounds.1 - self.bounds.0 + 1).as_usizevec3().element_product()
            }
            _ => self.grid.table_size as usize,
        }
    }

    pub fn bucket(&self, cell: IVec3) -> u32 {
        match self.grid.structure {
            Structure::BruteForce => 0,
            Structure::UniformGrid => {
                let (offset, extent) = (cell - self.bounds.0, self.bounds.1 - self.bounds.0 + 1);
                ((offset.x * extent.y + offset.y) * extent.z + offset.z) as u32
            }
            Structure::SortedCells if self.is_listed() => {
                let occupied = self.occupied();
                let wanted = [cell.z, cell.y, cell.x];
                occupied.iter().position(|other| *other == wanted).unwrap_or(occupied.len()) as u32
            }
            Structure::SortedCells => {
                let (offset, extent) = (cell - self.bounds.0, self.bounds.1 - self.bounds.0 + 1);
                ((offset.z * extent.y + offset.y) * extent.x + offset.x) as u32
            }
            _ => self.grid.hash.bucket(cell, self.grid.table_size),
        }
    }

    /// True if the bounding box has so many cells that sorted cells list the occupied ones.
    fn is_listed(&self) -> bool {
        let extent = self.bounds.1.as_i64vec3() - self.bounds.0.as_i64vec3() + 1;
        extent.to_array().iter().fold(1i64, |product, &length| product.saturating_mul(length))
            > 8 * self.points.len() as i64 + 4096
    }

    /// Coordinates (z, y, x) of the cells that contain points, in order.
    fn occupied(&self) -> BTreeSet<[i32; 3]> {
        self.points.iter().map(|&point| cell_of(&self.grid, point)).map(|cell| [cell.z, cell.y, cell.x]).collect()
    }

    /// Box of cells that a query looks into.
    pub fn reach(&self, center: Vec3) -> Box {
        match self.grid.structure {
            Structure::BruteForce => (IVec3::ZERO, IVec3::ZERO),
            Structure::BucketHash(_, _, Registration::Everywhere) => (cell_of(&self.grid, center), cell_of(&self.grid, center)),
            Structure::BlockMap(..) => around(&self.grid, center, block_reach(self.radius)),
            _ => {
                let (low, high) = around(&self.grid, center, self.radius);
                (low.max(self.bounds.0), high.min(self.bounds.1))
            }
        }
    }

    /// Indices of the candidates of a query, ascending.
    pub fn candidates(&self, center: Vec3) -> Vec<u32> {
        let reach = self.reach(center);
        let in_cells = || each(reach).filter_map(|cell| self.cells.get(&cell));
        let in_buckets = || each(reach).filter_map(|cell| self.buckets.get(&self.bucket(cell)));
        let mut is_tested = vec![false; self.points.len()];
        match self.grid.structure {
            Structure::SpatialHash | Structure::BucketHash(..) => {
                in_buckets().flatten().for_each(|&index| is_tested[index as usize] = true);
            }
            // Also the block map: its candidates are registered in a block that the query covers.
            _ => in_cells().flatten().for_each(|&index| is_tested[index as usize] = true),
        }
        (0..self.points.len() as u32).filter(|&index| is_tested[index as usize]).collect()
    }

    /// Number of distances tested when lists are filled for the points themselves, or for other `queries`.
    pub fn tested(&self, queries: &[Vec3], pairing: Pairing) -> u64 {
        if pairing == Pairing::Within && matches!(self.grid.structure, Structure::BlockMap(_, Walk::Blocks)) {
            // Each pair once, and no point with itself.
            let twice: usize = queries.iter().map(|&query| self.candidates(query).len() - 1).sum();
            return twice as u64 / 2;
        }
        queries.iter().map(|&query| self.candidates(query).len() as u64).sum()
    }

    /// Number of spills: points beyond the capacity of their buckets.
    pub fn spills(&self) -> usize {
        let fixed =
            matches!(self.grid.structure, Structure::BucketHash(Storage::Fixed, ..) | Structure::BlockMap(Storage::Fixed, _));
        let beyond = |points: &Vec<u32>| points.len().saturating_sub(self.grid.bucket_capacity as usize);
        if fixed { self.buckets.values().map(beyond).sum() } else { 0 }
    }
}

/// The cell that contains a point; brute force has a single cell, all of space.
pub fn cell_of(grid: &GridParameters, point: Vec3) -> IVec3 {
    if grid.structure == Structure::BruteForce { IVec3::ZERO } else { (point * grid.cell_size.recip()).floor().as_ivec3() }
}

/// Box of cells that a cube of half-side `reach`, m, touches.
fn around(grid: &GridParameters, center: Vec3, reach: f32) -> Box {
    (cell_of(grid, center - reach), cell_of(grid, center + reach))
}

/// Half the radius and a few rounding errors, so that two halves are not below the radius.
fn block_reach(radius: f32) -> f32 {
    0.5 * radius * (1.0 + 8.0 * f32::EPSILON)
}

/// The cells of a box, x fastest and z slowest.
pub fn each((low, high): Box) -> impl Iterator<Item = IVec3> {
    (low.z..=high.z).flat_map(move |z| (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| IVec3::new(x, y, z))))
}
