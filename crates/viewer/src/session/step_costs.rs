//! Histories of the last seconds' steps for plots: their cost, their length, and their pressure solve.

use std::collections::VecDeque;
use std::time::Duration;

use sph_core::neighbors::{GridParameters, SearchStats};
use sph_core::{Phase, StepStats, TimeStepLimit};

// Cost of the last seconds' steps, downsampled for plots.

/// Least running time that a sample averages over, s. Steps longer than this have a sample each.
const SAMPLE_SECONDS: f64 = 0.05;

/// Number of samples kept: at least twelve seconds of running time.
const CAPACITY: usize = 240;

/// Running time that [`StepCosts::recent`] covers, s.
const RECENT: f64 = 2.0;

/// Running time that [`StepCosts::last_second`] covers, s.
const SECOND: f64 = 1.0;

/// Means over a few steps with one grid, unless a field says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Running time at the end of the sample, s: wall-clock time without the pauses.
    pub seconds: f64,
    /// The grid of these steps; `None` if there were none.
    pub grid: Option<GridParameters>,
    /// Wall-clock time of each phase of a step, ms, in the order of [`Phase::ALL`].
    pub phase_ms: [f32; Phase::ALL.len()],
    /// Distances tested per neighbour found.
    pub candidates_per_neighbor: f32,
    /// Occupied cells / table size.
    pub load_factor: f32,
    /// Cells that hold a particle.
    pub occupied_cells: f32,
    /// Occupied cells that share their bucket with another.
    pub cells_in_collision: f32,
    /// Wall-clock time of registering the points of the fluid's own search (without the walls), ms.
    pub build_ms: f32,
    /// Wall-clock time of filling the lists of the fluid's own search, ms.
    pub query_ms: f32,
    /// Particles in the fullest bucket: maximum over these steps, because a mean would hide a spike.
    pub longest_bucket: f32,
    /// Length and pressure solve of these steps: sums.
    pub stepping: Stepping,
}

impl Sample {
    /// Time to build the structure of the search and to fill its lists.
    pub fn search_time(&self) -> Duration {
        Duration::from_secs_f32(1e-3 * (self.build_ms + self.query_ms).max(0.0))
    }
}

/// Samples of the last seconds, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct StepCosts {
    samples: VecDeque<Sample>,
    /// Sums of the sample that is not complete yet, with its number of steps and its running time, s.
    sums: Sample,
    steps: u32,
    seconds: f64,
}

impl StepCosts {
    /// The samples, the oldest first.
    pub fn samples(&self) -> impl ExactSizeIterator<Item = &Sample> + DoubleEndedIterator + Clone {
        self.samples.iter()
    }

    /// Medians of the last two seconds with the grid of the latest sample (the longest bucket: the maximum); `None` if there is
    /// no sample. Medians, because a single interruption by another program would dominate a mean.
    pub fn recent(&self) -> Option<Sample> {
        self.recent_of(self.samples.back()?.grid?)
    }

    /// The same for another grid: the last two seconds with it. Going back in time brings back a grid that is not of the latest sample.
    pub fn recent_of(&self, grid: GridParameters) -> Option<Sample> {
        let latest = self.samples.iter().rev().find(|sample| sample.grid == Some(grid))?;
        let is_recent = |sample: &&Sample| sample.grid == latest.grid && latest.seconds - sample.seconds < RECENT;
        let samples: Vec<&Sample> = self.samples.iter().filter(is_recent).collect();
        Some(Sample {
            phase_ms: std::array::from_fn(|phase| median(&samples, |sample| sample.phase_ms[phase])),
            candidates_per_neighbor: median(&samples, |sample| sample.candidates_per_neighbor),
            load_factor: median(&samples, |sample| sample.load_factor),
            occupied_cells: median(&samples, |sample| sample.occupied_cells),
            cells_in_collision: median(&samples, |sample| sample.cells_in_collision),
            build_ms: median(&samples, |sample| sample.build_ms),
            query_ms: median(&samples, |sample| sample.query_ms),
            longest_bucket: samples.iter().fold(0.0, |most, sample| sample.longest_bucket.max(most)),
            ..*latest
        })
    }

    /// Length and pressure solve of the steps of the last second of running time, or of the latest sample if that is longer.
    pub fn last_second(&self) -> Stepping {
        let latest = self.samples.back().map_or(0.0, |sample| sample.seconds);
        let mut sum = Stepping::default();
        for sample in self.samples.iter().rev().take_while(|sample| latest - sample.seconds < SECOND) {
            sum.merge(&sample.stepping);
        }
        sum
    }

