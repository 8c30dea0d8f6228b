//! Options that the window is opened with.

use sph_io::Override;
use std::path::PathBuf;

/// What the command line asks of the window.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// The first scene; `None` for the dam break.
    pub scene: Option<PathBuf>,
    /// Values that replace the first scene's own.
    pub overrides: Vec<Override>,
    /// Threads that compute a step; all cores when `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
}
