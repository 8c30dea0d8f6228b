//! The current messages: information expires, warnings and errors stay.

use crate::session::{Notice, Severity, Subject};
use std::time::{Duration, Instant};

/// Maximum number of messages; the oldest is dropped.
const CAPACITY: usize = 4;

/// Time for which an information is shown.
const INFO_TIME: Duration = Duration::from_secs(6);

/// Current messages, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices(pub(super) Vec<(Notice, Instant)>);

impl Notices {
    /// Adds a message. Removes an equal message, and messages about the same subject.
    pub fn push(&mut self, notice: Notice) {
        self.settle(notice.subject);
        self.0.retain(|(shown, _)| *shown != notice);
        if self.0.len() == CAPACITY {
            self.0.remove(0);
        }
        self.0.push((notice, Instant::now()));
    }

    /// Removes the messages about `subject`; [`Subject::Other`] removes nothing.
    pub fn settle(&mut self, subject: Subject) {
        self.0.retain(|(notice, _)| notice.subject != subject || subject == Subject::Other);
    }

    /// Current messages, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.0.iter().map(|(notice, _)| notice)
    }

    /// Removes expired messages. Returns the time until the next one expires.
    pub(super) fn expire(&mut self) -> Option<Duration> {
        let left = |since: &Instant| INFO_TIME.saturating_sub(since.elapsed());
        self.0.retain(|(notice, since)| notice.severity != Severity::Info || !left(since).is_zero());
        self.0.iter().filter(|(notice, _)| notice.severity == Severity::Info).map(|(_, since)| left(since)).min()
    }
}
