//! Playback: moments are kept while the fluid runs, so that it can go back to each of them and run on with the same bits.
//!
//! A kept moment is a packed [`State`](sph_core::State). A moment between two kept ones is reached from the earlier one by the steps
//! that led to it, with the inputs that were made on the way. Whoever changes something in the past, or plays on from
//! there, begins another history: what was later is dropped.
//!
//! The moment after some steps includes the parameters that were set and the bodies that were dropped there. A hand belongs to the step
//! that follows; only in the latest moment, where none has followed, it is included. So a moment is the same whichever moments are kept.

mod inputs;
mod moments;

pub use moments::{KeptMoment, Packed, SessionState};

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::time::{self, Duration, Instant};

use crate::session::{Goal, Moment, Timeline};
use inputs::InputLog;
use moments::{HistoryPosition, Job, Ring};
use sph_core::{Engine, Input};
use sph_io::PackedState;

/// Kept moments and inputs of the running scene.
#[derive(Debug)]
pub struct Playback {
    jobs: Sender<Job>,
    ring: Ring,
    inputs: InputLog,
    /// States that are being packed, in the order in which they were sent; `None` for those of a history that has been dropped.
    packing: VecDeque<Option<HistoryPosition>>,
    /// True once packing has failed: nothing more of this scene is kept.
    has_failed: bool,
    /// Number of inputs before the present state.
    made: u64,
    /// Completed steps at the start of the scene.
    start: u64,
    /// Latest position and simulated time (s) of this history.
    end: (HistoryPosition, f64),
    /// Latest state that was sent to be packed, with its time (s).
    sent: Option<(HistoryPosition, f64)>,
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
            jobs: moments::start(PackedState::new, done)?,
            ring: Ring::new(Timeline::default_limit()),
            inputs: InputLog::default(),
            packing: VecDeque::new(),
            has_failed: false,
            made: 0,
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
    pub fn begin(&mut self, engine: &dyn Engine, session: SessionState) {
        let [.., limit] = self.ring.memory();
        (self.ring, self.inputs, self.made) = (Ring::new(limit), InputLog::default(), 0);
        (self.sent, self.times, self.shown) = (None, None, None);
        self.packing.iter_mut().for_each(|sent| *sent = None);
        self.has_failed = false;
        self.jumps += 1;
        self.start = engine.steps();
        self.end = (self.position(engine), engine.time());
        self.keep(engine, session);
    }

    fn position(&self, engine: &dyn Engine) -> HistoryPosition {
        HistoryPosition { steps: engine.steps(), inputs: self.made }
    }

    /// True if later moments of this history are known.
    pub fn is_past(&self, engine: &dyn Engine) -> bool {
        self.position(engine) < self.end.0
    }

    /// Begins another history with the state of `engine`, from which on nothing is known.
    pub fn fork(&mut self, engine: &dyn Engine) {
        let position = self.position(engine);
        self.ring.truncate(position);
        self.inputs.truncate(self.made);
        for sent in &mut self.packing {
            *sent = sent.filter(|sent| *sent <= position);
        }
        self.sent = None;
        self.end = (position, engine.time());
        self.shown = None;
    }

    /// Records an input that has just been applied to `engine`.
    pub fn record(&mut self, engine: &dyn Engine, input: Input) {
        debug_assert!(!self.is_past(engine), "what was later has been dropped");
        let position = self.position(engine);
        let is_kept = self.ring.has(position) || self.packing.contains(&Some(position));
        if is_kept || !self.inputs.supersede(position.steps, &input) {
            self.inputs.push(position.steps, input);
            self.made += 1;
        }
        self.end = (self.position(engine), engine.time());
        self.fit();
    }

    /// True if the last that has happened is that a body was dropped into `engine`, and nothing later is known.
    pub fn has_dropped_last(&self, engine: &dyn Engine) -> bool {
        let last = self.made.checked_sub(1).and_then(|last| self.inputs.get(last));
        let is_drop = matches!(last, Some((steps, Input::Drop(_))) if *steps == engine.steps());
        is_drop && !self.is_past(engine)
    }

    /// Takes note that the last input, which no step has followed, has been taken back. What was kept with it is kept without it.
    pub fn take_back(&mut self, engine: &dyn Engine, session: SessionState) {
        let position = self.position(engine);
        let is_kept = self.ring.has(position) || self.packing.contains(&Some(position));
        self.made -= 1;
        self.fork(engine);
        if is_kept {
            self.keep(engine, session);
        }
    }

    /// The next input that was made at the present state of `engine` before its next step; it counts as made now.
    pub fn next_input(&mut self, engine: &dyn Engine) -> Option<Input> {
        self.next_input_if(engine, |_| true)
    }

