//! Colours of particles, cells and costs: the scalar fields that can be shown, their ranges, the colour maps. Plain data.

mod category;
mod cost;
mod field;
mod fluids;
mod map;
mod names;
mod oklab;
mod published;
mod range;
mod reader;
mod scale;
mod tables;
mod verdict;

pub use category::{CATEGORIES, category};
pub use cost::{DEAREST, cost};
pub use field::{default_map, is_category, is_computed, is_offered, label, unit, values};
pub use fluids::{Swatches, fluid_tints, named_fluids};
pub use map::ColorMap;
pub use names::named_colors;
pub use range::auto_range;
pub use reader::FieldReader;
pub use scale::Scale;
pub use sph_io::{ColorField, ColorMapName};
pub use verdict::{VERDICT_COLORS, VERDICTS, verdict_index};
