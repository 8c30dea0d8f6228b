//! Colours of particles, cells and costs: the scalar fields that can be shown, their ranges, the colour maps. Plain data.

mod category;
mod cost;
mod field;
mod fluids;
mod map;
mod published;
mod scale;
mod verdict;

pub use category::category;
pub use cost::{DEAREST, cost};
pub use field::{auto_range, default_map, label, unit, values};
pub use fluids::{Swatches, fluid_tints, named_fluids};
pub use map::ColorMap;
pub use scale::Scale;
pub use sph_io::{ColorField, ColorMapName};
pub use verdict::{VERDICT_COLORS, VERDICTS, verdict_index};
