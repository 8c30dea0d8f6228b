//! Playback: moments are kept while the fluid runs, so that it can go back to each of them and run on with the same bits.
//!
//! A kept moment is a packed [`State`](sph_core::State). A moment between two kept ones is reached from the earlier one by the steps
//! that led to it, with the changes from outside that were made on the way. Whoever changes something in the past, or plays on from
//! there, begins another history: what was later is dropped.

mod changes;
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

/// Largest distances between two kept moments, as far as the time for keeping them allows: simulated time (s), steps, and time of the
/// clock. A moment between them is at most as far from a kept one.
const INTERVAL: f64 = 1.0 / 60.0;
const STEPS: u64 = 32;
const CLOCK: Duration = Duration::from_millis(500);

/// Time between two kept moments in times of what keeping one takes, copying and packing together.
const REST: u32 = 64;

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
        if self.is_past(engine) {
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
    }

    /// Records a change from outside that has just been made to `engine`.
    pub fn record(&mut self, engine: &dyn Engine, change: Change) {
        self.fork(engine);
        self.changes.push(engine.steps(), change);
        self.changed += 1;
        self.end = (self.position(engine), engine.time());
    }

    /// The next change that was made at the present state of `engine` before its next step; it counts as made now.
    pub fn next_change(&mut self, engine: &dyn Engine) -> Option<Change> {
        let (steps, change) = self.changes.get(self.changed)?;
        (*steps == engine.steps()).then(|| {
            self.changed += 1;
            change.clone()
        })
    }

    /// Takes note of a step of `engine`. Returns true if its state should be kept.
    pub fn is_due(&mut self, engine: &dyn Engine) -> bool {
        let (position, time) = (self.position(engine), engine.time());
        if position < self.end.0 {
            return false;
        }
        self.end = (position, time);
        let [.., limit] = self.ring.memory();
        if limit == 0 || self.has_failed {
            return false;
        }
        let (Some((sent, sent_time)), Some([since, next])) = (self.sent, self.times) else { return self.packing.is_empty() };
        let now = time::Instant::now();
        let is_far = time - sent_time >= INTERVAL || position.steps - sent.steps >= STEPS || now - since >= CLOCK;
        is_far && self.packing.is_empty() && now >= next
    }

    /// Keeps the state of `engine`.
    pub fn keep(&mut self, engine: &dyn Engine, beside: Beside) {
        let start = time::Instant::now();
        let (position, state) = (self.position(engine), engine.snapshot());
        self.sent = Some((position, state.time));
        // The thread lives as long as this handle does.
        let _ = self.jobs.send(Job { position, state, beside });
        let now = time::Instant::now();
        self.copying = now - start;
        self.packing.push_back(Some(position));
        self.times = Some([now, now + REST * self.copying]);
    }

    /// Takes over a packed state.
    ///
    /// # Errors
    /// The message of the first panic in packing: nothing more of this scene is kept then, and what was kept stays.
    pub fn take(&mut self, packed: Packed) -> Result<(), String> {
        let position = self.packing.pop_front().flatten();
        if let Some([since, next]) = &mut self.times {
            *next = *since + (self.copying + packed.cost).saturating_mul(REST);
        }
        match packed.result {
            Ok(kept) if position == Some(kept.position) => {
                self.ring.insert(kept);
                self.moments_have_changed();
            }
            Err(message) if position.is_some() && !self.has_failed => {
                self.has_failed = true;
                return Err(message);
            }
            _ => {}
        }
        Ok(())
    }

    /// Bounds the memory of kept moments, bytes.
    pub fn set_limit(&mut self, limit: u64) {
        self.ring.set_limit(limit);
        self.moments_have_changed();
    }

    fn moments_have_changed(&mut self) {
        self.shown = None;
        let needed = self.ring.oldest().map_or(self.changed, |kept| kept.position.changes);
        self.changes.forget_before(needed.min(self.changed));
    }

    /// True if the state of `engine` has to be kept before the fluid goes elsewhere.
    pub fn would_lose(&self, engine: &dyn Engine) -> bool {
        let position = self.position(engine);
        !self.has_failed
            && position == self.end.0
            && self.sent.is_none_or(|(sent, _)| sent != position)
            && !self.ring.has(position)
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

    /// Takes note that the fluid has gone to `moment`.
    pub fn went_to(&mut self, moment: &Kept) {
        self.changed = moment.position.changes;
        self.jumps += 1;
    }

    /// Latest known moment of this history.
    pub fn last_moment(&self) -> Moment {
        Moment { time: self.end.1, steps: self.end.0.steps }
    }

    /// Steps after which this history ends.
    pub fn last_step(&self) -> u64 {
        self.end.0.steps
    }

    /// The kept moments as a snapshot shows them.
    pub fn timeline(&mut self, seeking: bool) -> Timeline {
        let end = self.last_moment();
        let Self { ring, shown, jumps, has_failed, .. } = self;
        let kept = shown.get_or_insert_with(|| ring.iter().map(Kept::moment).collect());
        let [bytes, unpacked_bytes, limit] = ring.memory();
        let has_failed = *has_failed;
        Timeline { kept: kept.clone(), end, bytes, unpacked_bytes, limit, has_failed, seeking, jumps: *jumps }
    }
}

#[cfg(test)]
mod tests;
