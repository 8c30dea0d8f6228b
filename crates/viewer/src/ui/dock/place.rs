//! Tiles of the window, and the default places of panels among them.

use egui_tiles::Tree;

/// Key of the 3D view among the panels.
pub const VIEW: &str = "view";

/// Tiles of the window; each pane is the key of its panel.
pub type Panes = Tree<String>;

/// Default place of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Upper part of the left column.
    LeftTop,
    /// Lower part of the left column.
    LeftBottom,
    /// Below the 3D view.
    Bottom,
    /// Right column.
    Right,
}

impl Place {
    /// All places.
    pub const ALL: [Self; 4] = [Self::LeftTop, Self::LeftBottom, Self::Bottom, Self::Right];
}

/// Tab of a panel: all that the arrangement knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Tab {
    /// Name in the file of the layout.
    pub key: &'static str,
    /// Title.
    pub title: &'static str,
    /// Default place.
    pub place: Place,
}