    /// Removes all samples.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a step that ended `elapsed` of running time after the one before, with the search of the fluid.
    pub fn add(&mut self, stats: &StepStats, elapsed: Duration) {
        self.add_search(&stats.search, stats, elapsed);
    }

    /// Adds a step that ended `elapsed` of running time after the one before, with one of its searches.
    pub fn add_search(&mut self, search: &SearchStats, stats: &StepStats, elapsed: Duration) {
        let grid = Some(search.parameters);
        if self.sums.grid != grid {
            // A sample holds the cost of one grid only.
            self.sums = Sample { grid, ..Sample::default() };
            self.steps = 0;
        }
        for (sum, phase) in self.sums.phase_ms.iter_mut().zip(Phase::ALL) {
            *sum += 1e3 * stats.phases[phase].as_secs_f32();
        }
        self.sums.candidates_per_neighbor += search.candidates_per_neighbor() as f32;
        self.sums.build_ms += 1e3 * search.build.as_secs_f32();
        self.sums.query_ms += 1e3 * search.query.as_secs_f32();
        let occupancy = &search.occupancy;
        self.sums.load_factor += occupancy.load_factor() as f32;
        self.sums.occupied_cells += occupancy.occupied_cells as f32;
        self.sums.cells_in_collision += occupancy.cells_in_collision as f32;
        self.sums.longest_bucket = self.sums.longest_bucket.max(occupancy.longest_bucket as f32);
        self.sums.stepping.add(stats);
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
            grid: self.sums.grid,
            phase_ms: self.sums.phase_ms.map(|sum| sum * scale),
            candidates_per_neighbor: self.sums.candidates_per_neighbor * scale,
            load_factor: self.sums.load_factor * scale,
            occupied_cells: self.sums.occupied_cells * scale,
            cells_in_collision: self.sums.cells_in_collision * scale,
            build_ms: self.sums.build_ms * scale,
            query_ms: self.sums.query_ms * scale,
            longest_bucket: self.sums.longest_bucket,
            stepping: self.sums.stepping,
        });
        self.sums = Sample::default();
        self.steps = 0;
        self.seconds = 0.0;
    }
}

/// The median of a value over `samples`, the upper one of two; 0 if there are none.
fn median(samples: &[&Sample], value: impl Fn(&Sample) -> f32) -> f32 {
    let mut values: Vec<f32> = samples.iter().map(|sample| value(sample)).collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

// Length of the steps and their pressure solve, as sums over some steps.

/// Limits of the time step, in the order of [`Stepping::limited`].
const LIMITS: [TimeStepLimit; 10] = [
    TimeStepLimit::Sound,
    TimeStepLimit::Force,
    TimeStepLimit::Courant,
    TimeStepLimit::Waves,
    TimeStepLimit::Viscous,
    TimeStepLimit::Capillary,
    TimeStepLimit::Maximum,
    TimeStepLimit::Minimum,
    TimeStepLimit::Fixed,
    TimeStepLimit::Retry,
];

/// Sums over some steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stepping {
    /// Number of steps.
    pub steps: u32,
    /// Number of steps that each limit set the length of, in the order of [`TimeStepLimit`].
    pub limited: [u32; LIMITS.len()],
    /// Simulated time, s.
    pub simulated: f64,
    /// Iterations of the density solves and of the divergence solves.
    pub iterations: [u32; 2],
    /// Sum of the mean relative density errors that the density solves left.
    pub residual: f32,
}

impl Stepping {
    /// Adds a step.
    pub fn add(&mut self, stats: &StepStats) {
        self.steps += 1;
        if let Some(index) = LIMITS.iter().position(|&limit| limit == stats.dt_limit) {
            self.limited[index] += 1;
        }
        self.simulated += f64::from(stats.dt);
        self.iterations[0] += stats.density_solve.iterations;
        self.iterations[1] += stats.divergence_solve.iterations;
        self.residual += stats.density_solve.error;
    }

