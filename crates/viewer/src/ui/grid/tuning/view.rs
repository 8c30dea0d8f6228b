//! State of the auto-tuning window.

use sph_core::neighbors::Structure;
use std::time::Duration;

/// State of the auto-tuning window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TuningView {
    /// True while the window is open.
    pub open: bool,
    /// True to try the current structure only.
    pub present_only: bool,
    /// Structure whose map is shown; `None` shows the best.
    pub shown: Option<Structure>,
    /// Trials that had been made when the window first saw the series, and the time of that, for the time left.
    pub seen: Option<(usize, Duration)>,
}
