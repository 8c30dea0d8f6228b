//! Trace of one query: the buckets that it looks into, the points found there, and the verdict on each.

use super::grid::{CellBox, Cells};
use super::stencil;
use glam::{IVec3, Vec3};
use std::collections::HashMap;

/// Verdict on a point that a query finds in a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The query point itself. Its distance is tested like any other.
    Itself,
    /// Closer than the radius, or a sphere that touches.
    Neighbor,
    /// Registered in a cell in reach, tested, and not closer than the radius.
    TooFar,
    /// Tested although none of its cells is in reach: one of them shares a bucket with a cell in reach.
    Foreign,
    /// Found and not tested: the cell hash compares coordinates first; the block map finds a point in several buckets and tests
    /// it in one.
    PassedOver,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 5] = [Self::Itself, Self::Neighbor, Self::TooFar, Self::Foreign, Self::PassedOver];

    /// True if the distance was tested.
    pub fn is_tested(self) -> bool {
        self != Self::PassedOver
    }
}

/// A point that a query finds in a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitedPoint {
    /// Index of the point.
    pub index: u32,
    /// The cell that contains the point.
    pub cell: IVec3,
    /// The bucket in which the query finds the point.
    pub bucket: u32,
    /// Verdict on the point.
    pub verdict: Verdict,
}

/// A bucket that a query looks into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Slot of the table; in the uniform grid, index of the cell.
    pub bucket: u32,
    /// Number of cells in reach that hash to this bucket.
    pub cells: u32,
    /// Number of points found in this bucket.
    pub points: u32,
}

/// Record of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Query position, m.
    pub center: Vec3,
    /// The cell that contains the query position.
    pub cell: IVec3,
    /// Cells in reach: the lowest and the highest, both included, after clipping to the box of occupied cells. If none is left,
    /// the highest is below the lowest.
    pub reach: (IVec3, IVec3),
    /// Buckets looked into, each once, in the order of the cells in reach, x fastest and z slowest; empty buckets included. A
    /// reach of more than 32768 cells is not enumerated: `lookups` are then all buckets that hold points, and their `cells` are
    /// 0.
    pub lookups: Vec<Lookup>,
    /// Points found, lookup by lookup. A point found in several buckets occurs several times, and is tested at most once.
    pub visited: Vec<VisitedPoint>,
    /// Indices of the spheres that touch this one and are not neighbours above, ascending: their own queries find it, as they are larger. None
    /// among points.
    pub found_by: Vec<u32>,
}

impl Trace {
    /// Number of points found that have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.visited.iter().filter(|point| point.verdict == verdict).count()
    }

    /// Number of distances tested.
    pub fn candidates(&self) -> usize {
        self.visited.iter().filter(|point| point.verdict.is_tested()).count()
    }
}

/// A query to be traced.
#[derive(Clone, Copy, Debug)]
pub struct TracedQuery<'a> {
    /// Position, m.
    pub(crate) center: Vec3,
    /// Index of the query point if it is registered.
    pub(crate) itself: Option<u32>,
    /// Distance within which it looks for points, m.
    pub(crate) radius: f32,
    /// Radii of all registered spheres, of which the query point is one, m; empty for points, which are neighbours within the distance above.
    pub(crate) spheres: &'a [f32],
}

/// A point in a bucket, as a traced query finds it.
pub(crate) struct Entry {
    pub index: u32,
    /// Position, m.
    pub point: Vec3,
    /// Cells in which the point is registered; `None`: the cell that contains it.
    pub registered: Option<CellBox>,
    /// True if the query tests the point's distance.
    pub tested: bool,
}

impl Entry {
    /// A point that is registered in the cell that contains it and is tested.
    pub fn tested((index, point): (u32, Vec3)) -> Self {
        Self { index, point, registered: None, tested: true }
    }
}

impl TracedQuery<'_> {
    /// Traces the query through the buckets of the cells in `reach`. `bucket_of(cell)` is the bucket of a cell;
    /// `each_in(bucket, cells, visit)` calls `visit` for each point that the query finds in a bucket to which `cells` in reach
    /// hash.
    pub(crate) fn follow(
        self,
        cells: Cells,
        reach: CellBox,
        buckets: usize,
        bucket_of: impl Fn(IVec3) -> u32,
        each_in: impl Fn(u32, &[IVec3], &mut dyn FnMut(Entry)),
    ) -> Trace {
        let Self { center, itself, radius, spheres } = self;
        let own = itself.and_then(|index| spheres.get(index as usize));
        let limit = |index: u32| own.zip(spheres.get(index as usize)).map_or(radius, |(own, other)| own + other);
        let is_vast = stencil::is_vast(reach);
        let everything = if is_vast { 0..buckets as u32 } else { 0..0 };
        let visits = if is_vast { Vec::new() } else { visits(reach, bucket_of) };
        let visits = visits.into_iter().chain(everything.map(|bucket| (bucket, Vec::new())));
        let (lookups, visited, found_by) = (Vec::new(), Vec::new(), Vec::new());
        let mut trace = Trace { center, cell: cells.of(center), reach, lookups, visited, found_by };
        for (bucket, leading) in visits {
            let before = trace.visited.len();
            each_in(bucket, &leading, &mut |entry| {
                let cell = cells.of(entry.point);
                let verdict = if !entry.tested {
                    Verdict::PassedOver
                } else if Some(entry.index) == itself {
                    Verdict::Itself
                } else if center.distance_squared(entry.point) < limit(entry.index) * limit(entry.index) {
                    Verdict::Neighbor
                } else if stencil::is_empty(stencil::common(entry.registered.unwrap_or((cell, cell)), reach)) {
                    Verdict::Foreign
                } else {
                    Verdict::TooFar
                };
                trace.visited.push(VisitedPoint { index: entry.index, cell, bucket, verdict });
            });
            let points = (trace.visited.len() - before) as u32;
            if points > 0 || !is_vast {
                trace.lookups.push(Lookup { bucket, cells: leading.len() as u32, points });
            }
        }
        trace
    }
}

/// The buckets of the cells in `reach`, each with the cells that hash to it.
fn visits(reach: CellBox, bucket_of: impl Fn(IVec3) -> u32) -> Vec<(u32, Vec<IVec3>)> {
    let mut visits: Vec<(u32, Vec<IVec3>)> = Vec::new();
    let mut position_of = HashMap::new();
    for cell in stencil::each(reach) {
        let bucket = bucket_of(cell);
        let position = *position_of.entry(bucket).or_insert(visits.len());
        if position == visits.len() {
            visits.push((bucket, Vec::new()));
        }
        visits[position].1.push(cell);
    }
    visits
}

/// Entry k is true if the k-th cell `here` in a bucket is one of the cells `wanted`; the entries end with the last cell that
/// the query compares. Each wanted cell is sought from the front, until it is found or the bucket ends. Without wanted cells,
/// as in a vast reach, all cells are taken without comparison.
pub(crate) fn compared(here: impl ExactSizeIterator<Item = IVec3> + Clone, wanted: &[IVec3]) -> Vec<bool> {
    if wanted.is_empty() {
        return vec![true; here.len()];
    }
    let seen = |cell: &IVec3| here.clone().position(|other| other == *cell).map_or(here.len(), |position| position + 1);
    let compared = wanted.iter().map(seen).max().unwrap_or(0);
    here.clone().take(compared).map(|cell| wanted.contains(&cell)).collect()
}
