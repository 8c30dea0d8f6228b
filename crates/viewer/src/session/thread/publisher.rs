//! Output of the simulation thread to the window: snapshots, notices, and the callback that wakes it.

use crate::session::{Notice, Snapshot, Wake};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Shortest time between two snapshots of a running simulation: no window shows more of them.
const INTERVAL: Duration = Duration::from_millis(16);

/// Shortest time between two snapshots while the window has not read the previous one: more copies would be wasted.
const UNREAD_INTERVAL: Duration = Duration::from_millis(50);

/// Sends snapshots and notices to the window.
pub(in crate::session) struct Publisher {
    snapshots: triple_buffer::Input<Snapshot>,
    notices: Sender<Notice>,
    wake: Wake,
    /// Time of the latest snapshot.
    published: Instant,
}

impl Publisher {
    pub(in crate::session) fn new(snapshots: triple_buffer::Input<Snapshot>, notices: Sender<Notice>, wake: Wake) -> Self {
        Self { snapshots, notices, wake, published: Instant::now() }
    }

    /// True if a running simulation should publish again.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        now - self.published >= if self.snapshots.consumed() { INTERVAL } else { UNREAD_INTERVAL }
    }

    /// Publishes a snapshot, which `fill` makes from an older one.
    pub(super) fn publish(&mut self, fill: impl FnOnce(&mut Snapshot)) {
        fill(self.snapshots.input_buffer_mut());
        self.snapshots.publish();
        self.published = Instant::now();
        (self.wake)();
    }

    pub(super) fn notify(&self, notice: Notice) {
        // A closed window needs no notices.
        let _ = self.notices.send(notice);
        (self.wake)();
    }
}
