//! Data of a lesson: steps with texts and tasks, the grid that they require, and the readings that they show.

use std::collections::VecDeque;

use crate::session::Snapshot;
use crate::ui::grid::cells_per_query;
use crate::ui::point_search::{has_fluid, points_searched};
use crate::ui::widgets::format;
use crate::ui::widgets::outline::Control;
use sph_core::neighbors::{Audit, GridParameters, MAX_TABLE_SIZE, SearchStats, Structure};
use sph_core::{Dimensions, Phase};

/// A lesson: a few steps about one topic.
#[derive(Debug)]
pub struct Lesson {
    /// Title in the menu and on the card.
    pub title: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Whose search it is about.
    pub searched: Searched,
    /// Requirements on the grid for the texts to be true.
    pub(super) requirements: Requirements,
    pub(super) steps: &'static [Step],
}

/// Contents of one card.
#[derive(Debug)]
pub struct Step {
    pub(super) heading: &'static str,
    /// Text of one to three sentences, with numbers of the latest reading.
    pub(super) text: fn(&Reading) -> String,
    /// Control that the card points at.
    pub(super) control: Option<Control>,
    /// Task of the user; `None` for a card that only explains.
    pub(super) task: Option<Task>,
}

/// A task of the user, checked by readings of the simulation.
#[derive(Debug)]
pub struct Task {
    /// Instruction in one sentence; from the reading at the start of the step.
    pub(super) ask: fn(&Reading) -> String,
    /// True if the task is done; from the reading at the start of the step, and the latest.
    pub(super) done: fn(&Reading, &Reading) -> bool,
    /// Performs the task for the user; from the reading at the start of the step.
    pub(super) perform: fn(&Reading, &mut GridParameters),
    /// Metrics to compare afterwards.
    pub(super) metrics: &'static [Metric],
    /// Indices and names of earlier steps to compare with; if empty, the reading before the task.
    pub(super) beside: &'static [(usize, &'static str)],
    /// Text for the result, from the named readings: the latest is last, after at least one other.
    pub(super) outcome: fn(&[(&str, &Reading)]) -> String,
}

// Searched of a lesson: whose search it is about.

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searched {
    /// Fluid.
    Fluid,
    /// All cloths.
    Cloth,
    /// All balls.
    Balls,
}

impl Searched {
    /// Name in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fluid => "fluid",
            Self::Cloth => "cloth",
            Self::Balls => "balls",
        }
    }

    /// Name of the shipped scene that a lesson opens where nothing of the kind is searched: its file without the extension.
    pub fn example(self) -> &'static str {
        match self {
            Self::Fluid => "dam_break",
            Self::Cloth => "cloth_on_sphere",
            Self::Balls => "balls_of_many_sizes",
        }
    }

    /// The first point set of the kind; `None` for the fluid, and where there is none.
    pub fn set(self, snapshot: &Snapshot) -> Option<usize> {
        let sets = &snapshot.sets;
        (0..sets.len()).find(|&set| self == if sets.is_sheet(set) { Self::Cloth } else { Self::Balls })
    }

    /// Parameters of its search, as the simulation has them; `None` where there is none.
    pub fn grid(self, snapshot: &Snapshot) -> Option<GridParameters> {
        match self {
            Self::Fluid => snapshot.parameters.filter(|_| has_fluid(snapshot)).map(|parameters| parameters.grid),
            Self::Cloth | Self::Balls => snapshot.set_grids.get(self.set(snapshot)?).copied(),
        }
    }
}

// Requirements of a lesson: its texts are true only for such a grid.

/// Cell spacings that count as one support radius, in support radii.
const ABOUT_ONE: std::ops::RangeInclusive<f32> = 0.9..=1.1;

/// Requirements on the grid throughout a lesson.
#[derive(Clone, Copy, Debug)]
pub struct Requirements {
    /// True if the structure must be the spatial hash.
    pub spatial_hash: bool,
    /// True if cells must be about as wide as the support radius.
    pub usual_cells: bool,
    /// True if there must be at least as many buckets as particles, so that collisions are few.
    pub large_table: bool,
}

impl Requirements {
    /// Changes that meet the requirements which are not met, as a user is asked for them.
    pub fn missing(self, grid: &GridParameters, reading: &Reading) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if self.spatial_hash && grid.structure != Structure::SpatialHash {
            missing.push("Switch to the spatial hash");
        }
        if self.usual_cells && !has_usual_cells(grid, reading) {
            missing.push("Set the cell spacing to 1 support radius");
        }
        if self.large_table && !has_large_table(grid, reading) {
            missing.push("Use as many buckets as particles or more");
        }
        missing
    }

    /// Changes the parameters whose requirements are not met, and no others.
    pub fn restore(self, grid: &mut GridParameters, reading: &Reading) {
        if self.spatial_hash {
            grid.structure = Structure::SpatialHash;
        }
        if self.usual_cells && !has_usual_cells(grid, reading) {
            grid.cell_size = reading.support_radius;
        }
        if self.large_table && !has_large_table(grid, reading) {
            grid.table_size = large_table(reading);
        }
    }
}

/// True if cells are about as wide as the support radius.
pub fn has_usual_cells(grid: &GridParameters, reading: &Reading) -> bool {
    ABOUT_ONE.contains(&(grid.cell_size / reading.support_radius))
}

/// True if there are at least as many buckets as particles.
pub fn has_large_table(grid: &GridParameters, reading: &Reading) -> bool {
    u64::from(grid.table_size) >= (reading.particles as u64).min(MAX_TABLE_SIZE.into())
}

