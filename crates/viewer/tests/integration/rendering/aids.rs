//! Foam, arrows of velocity, small particles; coloured, faint and hidden particles, and slabs; contrast of particles with the rooms
//! around them.

use super::*;
use glam::{Vec2, Vec3};
use sph_color::ColorMap;
use sph_core::{FoamKind, FoamParticle};
use sph_io::{ClipPlane, Look};
use sph_render::camera::Camera;
use sph_render::{Arrows, Background, Frame, Renderer, Slab, Tint};

fn brightness([red, green, blue, _]: [u8; 4]) -> u32 {
    u32::from(red) + u32::from(green) + u32::from(blue)
}

#[test]
fn foam_is_white_where_nothing_is_nearer() {
    let camera = straight();
    // A particle, and foam on it, behind it, beside it, beside it at its end, and at no place.
    let places = [Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.0, 0.0, -6.0), Vec3::X * 3.0, Vec3::X * -3.0, Vec3::NAN];
    let left = [5.0, 5.0, 5.0, 0.0, 5.0];
    let foam: Vec<_> = std::iter::zip(places, left)
        .map(|(position, left)| FoamParticle { position, velocity: Vec3::ZERO, left, kind: FoamKind::Foam })
        .collect();
    let base = frame(&[Vec3::ZERO], &[0.0], &camera);
    let without = picture(SIZE, &base);
    // Of each alone: a disc that is seen from so near reaches over others.
    let gain = |number: usize| {
        let pixel = pixel_of(places[number], &camera);
        let with = picture(SIZE, &Frame { foam: &foam[number..=number], ..base });
        brightness(at(&with, pixel)) as i32 - brightness(at(&without, pixel)) as i32
    };
    assert!(gain(0) > 60 && gain(2) > 100, "{} {}", gain(0), gain(2));
    assert_eq!([gain(1), gain(3)], [0, 0]);
    assert_eq!(picture(SIZE, &Frame { foam: &foam[4..], ..base }), without, "at no place");
    // The slab of a clip plane leaves it out too.
    let slab = Slab::from(ClipPlane { axis: 0, position: 1.0, flipped: false });
    let clipped = picture(SIZE, &Frame { foam: &foam, slab: Some(slab), ..base });
    assert_eq!(at(&clipped, pixel_of(places[2], &camera)), at(&without, pixel_of(places[2], &camera)));
}

/// Discs of less than two pixels are paler than their size has it; large ones too, and wider.
#[test]
fn foam_pales_far_away() {
    let camera = straight();
    let places =
        (0..60).map(|number| Vec3::new(0.117 * (number % 10) as f32 - 0.5, 0.113 * (number / 10) as f32 - 0.3, 0.0) * 6.0);
    let of = |position| FoamParticle { position, velocity: Vec3::ZERO, left: 5.0, kind: FoamKind::Foam };
    let foam: Vec<FoamParticle> = places.map(of).collect();
    // Light that the foam adds, over the area of its particles.
    let gain = |radius: f32| {
        let base = Frame { radius, ..frame(&[], &[], &camera) };
        let sum = |picture: &sph_render::Picture| -> f64 {
            picture.rgba.chunks_exact(4).map(|pixel| f64::from(brightness([pixel[0], pixel[1], pixel[2], 255]))).sum()
        };
        let added = sum(&picture(SIZE, &Frame { foam: &foam, ..base })) - sum(&picture(SIZE, &base));
        added / f64::from(radius * radius)
    };
    // Discs of about 0.5, 2 and 10 pixels.
    let [far, middle, near] = [0.05, 0.2, 1.0].map(gain);
    assert!((0.3..0.75).contains(&(far / middle)) && near > 0.5 * middle, "{far}, {middle} and {near}");
}

