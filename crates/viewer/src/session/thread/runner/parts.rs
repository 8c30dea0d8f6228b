//! The parts of the runner, each of which knows one thing: scenes, values that wait for a step, clocks, files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::files::StatsOutput;
use crate::session::measuring::Measuring;
use crate::session::pace::{Pacer, RateMeter};
use crate::session::thread::loader::{Loader, Watcher};
use crate::session::{SceneSource, SpeedLimit, StepCosts};
use sph_core::StepStats;
use sph_core::neighbors::SearchStats;
use sph_io::SourceFiles;

/// Where scenes come from, and how many have come.
pub(super) struct Scenes {
    pub loader: Loader,
    /// Watch over the files of the running scene.
    pub watcher: Watcher,
    /// Scene that the user wants to open, until one runs or the user goes on with the one that does; once it cannot be loaded, its files are
    /// watched.
    wanted: Option<SceneSource>,
    wanted_watcher: Watcher,
    /// Number of scenes that have run, reloaded ones included.
    pub generation: u64,
    /// Number of scenes opened; a reload does not count.
    pub opened: u64,
    /// True if the files of the running scene have changed and cannot be used.
    pub reload_failed: bool,
    /// True if files of the running scene have changed while a scene was being read.
    pub files_changed: bool,
    /// True if the scene that is being read is the running one at another particle spacing.
    pub is_other_spacing: bool,
}

impl Scenes {
    pub fn new(loader: Loader, [watcher, wanted_watcher]: [Watcher; 2]) -> Self {
        Self {
            loader,
            watcher,
            wanted: None,
            wanted_watcher,
            generation: 0,
            opened: 0,
            reload_failed: false,
            files_changed: false,
            is_other_spacing: false,
        }
    }

    /// Takes note of the scene that the user wants to open.
    pub fn want(&mut self, source: SceneSource) {
        self.give_up();
        self.wanted = Some(source);
    }

    /// The scene that the user wants to open and that does not run yet.
    pub fn wanted(&self) -> Option<&SceneSource> {
        self.wanted.as_ref()
    }

    /// Watches the `files` of the scene that the user wants to open: with these it cannot be loaded.
    pub fn watch_wanted(&self, files: SourceFiles) {
        if self.wanted.is_some() {
            self.wanted_watcher.watch(files);
        }
    }

    /// Forgets the scene that the user wanted to open.
    pub fn give_up(&mut self) {
        if self.wanted.take().is_some() {
            self.wanted_watcher.watch(SourceFiles::default());
        }
    }
}

/// A value that the window has sent and that waits for the next step, and the revision of the last one that no longer waits.
pub(super) struct Pending<T> {
    value: Option<(T, u64)>,
    pub revision: u64,
}

impl<T> Pending<T> {
    pub fn new() -> Self {
        Self { value: None, revision: 0 }
    }

    /// Lets `value`, which is of this revision, wait in place of the one before.
    pub fn set(&mut self, value: T, revision: u64) {
        self.value = Some((value, revision));
    }

    /// The value that waits, which counts as used.
    pub fn take(&mut self) -> Option<T> {
        let (value, revision) = self.value.take()?;
        self.revision = revision;
        Some(value)
    }
}

/// Speed of the fluid and cost of its steps.
pub(super) struct Clocks {
    pub pacer: Pacer,
    pub rates: RateMeter,
    pub step_costs: StepCosts,
    /// Costs with the searches of point sets, by the first set of each.
    pub point_costs: BTreeMap<usize, StepCosts>,
    pub measuring: Measuring,
    /// End of the latest step, if the simulation has not paused since.
    last_step: Option<Instant>,
}

impl Clocks {
    pub fn new() -> Self {
        Self {
            pacer: Pacer::new(SpeedLimit::default()),
            rates: RateMeter::default(),
            step_costs: StepCosts::default(),
            point_costs: BTreeMap::new(),
            measuring: Measuring::default(),
            last_step: None,
        }
    }

    /// Resets the measurements that assume uninterrupted running.
    pub fn restart(&mut self) {
        self.pacer.restart(self.pacer.limit());
        self.rates.clear();
        self.pause();
    }

    /// Takes note that no step follows the latest one at once.
    pub fn pause(&mut self) {
        self.last_step = None;
    }

    /// Time from which the next step is measured: the end of the one before, unless there was a pause.
    pub fn start_of_step(&self) -> Instant {
        self.last_step.unwrap_or_else(Instant::now)
    }

    /// Forgets the costs of steps: another scene begins.
    pub fn forget_costs(&mut self) {
        self.step_costs.clear();
        self.point_costs.clear();
    }

    /// Takes note of the `searches` of point sets in a step that took `elapsed`, each with its first set.
    pub fn add_point_searches<'a>(
        &mut self,
        searches: impl Iterator<Item = (usize, &'a SearchStats)>,
        stats: &StepStats,
        elapsed: Duration,
    ) {
        for (set, search) in searches {
            self.point_costs.entry(set).or_default().add_search(search, stats, elapsed);
        }
    }

    /// Takes note of a step that has just ended, and returns how long it took from `start`.
    pub fn end_step(&mut self, start: Instant, stats: &StepStats) -> Duration {
        let now = Instant::now();
        if stats.error.is_none() {
            self.step_costs.add(stats, now - start);
            self.measuring.add(stats);
            self.rates.add(now, stats.time);
        }
        self.last_step = Some(now);
        now - start
    }
}

/// Files that are written for the command line.
pub(super) struct Outputs {
    pub stats: StatsOutput,
    /// File of the recording, written at the end.
    pub recording: Option<PathBuf>,
}
