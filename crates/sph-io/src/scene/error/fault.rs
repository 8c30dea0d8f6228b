//! Faults of a scene: a problem, its place, and the expected value.

use std::ops::Range;

/// A problem of a scene, before its place is looked up.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Place.
    pub place: Place,
    /// Problem: a clause that starts in lower case.
    pub message: String,
    /// Expected value, shown beside the caret.
    pub label: String,
    /// Further help.
    pub help: Option<String>,
}

/// Place of a fault.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Bytes of the sources.
    Span(Range<usize>),
    /// Value at a dotted path such as `fluid.blocks.1.max`, or the innermost table of the path that the document has: for faults of valid
    /// values that do not fit together.
    Path(String),
}

impl Fault {
    pub fn new(place: Place, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { place, message: message.into(), label: label.into(), help: None }
    }

    pub fn at_path(path: impl Into<String>, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self::new(Place::Path(path.into()), message, label)
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
