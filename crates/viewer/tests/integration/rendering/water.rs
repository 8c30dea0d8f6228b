//! The look of water, and points.

use super::*;
use egui_kittest::{SnapshotOptions, image_snapshot_options};
use glam::{EulerRot, Mat3, Vec3};
use image::{Rgba, RgbaImage};
use sph_core::Pose;
use sph_core::probes::Ellipsoid;
use sph_io::Look;
use sph_render::camera::Camera;
use sph_render::{Frame, Mesh, Part, Picture, Renderer, Sides};

const SIZE: [u32; 2] = [320, 200];

/// Ellipsoids as flat as those of a sheet, turned by angles that differ from one to the next.
fn flat(positions: &[Vec3]) -> Vec<Ellipsoid> {
    let lengths = Vec3::new(1.5874, 1.5874, 0.39685);
    let of = |(number, &center): (usize, &Vec3)| {
        let [x, y, z] = [0.7, 1.3, 2.9].map(|rate| rate * number as f32);
        let rotation = Mat3::from_euler(EulerRot::XYZ, x, y, z);
        let [x, y, z] = (rotation * Mat3::from_diagonal(lengths) * rotation.transpose()).to_cols_array_2d();
        Ellipsoid { center, axes: [x[0], y[1], z[2], x[1], x[2], y[2]] }
    };
    positions.iter().enumerate().map(of).collect()
}

/// Sum of the three channels over the picture's pixels that `other` has otherwise.
fn changed(picture: &Picture, other: &Picture) -> usize {
    let far = |(a, b): &(&[u8], &[u8])| (0..3).any(|channel| a[channel].abs_diff(b[channel]) > 12);
    picture.rgba.chunks_exact(4).zip(other.rgba.chunks_exact(4)).filter(far).count()
}

