//! A fault: something wrong with a scene, and the place where it is.

use std::ops::Range;

/// Something wrong with a scene, before its place is looked up.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Where.
    pub place: Place,
    /// What is wrong: a clause that starts in lower case.
    pub message: String,
    /// What belongs there instead, shown beside the caret.
    pub label: String,
    /// What else helps.
    pub help: Option<String>,
}

/// Where a fault lies.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Bytes of the sources.
    Span(Range<usize>),
    /// The value at a dotted path such as `fluid.blocks.1.max`, or what comes nearest to it in the document: for faults of what
    /// the values mean together.
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
