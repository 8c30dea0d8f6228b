//! Scale of the particles' colours: the colour map, and the values at its ends.

use super::field::{default_map, is_category};
use super::map::ColorMap;
use super::range::auto_range;
use sph_core::Fluid;
use sph_io::{ColorField, ColorMapName, Scene};

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

    /// Shows `chosen` in place of `field`. Ends that are held are dropped with another quantity: they are in another unit.
    pub fn choose(&mut self, field: &mut ColorField, chosen: ColorField) {
        if std::mem::replace(field, chosen) != chosen {
            self.range = None;
        }
    }

    /// Colour map of `field`, in a scene with these fluids. Categories always have their own colours.
    pub fn map(self, field: ColorField, fluids: &[Fluid]) -> ColorMap {
        self.map.filter(|_| !is_category(field)).map_or_else(|| default_map(field, fluids), ColorMap::of)
    }

    /// Values of `field` at the ends of the map.
    pub fn range(self, field: ColorField, scene: &Scene) -> [f32; 2] {
        self.range.filter(|_| !is_category(field)).unwrap_or_else(|| auto_range(field, scene))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_ends_stay_with_their_quantity() {
        let mut scale = Scale { range: Some([0.0, 7.0]), ..Scale::default() };
        let mut field = ColorField::Speed;
        scale.choose(&mut field, ColorField::Speed);
        assert_eq!((field, scale.range), (ColorField::Speed, Some([0.0, 7.0])));
        scale.choose(&mut field, ColorField::Pressure);
        assert_eq!((field, scale.range), (ColorField::Pressure, None));
    }
}
