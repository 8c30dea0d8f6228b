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
    /// The file is another kind of file.
    #[error(
        "it is no recording, whose first line is a JSON object with the key sph_recording; the window saves one with \
         File › Save session recording…, or `sph SCENE --record FILE.jsonl` when it closes"
    )]
    NoRecording,
    /// The file ends within a line.
    #[error("it ends in the middle of line {line}: it has been cut off")]
    CutOff {
        /// Number of the line, from 1.
        line: usize,
    },
    /// The recording is of another scene, and does not fit this one.
    #[error("it was recorded with “{recorded}”, and this scene is “{scene}”; {difference}")]
    OtherScene {
        /// Name of the recorded scene.
        recorded: String,
        /// Name of the scene that it is to be replayed in.
        scene: String,
        /// What does not fit.
        difference: String,
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
