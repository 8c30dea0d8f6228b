//! What the search for the best grid remembers from frame to frame.

use sph_core::neighbors::Structure;

/// What the window remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TuningView {
    /// Whether it is shown.
    pub open: bool,
    /// Whether only the structure in force is tried.
    pub present_only: bool,
    /// The structure whose map is shown; the best one's, unless one was chosen.
    pub shown: Option<Structure>,
}
