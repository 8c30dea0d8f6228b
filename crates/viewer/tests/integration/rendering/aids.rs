//! Foam, arrows of velocity, and small particles.

use super::support::*;
use glam::Vec3;
use sph_core::{FoamKind, FoamParticle};
use sph_io::ClipPlane;
use viewer::render::{Arrows, Frame, Slab, Tint};

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
    let with = picture(SIZE, &Frame { foam: &foam, ..base });
    let gain = |place: Vec3| {
        let pixel = pixel_of(place, &camera);
        brightness(at(&with, pixel)) as i32 - brightness(at(&without, pixel)) as i32
    };
    assert!(gain(places[0]) > 100 && gain(places[2]) > 300, "{} {}", gain(places[0]), gain(places[2]));
    assert_eq!([gain(places[1]), gain(places[3])], [0, 0]);
    // The slab of a clip plane leaves it out too.
    let slab = Slab::from(ClipPlane { axis: 0, position: 1.0, flipped: false });
    let clipped = picture(SIZE, &Frame { foam: &foam, slab: Some(slab), ..base });
    assert_eq!(at(&clipped, pixel_of(places[2], &camera)), at(&without, pixel_of(places[2], &camera)));
}

#[test]
fn an_arrow_points_along_the_velocity() {
    let camera = straight();
    let (positions, velocities) = ([Vec3::ZERO, Vec3::Y * 3.0], [Vec3::X, Vec3::ZERO]);
    let base = Frame { radius: 0.5, ..frame(&positions, &[], &camera) };
    let arrows = Arrows { velocities: &velocities, ids: &[0, 1], speed: 1.0 };
    let [without, with] = [None, Some(arrows)].map(|arrows| picture(SIZE, &Frame { arrows, ..base }));
    // The arrow is one and a half spacings long and drawn somewhat nearer.
    let changed = |x: f32, y: f32| {
        let pixel = pixel_of(Vec3::new(x, y, 0.0), &camera);
        (0..3).any(|row| {
            at(&with, pixel + glam::Vec2::Y * (row as f32 - 1.0)) != at(&without, pixel + glam::Vec2::Y * (row as f32 - 1.0))
        })
    };
    assert!(changed(0.3, 0.0) && changed(1.2, 0.0));
    assert!(!changed(-0.3, 0.0) && !changed(2.5, 0.0) && !changed(0.3, 3.0));
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
