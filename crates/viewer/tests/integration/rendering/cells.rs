//! Cells of the grid, drawn as boxes.

use super::*;
use glam::{Vec2, Vec3};
use sph_render::camera::Camera;
use sph_render::{CellBox, Frame, Part, Picture, Renderer, picking};

const FILL: [f32; 4] = [0.9, 0.4, 0.1, 0.5];

/// A box without a visible border.
fn plain(min: Vec3, max: Vec3, fill: [f32; 4]) -> CellBox {
    CellBox { min, max, fill, edge: [0.0; 4] }
}

fn cells_picture(cells: &[CellBox], camera: &Camera) -> Picture {
    picture(SIZE, &Frame { cells, ..frame(&[], &[], camera) })
}

/// Colour of a pixel after blending a colour over it.
fn over([red, green, blue, opacity]: [f32; 4], below: [u8; 4]) -> [f32; 3] {
    let color = [red, green, blue];
    std::array::from_fn(|channel| 255.0 * color[channel] * opacity + f32::from(below[channel]) * (1.0 - opacity))
}

fn is_near(color: [u8; 4], expected: [f32; 3]) -> bool {
    (0..3).all(|channel| (f32::from(color[channel]) - expected[channel]).abs() < 2.5)
}

#[test]
fn a_box_covers_the_pixels_whose_rays_meet_it() {
    let mut camera = straight();
    let cells = [plain(Vec3::new(-1.5, -0.5, -1.0), Vec3::new(0.5, 1.0, 0.5), FILL)];
    for turn in [Vec2::ZERO, Vec2::new(80.0, 60.0), Vec2::new(-300.0, -90.0)] {
        camera.orbit(turn);
        let (without, with) = (cells_picture(&[], &camera), cells_picture(&cells, &camera));
        let met = |x: i32, y: i32| {
            let ndc = (Vec2::new(x as f32, y as f32) + 0.5) / Vec2::new(SIZE[0] as f32, SIZE[1] as f32) * 2.0 - 1.0;
            let ray = camera.ray(ndc * Vec2::new(1.0, -1.0), SIZE[0] as f32 / SIZE[1] as f32);
            picking::box_at(cells.iter().map(|cell| (cell.min, cell.max)), ray).is_some()
        };
        let mut covered = 0;
        for y in 2..SIZE[1] as i32 - 2 {
            for x in 2..SIZE[0] as i32 - 2 {
                let around = || (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (x + dx, y + dy)));
                let (color, below) = (with.pixel(x as u32, y as u32), without.pixel(x as u32, y as u32));
                if around().all(|(x, y)| met(x, y)) {
                    covered += 1;
                    assert!(is_near(color, over(FILL, below)), "{x}, {y} in the box: {color:?} over {below:?}");
                } else if !around().any(|(x, y)| met(x, y)) {
                    assert_eq!(color, below, "{x}, {y} beside the box");
                }
            }
        }
        assert!(covered > 500, "{covered} pixels");
    }
}

#[test]
fn the_border_has_the_same_width_at_any_distance() {
    let camera = straight();
    let edge = [1.0, 1.0, 1.0, 1.0];
    for (size, depth) in [(1.0, 0.0), (2.0, 0.0), (1.0, 5.0), (3.0, -20.0)] {
        let min = Vec3::new(-size, -size, depth - size);
        let cell = CellBox { edge, ..plain(min, Vec3::new(size, size, depth), [0.0; 4]) };
        let picture = cells_picture(&[cell], &camera);
        let without = cells_picture(&[], &camera);
        // Opacity of the white border at pixel x of the middle row.
        let y = SIZE[1] / 2;
        let right = pixel_of(Vec3::new(size, 0.0, depth), &camera).x;
        let share = |x: u32| {
            let (with, below) = (f32::from(picture.pixel(x, y)[0]), f32::from(without.pixel(x, y)[0]));
            (with - below) / (255.0 - below)
        };
        let width: f32 = (right as u32 - 5..right as u32 + 4).map(share).sum();
        assert!((width - 1.3).abs() < 0.25, "{width} pixels for a box of {size} m at {depth} m");
        assert!(share(right as u32 + 2) == 0.0 && share(right as u32 - 5) < 0.02);
    }
}

#[test]
fn particles_hide_boxes_behind_them_only() {
    let camera = straight();
    let middle = pixel_of(Vec3::ZERO, &camera);
    let draw = |cells: &[CellBox]| at(&picture(SIZE, &Frame { cells, ..frame(&[Vec3::ZERO], &[1.0], &camera) }), middle);
    let sphere = draw(&[]);
    let cell = |low: f32, high: f32| plain(Vec3::new(-0.5, -0.5, low), Vec3::new(0.5, 0.5, high), FILL);
    assert_eq!(draw(&[cell(-4.0, -1.5)]), sphere);
    assert!(is_near(draw(&[cell(1.5, 3.0)]), over(FILL, sphere)));
    // The sphere's centre is in the cell: the sphere does not protrude.
    assert!(is_near(draw(&[cell(-0.5, 0.05)]), over(FILL, sphere)));
}

