//! Comparison of two grids side by side: edited side, areas of the two pictures, texts over the pictures.

mod comparing;
mod overlay;
mod side;
mod views;

pub use comparing::Comparing;
pub use overlay::{compare_ui, legend_line_area, overlay_areas};
pub use side::Side;
pub use views::Views;
