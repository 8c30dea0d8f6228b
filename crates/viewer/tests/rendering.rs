//! The renderer on a real driver; Mesa's software one will do. Without any these tests fail and say what to install.
//!
//! With `SPH_PICTURES` naming a folder, the pictures are left there to be looked at.

use glam::{Vec2, Vec3};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;
use viewer::camera::Camera;
use viewer::color::ColorMap;
use viewer::render::{CellBox, Frame, Gpu, Picture, Renderer, Slab, Tint};

static GPU: LazyLock<Result<Gpu, String>> = LazyLock::new(|| Gpu::headless().map_err(|error| error.to_string()));

fn gpu() -> &'static Gpu {
    GPU.as_ref().unwrap_or_else(|error| panic!("these tests need a graphics driver: {error}"))
}

fn picture(size: [u32; 2], frame: &Frame<'_>) -> Picture {
    let mut renderer = Renderer::new(gpu());
    renderer.draw(gpu(), size, frame);
    renderer.read(gpu()).expect("the picture can be read")
}

fn keep(name: &str, picture: &Picture) {
    if let Some(folder) = std::env::var_os("SPH_PICTURES") {
        picture.save_png(&Path::new(&folder).join(name)).expect("the folder can be written");
    }
}

/// Looks along −z from 10 m before the origin.
fn straight() -> Camera {
    Camera::look(Vec3::new(0.0, 0.0, 10.0), Vec3::ZERO)
}

fn frame<'a>(positions: &'a [Vec3], values: &'a [f32], camera: &'a Camera) -> Frame<'a> {
    let (range, color_map) = ([0.0, 1.0], ColorMap::Diverging);
    Frame {
        positions,
        values,
        range,
        color_map,
        tints: &[],
        palette: &[],
        slab: None,
        radius: 1.0,
        boxes: &[],
        show_boxes: true,
        cells: &[],
        camera,
    }
}

const SIZE: [u32; 2] = [240, 180];

/// The pixel of a point in the world.
fn pixel_of(point: Vec3, camera: &Camera) -> Vec2 {
    let [width, height] = SIZE.map(|length| length as f32);
    let ndc = camera.project(point, width / height).expect("in front of the eye");
    0.5 * (ndc * Vec2::new(1.0, -1.0) + 1.0) * Vec2::new(width, height)
}

/// Red minus blue: positive for the map's upper end, negative for its lower end.
fn warmth([red, _, blue, _]: [u8; 4]) -> i32 {
    i32::from(red) - i32::from(blue)
}

fn at(picture: &Picture, place: Vec2) -> [u8; 4] {
    picture.pixel(place.x as u32, place.y as u32)
}

#[test]
fn a_sphere_covers_its_outline_and_nothing_else() {
    let camera = straight();
    let empty = picture(SIZE, &frame(&[], &[], &camera));
    let sphere = picture(SIZE, &frame(&[Vec3::ZERO], &[1.0], &camera));
    let middle = pixel_of(Vec3::ZERO, &camera);
    // The rays that touch a sphere of radius 1 at distance 10 pass its middle at 1 / sqrt(1 − 1/100).
    let radius = pixel_of(Vec3::X * 1.005_04, &camera).x - middle.x;
    // The floor under a lone particle differs from none at all: compare above its horizon only.
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let distance = (Vec2::new(x as f32, y as f32) + 0.5).distance(middle);
            let (with, without) = (sphere.pixel(x, y), empty.pixel(x, y));
            if distance < radius - 1.0 {
                assert!(warmth(with) > 10, "hole at {x}, {y}: {with:?}");
            } else if distance > radius + 1.0 {
                assert!(warmth(with) < 5, "{x}, {y} is outside: {with:?} instead of {without:?}");
            }
        }
    }
}