#[test]
fn an_arrow_points_along_the_velocity() {
    let camera = straight();
    let (positions, velocities) = ([Vec3::ZERO, Vec3::Y * 3.0], [Vec3::X, Vec3::ZERO]);
    let base = Frame { radius: 0.5, ..frame(&positions, &[], &camera) };
    let arrows = Arrows { velocities: &velocities, ids: &[0, 1], speed: 1.0 };
    let [without, with] = [None, Some(arrows)].map(|arrows| picture(SIZE, &Frame { arrows, ..base }));
    // The arrow begins at the surface, is one and a half spacings long and drawn somewhat nearer.
    let changed = |x: f32, y: f32| {
        let pixel = pixel_of(Vec3::new(x, y, 0.0), &camera);
        (0..3).any(|row| {
            at(&with, pixel + glam::Vec2::Y * (row as f32 - 1.0)) != at(&without, pixel + glam::Vec2::Y * (row as f32 - 1.0))
        })
    };
    assert!(changed(1.0, 0.0) && changed(1.8, 0.0));
    assert!(!changed(-0.3, 0.0) && !changed(0.3, 0.0) && !changed(3.6, 0.0) && !changed(1.0, 3.0));
}

#[test]
fn a_small_particle_has_its_colour_and_hides_less() {
    let camera = straight();
    let base = Frame { palette: &[[230, 60, 40]], ..frame(&[Vec3::ZERO], &[0.5], &camera) };
    let [small, full, hidden] =
        [Tint::Small(0), Tint::Color(0), Tint::Hidden].map(|tint| picture(SIZE, &Frame { tints: &[tint], ..base }));
    let (middle, beside) = (pixel_of(Vec3::ZERO, &camera), pixel_of(Vec3::X * 0.7, &camera));
    assert!(warmth(at(&small, middle)) > 60);
    assert!(warmth(at(&full, beside)) > 60);
    assert_eq!(at(&small, beside), at(&hidden, beside));
}

const BASE: u32 = 4000;

#[test]
fn tints_choose_the_colour() {
    let camera = straight();
    let middle = pixel_of(Vec3::ZERO, &camera);
    let palette = [[230, 60, 40], [40, 90, 230]];
    let base = Frame { palette: &palette, color_map: ColorMap::Ember, ..frame(&[Vec3::ZERO], &[f32::NAN], &camera) };
    let draw = |tints: &[Tint]| picture(SIZE, &Frame { tints, ..base });
    assert!(warmth(at(&draw(&[Tint::Color(0)]), middle)) > 60);
    assert!(warmth(at(&draw(&[Tint::Color(1)]), middle)) < -60);
    let by_value = draw(&[]);
    assert!(warmth(at(&by_value, middle)).abs() < 12, "grey without a value");
    for tint in [Tint::Value, Tint::Color(2), Tint::Color(16), Tint::Color(255)] {
        assert_eq!(draw(&[tint]), by_value, "{tint:?}");
    }
    // Colours difference the maximum of 16 are ignored.
    let many = [[230, 60, 40]; 40];
    let last = |number| picture(SIZE, &Frame { palette: &many, tints: &[Tint::Color(number)], ..base });
    assert!(warmth(at(&last(15), middle)) > 60);
    assert_eq!(last(16), by_value);
}

#[test]
fn a_palette_may_change_from_frame_to_frame() {
    let camera = straight();
    let middle = pixel_of(Vec3::ZERO, &camera);
    let mut renderer = Renderer::new(gpu());
    for color in [[230, 60, 40], [40, 90, 230], [230, 60, 40]] {
        let tints = [Tint::Color(0)];
        let frame = Frame { palette: &[color], tints: &tints, ..frame(&[Vec3::ZERO], &[0.5], &camera) };
        renderer.draw(gpu(), SIZE, &frame);
        let warm = warmth(at(&renderer.read(gpu()).unwrap(), middle));
        assert!(if color[0] > color[2] { warm > 60 } else { warm < -60 }, "{color:?}: {warm}");
    }
}

