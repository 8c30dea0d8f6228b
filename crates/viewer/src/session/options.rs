//! Options that a session is started with.

use std::path::PathBuf;
use std::sync::Arc;

/// How a session is set up.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Threads that compute a step; all cores when `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
}

/// Called on the simulation's thread whenever there is something new to read; it must return at once.
pub type Wake = Arc<dyn Fn() + Send + Sync>;
