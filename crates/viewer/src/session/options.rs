//! Options that a session is started with.

use crate::engine::{self, StartEngine};
use std::path::PathBuf;
use std::sync::Arc;

/// Options of a session.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads that compute a step; all cores if `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
    /// File that receives the recording of the session at its end.
    pub record: Option<PathBuf>,
    /// Constructor of the engine of every scene.
    pub engine: StartEngine,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: None, stats: None, record: None, engine: engine::start }
    }
}

/// Callback on the simulation's thread whenever there is something new to read; it must return at once.
pub type Wake = Arc<dyn Fn() + Send + Sync>;
