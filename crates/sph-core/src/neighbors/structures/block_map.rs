//! The block map: points of different sizes, registered in every block that they cover.

use crate::neighbors::grid::{CellBox, Cells, Stencil, Table, stencil};
use crate::neighbors::query::{Candidates, Pairs};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Question, Trace};
use crate::neighbors::storage::Buckets;
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::{HashFunction, Storage, Walk};
use crate::report::held;
use glam::{IVec3, Vec3};
use rayon::prelude::*;

/// Buckets that one task goes through. Fixed, so that the work is cut alike for any number of threads.
const BUCKETS_PER_CHUNK: u32 = 1024;

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
    /// By bucket.
    tags: Vec<Tag>,
}

/// Which blocks are registered in a bucket: mostly one, and then a block is known by its coordinates and need not be hashed.
#[derive(Clone, Copy, Debug, Default)]
struct Tag {
    /// The first of them; of no meaning where there is none.
    block: IVec3,
    /// Whether there are others.
    several: bool,
    /// The point that was registered here last, its index and one; 0 before the first.
    last: u32,
}

/// A point as the walk through its bucket needs it.
#[derive(Clone, Copy)]
struct Local {
    id: u32,
    point: Vec3,
    radius: f32,
    covered: CellBox,
    /// A bit for each axis along which the bucket's block is the first that the point covers.
    begins: u32,
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
            tags: vec![Tag::default(); table_size as usize],
        }
    }

    /// Registers spheres around `points` with `radii` (both m) in place of those registered before.
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
        for (id, &covered) in self.covered.iter().enumerate() {
            let id = id as u32;
            if stencil::is_vast(covered) {
                // Too many blocks to go through: in every bucket.
                for (bucket, tag) in tags.iter_mut().enumerate() {
                    *tag = Tag { several: true, last: id + 1, ..*tag };
                    buckets.insert(bucket as u32, id);
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
                // Once, though several of its blocks may fall into this bucket.
                if tag.last != id + 1 {
                    tag.last = id + 1;
                    buckets.insert(bucket, id);
                }
            }
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
                        self.buckets.each(bucket, |id| here.push(self.local(bucket, id)));
                        let tag = self.tags[bucket as usize];
                        for (place, a) in here.iter().enumerate() {
                            for b in &here[..place] {
                                // Both cover the only block, so that it is the first in common where one or the other begins.
                                let is_first = if tag.several {
                                    self.is_first_common(bucket, a.covered, b.covered)
                                } else {
                                    a.begins | b.begins == 0b111
                                };
                                if is_first {
                                    pairs.test((a.id, a.point, a.radius), (b.id, b.point, b.radius));
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

    /// The blocks that a query covers.
    fn covered_by_query(&self, center: Vec3) -> CellBox {
        self.blocks.touched_by_cube(center, reach(0.5 * self.radius))
    }

    fn sphere(&self, id: u32) -> (u32, Vec3, f32) {
        (id, self.points[id as usize], self.radii[id as usize])
    }

    /// A point that is registered in `bucket`.
    fn local(&self, bucket: u32, id: u32) -> Local {
        let (id, point, radius) = self.sphere(id);
        let covered = self.covered[id as usize];
        Local { id, point, radius, covered, begins: covered.0.cmpeq(self.tags[bucket as usize].block).bitmask() }
    }

    /// Whether `bucket`, in which `registered` is registered, is the one in which it is compared with the blocks `other`: that of the lowest
    /// corner of what they have in common. Both are registered there, once; in every other bucket that they share they are passed over.
    fn is_first_common(&self, bucket: u32, other: CellBox, registered: CellBox) -> bool {
        let common = stencil::common(other, registered);
        let tag = self.tags[bucket as usize];
        !stencil::is_empty(common) && if tag.several { self.table.bucket(common.0) == bucket } else { common.0 == tag.block }
    }
}

impl Pairs {
    /// Adds a pair of spheres if they touch.
    #[inline]
    fn test(&mut self, (a, center_a, radius_a): (u32, Vec3, f32), (b, center_b, radius_b): (u32, Vec3, f32)) {
        self.tested += 1;
        let radius = radius_a + radius_b;
        if center_a.distance_squared(center_b) < radius * radius {
            self.touching.push((a.min(b), a.max(b)));
        }
    }
}

/// How far a sphere of this radius is registered: a few roundings beyond it, so that the rounded sum of two radii is covered.
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

    fn collect(&self, center: Vec3, cursor: &mut Stencil, found: &mut Candidates) {
        let covered = self.covered_by_query(center);
        if cursor.moves_to(covered) {
            self.table.buckets(covered, &mut cursor.buckets, |bucket| !self.buckets.is_empty(bucket));
            found.clear();
            for &bucket in &cursor.buckets {
                self.buckets.each(bucket, |id| {
                    if self.is_first_common(bucket, covered, self.covered[id as usize]) {
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
        let bytes = self.buckets.bytes()
            + size_of_val(&*self.points)
            + size_of_val(&*self.radii)
            + size_of_val(&*self.covered)
            + size_of_val(&*self.tags);
        self.buckets.census(self.table, self.blocks.size(), &self.covered, bytes)
    }

    fn memory(&self) -> usize {
        let Self { buckets, points, radii, covered, tags, .. } = self;
        buckets.memory() + held(points) + held(radii) + held(covered) + held(tags)
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
                    let tested = self.is_first_common(bucket, covered, registered);
                    meet(Entry { index: id, point, registered: Some(registered), tested });
                });
            },
        )
    }
}
