//! The picture of the 3D view: drawn again only when something in it has changed.

use super::overlay::{Overlay, OverlayKey};
use crate::camera::Camera;
use crate::color::{self, ColorField, VERDICT_COLORS};
use crate::render::{Bodies, Costs, Frame, Gpu, Picture, ReadError, Renderer, scene_boxes};
use crate::session::{Inspection, Snapshot};
use crate::ui::{OverlayCosts, State};
use glam::Vec3;
use sph_core::Particles;

/// Everything that the picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    size: [u32; 2],
    camera: Camera,
    color: ColorField,
    tank: bool,
    generation: u64,
    steps: u64,
    time: f64,
    range: [f32; 2],
    /// A rival that is given another grid may start from another state.
    rival_revision: u64,
    overlay: OverlayKey,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The scene, and the moment.
    pub snapshot: &'a Snapshot,
    /// The particles: the simulation's own or its rival's.
    pub particles: &'a Particles,
    /// From where, and how.
    pub state: &'a State,
    /// The inside of the grid, drawn over them.
    pub inspection: Option<&'a Inspection>,
}

/// The renderer, and what it drew last.
#[derive(Debug)]
pub struct ScenePicture {
    renderer: Renderer,
    drawn: Option<Key>,
    values: Vec<f32>,
    overlay: Overlay,
    /// Whether values lie below the range of the colours, and above it.
    beyond: [bool; 2],
    /// Of the scene `generation`.
    boxes: Vec<(Vec3, Vec3)>,
    bodies: Bodies,
    generation: u64,
}

impl ScenePicture {
    /// Compiles the shaders.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            renderer: Renderer::new(gpu),
            drawn: None,
            values: Vec::new(),
            overlay: Overlay::default(),
            beyond: [false; 2],
            boxes: Vec::new(),
            bodies: Bodies::default(),
            generation: 0,
        }
    }

    /// Brings the picture up to date at `size` pixels.
    pub fn update(&mut self, gpu: &Gpu, size: [u32; 2], shown: &View<'_>) {
        let View { snapshot, particles, state, inspection } = *shown;
        let Some(scene) = &snapshot.scene else { return };
        let State { camera, color, show_tank: tank, view, .. } = state;
        let (color, tank) = (*color, *tank);
        let Snapshot { generation, steps, time, rival_revision, .. } = *snapshot;
        let range = color::auto_range(color, &scene.setup);
        let overlay = OverlayKey::new(view, inspection);
        let key = Key {
            size: gpu.usable_size(size),
            camera: *camera,
            color,
            tank,
            generation,
            steps,
            time,
            range,
            rival_revision,
            overlay,
        };
        if self.drawn.as_ref() == Some(&key) {
            return;
        }
        self.overlay.update(view, inspection, scene.setup.discretization.dimensions, &particles.positions);
        if self.generation != generation || self.boxes.is_empty() {
            self.boxes = scene_boxes(&scene.setup);
            self.bodies = Bodies::new(&scene.setup);
            self.generation = generation;
        }
        let discretization = &scene.setup.discretization;
        color::values(color, particles, discretization.rest_density, &mut self.values);
        self.beyond = [self.values.iter().any(|&value| value < range[0]), self.values.iter().any(|&value| value > range[1])];
        let frame = Frame {
            positions: self.bodies.beside(&particles.positions, time),
            values: &self.values,
            range,
            color_map: color::default_map(color),
            radius: 0.5 * discretization.particle_spacing,
            tints: &self.overlay.tints,
            palette: &VERDICT_COLORS,
            slab: self.overlay.slab,
            boxes: &self.boxes,
            show_boxes: tank,
            cells: &self.overlay.cells,
            camera,
        };
        self.renderer.draw(gpu, key.size, &frame);
        self.drawn = Some(key);
    }

    /// Whether values lie below the range of the colours, and above it.
    pub fn beyond_range(&self) -> [bool; 2] {
        self.beyond
    }

    /// What looking into the grid costs a frame.
    pub fn overlay_costs(&self, inspection: &Inspection) -> OverlayCosts {
        let Costs { particles_ms, overlay_ms, .. } = self.renderer.costs();
        OverlayCosts { particles: particles_ms, cells: overlay_ms, reading: 1e3 * inspection.cost.as_secs_f32() }
    }

    /// The picture, once there is one.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.drawn.as_ref().map(|_| self.renderer.texture())
    }

    /// The picture's pixels, or `None` before the first.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read(&self, gpu: &Gpu) -> Option<Result<Picture, ReadError>> {
        self.drawn.as_ref().map(|_| self.renderer.read(gpu))
    }
}
