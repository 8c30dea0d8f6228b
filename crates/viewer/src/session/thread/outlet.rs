//! The simulation's end of the way to the window: snapshots, notices, and the call that wakes it.

use crate::session::{Notice, Snapshot, Wake};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Shortest time between two snapshots of a running simulation: no window shows more of them.
const INTERVAL: Duration = Duration::from_millis(16);

/// The same while the window has not taken the one before: copying more of them would be in vain.
const UNREAD_INTERVAL: Duration = Duration::from_millis(50);

/// Where the simulation thread puts what the window reads.
pub(in crate::session) struct Outlet {
    snapshots: triple_buffer::Input<Snapshot>,
    notices: Sender<Notice>,
    wake: Wake,
    /// When the latest snapshot was handed over.
    published: Instant,
}

impl Outlet {
    pub(in crate::session) fn new(snapshots: triple_buffer::Input<Snapshot>, notices: Sender<Notice>, wake: Wake) -> Self {
        Self { snapshots, notices, wake, published: Instant::now() }
    }

    /// Whether a running simulation should show itself again.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        now - self.published >= if self.snapshots.consumed() { INTERVAL } else { UNREAD_INTERVAL }
    }

    /// Hands over a snapshot, which `fill` makes from an older one.
    pub(super) fn publish(&mut self, fill: impl FnOnce(&mut Snapshot)) {
        fill(self.snapshots.input_buffer_mut());
        self.snapshots.publish();
        self.published = Instant::now();
        (self.wake)();
    }

    pub(super) fn notify(&self, notice: Notice) {
        // A window that is gone needs no notices.
        let _ = self.notices.send(notice);
        (self.wake)();
    }
}
