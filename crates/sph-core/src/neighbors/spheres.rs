//! Search among spheres of many radii: every pair that touches, once, with any structure.

use super::candidates::{Candidates, Pairs, Tally};
use super::grid::Stencil;
use super::statistics::SearchStats;
use super::{NeighborLists, NeighborSearch, Search, TooManyCells};
use crate::parameters::GridParameters;
use crate::passes::with_kept;
use crate::simd::Available;
use glam::Vec3;
use rayon::prelude::*;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Spheres per parallel task.
const GRAIN: usize = 1024;

/// Room for growth of the search radius of a structure, so that it need not be made anew when spheres become a little larger.
pub(super) const GROWTH: f32 = 1.25;

/// Pairs of spheres whose centres are closer than the sum of their radii, from any structure.
///
/// The block map knows radii: it registers each sphere in all blocks that the sphere covers. All other structures know one search
/// radius. They register the centres once, and *the larger sphere of a pair asks*: a sphere of radius r asks for centres within 2r
/// and keeps those of smaller spheres that it touches (of equal ones, those of higher index). Small spheres, of which there are
/// many, so ask a small neighbourhood; if every sphere asked within r + r_max, one large sphere would make all queries large.
///
/// The pairs found are the same to the bit for every structure, table and cell size.
#[derive(Clone, Debug)]
pub struct SphereSearch {
    parameters: GridParameters,
    search: Option<Search>,
    partners: NeighborLists,
    radius: f32,
    tally: Tally,
    build: Duration,
    query: Duration,
}

impl SphereSearch {
    /// A search without spheres; its structure has valid `parameters`.
    pub fn new(parameters: &GridParameters) -> Self {
        Self {
            parameters: *parameters,
            search: None,
            partners: NeighborLists::default(),
            radius: 0.0,
            tally: Tally::default(),
            build: Duration::ZERO,
            query: Duration::ZERO,
        }
    }

    /// The parameters of the structure.
    pub fn parameters(&self) -> &GridParameters {
        &self.parameters
    }

    /// Finds the pairs of spheres around `centers` with `radii` ≥ 0 (both m), replacing those found before. `ids` are their stable
    /// ids, all different. The three slices have one length.
    ///
    /// # Errors
    /// The structure is the uniform grid and cannot cover the centres; the pairs are then those found before.
    pub fn find(&mut self, centers: &[Vec3], radii: &[f32], ids: &[u32]) -> Result<(), TooManyCells> {
        let largest = radii.iter().copied().fold(0.0, f32::max);
        let needed = 2.0 * largest;
        let start = Instant::now();
        let kept = self.search.take().filter(|search| (needed..=2.0 * needed).contains(&search.radius()));
        let search = self.search.insert(kept.unwrap_or_else(|| Search::of_spheres(&self.parameters, needed)));
        search.register_spheres(centers, radii, ids)?;
        let registered = Instant::now();
        let pairs = search.touching(centers, radii);
        self.partners.put_pairs(&pairs, centers.len());
        self.radius = needed;
        self.tally = Tally { candidates: pairs.tested, neighbors: pairs.touching.len() as u64 };
        (self.build, self.query) = (registered - start, registered.elapsed());
        Ok(())
    }

    /// Spheres of higher index that touch sphere `i`, ascending.
    #[inline]
    pub fn partners(&self, i: usize) -> &[u32] {
        self.partners.of(i)
    }

    /// Twice the largest radius, m.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Times of registering the spheres and of finding the pairs in the last [`Self::find`], and its counts.
    pub(crate) fn cost(&self) -> (Duration, Duration, Tally) {
        (self.build, self.query, self.tally)
    }

    /// Cost of the last [`Self::find`]. Counts the occupancy of the structure.
    pub fn stats(&self) -> SearchStats {
        SearchStats {
            parameters: self.parameters,
            occupancy: self.search.as_ref().map(Search::occupancy).unwrap_or_default(),
            tally: self.tally,
            build: self.build,
            query: self.query,
        }
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.partners.memory() + self.search.as_ref().map_or(0, Search::memory)
    }
}

/// Buffers with which a thread answers queries.
#[derive(Debug, Default)]
struct Buffers {
    cursor: Stencil,
    found: Candidates,
    near: Vec<u32>,
}

thread_local! {
    static BUFFERS: Cell<Buffers> = Cell::default();
}

/// Pairs of touching spheres among those whose centres are registered in `search`: the larger sphere asks.
pub(super) fn asked<S: NeighborSearch>(search: &S, centers: &[Vec3], radii: &[f32]) -> Pairs {
    let tasks = centers.par_chunks(GRAIN).zip(radii.par_chunks(GRAIN)).enumerate().map(|(task, asking)| {
        with_kept(&BUFFERS, |Buffers { cursor, found, near }| {
            cursor.forget();
            let mut pairs = Pairs::default();
            for (place, (&center, &radius)) in asking.0.iter().zip(asking.1).enumerate() {
                let i = (task * GRAIN + place) as u32;
                let mut end = 0;
                search.collect(center, 2.0 * radius, cursor, found);
                pairs.tested += found.len() as u64;
                found.append_near(Available::best(), center, 2.0 * radius, Some(i), near, &mut end);
                for &j in &near[..end] {
                    let (other, sum) = (radii[j as usize], radius + radii[j as usize]);
                    // The same test to the bit as that of the block map.
                    let touch = center.distance_squared(centers[j as usize]) < sum * sum;
                    if touch && (other < radius || other == radius && j > i) {
                        pairs.touching.push((i.min(j), i.max(j)));
                    }
                }
            }
            pairs
        })
    });
    let parts: Vec<Pairs> = tasks.collect();
    parts.into_iter().fold(Pairs::default(), Pairs::join)
}
