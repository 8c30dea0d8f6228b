//! Parts that panels are made of: rows, symbols, numbers and names as text, colours and sizes, the legend of the particles' colours, the
//! outline around what a lesson points at. Nothing here knows a panel.

mod badge;
pub mod format;
pub mod highlight;
mod icons;
pub mod legend;
pub mod names;
mod rows;
pub mod theme;

pub use badge::badge_ui;
pub use icons::{Icon, icon_button, tick_button};
pub use rows::{Number, choice_ui, hint_ui, number_ui, parse, value_ui};