#[test]
fn a_faint_particle_is_small_and_hides_nothing() {
    let camera = straight();
    let middle = pixel_of(Vec3::ZERO, &camera);
    let base = frame(&[Vec3::ZERO], &[1.0], &camera);
    let [empty, faint, full] = [&[Tint::Hidden][..], &[Tint::Faint], &[]].map(|tints| picture(SIZE, &Frame { tints, ..base }));
    // Largest difference of any channel from the background.
    let difference = |picture: &_, position: Vec2| {
        let (with, without) = (at(picture, position), at(&empty, position));
        (0..3).map(|channel| with[channel].abs_diff(without[channel])).max().unwrap_or(0)
    };
    assert!((20..60).contains(&difference(&faint, middle)) && difference(&full, middle) > 100);
    // Its radius is less than half that of the others.
    let beside = pixel_of(Vec3::X * 0.45, &camera);
    assert!(difference(&faint, beside) == 0 && difference(&full, beside) > 100);
    // It does not hide a particle behind it.
    let palette = [[230, 60, 40]];
    let tints = [Tint::Color(0), Tint::Faint];
    let positions = [Vec3::ZERO, Vec3::Z * 2.0];
    let both = Frame { tints: &tints, palette: &palette, ..frame(&positions, &[], &camera) };
    let alone = Frame { tints: &tints[..1], positions: &positions[..1], ..both };
    let box_around = [(Vec3::splat(-5.0), Vec3::splat(5.0))];
    let [both, alone] = [both, alone].map(|frame| picture(SIZE, &Frame { boxes: &box_around, ..frame }));
    assert!(warmth(at(&alone, middle)) > 60);
    assert!(both == alone, "a faint particle in front of another");
}

#[test]
fn hidden_particles_are_not_drawn_and_cast_no_shadow() {
    let (positions, values) = dam_break(BASE);
    let camera = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    let base = Frame { radius: spacing(BASE) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let kept = |index: usize| !index.is_multiple_of(3) && positions[index].x > 0.3;
    let tints: Vec<_> = (0..positions.len()).map(|index| if kept(index) { Tint::Value } else { Tint::Hidden }).collect();
    let rest = (0..positions.len()).filter(|&index| kept(index));
    let (rest, rest_values): (Vec<_>, Vec<_>) = rest.map(|index| (positions[index], values[index])).unzip();
    let hidden = picture(SIZE, &Frame { tints: &tints, ..base });
    assert!(hidden == picture(SIZE, &Frame { positions: &rest, values: &rest_values, ..base }));
    assert!(hidden != picture(SIZE, &base));
}

#[test]
fn a_slab_clips_particles_outside_its_planes() {
    let (positions, values) = dam_break(BASE);
    let camera = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    let base = Frame { radius: spacing(BASE) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    for slab in [Slab { axis: 0, low: 0.2, high: 0.5 }, Slab { axis: 2, low: f32::NEG_INFINITY, high: 0.3 }] {
        let inside = positions.iter().zip(&values).filter(|(position, _)| slab.contains(**position));
        let (inside, inside_values): (Vec<_>, Vec<_>) = inside.map(|(&position, &value)| (position, value)).unzip();
        assert!((100..positions.len() - 100).contains(&inside.len()));
        let cut = picture(SIZE, &Frame { slab: Some(slab), ..base });
        assert!(cut == picture(SIZE, &Frame { positions: &inside, values: &inside_values, ..base }));
    }
    let none = Slab { axis: 9, low: 0.0, high: 1.0 };
    assert!(picture(SIZE, &Frame { slab: Some(none), ..base }) == picture(SIZE, &Frame { positions: &[], ..base }));
}

#[test]
fn culling_particles_of_two_sizes_changes_no_pixel() {
    let (positions, values) = dam_break(BASE);
    let mut camera = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    camera.zoom(4.0);
    let kinds = [Tint::Value, Tint::Faint, Tint::Color(0), Tint::Hidden, Tint::Faint];
    let tints: Vec<_> = (0..positions.len()).map(|index| kinds[index % kinds.len()]).collect();
    let base = Frame { radius: spacing(BASE) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let mut renderer = Renderer::new(gpu());
    let pictures = [false, true].map(|culling| {
        renderer.leave_out_hidden(culling);
        renderer.draw(gpu(), [640, 480], &Frame { tints: &tints, palette: &[[230, 60, 40]], ..base });
        renderer.read(gpu()).unwrap()
    });
    assert!(pictures[0] == pictures[1]);
}

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
    let light = [&ColorMap::ALL[..], &[ColorMap::WaterOnLight]].concat();
    for (background, maps) in [(Background::LightRoom, &light[..]), (Background::Room, &[ColorMap::Water])] {
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
