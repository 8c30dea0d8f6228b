//! The block map: points of different sizes, registered in every block that they cover.

use super::buckets::{Buckets, Storage};
use super::cells::Cells;
use super::stencil::{CellBox, Stencil, Table};
use super::trace::{Entry, Question, Trace};
use super::{Candidates, Census, FilledCells, HashFunction, NeighborSearch, Pairs, TooManyCells};
use glam::Vec3;
use rayon::prelude::*;

/// Buckets that one task goes through. Fixed, so that the work is cut alike for any number of threads.
const BUCKETS_PER_CHUNK: u32 = 1024;

/// How pairs are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Walk {
    /// Block by block, comparing within each: for space that is mostly filled. Each pair is tested once, for both.
    Blocks,
    /// Point by point, looking into the blocks that it covers: for space that is mostly empty.
    Points,
}

impl Walk {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::Blocks, Self::Points];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Points => "points",
        }
    }
}

/// Blocks of space, scattered over a table. Two points touch when they are closer than the sum of their radii; as points that touch
/// cover a block in common, a query looks only into the blocks that it covers itself.
///
/// As a [`NeighborSearch`] for one radius, every point and every query has half of it.
#[derive(Clone, Debug)]
pub struct BlockMap {
    radius: f32,
    walk: Walk,
    blocks: Cells,
    table: Table,
    buckets: Buckets,
    points: Vec<Vec3>,
    radii: Vec<f32>,
    /// The blocks that each point covers.
    covered: Vec<CellBox>,
}

impl BlockMap {
    /// An empty map of blocks of side `block_size` > 0 in a table of `table_size` ≥ 1 buckets; `capacity` ≥ 1 is for
    /// [`Storage::Fixed`]. `radius` is that of the [`NeighborSearch`]. Lengths in m.
    pub fn new(
        table_size: u32,
        block_size: f32,
        hash: HashFunction,
        radius: f32,
        (storage, capacity): (Storage, u32),
        walk: Walk,
    ) -> Self {
        Self {
            radius,
            walk,
            blocks: Cells::new(block_size),
            table: Table { size: table_size, hash },
            buckets: Buckets::new(storage, table_size, capacity),
            points: Vec::new(),
            radii: Vec::new(),
            covered: Vec::new(),
        }
    }

    /// Registers spheres around `points` with `radii` (both m) in place of those registered before.
    pub fn register(&mut self, points: &[Vec3], radii: &[f32]) {
        let Self { blocks, table, buckets, .. } = self;
        self.points.clear();
        self.points.extend_from_slice(points);
        self.radii.clear();
        self.radii.extend_from_slice(radii);
        self.covered.clear();
        self.covered.extend(points.iter().zip(radii).map(|(&point, &radius)| blocks.touched_by_cube(point, reach(radius))));
        buckets.clear();
        let mut scratch = Vec::new();
        for (id, &covered) in self.covered.iter().enumerate() {
            table.buckets(covered, &mut scratch, |_| true);
            scratch.iter().for_each(|&bucket| buckets.insert(bucket, id as u32));
        }
    }

    /// Every pair of registered spheres that touch, the lower index first, each once, in no particular order; and how many were tested.
    pub fn touching_pairs(&self) -> Pairs {
        let chunks = self.table.size.div_ceil(BUCKETS_PER_CHUNK);
        let parts: Vec<Pairs> = match self.walk {
            Walk::Blocks => (0..chunks)
                .into_par_iter()
                .map(|chunk| {
                    let mut pairs = Pairs::default();
                    let mut here = Vec::new();
                    for bucket in chunk * BUCKETS_PER_CHUNK..self.table.size.min((chunk + 1) * BUCKETS_PER_CHUNK) {
                        here.clear();
                        self.buckets.each(bucket, |id| here.push(id));
                        for (place, &a) in here.iter().enumerate() {
                            for &b in &here[..place] {
                                self.test(bucket, a.min(b), a.max(b), &mut pairs);
                            }
                        }
                    }
                    pairs
                })
                .collect(),
            Walk::Points => self
                .covered
                .par_chunks(BUCKETS_PER_CHUNK as usize)
                .enumerate()
                .map(|(chunk, covered)| {
                    let mut pairs = Pairs::default();
                    let mut buckets = Vec::new();
                    for (offset, &blocks) in covered.iter().enumerate() {
                        let a = (chunk * BUCKETS_PER_CHUNK as usize + offset) as u32;
                        self.table.buckets(blocks, &mut buckets, |bucket| !self.buckets.is_empty(bucket));
                        for &bucket in &buckets {
                            self.buckets.each(bucket, |b| {
                                if a < b {
                                    self.test(bucket, a, b, &mut pairs);
                                }
                            });
                        }
                    }
                    pairs
                })
                .collect(),
        };
        parts.into_iter().fold(Pairs::default(), Pairs::join)
    }

