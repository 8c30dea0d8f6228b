//! Two grids side by side: which of them is edited, where each has its picture, and what is written over both.

mod comparing;
mod overlay;
mod side;
mod views;

pub use comparing::Comparing;
pub use overlay::{compare_ui, line_room, rooms};
pub use side::Side;
pub use views::Views;
