//! Colours of particles, cells and costs: the scalar fields that can be shown, their ranges, the colour maps. Plain data.

mod categories;
mod cost;
mod field;
mod fit;
mod map;
mod reader;

pub use categories::{
    CATEGORIES, Swatches, VERDICT_COLORS, VERDICTS, category, fluid_tints, named_colors, named_fluids, verdict_index,
};
pub use cost::{DEAREST, cost};
pub use field::{
    Scale, SheetShape, auto_range, colors_any_points, colors_points, default_map, is_category, is_computed, is_offered,
    is_shown, label, point_values, unit, values,
};
pub use fit::{FittedRange, is_fitted};
pub use map::{Backdrop, ColorMap};
pub use reader::FieldReader;
pub use sph_io::{ColorField, ColorMapName, PointColors};
