//! The recording of a session: the user's inputs since the scene was started.

use sph_core::{Engine, Hand, Input};
use sph_io::{Fingerprints, Recording, Row, fingerprint};

/// Recorder of one scene.
#[derive(Debug)]
pub(super) struct Recorder {
    recording: Recording,
    /// Number of completed steps before the next one that is recorded.
    next: u64,
    /// Number of bodies that had been dropped before the start.
    dropped: usize,
    /// Hand of the last step.
    hand: Option<Hand>,
    /// Reason why nothing more is recorded.
    ended: Option<&'static str>,
}

impl Recorder {
    /// Recorder of the scene called `scene`, whose fluid is at its start in `engine`.
    pub(super) fn new(scene: &str, engine: &dyn Engine) -> Self {
        let recording = Recording {
            scene: scene.to_owned(),
            start: engine.steps(),
            fluid: fingerprint(engine.view().particles),
            parameters: *engine.parameters(),
            rows: Vec::new(),
            end: None,
        };
        Self { next: recording.start, dropped: engine.view().dropped.len(), recording, hand: None, ended: None }
    }

    /// Records an input that `engine` has taken in its present state; for hands see [`Recorder::add_hand`].
    pub(super) fn add(&mut self, engine: &dyn Engine, input: &Input) {
        // Whoever goes back records all that is in force, this input included.
        if !self.go_back(engine) {
            self.push(engine, input.clone());
        }
    }

    /// Removes the record of the body that was dropped last, at the present state of `engine`.
    pub(super) fn take_back_drop(&mut self, engine: &dyn Engine) {
        let is_last = |row: &Row| row.step == engine.steps() && matches!(row.input, Input::Drop(_));
        let last = self.recording.rows.iter().rposition(is_last).filter(|_| self.ended.is_none());
        last.map(|index| self.recording.rows.remove(index));
    }

    /// Begins to record a step from the present state of `engine`, in which `hand` acts. If the simulation has gone back to an earlier step, the
    /// rows from there on are replaced.
    pub(super) fn begin_step(&mut self, engine: &dyn Engine, hand: Option<Hand>) {
        self.go_back(engine);
        // Before another hand acts: the end would have its effect, and the recording no row of it.
        let is_full = self.recording.rows.len() == Recording::MAX_ROWS && hand != self.hand;
        if is_full && self.ended.is_none() {
            self.end((engine.steps(), Some(self.fingerprints(engine))), "it is full");
        }
        if self.ended.is_none() {
            self.next = engine.steps() + 1;
        }
    }

    /// Replaces the rows from the present step of `engine` on, if it has been recorded before, by what is in force. Returns false if it
    /// has not.
    fn go_back(&mut self, engine: &dyn Engine) -> bool {
        let step = engine.steps();
        if step >= self.next || self.is_after_end(engine) {
            return false;
        }
        self.recording.rows.retain(|row| row.step < step);
        self.recording.end = None;
        self.ended = None;
        let hand = |row: &Row| if let Input::Hand(hand) = row.input { Some(hand) } else { None };
        self.hand = self.recording.rows.iter().rev().find_map(hand).flatten();
        self.push(engine, Input::OffCurve(engine.off_curve().to_vec()));
        self.push(engine, Input::Parameters(Box::new(*engine.parameters())));
        let before = self.dropped_before(step);
        engine.view().dropped.iter().skip(before).for_each(|dropped| self.push(engine, Input::Drop(*dropped)));
        self.next = step;
        true
    }

    /// Number of bodies that had been dropped before the last of `step` steps.
    fn dropped_before(&self, step: u64) -> usize {
        let rows = self.recording.rows.iter().filter(|row| row.step < step);
        self.dropped + rows.filter(|row| matches!(row.input, Input::Drop(_))).count()
    }

    /// True if the recording has ended before the next step of `engine`.
    fn is_after_end(&self, engine: &dyn Engine) -> bool {
        self.recording.end.is_some_and(|(end, _)| end <= engine.steps())
    }

