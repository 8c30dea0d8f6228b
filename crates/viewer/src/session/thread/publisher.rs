//! Output of the simulation thread to the window: snapshots, notices, and the callback that wakes it.

use crate::session::{Notice, Snapshot, Wake};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Shortest time between two snapshots of a running simulation: no window shows more of them.
const INTERVAL: Duration = Duration::from_millis(16);

/// Shortest time between two snapshots while the window has not read the previous one: more copies would be wasted.
const UNREAD_INTERVAL: Duration = Duration::from_millis(50);

/// Shortest time between two snapshots, in times that it took to fill the latest one: what is inspected of a large fluid must not take the
/// simulation's time.
const FILLING_TIMES: u32 = 3;

/// Longest time between two snapshots: a single one that took long, as the last of a pause, must not stop the picture.
const LONGEST_INTERVAL: Duration = Duration::from_millis(100);

/// Sends snapshots and notices to the window.
pub(in crate::session) struct Publisher {
    snapshots: triple_buffer::Input<Snapshot>,
    notices: Sender<Notice>,
    wake: Wake,
    /// Time of the latest snapshot, and how long it took to fill.
    published: Instant,
    filling: Duration,
}

impl Publisher {
    pub(in crate::session) fn new(snapshots: triple_buffer::Input<Snapshot>, notices: Sender<Notice>, wake: Wake) -> Self {
        Self { snapshots, notices, wake, published: Instant::now(), filling: Duration::ZERO }
    }

    /// True if a running simulation should publish again.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let interval = if self.snapshots.consumed() { INTERVAL } else { UNREAD_INTERVAL };
        now - self.published >= interval.max((FILLING_TIMES * self.filling).min(LONGEST_INTERVAL))
    }

    /// Publishes a snapshot, which `fill` makes from an older one.
    pub(super) fn publish(&mut self, fill: impl FnOnce(&mut Snapshot)) {
        let start = Instant::now();
        fill(self.snapshots.input_buffer_mut());
        self.snapshots.publish();
        self.published = Instant::now();
        self.filling = self.published - start;
        (self.wake)();
    }

    pub(super) fn notify(&self, notice: Notice) {
        // A closed window needs no notices.
        let _ = self.notices.send(notice);
        (self.wake)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn snapshots_that_take_long_to_fill_come_seldom() {
        let (input, mut output) = triple_buffer::triple_buffer(&Snapshot::default());
        let (notices, _incoming) = std::sync::mpsc::channel();
        let mut publisher = Publisher::new(input, notices, Arc::new(|| ()));
        for filling in [Duration::ZERO, Duration::from_millis(30)] {
            publisher.publish(|_| std::thread::sleep(filling));
            output.update();
            // The sleep is as long at least, and longer on a busy machine.
            let least = INTERVAL.max(FILLING_TIMES * filling);
            assert!(!publisher.is_due(publisher.published + least - Duration::from_micros(1)));
            assert!(publisher.is_due(publisher.published + INTERVAL.max(FILLING_TIMES * publisher.filling)));
        }
    }
}
