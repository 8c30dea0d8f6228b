//! Colour maps: colours of fluids, and gradients of even lightness, so that equal steps of a value look like equal steps.
//!
//! Each is a few stops in OKLCh, the polar form of OKLab, joined by straight lines in OKLab (Björn Ottosson, "A perceptual color
//! space for image processing", 2020; the conversion is in the public domain). The stops are this project's own; the published maps
//! beside them are tables.

use super::category::{CATEGORIES, category};
use super::fluids::Swatches;
use super::oklab::{oklab, srgb};
use super::published;
use super::tables::{CIVIDIS, COOL_WARM, TURBO, VIRIDIS};
use sph_io::ColorMapName;

/// Colours from 0 to 1: a gradient, or the colours of fluids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorMap {
    /// Deep blue, cyan, white: lightness rises throughout. Resembles water.
    #[default]
    Water,
    /// Blue, light grey, red: for values around a neutral middle.
    Diverging,
    /// Violet, red, orange, pale yellow: lightness rises throughout.
    Ember,
    /// Violet, green, yellow: lightness rises throughout.
    Viridis,
    /// Blue, grey, yellow: lightness rises throughout.
    Cividis,
    /// A rainbow.
    Turbo,
    /// A colour for each fluid.
    Swatches(Swatches),
    /// A colour for each of [`CATEGORIES`] numbers without an order.
    Categories,
}

/// A stop of a gradient: position 0 to 1, lightness, chroma, hue in degrees.
type Stop = (f32, f32, f32, f32);

const WATER: &[Stop] = &[
    (0.0, 0.518, 0.168, 262.0),
    (0.3, 0.62, 0.160, 252.0),
    (0.6, 0.765, 0.120, 222.0),
    (0.8, 0.87, 0.085, 202.0),
    (1.0, 0.985, 0.012, 200.0),
];
const EMBER: &[Stop] = &[
    (0.0, 0.36, 0.130, 295.0),
    (0.25, 0.51, 0.180, 340.0),
    (0.5, 0.66, 0.190, 25.0),
    (0.75, 0.80, 0.150, 68.0),
    (1.0, 0.96, 0.070, 100.0),
];

impl ColorMap {
    /// Every gradient.
    pub const ALL: [Self; 6] = [Self::Water, Self::Diverging, Self::Ember, Self::Viridis, Self::Cividis, Self::Turbo];

    /// The gradient of this name.
    pub fn of(name: ColorMapName) -> Self {
        match name {
            ColorMapName::Water => Self::Water,
            ColorMapName::Ember => Self::Ember,
            ColorMapName::Diverging => Self::Diverging,
            ColorMapName::Viridis => Self::Viridis,
            ColorMapName::Cividis => Self::Cividis,
            ColorMapName::Turbo => Self::Turbo,
        }
    }

    /// Name for menus and files: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Diverging => "diverging",
            Self::Ember => "ember",
            Self::Viridis => "viridis",
            Self::Cividis => "cividis",
            Self::Turbo => "turbo",
            Self::Swatches(_) => "fluids",
            Self::Categories => "categories",
        }
    }

    /// Colours at its two ends, in words.
    pub fn ends(self) -> [&'static str; 2] {
        match self {
            Self::Water => ["blue", "white"],
            Self::Diverging => ["blue", "red"],
            Self::Ember => ["violet", "pale yellow"],
            Self::Viridis => ["violet", "yellow"],
            Self::Cividis => ["dark blue", "yellow"],
            Self::Turbo => ["dark blue", "dark red"],
            Self::Swatches(_) => ["that of the first fluid", "that of the last"],
            Self::Categories => ["that of the first number", "that of the last"],
        }
    }

    /// The colour at `t`, 0 to 1 (clamped), as sRGB. NaN is neutral grey.
    pub fn sample(self, t: f32) -> [u8; 3] {
        if t.is_nan() {
            return NAN_COLOR;
        }
        let t = t.clamp(0.0, 1.0);
        let stops = match self {
            Self::Water => WATER,
            Self::Ember => EMBER,
            Self::Diverging => return published::sample(&COOL_WARM, t),
            Self::Viridis => return published::sample(&VIRIDIS, t),
            Self::Cividis => return published::sample(&CIVIDIS, t),
            Self::Turbo => return published::sample(&TURBO, t),
            Self::Swatches(swatches) => return swatches.sample(t),
            Self::Categories => return category((t * (CATEGORIES - 1) as f32).round() as u32),
        };
        let end = stops.partition_point(|stop| stop.0 < t).clamp(1, stops.len() - 1);
        let (from, to) = (stops[end - 1], stops[end]);
        let along = (t - from.0) / (to.0 - from.0);
        let (from, to) = (from_stop(from), from_stop(to));
        srgb(std::array::from_fn(|axis| from[axis] + along * (to[axis] - from[axis])))
    }

    /// `N` colours evenly spaced from 0 to 1, both ends included.
    pub fn table<const N: usize>(self) -> [[u8; 3]; N] {
        std::array::from_fn(|place| self.sample(place as f32 / (N.max(2) - 1) as f32))
    }
}

