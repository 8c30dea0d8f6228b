//! Playback: moments are kept while the fluid runs, so that it can go back to each of them and run on with the same bits.
//!
//! A kept moment is a packed [`State`](sph_core::State). A moment between two kept ones is reached from the earlier one by the steps
//! that led to it, with the changes from outside that were made on the way. Whoever changes something in the past, or plays on from
//! there, begins another history: what was later is dropped.
//!
//! The moment after some steps includes the parameters that were set and the bodies that were dropped there. A hand belongs to the step
//! that follows; only in the latest moment, where none has followed, it is included. So a moment is the same whichever moments are kept.

mod changes;
mod keeping;
mod kept;
mod packer;
mod ring;
mod seek;

pub use changes::Change;
pub use kept::{Beside, Kept, Packed};
pub use seek::Seek;

use crate::session::{Goal, Moment, Timeline};
use changes::Changes;
use kept::Position;
use packer::Job;
use ring::Ring;
use sph_core::Engine;
use sph_io::PackedState;
use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::time::{self, Duration};

/// Kept moments and changes of the running scene.
#[derive(Debug)]
pub struct Playback {
    jobs: Sender<Job>,
    ring: Ring,
    changes: Changes,
    /// States that are being packed, in the order in which they were sent; `None` for those of a history that has been dropped.
    packing: VecDeque<Option<Position>>,
    /// True once packing has failed: nothing more of this scene is kept.
    has_failed: bool,
    /// Number of changes before the present state.
    changed: u64,
    /// Completed steps at the start of the scene.
    start: u64,
    /// Latest position and simulated time (s) of this history.
    end: (Position, f64),
    /// Latest state that was sent to be packed, with its time (s).
    sent: Option<(Position, f64)>,
    /// Time that the copy of the latest took.
    copying: Duration,
    /// When the latest was sent, and when the next may be.
    times: Option<[time::Instant; 2]>,
    /// The moments as snapshots show them; `None` if they have changed since.
    shown: Option<std::sync::Arc<[Moment]>>,
    jumps: u64,
}

impl Playback {
    /// Playback without a scene. `done` gets packed states, which [`Playback::take`] takes over, and returns false if nobody does.
    pub fn start(done: impl Fn(Packed) -> bool + Send + 'static) -> std::io::Result<Self> {
        Ok(Self {
            jobs: packer::start(PackedState::new, done)?,
            ring: Ring::new(Timeline::default_limit()),
            changes: Changes::default(),
            packing: VecDeque::new(),
            has_failed: false,
            changed: 0,
            start: 0,
            end: Default::default(),
            sent: None,
            copying: Duration::ZERO,
            times: None,
            shown: None,
            jumps: 0,
        })
    }

    /// Begins the history of a scene with the state of `engine`.
    pub fn begin(&mut self, engine: &dyn Engine, beside: Beside) {
        let [.., limit] = self.ring.memory();
        (self.ring, self.changes, self.changed) = (Ring::new(limit), Changes::default(), 0);
        (self.sent, self.times, self.shown) = (None, None, None);
        self.packing.iter_mut().for_each(|sent| *sent = None);
        self.has_failed = false;
        self.jumps += 1;
        self.start = engine.steps();
        self.end = (self.position(engine), engine.time());
        self.keep(engine, beside);
    }

    fn position(&self, engine: &dyn Engine) -> Position {
        Position { steps: engine.steps(), changes: self.changed }
    }

    /// True if later moments of this history are known.
    pub fn is_past(&self, engine: &dyn Engine) -> bool {
        self.position(engine) < self.end.0
    }

    /// Begins another history with the state of `engine`, from which on nothing is known.
    pub fn fork(&mut self, engine: &dyn Engine) {
        let position = self.position(engine);
        self.ring.truncate(position);
        self.changes.truncate(self.changed);
        for sent in &mut self.packing {
            *sent = sent.filter(|sent| *sent <= position);
        }
        self.sent = None;
        self.end = (position, engine.time());
        self.shown = None;
    }

