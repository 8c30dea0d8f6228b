//! Snapshots and notices of the runner, for the window.

use super::Runner;
use crate::session::thread::running::Running;
use crate::session::{Notice, Rates, Subject};

impl Runner {
    /// Publishes a refused step and says so, if the latest step was refused.
    pub(super) fn report_failure(&mut self) {
        let Some(details) = self.running.as_ref().and_then(Running::failure).map(str::to_owned) else { return };
        self.set_playing(false);
        // A reader of the notice must find the failure in the snapshot: the notice disappears with the failure.
        self.publish();
        let notice = Notice::error("The simulation stopped: a step was refused", details);
        self.publisher.notify(notice.about(Subject::Step));
    }

    /// Publishes a snapshot of the present state.
    pub(super) fn publish(&mut self) {
        let Self { publisher, running, crashed, history, pool, inspectors, tuner, .. } = self;
        let (paused, speed_limit) = (!self.playing, self.pacer.limit());
        let moves = self.playing || self.seek.is_some();
        // Single steps have no speed.
        let rates = if moves { self.rates.rates() } else { Rates::default() };
        let loading = self.loader.is_busy();
        let timeline = self.playback.timeline(self.seek.is_some());
        let is_past = running.as_ref().is_some_and(|running| self.playback.is_past(&*running.engine));
        publisher.publish(|snapshot| {
            snapshot.generation = self.generation;
            snapshot.opened = self.opened;
            snapshot.loading = loading;
            snapshot.revision = self.revision;
            snapshot.rival_revision = self.rival_revision;
            snapshot.paused = paused;
            snapshot.speed_limit = speed_limit;
            snapshot.rates = rates;
            snapshot.threads = pool.current_num_threads();
            snapshot.history.clone_from(history);
            snapshot.timeline = timeline;
            snapshot.tuning = tuner.latest().cloned();
            if let Some(running) = running {
                // Readings of later moments stay until the fluid runs on from here.
                if !is_past {
                    running.sample(pool, rates.speed);
                }
                running.write_to(snapshot);
                self.shown_steps = snapshot.steps;
                running.inspect(pool, (inspectors, moves), snapshot);
            } else if let Some(crashed) = crashed {
                snapshot.failure = Some(crashed.reason.clone());
                snapshot.refusal = None;
            }
        });
        self.changed = false;
    }
}
