//! The recording of a session: the user's hands and changes of parameters since the scene was started.

use sph_core::{Engine, Hand};
use sph_io::{Change, Fingerprints, Recording, Row, fingerprint};

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

    /// Records the parameters of `engine`, which have been set.
    pub(super) fn add_parameters(&mut self, engine: &dyn Engine) {
        self.push(engine, Change::Parameters(Box::new(*engine.parameters())));
    }

    /// Records the keys off their curves, which have been set.
    pub(super) fn add_off_curve(&mut self, engine: &dyn Engine) {
        self.push(engine, Change::OffCurve(engine.off_curve().to_vec()));
    }

    /// Records the bodies that have been dropped into `engine` at its present state.
    pub(super) fn add_drops(&mut self, engine: &dyn Engine) {
        self.go_back(engine);
        self.add_missing_drops(engine);
    }

    /// Removes the record of the body that was dropped last, at the present state of `engine`.
    pub(super) fn take_back_drop(&mut self, engine: &dyn Engine) {
        let is_last = |row: &Row| row.step == engine.steps() && matches!(row.change, Change::Drop(_));
        let last = self.recording.rows.iter().rposition(is_last).filter(|_| self.ended.is_none());
        last.map(|index| self.recording.rows.remove(index));
    }

    fn add_missing_drops(&mut self, engine: &dyn Engine) {
        let rows = self.recording.rows.iter().filter(|row| matches!(row.change, Change::Drop(_))).count();
        let missing = engine.view().dropped.iter().skip(self.dropped + rows);
        missing.for_each(|dropped| self.push(engine, Change::Drop(*dropped)));
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

    /// Replaces the rows from the present step of `engine` on, if it has been recorded before, by what is in force.
    fn go_back(&mut self, engine: &dyn Engine) {
        let step = engine.steps();
        if step < self.next && !self.is_after_end(engine) {
            self.recording.rows.retain(|row| row.step < step);
            self.recording.end = None;
            self.ended = None;
            let mut hands = self.recording.rows.iter().rev().filter_map(|row| match &row.change {
                Change::Hand(hand) => Some(*hand),
                Change::Parameters(_) | Change::OffCurve(_) | Change::Drop(_) => None,
            });
            self.hand = hands.next().flatten();
            self.add_off_curve(engine);
            self.add_parameters(engine);
            self.add_missing_drops(engine);
            self.next = step;
        }
    }

    /// True if the recording has ended before the next step of `engine`.
    fn is_after_end(&self, engine: &dyn Engine) -> bool {
        self.recording.end.is_some_and(|(end, _)| end <= engine.steps())
    }

    /// Records the hand of the next step, unless it is that of the last.
    pub(super) fn add_hand(&mut self, engine: &dyn Engine, hand: Option<Hand>) {
        if hand != self.hand {
            self.hand = hand;
            self.push(engine, Change::Hand(hand));
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
        let rows = self.recording.rows.iter().filter(|row| row.step < state.steps);
        let before = self.dropped + rows.filter(|row| matches!(row.change, Change::Drop(_))).count();
        let since = state.dropped.len().saturating_sub(before);
        state.bodies.truncate(state.bodies.len().saturating_sub(since));
        Fingerprints::of(&state)
    }

    fn push(&mut self, engine: &dyn Engine, change: Change) {
        if self.ended.is_some() {
            return;
        }
        if self.recording.rows.len() == Recording::MAX_ROWS {
            return self.end((engine.steps(), Some(self.fingerprints(engine))), "it is full");
        }
        self.recording.rows.push(Row { step: engine.steps(), time: engine.time(), change });
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
        (0..Recording::MAX_ROWS).for_each(|_| recorder.add_off_curve(&*engine));
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
