//! Widgets shared by the panels: rows, icons, formatting, theme, legend of the particle colours, outline of the control that a
//! lesson points at. Independent of the panels.

mod badge;
mod color_range;
pub mod format;
pub mod found;
pub mod highlight;
mod icons;
pub mod legend;
pub mod names;
mod number;
mod parameter;
mod rail;
mod rows;
pub mod theme;
mod typed;

pub use badge::badge_ui;
pub use icons::{Icon, icon_button, menu_row};
pub use number::parse;
pub use parameter::ParameterRow;
pub use rows::{NumberRow, choice_ui, hint_ui, value_ui};
pub use typed::Field;
