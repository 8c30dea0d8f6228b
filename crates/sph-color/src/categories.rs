//! Colours of categories, which are numbers without an order: of any kind, of fluids, of verdicts on points; their names in legends.

use crate::map::{oklab, srgb};
use sph_core::neighbors::Verdict;
use sph_core::{Fluid, MAX_FLUIDS, Setup};
use sph_io::{ColorField, Scene};

/// Hue difference of successive numbers, degrees: the golden angle, so that the hues of a few successive numbers are all far
/// apart.
const GOLDEN_ANGLE: f32 = 137.507_77;
/// Lightness and chroma, alternating.
const TONES: [(f32, f32); 3] = [(0.72, 0.15), (0.82, 0.12), (0.62, 0.16)];

/// Number of categories in a colour map of 256 entries, three for each: later numbers have the colours of the first again.
pub const CATEGORIES: u32 = 86;

/// The colour of `number` as sRGB. Successive numbers differ clearly.
pub fn category(number: u32) -> [u8; 3] {
    // Colours repeat after 144 numbers, in which the hue has turned 55 times. The remainder keeps the angle exact.
    let number = number % 144;
    let (lightness, chroma) = TONES[number as usize % TONES.len()];
    srgb(oklab(lightness, chroma, (number as f32 * GOLDEN_ANGLE) % 360.0))
}

// Colours of fluids: their own, or those of a palette.

/// Colours of fluids without one of their own, by their number; after the last they repeat. They differ in hue and in lightness
/// beside those next to them, so that people who see no difference between red and green tell them apart too. After the palette
/// of Okabe and Ito ("Color universal design", 2008), lighter for a dark backdrop.
const PALETTE: [[u8; 3]; 8] = [
    [56, 128, 224],
    [240, 168, 48],
    [0, 168, 124],
    [222, 150, 196],
    [214, 88, 36],
    [246, 232, 92],
    [128, 206, 244],
    [150, 150, 158],
];

/// A colour for each whole number from 0 on: a scale of values that have no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swatches {
    colors: [[u8; 3]; MAX_FLUIDS],
    last: u8,
}

impl Swatches {
    /// The colours of the fluids; that of the first with none in the list, as in a scene with one fluid.
    pub fn of(fluids: &[Fluid]) -> Self {
        let own = |number: usize| fluids.get(number).and_then(|fluid| fluid.color);
        let color = |number: usize| own(number).unwrap_or(PALETTE[number % PALETTE.len()]);
        Self { colors: std::array::from_fn(color), last: fluids.len().clamp(1, MAX_FLUIDS) as u8 - 1 }
    }

    /// Every colour, in order.
    pub fn colors(&self) -> &[[u8; 3]] {
        &self.colors[..=usize::from(self.last)]
    }

    /// The colour at `t`, 0 for the first and 1 for the last.
    pub fn sample(&self, t: f32) -> [u8; 3] {
        self.colors[(t.clamp(0.0, 1.0) * f32::from(self.last)).round() as usize]
    }

    /// The number of the last.
    pub fn last(&self) -> f32 {
        self.last.into()
    }
}

/// Name and colour of each fluid of a setup; with one fluid it has no name.
pub fn named_fluids(setup: &Setup) -> Vec<(String, [u8; 3])> {
    let colors = Swatches::of(&setup.fluids);
    let name = |number: usize| setup.fluids.get(number).map_or("the fluid", |fluid| &fluid.name).to_owned();
    colors.colors().iter().enumerate().map(|(number, &color)| (name(number), color)).collect()
}

/// Colour that light takes in each fluid; none for a fluid that is alone and has no colour of its own, which is clear water.
pub fn fluid_tints(fluids: &[Fluid]) -> Vec<[u8; 3]> {
    match fluids {
        [] => Vec::new(),
        [fluid] => fluid.color.into_iter().collect(),
        fluids => Swatches::of(fluids).colors().to_vec(),
    }
}

// Colours of the points that a query tests.

/// Verdicts on the points that a query tests, in the order of [`VERDICT_COLORS`].
pub const VERDICTS: [Verdict; 5] = [Verdict::Itself, Verdict::Neighbor, Verdict::TooFar, Verdict::Foreign, Verdict::PassedOver];

/// Colours of [`VERDICTS`], sRGB; distinguishable by lightness as well as by hue.
pub const VERDICT_COLORS: [[u8; 3]; VERDICTS.len()] =
    [[255, 255, 255], [96, 222, 140], [236, 172, 74], [238, 84, 128], [150, 132, 214]];

