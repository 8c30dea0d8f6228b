//! Messages for the user: the event, and advice.

use sph_core::remedies::{Refusal, Remedy};
use std::path::{Path, PathBuf};

/// Severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Something was done.
    Info,
    /// Something was not done, and nothing is lost.
    Warning,
    /// Something failed.
    Error,
}

/// Subject of a notice; decides when the notice is out of date. A newer notice about the same subject replaces it, except for
/// [`Subject::Other`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// Any other subject: the notice stays until it is dismissed.
    #[default]
    Other,
    /// A refused step: out of date once the fluid moves again.
    Step,
    /// A scene that cannot be used: out of date once a scene is loaded.
    Scene,
    /// Saving the parameters: out of date at the next attempt.
    Save,
    /// An undo that undid nothing: out of date at the next one.
    Undo,
    /// Dropping a body: out of date at the next attempt, with another tool, or after some seconds.
    Drop,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Severity.
    pub severity: Severity,
    /// One sentence.
    pub title: String,
    /// Details, or empty.
    pub details: String,
    /// True if the details are lines of fixed-width text that must not be re-wrapped.
    pub laid_out: bool,
    /// File or folder that has been written, of which the title has the name.
    pub path: Option<PathBuf>,
    /// Subject.
    pub subject: Subject,
}

impl Notice {
    /// A message that something was done.
    pub fn info(title: impl Into<String>) -> Self {
        Self::new(Severity::Info, title, "")
    }

    /// A message that `path` has been written, as `done` says: "picture saved".
    pub fn written(done: &str, path: &Path) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        Self { path: Some(path.to_owned()), ..Self::info(format!("{name}: {done}")) }
    }

    /// A message that something was not done.
    pub fn warning(title: impl Into<String>, details: impl Into<String>) -> Self {
        Self::new(Severity::Warning, title, details)
    }

    /// A message that something failed.
    pub fn error(title: impl Into<String>, details: impl Into<String>) -> Self {
        Self::new(Severity::Error, title, details)
    }

    /// Sets the details.
    pub fn with(self, details: impl Into<String>) -> Self {
        Self { details: details.into(), ..self }
    }

    /// Sets the subject.
    pub fn about(self, subject: Subject) -> Self {
        Self { subject, ..self }
    }

    /// Keeps the details' line breaks, as an excerpt of a file with carets under it needs.
    pub fn laid_out(self) -> Self {
        Self { laid_out: true, ..self }
    }

    fn new(severity: Severity, title: impl Into<String>, details: impl Into<String>) -> Self {
        let (title, details) = (title.into(), details.into());
        Self { severity, title, details, laid_out: false, path: None, subject: Subject::Other }
    }
}

/// Describes a refused step, with advice.
pub(super) fn advice(refusal: &Refusal) -> String {
    let change = |remedy: &Remedy| format!("{} ({})", remedy.effect, remedy.words());
    let changes: Vec<_> = refusal.remedies.iter().map(change).collect();
    let attempt = if changes.is_empty() { "Change the grid".to_owned() } else { format!("Try {}", changes.join(" or ")) };
    let (sentence, cause) = (&refusal.sentence, refusal.cause());
    let space = if cause.is_empty() { "" } else { " " };
    format!("{sentence}{space}{cause}\nThe fluid is as it was before that step. {attempt}, then continue; or reset.")
}

/// Notice that packing a state has panicked with this `message`.
pub(super) fn not_kept(message: &str) -> Notice {
    let details = format!(
        "Compressing it failed, which is a defect of the program: {message}\nThe simulation continues, and the history so far \
            remains. Reset or open a scene to start a new one."
    );
    Notice::error("The history has stopped", details)
}
