//! Coloured, faint and hidden particles, and slabs.

use super::support::*;
use glam::{Vec2, Vec3};
use viewer::camera::Camera;
use viewer::color::ColorMap;
use viewer::render::{Frame, Renderer, Slab, Tint};

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