#[test]
fn a_sphere_off_the_axis_is_an_ellipse_of_the_right_size() {
    let camera = straight();
    let center = Vec3::new(3.5, 2.0, 3.0);
    let picture = picture(SIZE, &frame(&[center], &[1.0], &camera));
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let ndc = (Vec2::new(x as f32, y as f32) + 0.5) / Vec2::new(SIZE[0] as f32, SIZE[1] as f32) * 2.0 - 1.0;
            let ray = camera.ray(ndc * Vec2::new(1.0, -1.0), aspect);
            let distance = (center - ray.origin).cross(ray.direction).length();
            let color = picture.pixel(x, y);
            if distance < 0.93 {
                assert!(warmth(color) > 10, "hole at {x}, {y}: {color:?}");
            } else if distance > 1.07 {
                assert!(warmth(color) < 5, "{x}, {y} is outside: {color:?}");
            }
        }
    }
}

#[test]
fn the_nearer_sphere_hides_the_farther_whatever_their_order() {
    let camera = straight();
    let (near, far) = (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, -2.0));
    let middle = pixel_of(Vec3::ZERO, &camera);
    let first = picture(SIZE, &frame(&[near, far], &[1.0, 0.0], &camera));
    let second = picture(SIZE, &frame(&[far, near], &[0.0, 1.0], &camera));
    assert!(warmth(at(&first, middle)) > 30);
    assert_eq!(first, second);
}

#[test]
fn intersecting_spheres_cross_where_they_should() {
    let camera = straight();
    // The plane between two equal spheres holds their crossing: here x = z, seen along z. Flat pictures of spheres would put it at
    // the outline of the nearer one.
    let offset = Vec3::new(0.45, 0.0, -0.45);
    let picture = picture(SIZE, &frame(&[offset, -offset], &[1.0, 0.0], &camera));
    for height in [-0.3, 0.0, 0.3] {
        // On the crossing circle: |x² + y² + z²| = 1 − |offset|², x = z > 0 on the side of the eye.
        let reach = ((1.0 - offset.length_squared() - height * height) / 2.0f32).sqrt();
        let crossing = pixel_of(Vec3::new(reach, height, reach), &camera);
        let (left, right) = (at(&picture, crossing - Vec2::X * 2.0), at(&picture, crossing + Vec2::X * 2.0));
        assert!(warmth(left) < -30 && warmth(right) > 30, "at height {height}: {left:?} | {right:?}");
    }
}

#[test]
fn the_tank_is_hidden_by_what_is_before_it_and_hides_nothing_behind_it() {
    let camera = straight();
    let behind = [(Vec3::new(0.0, -3.0, -3.0), Vec3::new(2.5, 3.0, -2.9))];
    let middle = pixel_of(Vec3::new(0.0, 0.0, -2.9), &camera);
    let with = picture(SIZE, &Frame { boxes: &behind, ..frame(&[Vec3::ZERO], &[1.0], &camera) });
    assert!(warmth(at(&with, middle)) > 30);
    let above = pixel_of(Vec3::new(0.0, 2.0, -2.9), &camera);
    let bright = |picture: &Picture, place: Vec2| {
        (0..5).map(|step| at(picture, place + Vec2::X * (step as f32 - 2.0))[1]).max().unwrap()
    };
    assert!(bright(&with, above) > 90, "the edge shows beside the sphere: {}", bright(&with, above));
    let without = picture(SIZE, &Frame { boxes: &behind, show_boxes: false, ..frame(&[Vec3::ZERO], &[1.0], &camera) });
    assert!(bright(&without, above) < 70, "and can be left out: {}", bright(&without, above));
}

