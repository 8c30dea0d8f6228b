//! State of the comparison of two grids: the edited side, and grid B (the "rival") as the sliders show it.

use crate::session::Snapshot;
use crate::ui::Side;
use sph_core::neighbors::GridParameters;

/// State of the comparison in the panels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparing {
    /// Grid B as the sliders show it; `None` without a comparison.
    pub rival: Option<GridParameters>,
    /// Revision number of the requests.
    pub revision: u64,
    /// Side whose grid is edited.
    pub side: Side,
}

impl Comparing {
    /// Takes over grid B from `snapshot`, unless a request is still pending.
    pub fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        if new_scene || snapshot.rival_revision == self.revision {
            self.rival = snapshot.rival.as_ref().map(|rival| rival.grid);
        }
        if self.rival.is_none() {
            self.side = Side::A;
        }
    }
}
