//! Options that the window is opened with.

use sph_io::Override;
use std::path::PathBuf;

/// Options of the window from the command line.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// The first scene; `None` for the dam break.
    pub scene: Option<PathBuf>,
    /// Values that replace the first scene's own.
    pub overrides: Vec<Override>,
    /// Number of threads that compute a step; all cores if `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
    /// True to print the times of the window's frames.
    pub frame_stats: bool,
    /// True to arrange the panels as in a first start.
    pub reset_layout: bool,
    /// File that receives the recording of the session at its end.
    pub record: Option<PathBuf>,
}
