//! What the last seconds cost, thinned out for plots.

use sph_core::{Phase, StepStats};
use std::collections::VecDeque;
use std::time::Duration;

/// Running time that a sample averages over at least, s. Steps longer than this have a sample each.
const SAMPLE_SECONDS: f64 = 0.05;

/// Samples kept: at least twelve seconds of running time.
const CAPACITY: usize = 240;

/// Means over a few steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Running time at the end of the sample, s: wall-clock time without the pauses.
    pub seconds: f64,
    /// Wall-clock time of each phase of a step, ms, in the order of [`Phase::ALL`].
    pub phase_ms: [f32; Phase::ALL.len()],
    /// Distances tested for each neighbour found.
    pub candidates_per_neighbor: f32,
    /// Occupied cells / table size.
    pub load_factor: f32,
}

/// Samples of the last seconds, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    samples: VecDeque<Sample>,
    /// Sums of the sample in the making, and how many steps and seconds they stand for.
    sums: Sample,
    steps: u32,
    seconds: f64,
}

impl History {
    /// The samples, the oldest first.
    pub fn samples(&self) -> impl ExactSizeIterator<Item = &Sample> + DoubleEndedIterator + Clone {
        self.samples.iter()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a step that ended `elapsed` of running time after the one before.
    pub fn add(&mut self, stats: &StepStats, elapsed: Duration) {
        for (sum, phase) in self.sums.phase_ms.iter_mut().zip(Phase::ALL) {
            *sum += 1e3 * stats.phases[phase].as_secs_f32();
        }
        self.sums.candidates_per_neighbor += stats.search.candidates_per_neighbor() as f32;
        self.sums.load_factor += stats.search.occupancy.load_factor() as f32;
        self.steps += 1;
        self.seconds += elapsed.as_secs_f64();
        if self.seconds >= SAMPLE_SECONDS {
            self.complete_sample();
        }
    }

    fn complete_sample(&mut self) {
        let scale = 1.0 / self.steps as f32;
        let start = self.samples.back().map_or(0.0, |sample| sample.seconds);
        if self.samples.len() == CAPACITY {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample {
            seconds: start + self.seconds,
            phase_ms: self.sums.phase_ms.map(|sum| sum * scale),
            candidates_per_neighbor: self.sums.candidates_per_neighbor * scale,
            load_factor: self.sums.load_factor * scale,
        });
        self.sums = Sample::default();
        self.steps = 0;
        self.seconds = 0.0;
    }
}