    /// Records a change from outside that has just been made to `engine`.
    pub fn record(&mut self, engine: &dyn Engine, change: Change) {
        debug_assert!(!self.is_past(engine), "what was later has been dropped");
        let position = self.position(engine);
        let is_kept = self.ring.has(position) || self.packing.contains(&Some(position));
        if is_kept || !self.changes.supersede(position.steps, &change) {
            self.changes.push(position.steps, change);
            self.changed += 1;
        }
        self.end = (self.position(engine), engine.time());
        self.fit();
    }

    /// True if the last that has happened is that a body was dropped into `engine`, and nothing later is known.
    pub fn has_dropped_last(&self, engine: &dyn Engine) -> bool {
        let last = self.changed.checked_sub(1).and_then(|last| self.changes.get(last));
        let is_drop = matches!(last, Some((steps, Change::Drop(_))) if *steps == engine.steps());
        is_drop && !self.is_past(engine)
    }

    /// Takes note that the last change, which no step has followed, has been taken back. What was kept with it is kept without it.
    pub fn take_back(&mut self, engine: &dyn Engine, beside: Beside) {
        let position = self.position(engine);
        let is_kept = self.ring.has(position) || self.packing.contains(&Some(position));
        self.changed -= 1;
        self.fork(engine);
        if is_kept {
            self.keep(engine, beside);
        }
    }

    /// The next change that was made at the present state of `engine` before its next step; it counts as made now.
    pub fn next_change(&mut self, engine: &dyn Engine) -> Option<Change> {
        self.next_change_if(engine, |_| true)
    }

    /// The same, of those that are a part of the present moment.
    pub fn next_change_of_moment(&mut self, engine: &dyn Engine) -> Option<Change> {
        let is_latest = engine.steps() >= self.end.0.steps;
        self.next_change_if(engine, |change| is_latest || !matches!(change, Change::Hand(_)))
    }

    fn next_change_if(&mut self, engine: &dyn Engine, accepts: impl Fn(&Change) -> bool) -> Option<Change> {
        let (steps, change) = self.changes.get(self.changed)?;
        (*steps == engine.steps() && accepts(change)).then(|| {
            self.changed += 1;
            change.clone()
        })
    }

    /// The kept moment from which `goal` is reached, and the goal: another one if the way there is not known any more. `None` if no
    /// such moment is kept.
    pub fn base(&self, goal: Goal) -> Option<(Kept, Goal)> {
        let Some(base) = self.ring.iter().rev().find(|kept| goal.is_after(kept.moment())) else {
            // Before the earliest: a second back within the first second.
            let first = self.ring.iter().next()?;
            return Some((first.clone(), Goal::Steps(first.position.steps)));
        };
        if base.position.changes >= self.changes.first() || goal.is_reached(base.moment()) {
            return Some((base.clone(), goal));
        }
        // Between the start and the oldest of the others.
        let oldest = self.ring.oldest().unwrap_or(base);
        Some((oldest.clone(), Goal::Steps(oldest.position.steps)))
    }

    /// True while a state of this history is being packed: what can be gone back to is not decided before.
    pub fn is_packing(&self) -> bool {
        self.packing.iter().any(Option::is_some)
    }

    /// True if `moment` is the start of the scene.
    pub fn is_start(&self, moment: Moment) -> bool {
        moment.steps == self.start
    }

    /// Takes note that the fluid has gone to `moment`.
    pub fn went_to(&mut self, moment: &Kept) {
        self.changed = moment.position.changes;
        self.jumps += 1;
    }

    /// Latest known moment of this history.
    pub fn last_moment(&self) -> Moment {
        Moment { time: self.end.1, steps: self.end.0.steps }
    }

    /// The kept moments as a snapshot shows them.
    pub fn timeline(&mut self, seeking: bool) -> Timeline {
        let end = self.last_moment();
        let Self { ring, changes, shown, jumps, has_failed, .. } = self;
        let kept = shown.get_or_insert_with(|| ring.iter().map(Kept::moment).collect());
        let [bytes, unpacked_bytes, limit] = ring.memory();
        let [bytes, unpacked_bytes] = [bytes, unpacked_bytes].map(|bytes| bytes + changes.bytes());
        let has_failed = *has_failed;
        Timeline { kept: kept.clone(), end, bytes, unpacked_bytes, limit, has_failed, seeking, jumps: *jumps }
    }
}

#[cfg(test)]
mod tests;
