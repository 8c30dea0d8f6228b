//! Report of an import: faults, which end it, and keys without an equivalent.

use super::json::Node;
use crate::scene::{Fault, Place};

/// Longest key or text of the file that a remark shows, in characters.
const LONGEST: usize = 60;

/// Faults and remarks.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub faults: Vec<Fault>,
    /// Sentences without a full stop, each with the path that it is about.
    pub remarks: Vec<String>,
}

impl Report {
    pub fn fault(&mut self, node: &Node, message: String, label: &str) {
        self.faults.push(Fault::new(Place::Span(node.span.clone()), shown(&message, 400), label));
    }

    pub fn remark(&mut self, path: &str, text: impl AsRef<str>) {
        self.remarks.push(format!("{}: {}", shown(path, LONGEST), shown(text.as_ref(), 400)));
    }

    /// Lists keys of the table at `path` under one reason, if there are any.
    pub fn list(&mut self, path: &str, reason: &str, keys: &[&str]) {
        let keys: Vec<String> = keys.iter().map(|key| shown(key, LONGEST)).collect();
        if !keys.is_empty() {
            self.remarks.push(format!("{}: {reason}: {}", shown(path, LONGEST), keys.join(", ")));
        }
    }
}

/// A text of the file on one line, cut off where it is too long.
fn shown(text: &str, longest: usize) -> String {
    let escaped = |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    let mut short: String = text.chars().take(longest).map(escaped).collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}
