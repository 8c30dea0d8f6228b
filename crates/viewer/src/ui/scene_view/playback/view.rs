//! State of the bar of playback.

use crate::session::{Goal, Moment, Snapshot};

/// State of the bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaybackView {
    /// Time in the field, s; `None` until a user has typed one.
    pub(super) run_to: Option<f64>,
    /// Moment that a user has left to look at the start.
    pub left: Option<Moment>,
    /// Kept moment last asked for by dragging.
    pub(super) asked: Option<u64>,
}

impl PlaybackView {
    /// Goal of a command that compares with the start: the start, or, from there, the moment that was left. `None` if the start is not
    /// kept.
    pub fn flip(&mut self, snapshot: &Snapshot) -> Option<Goal> {
        let start = snapshot.timeline.kept.first()?.steps;
        let left = self.left.take().filter(|_| snapshot.steps == start);
        if left.is_none() {
            self.left = Some(Moment { time: snapshot.time, steps: snapshot.steps });
        }
        Some(Goal::Steps(left.map_or(start, |left| left.steps)))
    }

    /// True while the start is shown in place of a moment that was left for it.
    pub(super) fn shows_start(&self, snapshot: &Snapshot) -> bool {
        self.left.is_some() && snapshot.timeline.kept.first().is_some_and(|start| start.steps == snapshot.steps)
    }
}
