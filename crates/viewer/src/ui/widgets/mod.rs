//! Parts that panels are made of: rows, symbols, numbers and names as text, colours and sizes, the legend of the particles' colours, the
//! outline around what a lesson points at. Nothing here knows a panel.

mod badge;
pub mod format;
pub mod highlight;
mod icons;
pub mod legend;
pub mod names;
mod parameter;
mod rows;
pub mod theme;

pub use badge::badge_ui;
pub use icons::{Icon, icon_button, tick_button};
pub use parameter::ParameterRow;
pub use rows::{NumberRow, choice_ui, hint_ui, parse, value_ui};