    /// Adds all steps of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.steps += other.steps;
        for (sum, count) in self.limited.iter_mut().zip(other.limited) {
            *sum += count;
        }
        self.simulated += other.simulated;
        for (sum, count) in self.iterations.iter_mut().zip(other.iterations) {
            *sum += count;
        }
        self.residual += other.residual;
    }

    /// Mean of a sum over the steps; 0 without steps.
    pub fn mean(&self, sum: f64) -> f64 {
        if self.steps == 0 { 0.0 } else { sum / f64::from(self.steps) }
    }

    /// Shares of the limits that set the length of a step, from 0 to 1, the largest first.
    pub fn shares(&self) -> Vec<(TimeStepLimit, f32)> {
        let shares = LIMITS.into_iter().zip(self.limited).filter(|&(_, count)| count > 0);
        let mut shares: Vec<_> = shares.map(|(limit, count)| (limit, count as f32 / self.steps as f32)).collect();
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Statistics of a real step, with these values in place of its own.
    fn stats(longest_bucket: usize, occupied_cells: usize, cells_in_collision: usize) -> StepStats {
        let text =
            "format = 1\ndimensions = 2\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0.0, 0.0]\nmax = [0.3, 0.3]\n";
        let scene = sph_io::parse(text, "drop", &[]).expect("the scene is well-formed");
        let mut stats = sph_commands::engine::start(&scene.setup).expect("the scene can be simulated").step();
        let occupancy = &mut stats.search.occupancy;
        (occupancy.table_size, occupancy.longest_bucket) = (100, longest_bucket);
        (occupancy.occupied_cells, occupancy.cells_in_collision) = (occupied_cells, cells_in_collision);
        stats.search.build = Duration::from_millis(longest_bucket as u64);
        stats.search.query = Duration::from_millis(occupied_cells as u64);
        stats
    }

    #[test]
    fn a_sample_is_the_mean_of_its_steps_with_the_longest_bucket_of_all() {
        let mut history = StepCosts::default();
        history.add(&stats(9, 50, 10), Duration::from_millis(20));
        assert_eq!(history.samples().len(), 0);
        history.add(&stats(4, 70, 30), Duration::from_millis(40));
        let sample = *history.samples().next().expect("60 ms make a sample");
        assert_eq!((sample.longest_bucket, sample.occupied_cells, sample.cells_in_collision), (9.0, 60.0, 20.0));
        assert!((sample.load_factor - 0.6).abs() < 1e-6 && (sample.seconds - 0.06).abs() < 1e-9);
        assert_eq!((sample.build_ms, sample.query_ms), (6.5, 60.0));
        // The next sample starts from zero.
        history.add(&stats(2, 10, 0), Duration::from_millis(60));
        assert_eq!(history.samples().last().map(|sample| sample.longest_bucket), Some(2.0));
    }

    #[test]
    fn recent_numbers_are_medians_of_the_latest_grid() {
        let mut history = StepCosts::default();
        assert_eq!(history.recent(), None);
        let mut add = |table_size: u32, ms: usize, seconds: f64| {
            let mut stats = stats(ms, 1, 0);
            stats.search.parameters.table_size = table_size;
            history.add(&stats, Duration::from_secs_f64(seconds));
            history.recent().map(|recent| (recent.build_ms, recent.longest_bucket))
        };
        add(7, 1, 3.0);
        for ms in [4, 90, 5] {
            add(7, ms, 0.5);
        }
        // The first sample is older than `RECENT`.
        assert_eq!(add(7, 3, 0.5), Some((5.0, 90.0)));
        // A step that completes no sample changes nothing; the next one, of the other grid, is alone in its sample.
        assert_eq!(add(7, 80, 0.02), Some((5.0, 90.0)));
        assert_eq!(add(9, 20, 0.04), Some((20.0, 20.0)));
        let latest = history.samples().last().expect("there are samples");
        assert_eq!(latest.grid.map(|grid| grid.table_size), Some(9));
        assert!((latest.seconds - 5.06).abs() < 1e-9);
    }

    #[test]
    fn the_oldest_samples_are_dropped() {
        let mut history = StepCosts::default();
        for _ in 0..CAPACITY + 10 {
            history.add(&stats(1, 1, 0), Duration::from_secs(1));
        }
        assert_eq!(history.samples().len(), CAPACITY);
        assert_eq!(history.samples().next().map(|sample| sample.seconds), Some(11.0));
    }

    #[test]
    fn shares_add_up_and_the_largest_is_first() {
        let mut one = Stepping { steps: 3, ..Stepping::default() };
        one.limited[2] = 1;
        one.limited[6] = 2;
        let mut sum = Stepping::default();
        assert!(sum.shares().is_empty() && sum.mean(4.0) == 0.0);
        sum.merge(&one);
        sum.merge(&Stepping { steps: 1, limited: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], ..Stepping::default() });
        assert_eq!(sum.shares(), [(TimeStepLimit::Courant, 0.5), (TimeStepLimit::Maximum, 0.5)]);
        assert_eq!(sum.mean(8.0), 2.0);
    }
}