#[test]
fn nearer_boxes_are_drawn_over_farther_ones_in_any_order() {
    let camera = straight();
    let (blue, red) = ([0.1, 0.2, 0.9, 0.6], [0.9, 0.2, 0.1, 0.6]);
    let far = plain(Vec3::new(-1.0, -1.0, -3.0), Vec3::new(1.0, 1.0, -1.0), blue);
    let near = plain(Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 1.0, 1.0), red);
    let pictures = [cells_picture(&[far, near], &camera), cells_picture(&[near, far], &camera)];
    assert_eq!(pictures[0], pictures[1]);
    let middle = pixel_of(Vec3::ZERO, &camera);
    let below = over(blue, at(&cells_picture(&[], &camera), middle)).map(|value| value.round() as u8);
    assert!(is_near(at(&pictures[0], middle), over(red, [below[0], below[1], below[2], 255])));
}

#[test]
fn a_flat_cell_is_drawn_over_the_particles_in_its_plane() {
    let mut camera = straight();
    let cell = plain(Vec3::new(-2.0, -2.0, 0.0), Vec3::new(2.0, 2.0, 0.0), FILL);
    let positions = [Vec3::ZERO, Vec3::new(1.2, -0.7, 0.0)];
    for turn in [0.0, 60.0, 520.0] {
        camera.orbit(Vec2::new(turn, 0.0));
        for position in positions {
            let base = Frame { radius: 0.3, ..frame(&positions, &[1.0, 0.0], &camera) };
            let pixel = pixel_of(position, &camera);
            let without = at(&picture(SIZE, &base), pixel);
            let with = at(&picture(SIZE, &Frame { cells: &[cell], ..base }), pixel);
            assert!(is_near(with, over(FILL, without)), "turned by {turn} at {position}: {with:?} over {without:?}");
        }
    }
}

#[test]
fn invisible_and_invalid_boxes_are_skipped() {
    let camera = straight();
    let one = plain(Vec3::NEG_ONE, Vec3::ONE, FILL);
    let expected = cells_picture(&[one], &camera);
    let eye = camera.eye();
    let invalid = [
        (Vec3::NAN, Vec3::ONE),
        (Vec3::NEG_ONE, Vec3::new(1.0, f32::NAN, 1.0)),
        (Vec3::ONE, Vec3::NEG_ONE),
        (Vec3::NEG_INFINITY, Vec3::INFINITY),
        (Vec3::splat(-1e38), Vec3::splat(1e38)),
        (Vec3::splat(-1e9), Vec3::splat(1e9)),
        (eye - 1.0, eye + 1.0),
        (eye, eye),
        (eye + 5.0, eye + 9.0),
        (Vec3::splat(0.3), Vec3::splat(0.3)),
    ];
    let mut cells: Vec<_> = invalid.iter().map(|&(min, max)| plain(min, max, FILL)).collect();
    cells.insert(4, one);
    assert_eq!(cells_picture(&cells, &camera), expected);
    cells.push(CellBox { fill: [f32::NAN; 4], edge: [f32::INFINITY; 4], ..one });
    // Huge boxes, cut by the planes of the view: no panic.
    cells.push(plain(Vec3::splat(-1e9), Vec3::new(1e9, 1e9, 9.9), FILL));
    cells.push(plain(Vec3::new(-1e14, -1.0, -1e14), Vec3::new(1e14, -0.5, 1e14), FILL));
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e30, 1e-30] {
        for size in [[1, 1], [7, 300], SIZE] {
            picture(size, &Frame { radius, cells: &cells, ..frame(&[Vec3::ZERO], &[1.0], &camera) });
        }
    }
}

#[test]
fn culling_boxes_changes_no_pixel() {
    let (positions, values) = dam_break(8000);
    let radius = spacing(8000) / 2.0;
    let mut renderer = Renderer::new(gpu());
    for cell_size in [2.0, 4.5] {
        let cells = occupied(&positions, cell_size * radius);
        for (turn, steps) in [(Vec2::ZERO, 0.0), (Vec2::new(200.0, -40.0), 6.0), (Vec2::new(-300.0, 150.0), 16.0)] {
            let mut camera = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
            camera.orbit(turn);
            camera.zoom(steps);
            let frame = Frame { radius, boxes: &[TANK], cells: &cells, ..frame(&positions, &values, &camera) };
            let pictures = [false, true].map(|culling| {
                renderer.leave_out_hidden(culling);
                renderer.draw(gpu(), [640, 480], &frame);
                renderer.read(gpu()).unwrap()
            });
            let pairs = pictures[0].rgba.chunks_exact(4).zip(pictures[1].rgba.chunks_exact(4));
            assert_eq!(pairs.filter(|(all, culled)| all != culled).count(), 0, "{turn}, {steps} steps, cells of {cell_size}");
        }
    }
}

#[test]
fn render_times_arrive_after_a_few_frames_and_end_with_the_overlay() {
    let (positions, values) = dam_break(2000);
    let camera = Camera::frame(TANK.0, TANK.1, 4.0 / 3.0);
    let radius = spacing(2000) / 2.0;
    let cells = occupied(&positions, 4.0 * radius);
    let base = Frame { radius, boxes: &[TANK], ..frame(&positions, &values, &camera) };
    let mut renderer = Renderer::new(gpu());
    let mut costs = |cells: &[CellBox]| {
        for _ in 0..5 {
            renderer.draw(gpu(), SIZE, &Frame { cells, ..base });
            gpu().device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is well");
        }
        renderer.costs()
    };
    let with = costs(&cells);
    assert!(with.of(Part::Particles) > 0.0 && with.of(Part::Overlay) > 0.0, "{with:?}");
    assert_eq!(with.with_device, gpu().device.features().contains(wgpu::Features::TIMESTAMP_QUERY));
    let without = costs(&[]);
    assert!(without.of(Part::Particles) > 0.0 && without.of(Part::Overlay) == 0.0, "{without:?}");
}
