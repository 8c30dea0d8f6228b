//! Readings for lessons: statistics of the latest step, and median times of steps with the same grid.

use crate::session::Snapshot;
use crate::ui::grid::cells_per_query;
use crate::ui::widgets::format;
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::{Dimensions, Phase};

/// Running time over which medians are taken, s.
const RECENT: f64 = 1.0;

/// Statistics of the grid at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Grid of the step.
    pub grid: GridParameters,
    /// Number of steps.
    pub step: u64,
    /// Number of space dimensions.
    pub dimensions: Dimensions,
    /// Support radius, m.
    pub support_radius: f32,
    /// Number of fluid particles.
    pub particles: usize,
    /// Mean number of neighbours per particle.
    pub neighbors: f64,
    /// Distance tests per neighbour found.
    pub candidates: f64,
    /// Occupied cells / table size.
    pub load_factor: f64,
    /// Number of cells that contain particles.
    pub occupied_cells: usize,
    /// Number of buckets that contain particles.
    pub occupied_buckets: usize,
    /// Number of occupied cells that share their bucket.
    pub cells_in_collision: usize,
    /// Number of particles in the fullest bucket.
    pub longest_bucket: usize,
    /// Number of particles that exceed the capacity of their bucket.
    pub spills: usize,
    /// Memory of the structure, bytes.
    pub bytes: usize,
    /// Wall-clock time to build the structure, ms: median of steps with this grid.
    pub build_ms: f64,
    /// Wall-clock time of the queries, ms: median of steps with this grid.
    pub query_ms: f64,
    /// Result of all neighbour lists audited so far.
    pub audit: Audit,
}

/// Current grid, and the running time of its first use, s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch(Option<(GridParameters, f64)>);

impl Reading {
    /// Current reading; `None` before the first step. `watch` persists between readings.
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

    /// Mean number of distance tests per particle.
    pub fn tests(&self) -> f64 {
        self.candidates * self.neighbors
    }

    /// Cell spacing in support radii.
    pub fn ratio(&self) -> f32 {
        self.grid.cell_size / self.support_radius
    }

    /// Maximum number of cells that a query visits.
    pub fn cells(&self) -> u64 {
        cells_per_query(self.support_radius, self.grid.cell_size, self.dimensions)
    }
}

impl Watch {
    /// Running time at the first use of `grid`, s.
    fn since(&mut self, grid: GridParameters, snapshot: &Snapshot) -> f64 {
        let now = snapshot.history.samples().next_back().map_or(0.0, |sample| sample.seconds);
        match self.0 {
            // The history restarts at 0 with another scene.
            Some((same, since)) if same == grid && since <= now => since,
            _ => self.0.insert((grid, now)).1,
        }
    }
}

/// Median time of a phase over the latest samples after `since`, ms; `None` without samples. Skips the first sample, which may
/// include steps before the change.
fn median_ms(snapshot: &Snapshot, phase: Phase, since: f64) -> Option<f64> {
    let latest = snapshot.history.samples().next_back()?.seconds;
    let samples = snapshot.history.samples().filter(|sample| sample.seconds > since).skip(1);
    let recent = samples.filter(|sample| latest - sample.seconds < RECENT);
    let mut times: Vec<f32> = recent.map(|sample| sample.phase_ms[phase as usize]).collect();
    times.sort_by(f32::total_cmp);
    times.get(times.len() / 2).map(|&ms| f64::from(ms))
}

/// A metric that lessons compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Number of buckets.
    TableSize,
    /// Cell spacing in support radii.
    Spacing,
    /// Maximum number of cells that a query visits.
    CellsPerQuery,
    /// Occupied cells / table size.
    LoadFactor,
    /// Distance tests per neighbour found.
    Candidates,
    /// Capacity of a bucket, particles.
    Capacity,
    /// Number of particles that exceed the capacity of their bucket.
    Spills,
    /// Memory of the structure.
    Memory,
    /// Time to build the structure, ms.
    Build,
    /// Time of the queries, ms.
    Query,
    /// Number of missed, duplicate or wrong neighbours.
    Wrong,
}

impl Metric {
    /// Label on the card.
    pub fn label(self) -> &'static str {
        match self {
            Self::TableSize => "Hash table size",
            Self::Spacing => "Spacing / support radius",
            Self::CellsPerQuery => "Maximum cells per query",
            Self::LoadFactor => "Load factor",
            Self::Candidates => "Candidates per neighbour",
            Self::Capacity => "Bucket capacity",
            Self::Spills => "Spills",
            Self::Memory => "Memory",
            Self::Build => "Build, ms",
            Self::Query => "Query, ms",
            Self::Wrong => "Wrong neighbours",
        }
    }

    /// Formats the value.
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
