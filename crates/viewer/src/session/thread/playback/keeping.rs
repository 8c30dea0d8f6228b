//! Keeping of moments: when, and which give way.

use super::Playback;
use super::kept::{Beside, Packed};
use super::packer::Job;
use sph_core::Engine;
use std::time::{self, Duration};

/// Largest distances between two kept moments, as far as the time for keeping them allows: simulated time (s), steps, and time of the
/// clock. A moment between them is at most as far from a kept one.
const INTERVAL: f64 = 1.0 / 60.0;
const STEPS: u64 = 32;
const CLOCK: Duration = Duration::from_millis(500);

/// Time between two kept moments in times of what keeping one takes, copying and packing together.
const REST: u32 = 64;

impl Playback {
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
                self.shown = None;
                self.fit();
            }
            Err(message) if position.is_some() && !self.has_failed => {
                self.has_failed = true;
                return Err(message);
            }
            _ => {}
        }
        Ok(())
    }

    /// Bounds the memory of kept moments and of the changes between them, bytes.
    pub fn set_limit(&mut self, limit: u64) {
        self.ring.set_limit(limit);
        self.fit();
    }

    /// Removes moments, and changes that none of the others needs, until they fit into their memory.
    pub(super) fn fit(&mut self) {
        loop {
            let needed = self.ring.oldest().map_or(self.changed, |kept| kept.position.changes);
            self.changes.forget_before(needed.min(self.changed));
            if !self.ring.is_over(self.changes.bytes()) {
                return;
            }
            if self.ring.len() < 2 && !self.ring.is_over(0) {
                // The start is worth more than the way from there.
                return self.changes.forget_before(self.changed);
            }
            self.ring.give_way();
            self.shown = None;
        }
    }

    /// True if the state of `engine` has to be kept before the fluid goes elsewhere. What a hand has acted on is computed again.
    pub fn would_lose(&self, engine: &dyn Engine) -> bool {
        let position = self.position(engine);
        let is_known = self.sent.is_some_and(|(sent, _)| sent == position) || self.ring.has(position);
        !self.has_failed && position == self.end.0 && !is_known && !self.changes.has_hand(position.steps, position.changes)
    }

    /// True if the state of `engine` is the start with parameters that have been set there, and has to be kept before the first step:
    /// the changes from there on may be forgotten, the start is not.
    pub fn is_changed_start(&self, engine: &dyn Engine) -> bool {
        let [.., limit] = self.ring.memory();
        engine.steps() == self.start && limit > 0 && self.would_lose(engine)
    }
}
