//! Reasons why a checkpoint cannot be used.

use crate::SceneError;
use sph_core::PopulationError;
use std::io;

/// Reason why a checkpoint cannot be read or resumed.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is of another kind.
    #[error("it is not a checkpoint")]
    Foreign,
    /// The file is of another version of the format.
    #[error("it has version {found} of the format, and this program reads version {known}")]
    Version {
        /// Version of the file.
        found: u32,
        /// Version that this program reads.
        known: u32,
    },
    /// The checksum does not fit the bytes.
    #[error("it is damaged or incomplete: its checksum is wrong")]
    Damaged,
    /// The contents do not make sense.
    #[error("{0}")]
    Contents(String),
    /// The scene in it cannot be used.
    #[error("the scene in it cannot be used: {}", .0.summary())]
    Scene(Box<SceneError>),
    /// The state in it cannot be resumed.
    #[error("the state in it cannot be resumed: {0}")]
    State(#[from] PopulationError),
}

impl CheckpointError {
    /// Fault of an array.
    pub(super) fn of(name: &str, fault: &str) -> Self {
        Self::Contents(format!("`{name}` in it {fault}"))
    }
}