/// The colour of NaN.
const NAN_COLOR: [u8; 3] = [128, 128, 128];

fn from_stop((_, lightness, chroma, hue): Stop) -> [f32; 3] {
    oklab(lightness, chroma, hue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::{Fluid, MAX_FLUIDS};

    /// CIE lightness L*, 0 to 100, independent of OKLab.
    fn lightness(color: [u8; 3]) -> f32 {
        let linear = color.map(|value| {
            let value = f32::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    #[test]
    fn sequential_maps_grow_evenly_lighter() {
        for map in [ColorMap::Water, ColorMap::Ember, ColorMap::Viridis, ColorMap::Cividis] {
            let table: [_; 33] = map.table();
            let steps: Vec<f32> = table.windows(2).map(|pair| lightness(pair[1]) - lightness(pair[0])).collect();
            let mean = steps.iter().sum::<f32>() / steps.len() as f32;
            assert!(steps.iter().all(|&step| step > 0.4 * mean && step < 1.8 * mean), "{map:?}: {steps:?}");
        }
    }

    #[test]
    fn diverging_map_is_lightest_and_neutral_in_the_middle() {
        let table: [_; 33] = ColorMap::Diverging.table();
        let lightest = (0..33).max_by(|&a, &b| lightness(table[a]).total_cmp(&lightness(table[b]))).unwrap();
        assert_eq!(lightest, 16);
        let [red, green, blue] = table[16].map(i32::from);
        assert!((red - green).abs() < 12 && (green - blue).abs() < 12);
        assert!((lightness(table[0]) - lightness(table[32])).abs() < 6.0);
    }

    #[test]
    fn maps_stand_out_from_a_dark_backdrop_and_accept_any_number() {
        for map in ColorMap::ALL {
            let is_own = matches!(map, ColorMap::Water | ColorMap::Ember);
            assert!(!is_own || lightness(map.sample(0.0)) > 22.0, "{map:?}");
            assert_eq!(map.sample(-3.0), map.sample(0.0));
            assert_eq!(map.sample(f32::INFINITY), map.sample(1.0));
            assert_eq!(map.sample(f32::NAN), NAN_COLOR);
        }
    }

    /// First, middle and last entry of the tables.
    #[test]
    fn published_maps_have_the_published_colors() {
        let check = |map: ColorMap, middle: f32, expected: [u32; 3]| {
            let found = [0.0, middle, 1.0].map(|t| {
                let [red, green, blue] = map.sample(t);
                u32::from_be_bytes([0, red, green, blue])
            });
            assert_eq!(found, expected, "{map:?}: {found:06x?}");
        };
        let middle = 128.0 / 255.0;
        check(ColorMap::Viridis, middle, [0x440154, 0x21918c, 0xfde725]);
        check(ColorMap::Cividis, middle, [0x00224e, 0x7d7c78, 0xfee838]);
        check(ColorMap::Turbo, middle, [0x30123b, 0xa4fc3c, 0x7a0403]);
        check(ColorMap::Diverging, 0.5, [0x3b4cc0, 0xdddddd, 0xb40426]);
    }

    #[test]
    fn lightness_of_viridis_and_cividis_rises_from_entry_to_entry() {
        for map in [ColorMap::Viridis, ColorMap::Cividis] {
            let table: [_; 256] = map.table();
            // Rounding to 8 bits takes up to 0.2.
            let falls = table.windows(2).find(|pair| lightness(pair[1]) < lightness(pair[0]) - 0.2);
            assert_eq!(falls, None, "{map:?}");
            assert!(table.windows(9).all(|part| lightness(part[8]) > lightness(part[0])), "{map:?}");
        }
    }

    #[test]
    fn every_category_has_its_color_in_a_table() {
        let table: [_; 256] = ColorMap::Categories.table();
        for number in 0..CATEGORIES {
            assert_eq!(table[(255 / (CATEGORIES - 1) * number) as usize], category(number));
        }
    }

    /// Texels of the renderer's table at the places of whole numbers have the colours of these numbers.
    #[test]
    fn a_table_has_every_color_at_its_place() {
        let fluids: Vec<Fluid> =
            (0..MAX_FLUIDS as u8).map(|number| Fluid { color: Some([number, 0, 0]), ..Fluid::new("", 1.0) }).collect();
        for count in 2..=MAX_FLUIDS {
            let table: [_; 256] = ColorMap::Swatches(Swatches::of(&fluids[..count])).table();
            for number in 0..count {
                let place = 255.0 * number as f32 / (count - 1) as f32;
                for texel in [place.floor(), place.ceil()] {
                    assert_eq!(table[texel as usize], [number as u8, 0, 0], "{number} of {count}");
                }
            }
        }
    }
}
