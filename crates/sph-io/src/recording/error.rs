//! Errors of recordings, with their place in the file.

use std::io;

/// Reason why a file cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is too large.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// Largest size, bytes.
        limit: u64,
    },
    /// A line is not what is expected there.
    #[error("line {line}: {reason}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Reason, with the key or column.
        reason: String,
    },
}

impl RecordingError {
    pub(super) fn at(line: usize, reason: impl ToString) -> Self {
        Self::Line { line, reason: reason.to_string() }
    }
}
