//! Where the time of a step goes: how long each phase took, and, when somebody wants to know, when it ran.

use super::phase::{Phase, PhaseTimes};
use std::time::{Duration, Instant};

/// A stretch of a step in which one phase ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which phase.
    pub phase: Phase,
    /// When it began, from the beginning of the step.
    pub start: Duration,
    /// How long it ran.
    pub length: Duration,
}

/// A step as a sequence of phases, in the order in which they ran. One that a solver iterates is there once an iteration; the lengths of
/// all spans of a phase add up to its time in [`PhaseTimes`], exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// When the step began.
    pub began: Instant,
    /// How long it took, with what lies between the phases.
    pub length: Duration,
    /// The phases; none overlaps another.
    pub spans: Vec<Span>,
}

/// Measures the phases of one step.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    times: PhaseTimes,
    timeline: Option<Timeline>,
}

impl Clock {
    /// Begins a step. With a timeline, of whatever step, the spans are written into it.
    pub fn start(mut timeline: Option<Timeline>) -> Self {
        if let Some(timeline) = &mut timeline {
            timeline.begin();
        }
        Self { times: PhaseTimes::default(), timeline }
    }

    /// Runs `work` and adds its wall-clock time to `phase`.
    pub fn measure<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add_since(phase, start);
        result
    }

    /// Adds the time since `start` to `phase`.
    pub fn add_since(&mut self, phase: Phase, start: Instant) {
        let length = start.elapsed();
        self.times[phase] += length;
        if let Some(Timeline { began, spans, .. }) = &mut self.timeline {
            spans.push(Span { phase, start: start.duration_since(*began), length });
        }
    }

    /// Ends the step.
    pub fn stop(self) -> (PhaseTimes, Option<Timeline>) {
        let Self { times, mut timeline } = self;
        if let Some(timeline) = &mut timeline {
            timeline.length = timeline.began.elapsed();
        }
        (times, timeline)
    }
}

impl Timeline {
    /// Without a step so far.
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), length: Duration::ZERO, spans: Vec::new() }
    }

    fn begin(&mut self) {
        self.spans.clear();
        self.began = Instant::now();
    }
}