    /// The same, of those that are a part of the present moment.
    pub fn next_input_of_moment(&mut self, engine: &dyn Engine) -> Option<Input> {
        let is_latest = engine.steps() >= self.end.0.steps;
        self.next_input_if(engine, |input| is_latest || !matches!(input, Input::Hand(_)))
    }

    fn next_input_if(&mut self, engine: &dyn Engine, accepts: impl Fn(&Input) -> bool) -> Option<Input> {
        let (steps, input) = self.inputs.get(self.made)?;
        (*steps == engine.steps() && accepts(input)).then(|| {
            self.made += 1;
            input.clone()
        })
    }

    /// The kept moment from which `goal` is reached, and the goal: another one if the way there is not known any more. `None` if no
    /// such moment is kept.
    pub fn base(&self, goal: Goal) -> Option<(KeptMoment, Goal)> {
        let Some(base) = self.ring.iter().rev().find(|kept| goal.is_after(kept.moment())) else {
            // Before the earliest: a second back within the first second.
            let first = self.ring.iter().next()?;
            return Some((first.clone(), Goal::Steps(first.position.steps)));
        };
        if base.position.inputs >= self.inputs.first() || goal.is_reached(base.moment()) {
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
    pub fn went_to(&mut self, moment: &KeptMoment) {
        self.made = moment.position.inputs;
        self.jumps += 1;
    }

    /// Latest known moment of this history.
    pub fn last_moment(&self) -> Moment {
        Moment { time: self.end.1, steps: self.end.0.steps }
    }

    /// The kept moments as a snapshot shows them, on the way to `goal`.
    pub fn timeline(&mut self, goal: Option<Goal>) -> Timeline {
        let end = self.last_moment();
        let Self { ring, inputs, shown, jumps, has_failed, .. } = self;
        let kept = shown.get_or_insert_with(|| ring.iter().map(KeptMoment::moment).collect());
        let [bytes, unpacked_bytes, limit] = ring.memory();
        let [bytes, unpacked_bytes] = [bytes, unpacked_bytes].map(|bytes| bytes + inputs.bytes());
        let has_failed = *has_failed;
        Timeline { kept: kept.clone(), end, bytes, unpacked_bytes, limit, has_failed, goal, jumps: *jumps }
    }
}

/// A way to another moment.
#[derive(Clone, Copy, Debug)]
pub struct Seek {
    pub goal: Goal,
    pub since: Instant,
    /// True once the fluid is at a moment from which the goal is reached by steps.
    pub is_under_way: bool,
}

// Keeping of moments: when, and which give way.

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
    pub fn keep(&mut self, engine: &dyn Engine, session: SessionState) {
        let start = time::Instant::now();
        let (position, state) = (self.position(engine), engine.snapshot());
        self.sent = Some((position, state.time));
        // The thread lives as long as this handle does.
        let _ = self.jobs.send(Job { position, state, session });
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

    /// Bounds the memory of kept moments and of the inputs between them, bytes.
    pub fn set_limit(&mut self, limit: u64) {
        self.ring.set_limit(limit);
        self.fit();
    }

    /// Removes moments, and inputs that none of the others needs, until they fit into their memory.
    fn fit(&mut self) {
        loop {
            let needed = self.ring.oldest().map_or(self.made, |kept| kept.position.inputs);
            self.inputs.forget_before(needed.min(self.made));
            if !self.ring.is_over(self.inputs.bytes()) {
                return;
            }
            if self.ring.len() < 2 && !self.ring.is_over(0) {
                // The start is worth more than the way from there.
                return self.inputs.forget_before(self.made);
            }
            self.ring.give_way();
            self.shown = None;
        }
    }

    /// True if the state of `engine` has to be kept before the fluid goes elsewhere. What a hand has acted on is computed again.
    pub fn would_lose(&self, engine: &dyn Engine) -> bool {
        let position = self.position(engine);
        let is_known = self.sent.is_some_and(|(sent, _)| sent == position) || self.ring.has(position);
        !self.has_failed && position == self.end.0 && !is_known && !self.inputs.has_hand(position.steps, position.inputs)
    }

    /// True if the state of `engine` is the start with parameters that have been set there, and has to be kept before the first step:
    /// the inputs from there on may be forgotten, the start is not.
    pub fn is_changed_start(&self, engine: &dyn Engine) -> bool {
        let [.., limit] = self.ring.memory();
        engine.steps() == self.start && limit > 0 && self.would_lose(engine)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use super::*;
    use sph_commands::engine;

    // Tests of playback without a session.

    const SQUARE: &str =
        "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.5, 0.5]";

    /// Playback whose states are packed by `pack`, the channel on which they come, and an engine at its start.
    fn playback(pack: moments::Pack) -> (Playback, Receiver<Packed>, Box<dyn Engine>) {
        let (sender, packed) = mpsc::channel();
        let mut playback = Playback::start(|_| true).expect("a thread starts");
        playback.jobs = moments::start(pack, move |packed| sender.send(packed).is_ok()).expect("a thread starts");
        let scene = sph_io::parse(SQUARE, "square", &[]).expect("a scene");
        let engine = engine::start(&scene.setup).expect("a valid setup");
        playback.begin(&*engine, SessionState::default());
        (playback, packed, engine)
    }

    #[test]
    fn a_failure_of_packing_is_told_once_and_nothing_more_is_kept_until_the_scene_starts_anew() {
        let (mut playback, packed, mut engine) = playback(|_| panic!("no room"));
        // Sent before the failure is known.
        playback.keep(&*engine, SessionState::default());
        assert_eq!(playback.take(packed.recv().expect("the thread lives")), Err("no room".to_owned()));
        assert_eq!(playback.take(packed.recv().expect("the thread outlives the panic")), Ok(()));
        assert_eq!(engine.step().error, None);
        assert!(!playback.is_due(&*engine) && !playback.would_lose(&*engine) && playback.timeline(None).has_failed);
        playback.begin(&*engine, SessionState::default());
        assert!(!playback.timeline(None).has_failed);
        assert!(playback.take(packed.recv().expect("the thread lives")).is_err());
    }

    #[test]
    fn until_the_first_moment_is_packed_it_is_not_decided_what_is_kept() {
        let (mut playback, packed, _) = playback(PackedState::new);
        assert!(playback.is_packing() && playback.base(crate::session::Goal::Steps(0)).is_none());
        assert_eq!(playback.take(packed.recv().expect("the thread lives")), Ok(()));
        assert!(!playback.is_packing() && playback.base(crate::session::Goal::Steps(0)).is_some());
        // A bound that leaves room for none is another matter.
        playback.set_limit(0);
        assert!(!playback.is_packing() && playback.base(crate::session::Goal::Steps(0)).is_none());
    }

    #[test]
    fn inputs_count_in_the_memory_and_give_way_with_the_moments() {
        let (mut playback, packed, mut engine) = playback(PackedState::new);
        let take = |playback: &mut Playback| playback.take(packed.recv().expect("the thread lives"));
        assert_eq!(take(&mut playback), Ok(()));
        let moment = playback.timeline(None).bytes;
        let limit = 4 * moment;
        playback.set_limit(limit);
        let mut parameters = *engine.parameters();
        let mut latest = 0;
        // Sliders that are dragged for an hour, and steps between.
        for number in 0..20_000_u32 {
            parameters.gravity.x = 1e-3 * number as f32;
            engine.set_parameters(parameters).expect("in range");
            playback.record(&*engine, Input::Parameters(Box::new(parameters)));
            if number % 4 == 0 {
                assert_eq!(engine.step().error, None);
                playback.end = (playback.position(&*engine), engine.time());
            }
            if number % 400 == 0 {
                playback.keep(&*engine, SessionState::default());
                assert_eq!(take(&mut playback), Ok(()));
                latest = engine.steps();
            }
            let Timeline { bytes, .. } = playback.timeline(None);
            assert!(bytes <= limit, "{bytes} of {limit} bytes after {number} inputs");
        }
        // The start stays, and the way on from the latest moment is known or it has given way.
        let (base, goal) = playback.base(Goal::Steps(engine.steps() - 1)).expect("the start is kept");
        assert!(base.position.steps == latest || goal == Goal::Steps(base.position.steps), "{base:?}, {goal:?}");
        assert_eq!(playback.timeline(None).kept[0].steps, 0);
    }

    #[test]
    fn parameters_that_are_dragged_in_a_pause_are_one_input_of_the_moment() {
        let (mut playback, packed, engine) = playback(PackedState::new);
        assert_eq!(playback.take(packed.recv().expect("the thread lives")), Ok(()));
        let drag = |playback: &mut Playback| {
            for _ in 0..100 {
                playback.record(&*engine, Input::Parameters(Box::new(*engine.parameters())));
            }
        };
        drag(&mut playback);
        assert_eq!(playback.made, 1);
        // What is kept with them has them for good.
        playback.keep(&*engine, SessionState::default());
        drag(&mut playback);
        assert_eq!(playback.made, 2);
        assert_eq!(playback.take(packed.recv().expect("the thread lives")), Ok(()));
        assert_eq!(playback.timeline(None).kept.len(), 1, "of two moments after the same steps the later stays");
    }
}
