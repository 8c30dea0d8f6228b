//! Messages for the user: what happened, and what to try.

use sph_core::{Breach, StepStats};

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

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence.
    pub title: String,
    /// Several lines meant for a fixed-width font, or empty.
    pub details: String,
}

impl Notice {
    /// A message that something was done.
    pub fn info(title: impl Into<String>) -> Self {
        Self { severity: Severity::Info, title: title.into(), details: String::new() }
    }

    /// A message that something was not done.
    pub fn warning(title: impl Into<String>, details: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, title: title.into(), details: details.into() }
    }

    /// A message that something failed.
    pub fn error(title: impl Into<String>, details: impl Into<String>) -> Self {
        Self { severity: Severity::Error, title: title.into(), details: details.into() }
    }
}

/// What happened in a refused step, and what to try.
pub(super) fn advice(breach: &Breach, stats: &StepStats) -> String {
    format!(
        "At {:.4} s, in step {}: {breach}.\n\
         The fluid is as it was before that step. Try a smaller time-step factor, a higher sound speed or more artificial\n\
         viscosity, then play on; or reset.",
        stats.time,
        stats.step + 1,
    )
}
