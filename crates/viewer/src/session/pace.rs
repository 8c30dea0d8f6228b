//! Speed of the simulation, and the bound on it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Bound on simulated seconds per second of wall-clock time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedLimit {
    /// This many simulated seconds per second; positive.
    Times(f32),
    /// As fast as the machine can.
    Unlimited,
}

impl SpeedLimit {
    /// The choices that the window offers.
    pub const ALL: [Self; 8] = [
        Self::Times(0.1),
        Self::Times(0.25),
        Self::Times(0.5),
        Self::Times(1.0),
        Self::Times(2.0),
        Self::Times(4.0),
        Self::Times(10.0),
        Self::Unlimited,
    ];
}

impl Default for SpeedLimit {
    /// Real time.
    fn default() -> Self {
        Self::Times(1.0)
    }
}

/// Measured speed of the simulation, over about the last second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Steps per second.
    pub steps_per_second: f64,
    /// Simulated seconds per second.
    pub speed: f64,
}

// Speed limit and speed measurement of the simulation.

/// Lag behind the clock that is caught up, s; after a longer one a slow simulation would race once it gets lighter.
const MAX_LAG: f64 = 0.05;

/// Keeps simulated time from running ahead of the clock.
#[derive(Debug)]
pub(in crate::session) struct Pacer {
    limit: SpeedLimit,
    /// An instant, and the simulated time (s) at it.
    anchor: Option<(Instant, f64)>,
}

impl Pacer {
    pub(in crate::session) fn new(limit: SpeedLimit) -> Self {
        Self { limit, anchor: None }
    }

    pub(in crate::session) fn limit(&self) -> SpeedLimit {
        self.limit
    }

    /// Restarts: after a pause, a jump in simulated time, or another limit.
    pub(in crate::session) fn restart(&mut self, limit: SpeedLimit) {
        *self = Self::new(limit);
    }

    /// Time to wait before the step that starts at simulated `time` (s).
    pub(in crate::session) fn wait(&mut self, now: Instant, time: f64) -> Duration {
        let SpeedLimit::Times(speed) = self.limit else { return Duration::ZERO };
        let (start, start_time) = *self.anchor.get_or_insert((now, time));
        let ahead = (time - start_time) / f64::from(speed) - (now - start).as_secs_f64();
        if ahead < -MAX_LAG {
            self.anchor = Some((now, time));
        }
        Duration::try_from_secs_f64(ahead.max(0.0)).unwrap_or(Duration::ZERO)
    }
}

/// Measures [`Rates`].
#[derive(Debug, Default)]
pub(in crate::session) struct RateMeter {
    /// End of each step of the last second, and the simulated time (s) at it.
    ends: VecDeque<(Instant, f64)>,
}

impl RateMeter {
    /// Discards the measurements: after a pause or a jump in simulated time.
    pub(in crate::session) fn clear(&mut self) {
        self.ends.clear();
    }

    pub(in crate::session) fn add(&mut self, now: Instant, time: f64) {
        self.ends.push_back((now, time));
        // At least two ends are kept, however slow the steps are.
        while self.ends.len() > 2 && now - self.ends[0].0 > Duration::from_secs(1) {
            self.ends.pop_front();
        }
    }

    pub(in crate::session) fn rates(&self) -> Rates {
        let (Some(first), Some(last)) = (self.ends.front(), self.ends.back()) else { return Rates::default() };
        let seconds = (last.0 - first.0).as_secs_f64();
        if seconds <= 0.0 {
            return Rates::default();
        }
        Rates { steps_per_second: (self.ends.len() - 1) as f64 / seconds, speed: (last.1 - first.1) / seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_as_the_limit_demands() {
        let mut pacer = Pacer::new(SpeedLimit::Times(0.5));
        let start = Instant::now();
        assert_eq!(pacer.wait(start, 3.0), Duration::ZERO);
        assert_eq!(pacer.wait(start, 3.25), Duration::from_millis(500));
        assert_eq!(pacer.wait(start + Duration::from_millis(400), 3.25), Duration::from_millis(100));
        pacer.restart(SpeedLimit::Unlimited);
        assert_eq!(pacer.wait(start, 9.0), Duration::ZERO);
    }

    #[test]
    fn a_long_lag_is_not_caught_up() {
        let mut pacer = Pacer::new(SpeedLimit::Times(1.0));
        let start = Instant::now();
        pacer.wait(start, 0.0);
        let late = start + Duration::from_secs(5);
        assert_eq!(pacer.wait(late, 0.1), Duration::ZERO);
        assert_eq!(pacer.wait(late, 0.2), Duration::from_millis(100));
    }

    #[test]
    fn rates_are_those_of_the_last_second() {
        let mut meter = RateMeter::default();
        let start = Instant::now();
        for step in 0..=40 {
            meter.add(start + Duration::from_millis(50 * step), 0.01 * step as f64);
        }
        let Rates { steps_per_second, speed } = meter.rates();
        assert!((steps_per_second - 20.0).abs() < 0.1 && (speed - 0.2).abs() < 1e-3, "{steps_per_second} {speed}");
    }
}
