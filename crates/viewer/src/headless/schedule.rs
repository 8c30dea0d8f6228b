//! When frames are due: frame k at the first step at or after k intervals of simulated time.
//!
//! The steps are not cut to fall on the frames, so that a run computes the same whether or not it is watched.

use std::ops::Range;

/// A clock that yields every frame number once.
#[derive(Clone, Debug)]
pub struct Schedule {
    interval: f64,
    next: u64,
}

impl Schedule {
    /// A frame each `interval` seconds of simulated time (positive), the first at 0.
    pub fn every(interval: f64) -> Self {
        Self { interval, next: 0 }
    }

    /// The frames that have become due by `time` s: mostly none or one; several when a step was longer than the interval,
    /// so that a frame's number always tells its time.
    pub fn due(&mut self, time: f64) -> Range<u64> {
        let begin = self.next;
        while self.next as f64 * self.interval <= time {
            self.next += 1;
        }
        begin..self.next
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn frames_are_due_at_the_first_step_at_or_after_their_time() {
        let mut schedule = Schedule::every(0.25);
        assert_eq!(schedule.due(0.0), 0..1);
        assert_eq!(schedule.due(0.2), 1..1);
        assert_eq!(schedule.due(0.25), 1..2);
        assert_eq!(schedule.due(0.49), 2..2);
        assert_eq!(schedule.due(0.51), 2..3);
    }

    #[test]
    fn a_long_step_makes_every_frame_it_passed_due() {
        let mut schedule = Schedule::every(0.25);
        assert_eq!(schedule.due(1.1), 0..5);
        assert_eq!(schedule.due(1.1), 5..5);
    }
}
