//! Choices of `[view]`: look of the fluid, quantity and colours of its particles, clip plane, style of solids.

mod clip;
mod color_field;
mod color_map;
mod look;
mod solids;

pub use clip::ClipPlane;
pub use color_field::ColorField;
pub use color_map::ColorMapName;
pub use look::Look;
pub use solids::SolidStyle;

/// Largest magnitude of an end of the colours' range, in the unit of the quantity.
pub const MAX_COLOR_END: f32 = 1e9;