    /// The blocks that a query covers.
    fn covered_by_query(&self, center: Vec3) -> CellBox {
        self.blocks.touched_by_cube(center, reach(0.5 * self.radius))
    }

    /// Adds the pair if it touches and has not been, or will not be, found in another bucket.
    fn test(&self, bucket: u32, a: u32, b: u32, pairs: &mut Pairs) {
        let (i, j) = (a as usize, b as usize);
        if self.first_common_bucket(self.covered[i], self.covered[j]) == Some(bucket) {
            pairs.tested += 1;
            let radius = self.radii[i] + self.radii[j];
            if self.points[i].distance_squared(self.points[j]) < radius * radius {
                pairs.touching.push((a, b));
            }
        }
    }

    /// The bucket in which two sets of blocks are compared: that of the lowest corner of what they have in common. Both are registered
    /// there, once; in every other bucket that they share they are passed over.
    fn first_common_bucket(&self, a: CellBox, b: CellBox) -> Option<u32> {
        let (low, high) = (a.0.max(b.0), a.1.min(b.1));
        low.cmple(high).all().then(|| self.table.bucket(low))
    }
}

/// How far a sphere of this radius is registered: a few roundings beyond it, so that the rounded sum of two radii is covered.
fn reach(radius: f32) -> f32 {
    radius * (1.0 + 8.0 * f32::EPSILON)
}

impl NeighborSearch for BlockMap {
    type Cursor = Stencil;

    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _names: &[u32]) -> Result<(), TooManyCells> {
        let radii = vec![0.5 * self.radius; points.len()];
        self.register(points, &radii);
        Ok(())
    }

    fn collect(&self, center: Vec3, cursor: &mut Stencil, found: &mut Candidates) {
        let covered = self.covered_by_query(center);
        if cursor.moves_to(covered) {
            self.table.buckets(covered, &mut cursor.buckets, |bucket| !self.buckets.is_empty(bucket));
            found.clear();
            for &bucket in &cursor.buckets {
                self.buckets.each(bucket, |id| {
                    if self.first_common_bucket(covered, self.covered[id as usize]) == Some(bucket) {
                        found.push(id, self.points[id as usize]);
                    }
                });
            }
        }
    }

    fn pairs(&self) -> Option<Pairs> {
        (self.walk == Walk::Blocks).then(|| self.touching_pairs())
    }

    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync> {
        let bytes = self.buckets.bytes() + size_of_val(&*self.points) + size_of_val(&*self.radii) + size_of_val(&*self.covered);
        self.buckets.census(self.table, self.blocks.size(), &self.covered, bytes)
    }

    fn trace(&self, question: Question) -> Trace {
        let (covered, buckets) = (self.covered_by_query(question.center), self.table.size as usize);
        question.follow(
            (self.blocks, self.radius),
            covered,
            buckets,
            |block| self.table.bucket(block),
            |bucket, _, meet| {
                self.buckets.each(bucket, |id| {
                    let (point, registered) = (self.points[id as usize], self.covered[id as usize]);
                    let tested = self.first_common_bucket(covered, registered) == Some(bucket);
                    meet(Entry { index: id, point, registered: Some(registered), tested });
                });
            },
        )
    }
}