#[test]
fn water_and_points_look_as_they_did() {
    let (positions, values) = dam_break(20_000);
    let camera = Camera::frame(TANK.0, TANK.1, SIZE[0] as f32 / SIZE[1] as f32);
    let fluids: Vec<u8> = positions.iter().map(|position| u8::from(position.x > 0.5)).collect();
    let base = Frame { radius: spacing(20_000) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let colors = [[72, 178, 204], [214, 140, 36]];
    let ellipsoids = flat(&positions);
    let pictures = [
        Frame { look: Look::Water, ..base },
        Frame { look: Look::Water, fluids: &fluids, fluid_colors: &colors, ..base },
        Frame { look: Look::Points, ..base },
        Frame { look: Look::Water, ellipsoids: &ellipsoids, ..base },
    ]
    .map(|frame| picture(SIZE, &frame));
    let mut sheet = RgbaImage::new(SIZE[0], SIZE[1] * pictures.len() as u32);
    for (number, picture) in (0..).zip(&pictures) {
        for (x, y) in (0..SIZE[0]).flat_map(|x| (0..SIZE[1]).map(move |y| (x, y))) {
            sheet.put_pixel(x, number * SIZE[1] + y, Rgba(picture.pixel(x, y)));
        }
    }
    // Drivers round otherwise, which moves edges: a hundredth of the pixels. Without reflections a fifth of them differ.
    let options = SnapshotOptions::new().threshold(10.0).max_failed_pixels(2500);
    image_snapshot_options(&sheet, "water", &options);
}

#[test]
fn water_takes_light_by_its_depth_and_casts_a_shadow_in_its_color() {
    // Slabs of 5 cm and of 50 cm on a floor, seen from above.
    let slab = |height: u32| -> Vec<Vec3> {
        let place = |x, y, z| (Vec3::new(x as f32, y as f32, z as f32) + 0.5) * 0.05;
        (0..20).flat_map(|x| (0..height).flat_map(move |y| (0..20).map(move |z| place(x, y, z)))).collect()
    };
    let camera = Camera::look(Vec3::new(0.5, 4.0, 0.6), Vec3::new(0.5, 0.0, 0.5));
    let room = [(Vec3::ZERO, Vec3::splat(1.0))];
    let seen = |positions: &[Vec3]| {
        let base = frame(positions, &[], &camera);
        picture(SIZE, &Frame { look: Look::Water, radius: 0.025, boxes: &room, show_boxes: false, ..base })
    };
    let [none, thin, thick] = [seen(&[]), seen(&slab(1)), seen(&slab(10))];
    let mean = |picture: &Picture, channel: usize| -> f32 {
        let pixels = (-15i32..15).flat_map(|x| (-15i32..15).map(move |y| ((160 + x) as u32, (100 + y) as u32)));
        pixels.map(|(x, y)| f32::from(picture.pixel(x, y)[channel])).sum::<f32>() / 900.0
    };
    // Red goes first, and more of it the deeper the water.
    assert!(mean(&none, 0) > mean(&thin, 0) + 5.0 && mean(&thin, 0) > mean(&thick, 0) + 20.0);
    assert!(mean(&thick, 2) > mean(&thick, 0) + 20.0, "deep water is blue");
    // The sun stands to the upper left, so that floor to the lower right of the water is in its shadow.
    assert!(changed(&thick, &none) > changed(&thin, &none));
}

#[test]
fn crests_gather_sunlight_on_the_floor() {
    // A slab whose thickness has waves along x, made by how close its particles are, high above the floor: its shadow lies beside it.
    let (spacing, wave) = (0.02, 0.8);
    let rate = std::f32::consts::TAU / wave;
    let layer = |y: u32, z: u32| (0..120).map(move |x| Vec3::new(x as f32, y as f32, z as f32) * spacing);
    let lattice = (0..10).flat_map(|y| (0..60).flat_map(move |z| layer(y, z)));
    let gathered = |place: Vec3| place + Vec3::new(-0.15 / rate * (rate * place.x).sin(), 2.0, 0.0);
    let positions: Vec<Vec3> = lattice.map(gathered).collect();
    let room = [(Vec3::splat(-4.0).with_y(0.0), Vec3::splat(8.0))];
    // Shadow of the slab's middle, which is 2.09 m above the floor; the sun is in the direction (−0.60, 0.66, −0.66).
    let shadow = |x: f32, z: f32| Vec3::new(x + 2.09 * 0.60 / 0.66, 0.0, z + 2.09);
    let camera = Camera::look(shadow(1.2, 0.61).with_y(1.5), shadow(1.2, 0.6));
    let base = frame(&positions, &[], &camera);
    let seen = picture(SIZE, &Frame { look: Look::Water, radius: 0.5 * spacing, boxes: &room, show_boxes: false, ..base });
    let brightness = |x: f32| -> u32 {
        let at = |z: u32| {
            let place = shadow(x, 0.3 + 0.02 * z as f32);
            let ndc = camera.project(place, SIZE[0] as f32 / SIZE[1] as f32).expect("in front of the eye");
            let [left, down] = [(0.5 + 0.5 * ndc.x) * SIZE[0] as f32, (0.5 - 0.5 * ndc.y) * SIZE[1] as f32];
            seen.pixel(left as u32, down as u32).into_iter().take(3).map(u32::from).sum::<u32>()
        };
        (0..30).map(at).sum::<u32>() / 30
    };
    // There is more water under a crest, so that it would be darker without the light that it gathers.
    let [crest, trough, next] = [0.8, 1.2, 1.6].map(brightness);
    assert!(crest.min(next) > trough + 20, "{crest}, {trough}, {next}");
}

#[test]
fn bodies_stand_in_the_water_and_particles_hide_none_of_them() {
    let camera = Camera::look(Vec3::new(0.5, 1.0, 4.0), Vec3::new(0.5, 0.5, 0.5));
    let room = [(Vec3::ZERO, Vec3::splat(1.0))];
    let corner = |x: f32, y: f32| Vec3::new(x, y, 0.9);
    let vertices = [corner(0.3, 0.3), corner(0.7, 0.3), corner(0.7, 0.7), corner(0.3, 0.7)];
    let (normals, triangles) = ([Vec3::Z; 4], [[0, 1, 2], [0, 2, 3]]);
    let mesh = Mesh {
        vertices: &vertices,
        normals: &normals,
        triangles: &triangles,
        pose: Pose::default(),
        color: [220, 40, 40],
        colors: &[],
        shaded: false,
        sides: Sides::Both,
    };
    let behind: Vec<Vec3> = (0..400).map(|i| Vec3::new(0.05 * (i % 20) as f32, 0.05 * (i / 20) as f32, 0.4)).collect();
    let base = frame(&behind, &[], &camera);
    let base = Frame { look: Look::Water, radius: 0.025, boxes: &room, show_boxes: false, meshes: &[mesh], ..base };
    let middle = |frame: &Frame<'_>| picture(SIZE, frame).pixel(160, 100);
    let alone = middle(&Frame { positions: &[], ..base });
    assert!(warmth(alone) > 60, "{alone:?}");
    assert_eq!(middle(&base), alone, "water behind a body does not show on it");
    let before: Vec<Vec3> = behind.iter().map(|position| position.with_z(1.1)).collect();
    assert_ne!(middle(&Frame { positions: &before, ..base }), alone, "water before a body does");
}

#[test]
fn flat_scenes_have_spheres_for_water() {
    let camera = straight();
    let positions = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0)];
    let base =
        Frame { boxes: &[(Vec3::new(-3.0, -1.0, 0.0), Vec3::new(3.0, 1.0, 0.0))], ..frame(&positions, &[0.5; 2], &camera) };
    assert!(picture(SIZE, &base) == picture(SIZE, &Frame { look: Look::Water, ..base }));
}

