//! Going to other moments, and keeping those that the fluid has been through.

use super::Runner;
use crate::session::thread::playback::{Playback, Seek};
use crate::session::thread::running::Running;
use crate::session::{Goal, Moment, Notice, Request, Subject};
use sph_core::{DroppedBody, Engine, HandError, Input, InputError};
use std::time::{Duration, Instant};

/// Time after which the window sees the steps that lead to a moment, and not only the moment.
const PATIENCE: Duration = Duration::from_millis(150);

/// Kept moments, and the way to one of them.
pub(super) struct TimeTravel {
    pub playback: Playback,
    pub seek: Option<Seek>,
    /// Requests that wait for the end of that way.
    pub deferred: Vec<Request>,
    /// Completed steps in the latest snapshot.
    pub shown_steps: u64,
}

impl TimeTravel {
    pub fn new(playback: Playback) -> Self {
        Self { playback, seek: None, deferred: Vec::new(), shown_steps: 0 }
    }

    /// Begins the history of a scene that has just been started.
    pub fn begin(&mut self, running: &Running) {
        self.seek = None;
        self.deferred.clear();
        self.playback.begin(&*running.engine, running.session_state());
    }
}

fn moment(engine: &dyn Engine) -> Moment {
    Moment { time: engine.time(), steps: engine.steps() }
}

impl Runner {
    /// Goes to another moment from the next turn of the loop on.
    pub(super) fn seek(&mut self, goal: Goal) {
        if self.running.is_some() {
            self.set_playing(false);
            self.travel.deferred.retain(|request| !matches!(request, Request::Play | Request::StepOnce));
            self.travel.seek = Some(Seek { goal, since: Instant::now(), is_under_way: false });
        }
    }

    /// Goes back by `steps`.
    pub(super) fn step_back(&mut self, steps: u64) {
        let Some(running) = &self.running else { return };
        // Of several presses, each counts from where the one before leads.
        let from = match self.travel.seek {
            Some(Seek { goal: Goal::Steps(goal), .. }) => goal,
            // The steps on the way are not what the user sees.
            Some(Seek { goal: Goal::Time(_), .. }) => self.travel.shown_steps,
            None => running.engine.steps(),
        };
        self.seek(Goal::Steps(from.saturating_sub(steps)));
    }

