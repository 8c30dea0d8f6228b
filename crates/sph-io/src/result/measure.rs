//! Figures of a result: medians over steps, the machine, the date.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Iterations, Measured, SearchFigures, Source, StepTimes};
use serde::{Deserialize, Serialize};
use sph_core::{Memory, Phase, Simd, StepStats};
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// Machine and the part of it that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Name of the processor.
    pub processor: String,
    /// Logical cores.
    pub cores: u64,
    /// Threads of the simulation.
    pub threads: u64,
    /// Vector instructions that were used.
    pub vector_instructions: String,
    /// Architecture: `x86_64`.
    pub architecture: String,
    /// Operating system with its version.
    pub system: String,
}

impl Machine {
    /// This machine, with a simulation on `threads` threads.
    pub fn present(threads: usize) -> Self {
        let kinds = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
        let system = System::new_with_specifics(kinds);
        let processor = system.cpus().first().map(|core| core.brand().trim().to_owned()).filter(|name| !name.is_empty());
        Self {
            processor: processor.unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from) as u64,
            threads: threads as u64,
            vector_instructions: Simd::best().name().to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            system: System::long_os_version().unwrap_or_else(|| std::env::consts::OS.to_owned()),
        }
    }
}

impl StepTimes {
    /// Those of `times`, which are sorted here; zeros if there are none.
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let Some(last) = times.len().checked_sub(1) else { return Self::default() };
        let quantile = |rank: f64| times[(rank * last as f64).round() as usize].as_nanos() as f64 / 1e6;
        Self { median_ms: quantile(0.5), fastest_ms: quantile(0.0), p90_ms: quantile(0.9) }
    }
}

impl Measured {
    /// Figures of `steps`, the oldest first, of a simulation with so many boundary particles and this memory now; `None` without steps.
    pub fn of<'s>(
        by: Source,
        steps: impl ExactSizeIterator<Item = &'s StepStats> + Clone,
        boundary_particles: usize,
        memory: &Memory,
    ) -> Option<Self> {
        let last = steps.clone().last()?;
        let times = |time: &dyn Fn(&StepStats) -> Duration| StepTimes::of(steps.clone().map(time).collect());
        let iterations = |count: &dyn Fn(&StepStats) -> u32| {
            let mut counts: Vec<u32> = steps.clone().map(count).collect();
            counts.sort_unstable();
            counts[counts.len() / 2]
        };
        let (occupancy, tally) = (&last.search.occupancy, last.search.tally);
        Some(Self {
            by,
            steps: steps.len() as u64,
            last_step: last.step,
            time: rounded(last.time),
            particles: last.particles as u64,
            boundary_particles: boundary_particles as u64,
            step: times(&|stats| stats.phases.total()),
            phases: Phase::ALL.map(|phase| (phase.name().to_owned(), times(&|stats| stats.phases[phase]))).into(),
            iterations: Iterations {
                density: iterations(&|stats| stats.density_solve.iterations),
                divergence: iterations(&|stats| stats.divergence_solve.iterations),
            },
            search: SearchFigures {
                candidates: tally.candidates,
                neighbors: tally.neighbors,
                table_size: occupancy.table_size as u64,
                occupied_cells: occupancy.occupied_cells as u64,
                occupied_buckets: occupancy.occupied_buckets as u64,
                load_factor: rounded(occupancy.load_factor()),
                cells_in_collision: occupancy.cells_in_collision as u64,
                hash_quality: rounded(occupancy.hash_quality()),
                longest_bucket: occupancy.longest_bucket as u64,
                spills: occupancy.spills as u64,
                bytes: occupancy.bytes as u64,
                build_ms: times(&|stats| stats.search.build).median_ms,
                query_ms: times(&|stats| stats.search.query).median_ms,
            },
            memory: memory.parts().iter().map(|(name, bytes)| ((*name).to_owned(), *bytes as u64)).collect(),
        })
    }
}

/// A figure to nine digits after the point: the parser of JSON reads what is so short as it was written.
fn rounded(value: f64) -> f64 {
    (1e9 * value).round() / 1e9
}

/// Date and time of day, UTC, by ISO 8601; times before 1970 are its start.
pub(super) fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_times() {
        let times = StepTimes::of([5, 1, 4, 2, 3].map(Duration::from_millis).into());
        assert_eq!(times, StepTimes { median_ms: 3.0, fastest_ms: 1.0, p90_ms: 5.0 });
        assert_eq!(StepTimes::of(vec![Duration::from_millis(7)]).median_ms, 7.0);
        assert_eq!(StepTimes::of(Vec::new()), StepTimes::default());
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        // By `date -u -d @…`.
        let dates = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ];
        for (seconds, date) in dates {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), date);
        }
    }
}