    /// Records the hand of the next step, unless it is that of the last.
    pub(super) fn add_hand(&mut self, engine: &dyn Engine, hand: Option<Hand>) {
        if hand != self.hand {
            self.hand = hand;
            self.push(engine, Input::Hand(hand));
        }
    }

    /// Takes note that a step was refused. If a hand has acted before it, the recording ends: the fluid is not that of the step before.
    pub(super) fn refuse(&mut self, engine: &dyn Engine) {
        if self.hand.is_some() {
            self.end((engine.steps(), None), "a step was refused");
        }
    }

    fn end(&mut self, end: (u64, Option<Fingerprints>), reason: &'static str) {
        if self.ended.is_none() {
            self.ended = Some(reason);
            self.recording.end = Some(end);
        }
    }

    /// Recording up to the present step of `engine`, or to its end, and the reason of the latter.
    pub(super) fn finished(&self, engine: &dyn Engine) -> (Recording, Option<&'static str>) {
        let mut recording = self.recording.clone();
        if self.is_after_end(engine) {
            return (recording, self.ended);
        }
        recording.rows.retain(|row| row.step < engine.steps());
        recording.end = Some((engine.steps(), Some(self.fingerprints(engine))));
        (recording, None)
    }

    /// Fingerprints of the present state of `engine` without what has been dropped since its last step: that is no part of a recording which
    /// ends here.
    fn fingerprints(&self, engine: &dyn Engine) -> Fingerprints {
        let mut state = engine.snapshot();
        let since = state.dropped.len().saturating_sub(self.dropped_before(state.steps));
        state.bodies.truncate(state.bodies.len().saturating_sub(since));
        Fingerprints::of(&state)
    }

    fn push(&mut self, engine: &dyn Engine, input: Input) {
        if self.ended.is_some() {
            return;
        }
        if self.recording.rows.len() == Recording::MAX_ROWS {
            return self.end((engine.steps(), Some(self.fingerprints(engine))), "it is full");
        }
        self.recording.rows.push(Row { step: engine.steps(), time: engine.time(), input });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sph_commands::engine;
    use sph_core::Push;

    #[test]
    fn a_full_recording_ends_before_the_hand_that_finds_no_room() {
        const SCENE: &str =
            "format = 1\ndimensions = 2\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [0.0, 0.0]\nmax = [0.5, 0.5]\n";
        let scene = sph_io::parse(SCENE, "small", &[]).unwrap();
        let mut engine = engine::start(&scene.setup).unwrap();
        let mut recorder = Recorder::new("small", &*engine);
        recorder.begin_step(&*engine, None);
        assert_eq!(engine.step().error, None);
        (0..Recording::MAX_ROWS).for_each(|_| recorder.add(&*engine, &Input::OffCurve(Vec::new())));
        recorder.begin_step(&*engine, None);
        assert_eq!(engine.step().error, None);
        assert_eq!(recorder.finished(&*engine).1, None, "it goes on while nothing changes");
        let before = Fingerprints::of(&engine.snapshot());
        let push = Push { center: Vec3::new(0.2, 0.2, 0.0), radius: 0.3, strength: 40.0, drag: 2.0, velocity: Vec3::X };
        recorder.begin_step(&*engine, Some(Hand::Push(push)));
        engine.apply_hand(&Hand::Push(push)).unwrap();
        assert_ne!(Fingerprints::of(&engine.snapshot()), before, "the hand acts");
        recorder.add_hand(&*engine, Some(Hand::Push(push)));
        assert_eq!(engine.step().error, None);
        let (recording, reason) = recorder.finished(&*engine);
        assert_eq!((recording.end, reason), (Some((2, Some(before))), Some("it is full")));
        assert_eq!(recording.rows.len(), Recording::MAX_ROWS);
    }
}
