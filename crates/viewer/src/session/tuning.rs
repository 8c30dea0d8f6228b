//! Tuning between steps: the trials, and their state in a snapshot.

use std::sync::Arc;

use sph_core::View;
use sph_core::neighbors::Structure;
use sph_core::tuning::{Plan, Results, Sample, Sweep};

/// A series of trials in a snapshot.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The results so far.
    pub results: Arc<Results>,
    /// Progress of the series.
    pub stage: Stage,
    /// Simulated time of the state that the trials use, s.
    pub time: f64,
}

/// Progress of a series of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Trials are being made.
    Running,
    /// The series was cancelled.
    Cancelled,
    /// All trials have been made.
    Done,
}

// Tuning between steps: trials of grid configurations, one at a time, on the threads that steps run on.
//
// Trials never compete with steps for the cores, so that both are measured undisturbed; the fluid goes on, slower. They work
// on a copy of the state and do not affect the motion.

/// Trials under way, and the latest results.
#[derive(Debug, Default)]
pub(in crate::session) struct Tuner {
    sweep: Option<Sweep>,
    latest: Option<Tuning>,
}

impl Tuner {
    /// Starts trials of `structures` on the present state of `fluid`, in place of any that are under way.
    pub(in crate::session) fn start(&mut self, fluid: &View<'_>, structures: Vec<Structure>) {
        let present = fluid.parameters.grid;
        let plan = Plan::around(&present, structures, fluid.particles.len(), fluid.discretization);
        let sweep = Sweep::new(Sample::of(fluid), present, plan);
        self.latest = Some(Tuning { results: sweep.results().clone(), stage: Stage::Running, time: fluid.time });
        self.sweep = Some(sweep);
    }

    /// Ends the trials; their results stay.
    pub(in crate::session) fn cancel(&mut self) {
        if self.sweep.take().is_some()
            && let Some(latest) = &mut self.latest
        {
            latest.stage = Stage::Cancelled;
        }
    }

    /// Ends the trials and discards the results: they were for another scene.
    pub(in crate::session) fn clear(&mut self) {
        *self = Self::default();
    }

    /// True if there are trials to make.
    pub(in crate::session) fn is_active(&self) -> bool {
        self.sweep.is_some()
    }

    /// Makes one trial, on the current rayon pool.
    pub(in crate::session) fn advance(&mut self) {
        let (Some(sweep), Some(latest)) = (&mut self.sweep, &mut self.latest) else { return };
        let more = sweep.next_trial() && !sweep.results().is_complete();
        latest.results = sweep.results().clone();
        if !more {
            latest.stage = Stage::Done;
            self.sweep = None;
        }
    }

    /// The state for the snapshot.
    pub(in crate::session) fn latest(&self) -> Option<&Tuning> {
        self.latest.as_ref()
    }
}
