//! Result of the last steps: what `sph bench --result` would write, from the steps that the window has seen.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sph_core::{Engine, StepStats};
use sph_io::{BenchResult, Machine, Measured, Scene, Source};

/// Most steps that count, the latest: as many as `sph bench` measures.
const STEPS: usize = 200;

/// Time between two results for the window.
const INTERVAL: Duration = Duration::from_millis(500);

/// Statistics of the latest steps with the present parameters, and the result made of them.
#[derive(Debug, Default)]
pub(in crate::session) struct Measuring {
    latest: VecDeque<StepStats>,
    /// True while the window shows the result.
    pub is_wanted: bool,
    machine: Option<Machine>,
    shown: Option<Arc<BenchResult>>,
    /// Time when `shown` was made.
    made: Option<Instant>,
}

impl Measuring {
    /// Adds a step.
    pub(in crate::session) fn add(&mut self, stats: &StepStats) {
        if self.latest.len() == STEPS {
            self.latest.pop_front();
        }
        self.latest.push_back(stats.clone());
    }

    /// Forgets the steps: the next ones are of another scene, or of other parameters.
    pub(in crate::session) fn clear(&mut self) {
        self.latest.clear();
        (self.shown, self.made) = (None, None);
    }

    /// The result of the steps so far of `scene`, on `threads` threads; `None` without steps.
    pub(in crate::session) fn result(&mut self, scene: &Scene, engine: &dyn Engine, threads: usize) -> Option<BenchResult> {
        let machine = self.machine.get_or_insert_with(|| Machine::present(threads)).clone();
        let measured = Measured::of(Source::Window, self.latest.iter(), engine.view().walls.len(), &engine.memory())?;
        Some(BenchResult::new(scene, engine.parameters(), engine.off_curve(), machine, measured))
    }

    /// The same for a snapshot, made anew a few times a second, while it is wanted.
    pub(in crate::session) fn shown(&mut self, scene: &Scene, engine: &dyn Engine, threads: usize) -> Option<Arc<BenchResult>> {
        if !self.is_wanted {
            return None;
        }
        let now = Instant::now();
        if self.made.is_none_or(|made| now - made >= INTERVAL) {
            self.shown = self.result(scene, engine, threads).map(Arc::new);
            self.made = Some(now);
        }
        self.shown.clone()
    }
}
