//! Choices of `[view]`: look of the fluid, quantity and colours of its particles.

mod color_field;
mod color_map;
mod look;

pub use color_field::ColorField;
pub use color_map::ColorMapName;
pub use look::Look;