/// Table size of two buckets per particle, the default of scenes.
pub fn large_table(reading: &Reading) -> u32 {
    u32::try_from(2 * reading.particles as u64).unwrap_or(u32::MAX).clamp(1, MAX_TABLE_SIZE)
}

// Readings for lessons: statistics of the latest step, and median times of steps with the same grid.

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
    /// Support radius, or search radius of vertices or balls, m.
    pub support_radius: f32,
    /// Number of fluid particles, of vertices or of balls.
    pub particles: usize,
    /// Mean number of neighbours per particle, or of pairs per vertex or ball.
    pub neighbors: f64,
    /// Distance tests per neighbour, or pair, found.
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

/// Current grid, and what times have been read with it.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Current grid, and the running time of its first use, s.
    first: Option<(GridParameters, f64)>,
    /// Latest steps with it: number, time of building and of queries, ms. Of searches of points, whose times nothing else keeps.
    steps: VecDeque<(u64, [f64; 2])>,
}

/// Number of steps over which times of searches of points are taken.
const KEPT: usize = 60;

impl Reading {
    /// Current reading; `None` before the first step. `watch` persists between readings.
    pub fn take(searched: Searched, snapshot: &Snapshot, watch: &mut Watch) -> Option<Self> {
        let (stats, scene) = (snapshot.stats.as_ref()?, snapshot.scene.as_ref()?);
        let discretization = &scene.setup.discretization;
        let of_step = (stats.step, discretization.dimensions);
        if searched == Searched::Fluid {
            let since = watch.since(stats.search.parameters, snapshot);
            let time = |phase: Phase| median_ms(snapshot, phase, since).unwrap_or(1e3 * stats.phases[phase].as_secs_f64());
            let times = [Phase::Build, Phase::Query].map(time);
            let particles = (stats.particles, discretization.support_radius);
            Some(Self::of(&stats.search, of_step, particles, times, snapshot.audits.of(None)))
        } else {
            let set = searched.set(snapshot)?;
            let search = snapshot.set_searches.get(set)?;
            let points = points_searched(snapshot, scene.setup.points.as_ref()?, set);
            let times = watch.of_points(stats.step, &search.stats, snapshot);
            Some(Self::of(&search.stats, of_step, (points, search.radius), times, snapshot.audits.of(Some(set))))
        }
    }

    /// Reading of the statistics of a search in this step, of so many particles within a radius, with its times of building and of queries, ms.
    fn of(
        search: &SearchStats,
        (step, dimensions): (u64, Dimensions),
        (particles, support_radius): (usize, f32),
        [build_ms, query_ms]: [f64; 2],
        audit: Audit,
    ) -> Self {
        let occupancy = &search.occupancy;
        Self {
            grid: search.parameters,
            step,
            dimensions,
            support_radius,
            particles,
            neighbors: search.tally.neighbors as f64 / particles.max(1) as f64,
            candidates: search.candidates_per_neighbor(),
            load_factor: occupancy.load_factor(),
            occupied_cells: occupancy.occupied_cells,
            occupied_buckets: occupancy.occupied_buckets,
            cells_in_collision: occupancy.cells_in_collision,
            longest_bucket: occupancy.longest_bucket,
            spills: occupancy.spills,
            bytes: occupancy.bytes,
            build_ms,
            query_ms,
            audit,
        }
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
        let now = snapshot.step_costs.samples().next_back().map_or(0.0, |sample| sample.seconds);
        match self.first {
            // The history restarts at 0 with another scene.
            Some((same, since)) if same == grid && since <= now => since,
            _ => {
                self.steps.clear();
                self.first.insert((grid, now)).1
            }
        }
    }

    /// Times of building and of queries of points, ms: medians of the latest steps with the same grid, up to `step` with these `stats`.
    fn of_points(&mut self, step: u64, stats: &SearchStats, snapshot: &Snapshot) -> [f64; 2] {
        self.since(stats.parameters, snapshot);
        let times = [stats.build, stats.query].map(|time| 1e3 * time.as_secs_f64());
        if self.steps.back().is_none_or(|(last, _)| *last != step) {
            self.steps.push_back((step, times));
            self.steps.drain(..self.steps.len().saturating_sub(KEPT));
        }
        [0, 1].map(|index| {
            let mut times: Vec<f64> = self.steps.iter().map(|(_, times)| times[index]).collect();
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or_default()
        })
    }
}

/// Median time of a phase over the latest samples after `since`, ms; `None` without samples. Skips the first sample, which may
/// include steps before the change.
fn median_ms(snapshot: &Snapshot, phase: Phase, since: f64) -> Option<f64> {
    let latest = snapshot.step_costs.samples().next_back()?.seconds;
    let samples = snapshot.step_costs.samples().filter(|sample| sample.seconds > since).skip(1);
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
    /// Cell spacing, m.
    CellSize,
    /// Maximum number of cells that a query visits.
    CellsPerQuery,
    /// Occupied cells / table size.
    LoadFactor,
    /// Distance tests per neighbour found.
    Candidates,
    /// Distance tests per pair found.
    CandidatesPerPair,
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
            Self::CellSize => "Cell spacing, m",
            Self::CellsPerQuery => "Maximum cells per query",
            Self::LoadFactor => "Load factor",
            Self::Candidates => "Candidates per neighbour",
            Self::CandidatesPerPair => "Candidates per pair",
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
            Self::CellSize => format::length(reading.grid.cell_size.into()),
            Self::CellsPerQuery => format::count(reading.cells()),
            Self::LoadFactor => format::grouped(reading.load_factor),
            Self::Candidates | Self::CandidatesPerPair => format::grouped(reading.candidates),
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
