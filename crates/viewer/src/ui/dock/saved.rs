//! The layout as a file keeps it from one start to the next.

use super::arrangement::Panes;
use crate::ui::State;
use serde::{Deserialize, Serialize};

/// Version of the format.
const VERSION: u32 = 1;

/// Layout in the file.
#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    side_panel: bool,
    plots: bool,
    tiles: Panes,
}

/// Text of the file for the present layout; `None` before the first frame.
pub fn layout_text(state: &State) -> Option<String> {
    let tiles = state.dock.tree()?.clone();
    let saved = Saved { version: VERSION, side_panel: state.show_side_panel, plots: state.show_plots, tiles };
    serde_json::to_string(&saved).ok()
}

/// Restores the layout from the text of the file. Returns false, without a change, if the text is no layout.
pub fn restore_layout(state: &mut State, text: &str) -> bool {
    let Ok(saved) = serde_json::from_str::<Saved>(text) else { return false };
    let is_restored = saved.version == VERSION && state.dock.restore(saved.tiles);
    if is_restored {
        state.show_side_panel = saved.side_panel;
        state.show_plots = saved.plots;
    }
    is_restored
}