    /// Begins the way to the goal, unless it has begun: from the present state, or from a kept one. Returns true if the next thing to
    /// do is a step.
    pub(super) fn begin_seek(&mut self) -> bool {
        let Some(Seek { goal, is_under_way: false, .. }) = self.travel.seek else { return self.travel.seek.is_some() };
        self.apply_parameters();
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, pool, .. } = self else { return false };
        let present = moment(&*running.engine);
        if !goal.is_after(present) {
            if playback.would_lose(&*running.engine) {
                playback.keep(&*running.engine, running.session_state());
            }
        } else if goal.is_reached(present) {
            self.end_seek();
            return false;
        }
        let base = playback.base(goal);
        let is_known = base.as_ref().is_some_and(|(_, known)| *known == goal);
        if !goal.is_after(present) && !is_known && playback.is_packing() {
            // The moment asked for may be the one that is being packed.
            return false;
        }
        match base {
            // Forwards, a kept moment may be nearer than the present one.
            Some((kept, known)) if !goal.is_after(present) || kept.moment().steps > present.steps => {
                let restored = kept.state.unpack().map_err(anyhow::Error::from);
                if let Err(error) = restored.and_then(|state| Ok(pool.install(|| running.restore(state, &kept.session))?)) {
                    self.publisher.notify(Notice::error("Cannot go to that moment", error.to_string()));
                    self.end_seek();
                    return false;
                }
                playback.went_to(&kept);
                // Nothing is before the start, and nobody misses it.
                if known != goal && (goal.is_after(kept.moment()) || !playback.is_start(kept.moment())) {
                    let details = format!(
                        "The fluid is at the earliest moment from which it can continue, {:.4} s. More memory for the history \
                            reaches further back.",
                        kept.time
                    );
                    self.publisher.notify(Notice::warning("That moment is no longer in the history", details));
                }
                self.inspectors.invalidate();
                self.clocks.restart();
                self.continue_seek(known)
            }
            None if !goal.is_after(present) => {
                let details = "The history has no earlier moment.";
                self.publisher.notify(Notice::warning("That moment is no longer in the history", details));
                self.end_seek();
                false
            }
            _ => self.continue_seek(goal),
        }
    }

    /// Ends the way if the goal is reached; returns true if not.
    fn continue_seek(&mut self, goal: Goal) -> bool {
        let Self { running: Some(running), travel: TimeTravel { seek: Some(seek), .. }, .. } = self else { return false };
        (seek.goal, seek.is_under_way) = (goal, true);
        let reached = goal.is_reached(moment(&*running.engine));
        if reached {
            self.complete_moment();
            self.end_seek();
        }
        !reached
    }

    /// True on the way to a known moment, or through known ones: steps are repeated, not made.
    pub(super) fn is_replaying(&self) -> bool {
        let (Some(seek), Some(running)) = (&self.travel.seek, &self.running) else { return false };
        self.travel.playback.is_past(&*running.engine) || !seek.goal.is_after(self.travel.playback.last_moment())
    }

    fn end_seek(&mut self) {
        self.travel.seek = None;
        self.changed = true;
        self.publish();
    }

    /// Applies the inputs that were made before the present step the first time. They were taken then, so that nothing is refused.
    fn repeat_inputs(&mut self) {
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, pool, .. } = self else { return };
        while let Some(input) = playback.next_input(&*running.engine) {
            let _ = running.apply(&input, pool);
        }
    }

    /// Applies the inputs that are a part of the present moment.
    fn complete_moment(&mut self) {
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, pool, .. } = self else { return };
        while let Some(input) = playback.next_input_of_moment(&*running.engine) {
            let _ = running.apply(&input, pool);
        }
    }

    /// Prepares a step: one that was made before has the same inputs before it, and one that begins something new drops what came
    /// later, and lets the hand act.
    pub(super) fn enter_step(&mut self) {
        let has_hand = self.running.as_ref().is_some_and(Running::has_hand);
        if self.playing || self.travel.seek.is_none() && has_hand {
            self.fork();
        }
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, pool, .. } = self else { return };
        if playback.is_past(&*running.engine) {
            return self.repeat_inputs();
        }
        if playback.is_changed_start(&*running.engine) {
            playback.keep(&*running.engine, running.session_state());
        }
        match running.begin_step(pool) {
            Ok(None) => {}
            Ok(hand) => playback.record(&*running.engine, Input::Hand(hand)),
            Err(error) => self.publisher.notify(Notice::warning("The tool was released", error.to_string())),
        }
    }

    /// Drops what is later than the present state, in the curves over time too.
    fn fork(&mut self) {
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, .. } = self else { return };
        if playback.is_past(&*running.engine) {
            playback.fork(&*running.engine);
            running.forget_later_readings();
        }
    }

    /// Applies an input as a part of the present moment; what is later is dropped.
    ///
    /// # Errors
    /// The engine refuses it; nothing has changed then.
    fn apply(&mut self, input: Input) -> Result<(), InputError> {
        let Self { running: Some(running), pool, .. } = self else { return Ok(()) };
        running.apply(&input, pool)?;
        self.log(input);
        Ok(())
    }

    /// Adds an input that has been applied to the present state to both logs, that of this history and that of the recording.
    fn log(&mut self, input: Input) {
        self.fork();
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, .. } = self else { return };
        running.record(&input);
        playback.record(&*running.engine, input);
    }

    /// Adds the parameters in force to both logs.
    pub(super) fn log_parameters(&mut self) {
        if let Some(running) = &self.running {
            self.log(Input::Parameters(Box::new(*running.engine.parameters())));
        }
    }

    /// Takes note of an accepted step.
    pub(super) fn leave_step(&mut self) {
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, .. } = self else { return };
        if playback.is_due(&*running.engine) {
            playback.keep(&*running.engine, running.session_state());
        }
        self.complete_moment();
        if let Some(Seek { goal, .. }) = self.travel.seek {
            self.continue_seek(goal);
        }
    }

    /// True if the window should not see the present state yet: it is on the way to another.
    pub(super) fn hides_steps(&self) -> bool {
        let is_past = self.running.as_ref().is_some_and(|running| self.travel.playback.is_past(&*running.engine));
        is_past && self.travel.seek.is_some_and(|seek| seek.since.elapsed() < PATIENCE)
    }

    /// Drops a body at the place wanted, or at the first free one above, as a part of the present moment.
    pub(super) fn drop_body(&mut self, wanted: DroppedBody) {
        self.apply_parameters();
        let Some(running) = &self.running else { return };
        let placed = running.place(wanted);
        match self.apply(Input::Drop(placed)) {
            Ok(()) => self.inspectors.invalidate(),
            Err(error) => {
                let reason = match error {
                    InputError::Hand(HandError::NoRoom { obstacle }) => format!("It would be {obstacle}."),
                    error => error.to_string(),
                };
                self.publisher.notify(Notice::warning("The body cannot be dropped there", reason).about(Subject::Drop));
            }
        }
    }

    /// Takes back the body that was dropped last, if that is the last that has happened: the present state is then what it was before. Forces on
    /// walls and bodies, which are read from the last step and are no part of a state, return with the next one.
    pub(super) fn take_back_body(&mut self) {
        self.apply_parameters();
        let Self { running: Some(running), travel: TimeTravel { playback, .. }, pool, .. } = self else { return };
        if !playback.has_dropped_last(&*running.engine) {
            let details = "A dropped body can be taken back until the next step or change. Rewinding to a moment \
                before it removes it too: click on the timeline.";
            let title = "There is no dropped body to take back now";
            return self.publisher.notify(Notice::info(title).with(details).about(Subject::Undo));
        }
        if let Err(error) = running.take_back_drop(pool) {
            let title = "The dropped body cannot be taken back";
            return self.publisher.notify(Notice::error(title, error.to_string()).about(Subject::Undo));
        }
        playback.take_back(&*running.engine, running.session_state());
        self.inspectors.invalidate();
    }

    /// Takes the parameters with these keys off their curves, and puts all others on theirs.
    pub(super) fn set_off_curve(&mut self, keys: Vec<&'static str>) {
        // No engine refuses it.
        let _ = self.apply(Input::OffCurve(keys));
    }
}
