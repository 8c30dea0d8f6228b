//! Wall-clock times of steps and of their phases.

use serde_json::{Value, json};
use sph_core::{Phase, StepStats};
use std::time::Duration;

/// Wall-clock times of many steps, sorted.
#[derive(Debug)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn of(measured: &[StepStats], time: impl Fn(&StepStats) -> Duration) -> Self {
        let mut times: Vec<Duration> = measured.iter().map(time).collect();
        times.sort_unstable();
        Self(times)
    }

    /// Quantile of the times, ms: `rank` 0 is the fastest, 0.5 the median. There must be at least one step.
    pub fn quantile(&self, rank: f64) -> f64 {
        self.0[(rank * (self.0.len() - 1) as f64).round() as usize].as_nanos() as f64 / 1e6
    }

    pub fn json(&self, particles: usize) -> Value {
        let median = self.quantile(0.5);
        json!({
            "median_ms": median,
            "fastest_ms": self.quantile(0.0),
            "p90_ms": self.quantile(0.9),
            "ns_per_particle": 1e6 * median / particles as f64,
        })
    }

    pub fn row(&self, name: &str, step: f64, particles: usize) -> String {
        let median = self.quantile(0.5);
        let share = 100.0 * median / step.max(1e-9);
        let nanoseconds = 1e6 * median / particles as f64;
        let (fastest, p90) = (self.quantile(0.0), self.quantile(0.9));
        format!("{name:<12}{median:>10.3}{share:>8.1}{nanoseconds:>14.1}{fastest:>12.3}{p90:>10.3}")
    }
}

/// The times of each phase and of whole steps.
pub struct Costs {
    pub phases: Vec<(Phase, Times)>,
    pub step: Times,
}

impl Costs {
    pub fn of(measured: &[StepStats]) -> Self {
        Self {
            phases: Phase::ALL.map(|phase| (phase, Times::of(measured, |stats| stats.phases[phase]))).into(),
            step: Times::of(measured, |stats| stats.phases.total()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_sorted_times() {
        let times = Times((1..=5).map(Duration::from_millis).collect());
        assert_eq!(times.quantile(0.0), 1.0);
        assert_eq!(times.quantile(0.5), 3.0);
        assert_eq!(times.quantile(0.9), 5.0);
        assert_eq!(Times(vec![Duration::from_millis(7)]).quantile(0.5), 7.0);
    }
}
