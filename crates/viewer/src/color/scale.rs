//! Scale of the particles' colours: the colour map, and the values at its ends.

use super::field::{auto_range, default_map};
use super::map::ColorMap;
use sph_core::{Fluid, Setup};
use sph_io::{ColorField, ColorMapName};

/// Choices about the colours of a field. The default is what suits the field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scale {
    /// Colour map; `None` for the one that suits the field.
    pub map: Option<ColorMapName>,
    /// Values at its ends, in the unit of the field; `None` for those that follow from the scene.
    pub range: Option<[f32; 2]>,
}

impl Scale {
    /// Scale of the initial view of a scene.
    pub fn of(view: &sph_io::View) -> Self {
        Self { map: view.color_map, range: view.range }
    }

    /// Colour map of `field`, in a scene with these fluids. Fluids always have their own colours.
    pub fn map(self, field: ColorField, fluids: &[Fluid]) -> ColorMap {
        match (field, self.map) {
            (ColorField::Fluid, _) | (_, None) => default_map(field, fluids),
            (_, Some(name)) => ColorMap::of(name),
        }
    }

    /// Values of `field` at the ends of the map.
    pub fn range(self, field: ColorField, setup: &Setup) -> [f32; 2] {
        match (field, self.range) {
            (ColorField::Fluid, _) | (_, None) => auto_range(field, setup),
            (_, Some(range)) => range,
        }
    }
}
