//! The layout as a file keeps it from one start to the next.

use super::place::Panes;
use crate::ui::State;
use crate::ui::theme::ThemeChoice;
use serde::{Deserialize, Serialize};

/// Version of the format.
const VERSION: u32 = 1;

/// Layout in the file.
#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    side_panel: bool,
    plots: bool,
    #[serde(default)]
    theme: ThemeChoice,
    tiles: Panes,
}

/// Text of the file for the present layout, the same for the same layout; `None` before the first frame.
pub fn layout_text(state: &State) -> Option<String> {
    let mut tiles = state.dock.tree()?.clone();
    // What is visible follows from the switches and the window.
    let ids: Vec<_> = tiles.tiles.tile_ids().collect();
    ids.into_iter().for_each(|id| tiles.tiles.set_visible(id, true));
    let saved =
        Saved { version: VERSION, side_panel: state.show_side_panel, plots: state.show_plots, theme: state.theme, tiles };
    // The tiles are in a hash map; the keys of a JSON value are sorted.
    serde_json::to_value(&saved).ok().map(|value| value.to_string())
}

/// Restores the layout from the text of the file. Returns false, without a change, if the text is no layout.
pub fn restore_layout(state: &mut State, text: &str) -> bool {
    let Ok(saved) = serde_json::from_str::<Saved>(text) else { return false };
    let is_restored = saved.version == VERSION && state.dock.restore(saved.tiles);
    if is_restored {
        state.show_side_panel = saved.side_panel;
        state.show_plots = saved.plots;
        state.theme = saved.theme;
    }
    is_restored
}
