//! A query followed step by step: where it looked, what it met, and what became of that.

use crate::neighbors::grid::{CellBox, Cells, stencil};
use glam::{IVec3, Vec3};
use std::collections::HashMap;

/// What became of a point that a query met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The point that asks. Its distance is tested like every other's.
    Itself,
    /// Closer than the radius.
    Neighbor,
    /// Registered in a cell in reach, tested, and too far away.
    TooFar,
    /// Tested though none of its cells is in reach: an alias, met because a cell of it shares a bucket with one that is.
    Foreign,
    /// Met and passed over without a test: the cell hash compares coordinates first; the block map meets the same point in several
    /// buckets and tests it in one.
    PassedOver,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 5] = [Self::Itself, Self::Neighbor, Self::TooFar, Self::Foreign, Self::PassedOver];

    /// Whether the distance was tested.
    pub fn is_tested(self) -> bool {
        self != Self::PassedOver
    }
}

/// A point that a query met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// Index of the point.
    pub index: u32,
    /// The cell in which the point lies.
    pub cell: IVec3,
    /// The bucket in which it was met.
    pub bucket: u32,
    /// What became of it.
    pub verdict: Verdict,
}

/// A bucket that a query went to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Slot of the table; in the uniform grid, place of the cell.
    pub bucket: u32,
    /// Cells in reach that led here.
    pub cells: u32,
    /// Points met here.
    pub points: u32,
}

/// A query, step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Where it asked, m.
    pub center: Vec3,
    /// The cell in which that lies.
    pub cell: IVec3,
    /// The lowest and the highest cell looked into, both included, after clipping to the cells that hold anything. Where nothing is left,
    /// the highest is below the lowest.
    pub reach: (IVec3, IVec3),
    /// The buckets gone to, each once, in the order in which the cells in reach lead there, x fastest and z slowest; empty ones too, for
    /// the query has to look. A reach of more than 32768 cells is not gone through cell by cell: then these are all buckets that hold
    /// anything, and their `cells` are 0.
    pub lookups: Vec<Lookup>,
    /// What it met, lookup by lookup. A point that was met in several buckets is there several times, and tested at most once.
    pub met: Vec<Met>,
}

impl Trace {
    /// How many of those met have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.met.iter().filter(|met| met.verdict == verdict).count()
    }

    /// How many distances were tested.
    pub fn candidates(&self) -> usize {
        self.met.iter().filter(|met| met.verdict.is_tested()).count()
    }
}

/// What a query asks.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// m.
    pub(crate) center: Vec3,
    /// Index of the registered point that asks.
    pub(crate) itself: Option<u32>,
}

/// A point that a structure has in a bucket.
pub(crate) struct Entry {
    pub index: u32,
    /// m.
    pub point: Vec3,
    /// The cells in which it is registered; none: the one in which it lies.
    pub registered: Option<CellBox>,
    /// Whether the query tests it.
    pub tested: bool,
}

impl Entry {
    /// A point that is registered in its own cell and is tested.
    pub fn tested((index, point): (u32, Vec3)) -> Self {
        Self { index, point, registered: None, tested: true }
    }
}

impl Question {
    /// Follows the query through the buckets of the cells in `reach`. `bucket_of` is asked for the bucket of each cell; `each_in(bucket,
    /// cells, meet)` for what the query meets in a bucket that these cells in reach led to.
    pub(crate) fn follow(
        self,
        (cells, radius): (Cells, f32),
        reach: CellBox,
        buckets: usize,
        bucket_of: impl Fn(IVec3) -> u32,
        each_in: impl Fn(u32, &[IVec3], &mut dyn FnMut(Entry)),
    ) -> Trace {
        let Self { center, itself } = self;
        let is_vast = stencil::is_vast(reach);
        let everything = if is_vast { 0..buckets as u32 } else { 0..0 };
        let visits = if is_vast { Vec::new() } else { visits(reach, bucket_of) };
        let visits = visits.into_iter().chain(everything.map(|bucket| (bucket, Vec::new())));
        let mut trace = Trace { center, cell: cells.of(center), reach, lookups: Vec::new(), met: Vec::new() };
        for (bucket, leading) in visits {
            let before = trace.met.len();
            each_in(bucket, &leading, &mut |entry| {
                let cell = cells.of(entry.point);
                let verdict = if !entry.tested {
                    Verdict::PassedOver
                } else if Some(entry.index) == itself {
                    Verdict::Itself
                } else if (center - entry.point).length_squared() < radius * radius {
                    Verdict::Neighbor
                } else if stencil::is_empty(stencil::common(entry.registered.unwrap_or((cell, cell)), reach)) {
                    Verdict::Foreign
                } else {
                    Verdict::TooFar
                };
                trace.met.push(Met { index: entry.index, cell, bucket, verdict });
            });
            let points = (trace.met.len() - before) as u32;
            if points > 0 || !is_vast {
                trace.lookups.push(Lookup { bucket, cells: leading.len() as u32, points });
            }
        }
        trace
    }
}

/// The buckets of the cells in `reach`, each with the cells that lead there.
fn visits(reach: CellBox, bucket_of: impl Fn(IVec3) -> u32) -> Vec<(u32, Vec<IVec3>)> {
    let mut visits: Vec<(u32, Vec<IVec3>)> = Vec::new();
    let mut place_of = HashMap::new();
    for cell in stencil::each(reach) {
        let bucket = bucket_of(cell);
        let place = *place_of.entry(bucket).or_insert(visits.len());
        if place == visits.len() {
            visits.push((bucket, Vec::new()));
        }
        visits[place].1.push(cell);
    }
    visits
}

/// Of the cells `here` in a bucket, those that a query for the cells `wanted` compares before it has found each or knows that it is not
/// there; true for those that are wanted. Without any wanted, in a vast reach, all cells are taken without comparing.
pub(crate) fn compared(here: impl ExactSizeIterator<Item = IVec3> + Clone, wanted: &[IVec3]) -> Vec<bool> {
    if wanted.is_empty() {
        return vec![true; here.len()];
    }
    let seen = |cell: &IVec3| here.clone().position(|other| other == *cell).map_or(here.len(), |place| place + 1);
    let compared = wanted.iter().map(seen).max().unwrap_or(0);
    here.clone().take(compared).map(|cell| wanted.contains(&cell)).collect()
}
