//! What a lesson judges by: the numbers of the latest step, and what steps with the same grid took.

use crate::session::Snapshot;
use crate::ui::grid::cells_per_query;
use crate::ui::widgets::format;
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::{Dimensions, Phase};

/// Running time that build and query times are medians of, s.
const RECENT: f64 = 1.0;

/// What the grid did at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The grid that the step was made with.
    pub grid: GridParameters,
    /// Steps made.
    pub step: u64,
    /// Number of space dimensions.
    pub dimensions: Dimensions,
    /// Distance at which particles stop being neighbours, m.
    pub support_radius: f32,
    /// Fluid particles.
    pub particles: usize,
    /// Neighbours of a particle, on average.
    pub neighbors: f64,
    /// Distances tested for each neighbour found.
    pub candidates: f64,
    /// Occupied cells / table size.
    pub load_factor: f64,
    /// Cells that hold a particle.
    pub occupied_cells: usize,
    /// Buckets that hold a particle.
    pub occupied_buckets: usize,
    /// Occupied cells that share their bucket.
    pub cells_in_collision: usize,
    /// Particles in the fullest bucket.
    pub longest_bucket: usize,
    /// Particles without a place in their bucket.
    pub spills: usize,
    /// Bytes of the structure.
    pub bytes: usize,
    /// Wall-clock time of building the structure and of the queries, ms: medians of steps with this very grid.
    pub build_ms: f64,
    /// See `build_ms`.
    pub query_ms: f64,
    /// All neighbour lists that were checked so far.
    pub audit: Audit,
}

/// Since when the grid has been what it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch(Option<(GridParameters, f64)>);

impl Reading {
    /// The present moment; `None` before the first step. `watch` is kept from moment to moment.
    pub fn take(snapshot: &Snapshot, watch: &mut Watch) -> Option<Self> {
        let (stats, scene) = (snapshot.stats.as_ref()?, snapshot.scene.as_ref()?);
        let search = &stats.search;
        let occupancy = &search.occupancy;
        let since = watch.since(search.parameters, snapshot);
        let time = |phase: Phase| median_ms(snapshot, phase, since).unwrap_or(1e3 * stats.phases[phase].as_secs_f64());
        Some(Self {
            grid: search.parameters,
            step: stats.step,
            dimensions: scene.setup.discretization.dimensions,
            support_radius: scene.setup.discretization.support_radius,
            particles: stats.particles,
            neighbors: search.tally.neighbors as f64 / stats.particles.max(1) as f64,
            candidates: search.candidates_per_neighbor(),
            load_factor: occupancy.load_factor(),
            occupied_cells: occupancy.occupied_cells,
            occupied_buckets: occupancy.occupied_buckets,
            cells_in_collision: occupancy.cells_in_collision,
            longest_bucket: occupancy.longest_bucket,
            spills: occupancy.spills,
            bytes: occupancy.bytes,
            build_ms: time(Phase::Build),
            query_ms: time(Phase::Query),
            audit: snapshot.audit,
        })
    }

    /// Distances tested for each particle, on average.
    pub fn tests(&self) -> f64 {
        self.candidates * self.neighbors
    }

    /// Cell spacing in support radii.
    pub fn ratio(&self) -> f32 {
        self.grid.cell_size / self.support_radius
    }

    /// Most cells that a query visits.
    pub fn cells(&self) -> u64 {
        cells_per_query(self.support_radius, self.grid.cell_size, self.dimensions)
    }
}

impl Watch {
    /// Running time since which `grid` has been in force, s.
    fn since(&mut self, grid: GridParameters, snapshot: &Snapshot) -> f64 {
        let now = snapshot.history.samples().next_back().map_or(0.0, |sample| sample.seconds);
        match self.0 {
            // History starts at 0 with another scene.
            Some((same, since)) if same == grid && since <= now => since,
            _ => self.0.insert((grid, now)).1,
        }
    }
}

/// Median of the last moments since `since`; `None` when there were none. The first sample after a change may hold steps from before.
fn median_ms(snapshot: &Snapshot, phase: Phase, since: f64) -> Option<f64> {
    let latest = snapshot.history.samples().next_back()?.seconds;
    let samples = snapshot.history.samples().filter(|sample| sample.seconds > since).skip(1);
    let recent = samples.filter(|sample| latest - sample.seconds < RECENT);
    let mut times: Vec<f32> = recent.map(|sample| sample.phase_ms[phase as usize]).collect();
    times.sort_by(f32::total_cmp);
    times.get(times.len() / 2).map(|&ms| f64::from(ms))
}

/// A number that lessons compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Buckets.
    TableSize,
    /// Cell spacing in support radii.
    Spacing,
    /// Most cells that a query visits.
    CellsPerQuery,
    /// Occupied cells / table size.
    LoadFactor,
    /// Distances tested for each neighbour found.
    Candidates,
    /// Places of a bucket.
    Capacity,
    /// Particles without a place.
    Spills,
    /// Bytes of the structure.
    Memory,
    /// Time of building the structure.
    Build,
    /// Time of the queries.
    Query,
    /// Neighbours missed, or found twice, or wrongly.
    Wrong,
}

impl Figure {
    /// Name on the card.
    pub fn label(self) -> &'static str {
        match self {
            Self::TableSize => "Hash table size",
            Self::Spacing => "Spacing / support radius",
            Self::CellsPerQuery => "Cells a query, at most",
            Self::LoadFactor => "Load factor",
            Self::Candidates => "Candidates a neighbour",
            Self::Capacity => "Bucket capacity",
            Self::Spills => "Spills",
            Self::Memory => "Memory",
            Self::Build => "Build, ms",
            Self::Query => "Query, ms",
            Self::Wrong => "Wrong neighbours",
        }
    }

    /// Its value as text.
    pub fn text(self, reading: &Reading) -> String {
        let Audit { missed, duplicates, false_positives, .. } = reading.audit;
        match self {
            Self::TableSize => format::count(reading.grid.table_size.into()),
            Self::Spacing => format!("{:.2}", reading.ratio()),
            Self::CellsPerQuery => format::count(reading.cells()),
            Self::LoadFactor => format::significant(reading.load_factor),
            Self::Candidates => format::significant(reading.candidates),
            Self::Capacity if !reading.grid.structure.has_fixed_buckets() => "–".to_owned(),
            Self::Capacity => format::count(reading.grid.bucket_capacity.into()),
            Self::Spills => format::count(reading.spills as u64),
            Self::Memory => format::bytes(reading.bytes),
            Self::Build => format::significant(reading.build_ms),
            Self::Query => format::significant(reading.query_ms),
            Self::Wrong => format::count(missed + duplicates + false_positives),
        }
    }
}
