//! The block map: spheres of different sizes, registered in every block that they cover.

use crate::neighbors::grid::{CellBox, Cells, Stencil, Table};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{Buckets, CellCounts};
use crate::neighbors::{Candidates, Pairs, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::{HashFunction, Storage, Walk};
use crate::report::held;
use glam::{IVec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Buckets per parallel task. Fixed, so that tasks are the same for any number of threads.
const BUCKETS_PER_CHUNK: u32 = 1024;

/// Blocks of space, hashed into a table. Two spheres touch if their centres are closer than the sum of their radii; as touching
/// spheres cover a common block, a query looks only into the blocks that it covers itself.
///
/// As a [`NeighborSearch`] for one radius, every point and every query is a sphere of half that radius.
#[derive(Clone, Debug)]
pub struct BlockMap {
    radius: f32,
    walk: Walk,
    blocks: Cells,
    table: Table,
    buckets: Buckets,
    points: Vec<Vec3>,
    radii: Vec<f32>,
    /// Box of blocks that each point covers.
    covered: Vec<CellBox>,
    /// One tag per bucket.
    tags: Vec<Tag>,
}

/// Blocks registered in a bucket: mostly one, which is then recognised by its coordinates without hashing.
#[derive(Clone, Copy, Debug, Default)]
struct Tag {
    /// The first block; unused if the bucket is empty.
    block: IVec3,
    /// True if there are other blocks.
    several: bool,
    /// Index + 1 of the point registered last; 0 before the first.
    last: u32,
}

/// A sphere in the bucket whose pairs are tested.
#[derive(Clone, Copy)]
struct Local {
    index: u32,
    point: Vec3,
    radius: f32,
    covered: CellBox,
    /// One bit per axis, set if the bucket's block is the first that the sphere covers along the axis.
    begins: u32,
}

impl BlockMap {
    /// An empty map of blocks of side `block_size` > 0 in a table of `table_size` ≥ 1 buckets; `capacity` ≥ 1 applies to
    /// [`Storage::Fixed`]. `radius` is the search radius. Lengths in m.
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
            table: Table::new(table_size, hash),
            buckets: Buckets::new(storage, table_size, capacity),
            points: Vec::new(),
            radii: Vec::new(),
            covered: Vec::new(),
            tags: vec![Tag::default(); table_size as usize],
        }
    }

    /// Registers spheres around `points` with `radii` (both m), replacing those registered before.
    pub fn register(&mut self, points: &[Vec3], radii: &[f32]) {
        let Self { blocks, table, buckets, tags, .. } = self;
        self.points.clear();
        self.points.extend_from_slice(points);
        self.radii.clear();
        self.radii.extend_from_slice(radii);
        self.covered.clear();
        self.covered.extend(points.iter().zip(radii).map(|(&point, &radius)| blocks.touched_by_cube(point, reach(radius))));
        buckets.clear();
        tags.fill(Tag::default());
        for (index, &covered) in self.covered.iter().enumerate() {
            let index = index as u32;
            if stencil::is_vast(covered) {
                // Too many blocks to enumerate: registered in every bucket.
                for (bucket, tag) in tags.iter_mut().enumerate() {
                    *tag = Tag { several: true, last: index + 1, ..*tag };
                    buckets.insert(bucket as u32, index);
                }
                continue;
            }
            for block in stencil::each(covered) {
                let bucket = table.bucket(block);
                let tag = &mut tags[bucket as usize];
                if tag.last == 0 {
                    tag.block = block;
                }
                tag.several |= tag.block != block;
                // Once, although several of its blocks may hash to this bucket.
                if tag.last != index + 1 {
                    tag.last = index + 1;
                    buckets.insert(bucket, index);
                }
            }
        }
    }

    /// Pairs of touching spheres, the lower index first, each once, in no particular order; and the number of pairs tested.
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
                        self.buckets.each(bucket, |index| here.push(self.local(bucket, index)));
                        let tag = self.tags[bucket as usize];
                        for (place, a) in here.iter().enumerate() {
                            for b in &here[..place] {
                                // Both cover the bucket's only block: it is the first common block if along each axis one of
                                // them begins there.
                                let is_first = if tag.several {
                                    self.is_first_common(bucket, a.covered, b.covered)
                                } else {
                                    a.begins | b.begins == 0b111
                                };
                                if is_first {
                                    pairs.test((a.index, a.point, a.radius), (b.index, b.point, b.radius));
                                }
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
                                if a < b && self.is_first_common(bucket, blocks, self.covered[b as usize]) {
                                    pairs.test(self.sphere(a), self.sphere(b));
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

    /// Box of blocks that a query for points within `radius` (m) covers. The points are spheres of half the search radius; the query
    /// reaches over the rest.
    fn covered_by_query(&self, center: Vec3, radius: f32) -> CellBox {
        self.blocks.touched_by_cube(center, reach((radius - 0.5 * self.radius).max(0.0)))
    }

    fn sphere(&self, index: u32) -> (u32, Vec3, f32) {
        (index, self.points[index as usize], self.radii[index as usize])
    }

    /// The sphere `index`, which is registered in `bucket`.
    fn local(&self, bucket: u32, index: u32) -> Local {
        let (index, point, radius) = self.sphere(index);
        let covered = self.covered[index as usize];
        Local { index, point, radius, covered, begins: covered.0.cmpeq(self.tags[bucket as usize].block).bitmask() }
    }

    /// True if `bucket` holds the lowest block that the boxes `other` and `registered` have in common. Two boxes are compared
    /// only in that bucket, and skipped in every other bucket that they share.
    fn is_first_common(&self, bucket: u32, other: CellBox, registered: CellBox) -> bool {
        let common = stencil::common(other, registered);
        let tag = self.tags[bucket as usize];
        !stencil::is_empty(common) && if tag.several { self.table.bucket(common.0) == bucket } else { common.0 == tag.block }
    }
}

impl Pairs {
    /// Tests a pair of spheres, and adds it if they touch.
    #[inline]
    fn test(&mut self, (a, center_a, radius_a): (u32, Vec3, f32), (b, center_b, radius_b): (u32, Vec3, f32)) {
        self.tested += 1;
        let radius = radius_a + radius_b;
        if center_a.distance_squared(center_b) < radius * radius {
            self.touching.push((a.min(b), a.max(b)));
        }
    }
}

/// Half-side of the cube in which a sphere of this radius is registered, m: the radius and a few rounding errors, so that the
/// rounded sum of two radii is covered.
fn reach(radius: f32) -> f32 {
    radius * (1.0 + 8.0 * f32::EPSILON)
}

impl NeighborSearch for BlockMap {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        let radii = vec![0.5 * self.radius; points.len()];
        self.register(points, &radii);
        Ok(())
    }

    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let covered = self.covered_by_query(center, radius);
        if cursor.moves_to(covered) {
            self.table.buckets(covered, &mut cursor.buckets, |bucket| !self.buckets.is_empty(bucket));
            found.clear();
            for &bucket in &cursor.buckets {
                self.buckets.each(bucket, |index| {
                    if self.is_first_common(bucket, covered, self.covered[index as usize]) {
                        found.push(index, self.points[index as usize]);
                    }
                });
            }
        }
    }

    fn pairs(&self) -> Option<Pairs> {
        (self.walk == Walk::Blocks).then(|| self.touching_pairs())
    }

    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = self.buckets.bytes()
            + size_of_val(&*self.points)
            + size_of_val(&*self.radii)
            + size_of_val(&*self.covered)
            + size_of_val(&*self.tags);
        self.buckets.census(self.table, self.blocks.size(), CellCounts::new(&self.covered, self.table), bytes)
    }

    fn memory(&self) -> usize {
        let Self { buckets, points, radii, covered, tags, .. } = self;
        buckets.memory() + held(points) + held(radii) + held(covered) + held(tags)
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        // A sphere looks into the blocks in which it is registered.
        let registered = query.itself.filter(|_| !query.spheres.is_empty()).map(|index| self.covered[index as usize]);
        let covered = registered.unwrap_or_else(|| self.covered_by_query(query.center, query.radius));
        let buckets = self.table.size as usize;
        query.follow(
            self.blocks,
            covered,
            buckets,
            |block| self.table.bucket(block),
            |bucket, _, visit| {
                self.buckets.each(bucket, |index| {
                    let (point, registered) = (self.points[index as usize], self.covered[index as usize]);
                    let tested = self.is_first_common(bucket, covered, registered);
                    visit(Entry { index, point, registered: Some(registered), tested });
                });
            },
        )
    }
}
