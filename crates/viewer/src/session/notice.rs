//! Messages for the user: what happened, and what to try.

use sph_core::{StepError, StepStats};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Something was done.
    Info,
    /// Something was not done, and nothing is lost.
    Warning,
    /// Something failed.
    Error,
}

/// What a notice is about, and so when it is out of date. A newer notice about the same takes its place, except for
/// [`Subject::Other`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// Nothing that anything else could settle.
    #[default]
    Other,
    /// A refused step: settled once the fluid moves again.
    Step,
    /// A scene that cannot be used: settled once a scene is loaded.
    Scene,
    /// Saving the parameters: settled by the next attempt.
    Save,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence.
    pub title: String,
    /// More about it, or empty.
    pub details: String,
    /// Whether the details are laid out in lines of a fixed-width font, and must not be broken anew.
    pub laid_out: bool,
    /// What it is about.
    pub subject: Subject,
}

impl Notice {
    /// A message that something was done.
    pub fn info(title: impl Into<String>) -> Self {
        Self::new(Severity::Info, title, "")
    }

    /// A message that something was not done.
    pub fn warning(title: impl Into<String>, details: impl Into<String>) -> Self {
        Self::new(Severity::Warning, title, details)
    }

    /// A message that something failed.
    pub fn error(title: impl Into<String>, details: impl Into<String>) -> Self {
        Self::new(Severity::Error, title, details)
    }

    /// The same about `subject`.
    pub fn about(self, subject: Subject) -> Self {
        Self { subject, ..self }
    }

    /// The same with the details' lines left as they are, as an excerpt of a file with carets under it needs.
    pub fn laid_out(self) -> Self {
        Self { laid_out: true, ..self }
    }

    fn new(severity: Severity, title: impl Into<String>, details: impl Into<String>) -> Self {
        let (title, details) = (title.into(), details.into());
        Self { severity, title, details, laid_out: false, subject: Subject::Other }
    }
}

/// What happened in a refused step, and what to try.
pub(super) fn advice(error: &StepError, stats: &StepStats) -> String {
    format!(
        "At {:.4} s, in step {}: {error}.\n\
         The fluid is as it was before that step. Try a smaller time-step factor, a higher speed of sound or more artificial \
         viscosity, then play on; or reset.",
        stats.time,
        stats.step + 1,
    )
}
