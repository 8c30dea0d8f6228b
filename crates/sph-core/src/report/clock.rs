//! Timing of a step: the time of each phase and, on request, a timeline.

use std::ops::{Index, IndexMut};
use std::time::{Duration, Instant};

/// Interval of a step in which one phase ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The phase.
    pub phase: Phase,
    /// Start, from the beginning of the step.
    pub start: Duration,
    /// Duration.
    pub length: Duration,
}

/// Timeline of a step: its phases in the order in which they ran. A phase that a solver iterates has one span for each
/// iteration; the lengths of all spans of a phase add up exactly to its time in [`PhaseTimes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseTimeline {
    /// Beginning of the step.
    pub began: Instant,
    /// Duration of the step, time between the phases included.
    pub length: Duration,
    /// Spans in order of time; they do not overlap.
    pub spans: Vec<Span>,
}

/// Measures the phases of one step.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    times: PhaseTimes,
    timeline: Option<PhaseTimeline>,
}

impl Clock {
    /// Begins a step. A given timeline is cleared and reused for the spans of this step.
    pub fn start(mut timeline: Option<PhaseTimeline>) -> Self {
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
        if let Some(PhaseTimeline { began, spans, .. }) = &mut self.timeline {
            spans.push(Span { phase, start: start.duration_since(*began), length });
        }
    }

    /// Ends the step and returns its times.
    pub fn stop(self) -> (PhaseTimes, Option<PhaseTimeline>) {
        let Self { times, mut timeline } = self;
        if let Some(timeline) = &mut timeline {
            timeline.length = timeline.began.elapsed();
        }
        (times, timeline)
    }
}

impl PhaseTimeline {
    /// Empty timeline.
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), length: Duration::ZERO, spans: Vec::new() }
    }

    fn begin(&mut self) {
        self.spans.clear();
        self.began = Instant::now();
    }
}

/// Phases of one step, in the order in which they run; iterative solvers run some of them more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Sorting of the particles by cell.
    Sort,
    /// Update of the fluid's search structure.
    Build,
    /// Lists of the fluid's neighbours in the fluid.
    Query,
    /// Density and equation of state.
    Density,
    /// Walls, bodies and coats: where they are, their neighbour search, and the pressure extrapolated into them.
    Walls,
    /// Viscosity, external forces, and the pressure force of weakly compressible SPH.
    Forces,
    /// Iterations of a pressure solver.
    Pressure,
    /// Motion of the point sets, their search included.
    Points,
    /// Time step, velocities and positions.
    Integrate,
    /// Statistics.
    Statistics,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 10] = [
        Self::Sort,
        Self::Build,
        Self::Query,
        Self::Density,
        Self::Walls,
        Self::Forces,
        Self::Pressure,
        Self::Points,
        Self::Integrate,
        Self::Statistics,
    ];

    /// Name for tables, plots and files: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sort => "sort",
            Self::Build => "build",
            Self::Query => "query",
            Self::Density => "density",
            Self::Walls => "walls",
            Self::Forces => "forces",
            Self::Pressure => "pressure",
            Self::Points => "points",
            Self::Integrate => "integrate",
            Self::Statistics => "statistics",
        }
    }
}

/// Wall-clock time of each phase of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes([Duration; Phase::ALL.len()]);

impl PhaseTimes {
    /// Sum over the phases.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }
}

impl Index<Phase> for PhaseTimes {
    type Output = Duration;
    fn index(&self, phase: Phase) -> &Duration {
        &self.0[phase as usize]
    }
}

impl IndexMut<Phase> for PhaseTimes {
    fn index_mut(&mut self, phase: Phase) -> &mut Duration {
        &mut self.0[phase as usize]
    }
}
