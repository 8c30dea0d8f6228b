//! Schedule of frames: frame k is due at the first step at or after k intervals of simulated time.
//!
//! Steps are not shortened to end at a frame, so that the outputs do not change the simulation. Of several frames within one
//! step only the last is due: all would show the same state.

/// Schedule that yields frame numbers, each at most once.
#[derive(Clone, Debug)]
pub struct Schedule {
    interval: f64,
    next: u64,
    skipped: u64,
}

impl Schedule {
    /// A frame every `interval` seconds of simulated time (positive), the first at 0.
    pub fn every(interval: f64) -> Self {
        Self { interval, next: 0, skipped: 0 }
    }

    /// The same schedule after the frame that was due at `time` s or before, in a run that was resumed there.
    pub fn after(mut self, time: f64) -> Self {
        self.next = self.latest(time).saturating_add(1);
        self
    }

    /// Number of the frame due at `time` s, if any; its time is number × interval.
    pub fn due(&mut self, time: f64) -> Option<u64> {
        let latest = self.latest(time);
        if latest < self.next {
            return None;
        }
        self.skipped += latest - self.next;
        self.next = latest.saturating_add(1);
        Some(latest)
    }

    /// Number of frames skipped because a later one fell into the same step.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Note on skipped frames, to append to the number of frames written.
    pub fn skipped_note(&self) -> String {
        match self.skipped() {
            0 => String::new(),
            skipped => format!(", {skipped} skipped: steps were longer than the time between frames"),
        }
    }

    /// The last k with k intervals ≤ `time`. The quotient may be off by one through rounding; the product decides.
    fn latest(&self, time: f64) -> u64 {
        let quotient = (time / self.interval) as u64;
        let reached = |number: u64| number as f64 * self.interval <= time;
        match quotient.saturating_add(1) {
            above if reached(above) => above,
            _ if reached(quotient) => quotient,
            _ => quotient.saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn frames_are_due_at_the_first_step_at_or_after_their_time() {
        let mut schedule = Schedule::every(0.25);
        let due = [0.0, 0.2, 0.25, 0.49, 0.51].map(|time| schedule.due(time));
        assert_eq!(due, [Some(0), None, Some(1), None, Some(2)]);
        assert_eq!(schedule.skipped(), 0);
    }

    #[test]
    fn of_the_frames_within_a_step_the_last_is_due() {
        let mut schedule = Schedule::every(0.25);
        assert_eq!(schedule.due(0.0), Some(0));
        assert_eq!(schedule.due(1.1), Some(4));
        assert_eq!(schedule.due(1.1), None);
        assert_eq!(schedule.skipped(), 3);
        assert!(schedule.due(1e300).is_some(), "however long the step");
    }

    #[test]
    fn a_resumed_schedule_goes_on_after_the_last_frame() {
        let (mut whole, mut resumed) = (Schedule::every(0.25), Schedule::every(0.25).after(0.6));
        whole.due(0.6);
        for time in [0.7, 0.76, 1.0] {
            assert_eq!(resumed.due(time), whole.due(time));
        }
    }

    #[test]
    fn rounded_quotients_lose_no_frame() {
        let mut schedule = Schedule::every(0.1);
        for number in 0..100_000 {
            assert_eq!(schedule.due(number as f64 * 0.1), Some(number));
        }
    }
}
