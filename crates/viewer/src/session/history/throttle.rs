//! Throttle: work beside the steps takes at most a set part of the thread's time.

use std::time::{Duration, Instant};

/// Longest rest.
const LONGEST: Duration = Duration::from_secs(60);

/// Throttle of one kind of work.
#[derive(Debug)]
pub struct Throttle {
    /// Rest after work, in times of what it took.
    rest: u32,
    /// Earliest time of the next work; `None` for any.
    next: Option<Instant>,
}

impl Throttle {
    /// A throttle that lets work begin at once, and after `rest` times what the last took.
    pub fn new(rest: u32) -> Self {
        Self { rest, next: None }
    }

    /// Does `work`, unless it is too early.
    pub fn attempt(&mut self, work: impl FnOnce()) {
        let start = Instant::now();
        if self.next.is_none_or(|next| start >= next) {
            work();
            let end = Instant::now();
            self.next = Some(end + (end - start).saturating_mul(self.rest).min(LONGEST));
        }
    }

    /// Lets the next work begin at once.
    pub fn reset(&mut self) {
        self.next = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_rests_in_proportion_to_its_length() {
        let (mut throttle, mut count) = (Throttle::new(1_000_000), 0);
        let work = || std::thread::sleep(Duration::from_millis(1));
        for _ in 0..5 {
            throttle.attempt(|| {
                work();
                count += 1;
            });
        }
        throttle.reset();
        throttle.attempt(|| count += 1);
        assert_eq!(count, 2);
        let mut count = 0;
        let mut throttle = Throttle::new(0);
        (0..5).for_each(|_| throttle.attempt(|| count += 1));
        assert_eq!(count, 5);
    }
}
