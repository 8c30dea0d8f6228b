//! The question before unsaved edits of parameters are lost.

use crate::session::SceneSource;

/// What the user wants to do, and would lose unsaved edits by.
#[derive(Clone, Debug)]
pub enum Leaving {
    /// Close the window.
    Quit,
    /// Open another scene.
    Open(SceneSource),
}

/// Answer to the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save the edits first.
    Save,
    /// Lose the edits.
    Discard,
    /// Stay.
    Cancel,
}
