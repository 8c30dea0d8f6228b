//! The picture of the 3D view: drawn again only when something in it has changed.

use crate::camera::Camera;
use crate::color::{self, ColorField};
use crate::render::{Frame, Gpu, Picture, ReadError, Renderer, scene_boxes};
use crate::session::Snapshot;
use glam::Vec3;

/// Everything that the picture depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    size: [u32; 2],
    camera: Camera,
    color: ColorField,
    tank: bool,
    generation: u64,
    steps: u64,
    time: f64,
    range: [f32; 2],
}

/// The renderer, and what it drew last.
#[derive(Debug)]
pub struct ScenePicture {
    renderer: Renderer,
    drawn: Option<Key>,
    values: Vec<f32>,
    /// Whether values lie below the range of the colours, and above it.
    beyond: [bool; 2],
    /// Of the scene `generation`.
    boxes: Vec<(Vec3, Vec3)>,
    generation: u64,
}

impl ScenePicture {
    /// Compiles the shaders.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            renderer: Renderer::new(gpu),
            drawn: None,
            values: Vec::new(),
            beyond: [false; 2],
            boxes: Vec::new(),
            generation: 0,
        }
    }

    /// Brings the picture up to date at `size` pixels.
    pub fn update(&mut self, gpu: &Gpu, size: [u32; 2], snapshot: &Snapshot, camera: &Camera, color: ColorField, tank: bool) {
        let Some(scene) = &snapshot.scene else { return };
        let Snapshot { generation, steps, time, .. } = *snapshot;
        let range = color::auto_range(color, &scene.setup);
        let key = Key { size: gpu.usable_size(size), camera: *camera, color, tank, generation, steps, time, range };
        if self.drawn == Some(key) {
            return;
        }
        if self.generation != generation || self.boxes.is_empty() {
            self.boxes = scene_boxes(&scene.setup);
            self.generation = generation;
        }
        let discretization = &scene.setup.discretization;
        color::values(color, &snapshot.particles, discretization.rest_density, &mut self.values);
        self.beyond = [self.values.iter().any(|&value| value < range[0]), self.values.iter().any(|&value| value > range[1])];
        let frame = Frame {
            positions: &snapshot.particles.positions,
            values: &self.values,
            range,
            color_map: color::default_map(color),
            radius: 0.5 * discretization.particle_spacing,
            tints: &[],
            palette: &[],
            slab: None,
            boxes: &self.boxes,
            show_boxes: tank,
            cells: &[],
            camera,
        };
        self.renderer.draw(gpu, key.size, &frame);
        self.drawn = Some(key);
    }

    /// Whether values lie below the range of the colours, and above it.
    pub fn beyond_range(&self) -> [bool; 2] {
        self.beyond
    }

    /// The picture, once there is one.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.drawn.map(|_| self.renderer.texture())
    }

    /// The picture's pixels, or `None` before the first.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read(&self, gpu: &Gpu) -> Option<Result<Picture, ReadError>> {
        self.drawn.map(|_| self.renderer.read(gpu))
    }
}
