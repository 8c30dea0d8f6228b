//! Two grids side by side, as the panels remember them: which of the two is edited, and the rival's as the sliders show it.

use crate::session::Snapshot;
use crate::ui::Side;
use sph_core::neighbors::GridParameters;

/// The comparison as the panels see it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparing {
    /// The rival's grid as the sliders show it; `None` when nothing is compared.
    pub rival: Option<GridParameters>,
    /// Counts what was asked for.
    pub revision: u64,
    /// Whose grid is edited.
    pub side: Side,
}

impl Comparing {
    /// Takes the rival's grid over, unless something asked for is still on its way to the simulation.
    pub fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        if new_scene || snapshot.rival_revision == self.revision {
            self.rival = snapshot.rival.as_ref().map(|rival| rival.grid);
        }
        if self.rival.is_none() {
            self.side = Side::A;
        }
    }
}