#[test]
fn any_numbers_are_drawn() {
    let camera = straight();
    let bad = [Vec3::NAN, Vec3::INFINITY, Vec3::splat(f32::MAX), Vec3::ZERO];
    let room = [(Vec3::splat(-1.0), Vec3::splat(1.0))];
    let mut renderer = Renderer::new(gpu());
    for look in [Look::Water, Look::Points] {
        for radius in [0.0, -1.0, 1e-9, 0.5, 1e9, f32::NAN, f32::INFINITY] {
            for axes in [[1.0; 6], [0.0; 6], [f32::NAN; 6], [f32::MAX; 6]] {
                let ellipsoids = bad.map(|center| Ellipsoid { center, axes });
                let base = Frame { look, radius, boxes: &room, fluids: &[9], ..frame(&bad, &[], &camera) };
                renderer.draw(gpu(), [64, 48], &Frame { ellipsoids: &ellipsoids[..3], ..base });
                let read = renderer.read(gpu()).expect("the device is well");
                assert!(read.rgba.iter().skip(3).step_by(4).all(|alpha| *alpha == 255));
            }
        }
    }
}

#[test]
fn the_passes_of_water_are_timed_by_their_names() {
    let (positions, values) = dam_break(500);
    let camera = Camera::frame(TANK.0, TANK.1, 1.6);
    let water = Frame { look: Look::Water, radius: spacing(500) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let mut renderer = Renderer::new(gpu());
    let mut draw = |frame: &Frame<'_>| {
        for _ in 0..4 {
            renderer.draw(gpu(), [64, 48], frame);
            renderer.read(gpu()).expect("the device is well");
        }
        renderer.costs()
    };
    let passes = Part::ALL.into_iter().filter(|part| !matches!(part, Part::Particles | Part::Overlay));
    let with = draw(&water);
    for part in passes.clone() {
        assert!(!with.with_device || with.of(part) > 0.0, "{}: {with:?}", part.name());
    }
    let without = draw(&Frame { look: Look::Spheres, ..water });
    assert!(passes.clone().all(|part| without.of(part) == 0.0), "{without:?}");
}
