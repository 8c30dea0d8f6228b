//! Tuning between steps: trials of grid configurations, one at a time, on the threads that steps run on.
//!
//! Trials never compete with steps for the cores, so that both are measured undisturbed; the fluid goes on, slower. They work
//! on a copy of the state and do not affect the motion.

use crate::session::{Stage, Tuning};
use sph_core::View;
use sph_core::neighbors::Structure;
use sph_core::tuning::{Plan, Sample, Sweep};

/// Trials under way, and the latest results.
#[derive(Debug, Default)]
pub(super) struct Tuner {
    sweep: Option<Sweep>,
    latest: Option<Tuning>,
}

impl Tuner {
    /// Starts trials of `structures` on the present state of `fluid`, in place of any that are under way.
    pub(super) fn start(&mut self, fluid: &View<'_>, structures: Vec<Structure>) {
        let (present, radius) = (fluid.parameters.grid, fluid.discretization.support_radius);
        let plan = Plan::around(&present, structures, fluid.particles.len(), radius);
        let sweep = Sweep::new(Sample::of(fluid), present, plan);
        self.latest = Some(Tuning { results: sweep.results().clone(), stage: Stage::Running, time: fluid.time });
        self.sweep = Some(sweep);
    }

    /// Ends the trials; their results stay.
    pub(super) fn cancel(&mut self) {
        if self.sweep.take().is_some()
            && let Some(latest) = &mut self.latest
        {
            latest.stage = Stage::Cancelled;
        }
    }

    /// Ends the trials and discards the results: they were for another scene.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// True if there are trials to make.
    pub(super) fn is_active(&self) -> bool {
        self.sweep.is_some()
    }

    /// Makes one trial, on the current rayon pool.
    pub(super) fn advance(&mut self) {
        let (Some(sweep), Some(latest)) = (&mut self.sweep, &mut self.latest) else { return };
        let more = sweep.next_trial() && !sweep.results().is_complete();
        latest.results = sweep.results().clone();
        if !more {
            latest.stage = Stage::Done;
            self.sweep = None;
        }
    }

    /// The state for the snapshot.
    pub(super) fn latest(&self) -> Option<&Tuning> {
        self.latest.as_ref()
    }
}