/// Index of a verdict in [`VERDICTS`].
pub fn verdict_index(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Itself => 0,
        Verdict::Neighbor => 1,
        Verdict::TooFar => 2,
        Verdict::Foreign => 3,
        Verdict::PassedOver => 4,
    }
}

/// Name and colour of each category of `field` in a scene; `None` for fields with a scale. Buckets are too many to be listed: an entry says
/// what their colours mean.
pub fn named_colors(field: ColorField, scene: &Scene) -> Option<Vec<(String, [u8; 3])>> {
    match field {
        ColorField::Fluid => Some(named_fluids(&scene.setup)),
        ColorField::Body => {
            let own = |number: usize| scene.body_names.get(number).cloned().flatten();
            let name = |number: usize| own(number).unwrap_or_else(|| format!("body {}", number + 1));
            Some((0..scene.setup.bodies.len()).map(|number| (name(number), category(number as u32 % CATEGORIES))).collect())
        }
        ColorField::Bucket => Some(vec![("alike: may share a bucket".to_owned(), category(0))]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_numbers_differ_clearly() {
        let distance = |a: [u8; 3], b: [u8; 3]| (0..3).map(|i| (f32::from(a[i]) - f32::from(b[i])).powi(2)).sum::<f32>().sqrt();
        for number in (0..300).chain([u32::MAX - 5]) {
            for step in 1..=4 {
                let apart = distance(category(number), category(number + step));
                assert!(apart > 40.0, "{number} and {}: {apart}", number + step);
            }
        }
    }

    #[test]
    fn a_fluid_has_its_own_color_or_that_of_its_number() {
        let amber = Fluid { color: Some([1, 2, 3]), ..Fluid::new("amber", 900.0) };
        let swatches = Swatches::of(&[Fluid::new("water", 1000.0), amber, Fluid::new("oil", 800.0)]);
        assert_eq!(swatches.colors(), [PALETTE[0], [1, 2, 3], PALETTE[2]]);
        assert_eq!([0.0, 0.5, 1.0].map(|t| swatches.sample(t)), [PALETTE[0], [1, 2, 3], PALETTE[2]]);
        assert_eq!(Swatches::of(&[]).colors(), [PALETTE[0]]);
        let many: Vec<Fluid> = (0..MAX_FLUIDS).map(|number| Fluid::new(&number.to_string(), 1.0)).collect();
        assert_eq!(Swatches::of(&many).colors().len(), MAX_FLUIDS);
    }

    /// Colours as people without red or without green receptors see them (Machado, Oliveira and Fernandes 2009, severity 1).
    #[test]
    fn colors_beside_each_other_differ_for_colour_blind_people() {
        const PROTANOPIA: [[f32; 3]; 3] =
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
        const DEUTERANOPIA: [[f32; 3]; 3] =
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
        let seen = |sight: [[f32; 3]; 3], color: [u8; 3]| {
            let linear = color.map(|value| (f32::from(value) / 255.0).powf(2.2));
            sight.map(|row| {
                let value: f32 = row.iter().zip(linear).map(|(weight, value)| weight * value).sum();
                255.0 * value.clamp(0.0, 1.0).powf(1.0 / 2.2)
            })
        };
        for sight in [PROTANOPIA, DEUTERANOPIA] {
            for (number, first) in PALETTE.into_iter().enumerate() {
                for second in PALETTE.into_iter().skip(number + 1).take(2) {
                    let (a, b) = (seen(sight, first), seen(sight, second));
                    let apart = (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt();
                    assert!(apart > 60.0, "{first:?} and {second:?}: {apart}");
                }
            }
        }
    }

    #[test]
    fn every_verdict_has_a_colour_of_its_own() {
        for (index, verdict) in VERDICTS.into_iter().enumerate() {
            assert_eq!(verdict_index(verdict), index);
            assert_eq!(VERDICT_COLORS.iter().filter(|&&color| color == VERDICT_COLORS[index]).count(), 1);
        }
    }

    #[test]
    fn categories_have_names_and_scales_have_none() {
        let text = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n\
                    [[bodies]]\nmin = [2, 0]\nmax = [2.2, 0.2]\n";
        let scene = sph_io::parse(text, "body", &[]).expect("the scene is valid");
        let names =
            |field| named_colors(field, &scene).map(|named| named.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        assert_eq!(names(ColorField::Body), Some(vec!["body 1".to_owned()]));
        assert_eq!(names(ColorField::Fluid), Some(vec!["the fluid".to_owned()]));
        for field in ColorField::ALL {
            assert_eq!(names(field).is_some(), crate::is_category(field), "{field:?}");
        }
    }
}
