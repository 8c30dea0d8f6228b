//! Renderer on a graphics driver; Mesa's software driver suffices. Without any driver, these tests fail and name the package to
//! install. Here the driver, a camera, pixels, and a synthetic dam break.

mod aids;
mod cells;
mod gallery;
mod particles;
mod water;

use glam::{IVec3, Vec2, Vec3};
use sph_color::ColorMap;
use sph_render::camera::Camera;
use sph_render::{CellBox, Frame, Gpu, Picture, Renderer};
use std::sync::LazyLock;

static GPU: LazyLock<Result<Gpu, String>> = LazyLock::new(|| Gpu::headless().map_err(|error| error.to_string()));

pub fn gpu() -> &'static Gpu {
    GPU.as_ref().unwrap_or_else(|error| panic!("these tests need a graphics driver: {error}"))
}

pub fn picture(size: [u32; 2], frame: &Frame<'_>) -> Picture {
    let mut renderer = Renderer::new(gpu());
    renderer.draw(gpu(), size, frame);
    renderer.read(gpu()).expect("the picture can be read")
}

/// Camera at z = 10 m that looks along −z.
pub fn straight() -> Camera {
    Camera::look(Vec3::new(0.0, 0.0, 10.0), Vec3::ZERO)
}

pub fn frame<'a>(positions: &'a [Vec3], values: &'a [f32], camera: &'a Camera) -> Frame<'a> {
    Frame { values, color_map: ColorMap::Diverging, ..Frame::new(positions, 1.0, camera) }
}

pub const SIZE: [u32; 2] = [240, 180];

/// Pixel coordinates of a point in world space.
pub fn pixel_of(point: Vec3, camera: &Camera) -> Vec2 {
    let [width, height] = SIZE.map(|length| length as f32);
    let ndc = camera.project(point, width / height).expect("in front of the eye");
    0.5 * (ndc * Vec2::new(1.0, -1.0) + 1.0) * Vec2::new(width, height)
}

/// Red minus blue: positive at the upper end of the diverging colour map, negative at its lower end.
pub fn warmth([red, _, blue, _]: [u8; 4]) -> i32 {
    i32::from(red) - i32::from(blue)
}

pub fn at(picture: &Picture, position: Vec2) -> [u8; 4] {
    picture.pixel(position.x as u32, position.y as u32)
}

pub const TANK: (Vec3, Vec3) = (Vec3::ZERO, Vec3::new(1.6, 0.9, 0.6));

pub fn spacing(count: u32) -> f32 {
    // The cloud of `dam_break` fills about 0.13 m³.
    (0.145 / count as f32).cbrt()
}

/// About `count` particles of a collapsing column: a sloping, rippled surface, a surge along the floor and some spray. The
/// values resemble speeds, 0 to 1.
pub fn dam_break(count: u32) -> (Vec<Vec3>, Vec<f32>) {
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

/// Occupied cells of side `size`, coloured by number of particles.
pub fn occupied(positions: &[Vec3], size: f32) -> Vec<CellBox> {
    let mut cells: Vec<_> = positions.iter().map(|position| (position / size).floor().as_ivec3().to_array()).collect();
    cells.sort_unstable();
    let boxes = cells.chunk_by(|a, b| a == b).map(|same| {
        let min = IVec3::from_array(same[0]).as_vec3() * size;
        let share = same.len() as f32 / (size * size * size) * 0.145 / positions.len() as f32;
        let [red, green, blue] = ColorMap::Ember.sample(share).map(|channel| f32::from(channel) / 255.0);
        CellBox { min, max: min + size, fill: [red, green, blue, 0.34], edge: [red, green, blue, 0.85] }
    });
    boxes.collect()
}
