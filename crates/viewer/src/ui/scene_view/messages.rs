//! The current messages: information and refused drops expire, other warnings and errors stay.

use crate::session::{Notice, Severity, Subject};
use std::time::{Duration, Instant};

/// Maximum number of messages; the oldest is dropped.
const CAPACITY: usize = 4;

/// Time for which a message that expires is shown.
const SHORT_TIME: Duration = Duration::from_secs(6);

/// True if it goes by itself: the 3D view that it covers is needed, and nothing is to be done about it.
fn expires(notice: &Notice) -> bool {
    notice.severity == Severity::Info || notice.subject == Subject::Drop
}

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
        let left = |since: &Instant| SHORT_TIME.saturating_sub(since.elapsed());
        self.0.retain(|(notice, since)| !expires(notice) || !left(since).is_zero());
        self.0.iter().filter(|(notice, _)| expires(notice)).map(|(_, since)| left(since)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_and_refused_drops_expire() {
        let mut notices = Notices::default();
        notices.push(Notice::info("saved"));
        notices.push(Notice::warning("no room", "").about(Subject::Drop));
        notices.push(Notice::warning("slow", ""));
        assert!(notices.expire().is_some_and(|left| left <= SHORT_TIME) && notices.iter().count() == 3);
        for (_, since) in &mut notices.0 {
            *since = since.checked_sub(SHORT_TIME).expect("the clock is older");
        }
        assert_eq!(notices.expire(), None);
        assert!(notices.iter().map(|notice| notice.title.as_str()).eq(["slow"]));
    }
}
