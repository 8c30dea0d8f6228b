//! Contrast of particles with the rooms around them.

use super::support::*;
use glam::{Vec2, Vec3};
use sph_io::Look;
use viewer::color::ColorMap;
use viewer::render::{Background, Frame};

/// Least contrast of some pixel of a particle with what is behind it.
const LEAST: f32 = 2.0;

/// Relative luminance of WCAG 2.
fn luminance([red, green, blue, _]: [u8; 4]) -> f32 {
    let [red, green, blue] = [red, green, blue].map(|value| {
        let value = f32::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(a: [u8; 4], b: [u8; 4]) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// All maps in a light room, where ink surrounds light colours. In a dark one the map of the speed: dark ends of the others are as dark as
/// their authors made them.
#[test]
fn particles_of_every_colour_stand_out_from_the_room() {
    let camera = straight();
    let places = |radius: f32| {
        let rows = [-3.0, 0.0, 3.0].into_iter();
        rows.flat_map(move |y| (0..=8).map(move |step| Vec3::new(step as f32 - 4.0 + 0.3 * radius, y, 0.0)))
    };
    for (background, maps) in [(Background::LightRoom, &ColorMap::ALL[..]), (Background::Room, &[ColorMap::Water])] {
        let nothing = picture(SIZE, &Frame { background, ..frame(&[], &[], &camera) });
        for (&map, look) in maps.iter().flat_map(|map| [(map, Look::Spheres), (map, Look::Points)]) {
            // About 1.5, 3 and 8 pixels.
            for radius in [0.07, 0.14, 0.37] {
                let positions: Vec<Vec3> = places(radius).collect();
                let values: Vec<f32> = (0..positions.len()).map(|index| (index % 9) as f32 / 8.0).collect();
                let base = Frame { background, look, radius, color_map: map, ..frame(&positions, &values, &camera) };
                let drawn = picture(SIZE, &base);
                for (position, value) in positions.iter().zip(&values) {
                    let middle = pixel_of(*position, &camera).floor();
                    let offsets = (-10..=10).flat_map(|y| (-10..=10).map(move |x| Vec2::new(x as f32, y as f32)));
                    let best = offsets
                        .map(|offset| contrast(at(&drawn, middle + offset), at(&nothing, middle + offset)))
                        .fold(0.0, f32::max);
                    let case = format!("{map:?} at {value} in {background:?} as {look:?} of {radius} m at {position}");
                    assert!(best >= LEAST, "{case}: {best}");
                }
            }
        }
    }
}
