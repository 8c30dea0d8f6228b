//! What the last seconds cost, thinned out for plots.

use sph_core::{Phase, StepStats};
use std::collections::VecDeque;
use std::time::Duration;

/// Running time that a sample averages over at least, s. Steps longer than this have a sample each.
const SAMPLE_SECONDS: f64 = 0.05;

/// Samples kept: at least twelve seconds of running time.
const CAPACITY: usize = 240;

/// Means over a few steps, unless a field says otherwise.
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
    /// Cells that hold a particle.
    pub occupied_cells: f32,
    /// Occupied cells that share their bucket with another.
    pub cells_in_collision: f32,
    /// Wall-clock time of the fluid's own search, without the walls: registering, ms.
    pub build_ms: f32,
    /// And filling the lists, ms.
    pub query_ms: f32,
    /// Particles in the fullest bucket: the most of these steps, for a mean would hide a spike.
    pub longest_bucket: f32,
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
        self.sums.build_ms += 1e3 * stats.search.build.as_secs_f32();
        self.sums.query_ms += 1e3 * stats.search.query.as_secs_f32();
        let occupancy = &stats.search.occupancy;
        self.sums.load_factor += occupancy.load_factor() as f32;
        self.sums.occupied_cells += occupancy.occupied_cells as f32;
        self.sums.cells_in_collision += occupancy.cells_in_collision as f32;
        self.sums.longest_bucket = self.sums.longest_bucket.max(occupancy.longest_bucket as f32);
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
            occupied_cells: self.sums.occupied_cells * scale,
            cells_in_collision: self.sums.cells_in_collision * scale,
            build_ms: self.sums.build_ms * scale,
            query_ms: self.sums.query_ms * scale,
            longest_bucket: self.sums.longest_bucket,
        });
        self.sums = Sample::default();
        self.steps = 0;
        self.seconds = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a real step, with these numbers in place of its own.
    fn stats(longest_bucket: usize, occupied_cells: usize, cells_in_collision: usize) -> StepStats {
        let text =
            "format = 1\ndimensions = 2\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0.0, 0.0]\nmax = [0.3, 0.3]\n";
        let scene = sph_io::parse(text, "drop", &[]).expect("the scene is well-formed");
        let mut stats = sph_core::Simulation::new(&scene.setup).expect("the scene can be simulated").step();
        let occupancy = &mut stats.search.occupancy;
        (occupancy.table_size, occupancy.longest_bucket) = (100, longest_bucket);
        (occupancy.occupied_cells, occupancy.cells_in_collision) = (occupied_cells, cells_in_collision);
        stats.search.build = Duration::from_millis(longest_bucket as u64);
        stats.search.query = Duration::from_millis(occupied_cells as u64);
        stats
    }

    #[test]
    fn a_sample_is_the_mean_of_its_steps_with_the_longest_bucket_of_all() {
        let mut history = History::default();
        history.add(&stats(9, 50, 10), Duration::from_millis(20));
        assert_eq!(history.samples().len(), 0);
        history.add(&stats(4, 70, 30), Duration::from_millis(40));
        let sample = *history.samples().next().expect("60 ms make a sample");
        assert_eq!((sample.longest_bucket, sample.occupied_cells, sample.cells_in_collision), (9.0, 60.0, 20.0));
        assert!((sample.load_factor - 0.6).abs() < 1e-6 && (sample.seconds - 0.06).abs() < 1e-9);
        assert_eq!((sample.build_ms, sample.query_ms), (6.5, 60.0));
        // The next sample starts afresh.
        history.add(&stats(2, 10, 0), Duration::from_millis(60));
        assert_eq!(history.samples().last().map(|sample| sample.longest_bucket), Some(2.0));
    }

    #[test]
    fn the_oldest_samples_go() {
        let mut history = History::default();
        for _ in 0..CAPACITY + 10 {
            history.add(&stats(1, 1, 0), Duration::from_secs(1));
        }
        assert_eq!(history.samples().len(), CAPACITY);
        assert_eq!(history.samples().next().map(|sample| sample.seconds), Some(11.0));
    }
}