#[test]
fn the_same_frame_gives_the_same_picture() {
    let (positions, values) = dam_break(5000);
    let camera = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    let frame = Frame { radius: spacing(5000) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let first = picture(SIZE, &frame);
    assert_eq!(first, picture(SIZE, &frame));
    let mut renderer = Renderer::new(gpu());
    renderer.draw(gpu(), [50, 70], &Frame { positions: &[], ..frame });
    renderer.draw(gpu(), SIZE, &frame);
    assert_eq!(first, renderer.read(gpu()).unwrap(), "what was drawn before leaves no trace");
}

#[test]
fn leaving_out_hidden_particles_changes_no_pixel() {
    let (positions, values) = dam_break(8000);
    let mut renderer = Renderer::new(gpu());
    let first = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    for (turn, steps) in [(Vec2::ZERO, 0.0), (Vec2::new(200.0, -40.0), 6.0), (Vec2::new(-300.0, 150.0), 16.0)] {
        let mut camera = first;
        camera.orbit(turn);
        camera.zoom(steps);
        for size in [[640, 480], [1500, 300]] {
            let frame = Frame { radius: spacing(8000) / 2.0, boxes: &[TANK], ..frame(&positions, &values, &camera) };
            let pictures = [false, true].map(|leave_out| {
                renderer.leave_out_hidden(leave_out);
                renderer.draw(gpu(), size, &frame);
                renderer.read(gpu()).unwrap()
            });
            let pairs = pictures[0].rgba.chunks_exact(4).zip(pictures[1].rgba.chunks_exact(4));
            assert_eq!(pairs.filter(|(all, culled)| all != culled).count(), 0, "{turn}, {steps} steps, {size:?}");
        }
    }
}

#[test]
fn an_empty_scene_is_a_calm_opaque_backdrop() {
    let picture = picture(SIZE, &frame(&[], &[], &straight()));
    let pixels = || picture.rgba.chunks_exact(4);
    assert!(pixels().all(|pixel| pixel[3] == 255));
    assert!(pixels().all(|pixel| pixel[..3].iter().all(|&value| (4..90).contains(&value))));
    let brightness = |y| picture.pixel(SIZE[0] / 2, y)[..3].iter().map(|&value| u32::from(value)).sum::<u32>();
    assert!(brightness(5) > brightness(SIZE[1] - 5) + 20, "lighter above");
}

#[test]
fn any_size_is_accepted() {
    let (positions, values) = dam_break(500);
    let camera = Camera::frame(TANK.0, TANK.1, 1.0);
    let frame = Frame { radius: 0.02, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let mut renderer = Renderer::new(gpu());
    for (asked, given) in [([1, 1], [1, 1]), ([0, 0], [1, 1]), ([3, 200], [3, 200]), ([64, 64], [64, 64]), ([1, 64], [1, 64])] {
        renderer.draw(gpu(), asked, &frame);
        assert_eq!(renderer.size(), given);
        let picture = renderer.read(gpu()).unwrap();
        assert_eq!(([picture.width, picture.height], picture.rgba.len() as u32), (given, 4 * given[0] * given[1]));
    }
    assert_eq!(gpu().usable_size([u32::MAX, 7])[1], 7);
}

#[test]
fn nonsense_is_left_out_and_the_rest_is_drawn() {
    let camera = straight();
    let plain = picture(SIZE, &Frame { boxes: &[TANK], ..frame(&[Vec3::ZERO], &[1.0], &camera) });
    let positions = [Vec3::NAN, Vec3::ZERO, Vec3::INFINITY, Vec3::new(0.0, f32::NAN, 0.0), Vec3::splat(1e30)];
    let odd = picture(SIZE, &Frame { boxes: &[TANK], ..frame(&positions, &[0.0, 1.0, 0.0, 0.0, 0.0], &camera) });
    assert_eq!(plain, odd);
    let broken = Camera { target: Vec3::NAN, ..camera };
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e30] {
        let boxes = [(Vec3::NAN, Vec3::ONE), (Vec3::ONE, Vec3::ZERO), (Vec3::splat(-1e38), Vec3::splat(1e38))];
        for camera in [&camera, &broken] {
            picture(SIZE, &Frame { radius, boxes: &boxes, range: [f32::NAN; 2], ..frame(&positions, &[], camera) });
        }
    }
}

#[test]
fn a_particle_without_a_value_is_grey() {
    let camera = straight();
    let middle = pixel_of(Vec3::ZERO, &camera);
    for values in [&[f32::NAN][..], &[]] {
        let picture = picture(SIZE, &Frame { color_map: ColorMap::Ember, ..frame(&[Vec3::ZERO], values, &camera) });
        assert!(warmth(at(&picture, middle)).abs() < 12);
    }
}

#[test]
fn a_picture_survives_its_file() {
    let picture = picture([33, 17], &frame(&[Vec3::ZERO], &[0.2], &straight()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    picture.save_png(&path).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgba).unwrap();
    assert_eq!((info.width, info.height, &rgba), (33, 17, &picture.rgba));
    assert!(picture.pixel(33, 0) == [0; 4]);
}

/// Not a judgement but a gallery: what the pictures look like, and what they cost.
#[test]
fn gallery() {
    let size = if std::env::var_os("SPH_PICTURES").is_some() { [1280, 720] } else { [320, 180] };
    let (positions, values) = dam_break(20_000);
    let aspect = size[0] as f32 / size[1] as f32;
    let mut renderer = Renderer::new(gpu());
    let mut shoot = |name: &str, frame: &Frame<'_>| {
        renderer.draw(gpu(), size, frame);
        keep(name, &renderer.read(gpu()).unwrap());
        let mut times: Vec<_> = (0..7)
            .map(|_| {
                let start = Instant::now();
                renderer.draw(gpu(), size, frame);
                let submitted = start.elapsed();
                gpu().device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is well");
                (start.elapsed(), submitted)
            })
            .collect();
        times.sort_unstable();
        println!("{name}: {:?}, of which on this thread {:?}, {:?}", times[3].0, times[3].1, renderer.costs());
    };
    let first = Camera::frame(TANK.0, TANK.1, aspect);
    let base = Frame {
        radius: spacing(20_000) / 2.0,
        boxes: &[TANK],
        color_map: ColorMap::Water,
        ..frame(&positions, &values, &first)
    };
    shoot("first_view.png", &base);
    shoot("backdrop.png", &Frame { positions: &[], ..base });
    for map in ColorMap::ALL {
        shoot(&format!("map_{}.png", map.name()), &Frame { color_map: map, ..base });
    }
    let mut near = first;
    near.zoom(7.0);
    shoot("near.png", &Frame { camera: &near, ..base });
    let mut low = first;
    low.orbit(Vec2::new(150.0, -50.0));
    shoot("low.png", &Frame { camera: &low, ..base });
    let mut above = first;
    above.orbit(Vec2::new(-200.0, 120.0));
    shoot("above.png", &Frame { camera: &above, ..base });

    let slice = positions.iter().zip(&values).filter(|(position, _)| position.z < spacing(20_000));
    let (flat, flat_values): (Vec<_>, Vec<_>) = slice.map(|(position, value)| (position.with_z(0.0), value)).unzip();
    let tank = (TANK.0, TANK.1.with_z(0.0));
    let straight = Camera::frame(tank.0, tank.1, aspect);
    shoot("flat.png", &Frame { positions: &flat, values: &flat_values, boxes: &[tank], camera: &straight, ..base });

    let cells = occupied(&positions, 4.0 * base.radius);
    println!("{} cells", cells.len());
    shoot("cells.png", &Frame { cells: &cells, ..base });
    shoot("cells_near.png", &Frame { cells: &cells, camera: &near, ..base });
    let fine = occupied(&positions, 1.5 * base.radius);
    println!("{} cells", fine.len());
    shoot("cells_fine.png", &Frame { cells: &fine, ..base });
    let slab = Slab { axis: 2, low: 0.0, high: 0.3 };
    shoot("slab.png", &Frame { slab: Some(slab), ..base });
    let cut: Vec<_> = cells.iter().copied().filter(|cell| cell.min.z < 0.3 && cell.max.z > 0.3).collect();
    shoot("slab_cells.png", &Frame { slab: Some(slab), cells: &cut, ..base });
    let flat_cells: Vec<_> = occupied(&flat, 4.0 * base.radius)
        .into_iter()
        .map(|cell| CellBox { min: cell.min.with_z(0.0), max: cell.max.with_z(0.0), ..cell })
        .collect();
    shoot(
        "flat_cells.png",
        &Frame { positions: &flat, values: &flat_values, boxes: &[tank], camera: &straight, cells: &flat_cells, ..base },
    );

    let middle = positions[positions.len() / 3];
    let palette = [[250, 90, 70], [255, 200, 60], [90, 220, 120]];
    let tints: Vec<_> = positions
        .iter()
        .map(|p| match p.distance(middle) / base.radius {
            d if d < 1e-3 => Tint::Color(0),
            d if d < 4.0 => Tint::Color(2),
            d if d < 8.0 => Tint::Color(1),
            _ => Tint::Faint,
        })
        .collect();
    let here = CellBox {
        min: (middle / (4.0 * base.radius)).floor() * 4.0 * base.radius,
        max: (middle / (4.0 * base.radius)).floor() * 4.0 * base.radius + 4.0 * base.radius,
        fill: [1.0, 1.0, 1.0, 0.1],
        edge: [1.0, 1.0, 1.0, 0.9],
    };
    shoot("tints.png", &Frame { tints: &tints, palette: &palette, cells: &[here], ..base });
    shoot("tints_near.png", &Frame { tints: &tints, palette: &palette, cells: &[here], camera: &near, ..base });
    let faint = vec![Tint::Faint; positions.len()];
    shoot("faint_cells.png", &Frame { tints: &faint, cells: &cells, ..base });
    let hidden = vec![Tint::Hidden; positions.len()];
    shoot("only_cells.png", &Frame { tints: &hidden, cells: &cells, ..base });
}

const TANK: (Vec3, Vec3) = (Vec3::ZERO, Vec3::new(1.6, 0.9, 0.6));

fn spacing(count: u32) -> f32 {
    // The cloud below fills about 0.13 m³.
    (0.145 / count as f32).cbrt()
}

/// About `count` particles of a column that collapses: a sloping, rippled surface, a surge along the floor and some spray. The
/// value is about the speed, 0 to 1.
fn dam_break(count: u32) -> (Vec<Vec3>, Vec<f32>) {
    let spacing = spacing(count);
    let mut seed = 1u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    let (mut positions, mut values) = (Vec::new(), Vec::new());
    let counts = ((TANK.1 - TANK.0) / spacing).floor().as_uvec3();
    for x in 0..counts.x {
        for z in 0..counts.z {
            for y in 0..counts.y {
                let jitter = Vec3::new(random(), random(), random()) - 0.5;
                let position = (Vec3::new(x as f32, y as f32, z as f32) + 0.5 + 0.5 * jitter) * spacing;
                let along = position.x / 1.45;
                let ripple = 0.015 * (9.0 * position.x + 4.0 * position.z).sin() + 0.01 * (17.0 * position.z).sin();
                let surface = 0.5 * (1.0 - along.powf(0.75)).max(0.0) + ripple;
                let spray = position.x > 0.9 && position.y < surface + 0.25 && random() < 0.012;
                if (position.y < surface && along < 1.0) || spray {
                    positions.push(position.clamp(TANK.0, TANK.1));
                    values.push((0.1 + 0.75 * along + 0.4 * position.y * along + 0.08 * random()).min(1.0));
                }
            }
        }
    }
    (positions, values)
}

/// The cells of `size` that hold particles, coloured by how many.
fn occupied(positions: &[Vec3], size: f32) -> Vec<CellBox> {
    let mut cells: Vec<_> = positions.iter().map(|position| (position / size).floor().as_ivec3().to_array()).collect();
    cells.sort_unstable();
    let boxes = cells.chunk_by(|a, b| a == b).map(|same| {
        let min = glam::IVec3::from_array(same[0]).as_vec3() * size;
        let share = same.len() as f32 / (size * size * size) * 0.145 / positions.len() as f32;
        let [red, green, blue] = ColorMap::Ember.sample(share).map(|channel| f32::from(channel) / 255.0);
        CellBox { min, max: min + size, fill: [red, green, blue, 0.35], edge: [red, green, blue, 0.9] }
    });
    boxes.collect()
}
