//! The picture of the 3D view, redrawn only if something in it has changed.

use super::overlay::{Overlay, OverlayKey};
use crate::camera::Camera;
use crate::color::{self, ColorField, VERDICT_COLORS};
use crate::render::{Background, Bodies, Costs, Frame, Gpu, Picture, ReadError, Renderer, scene_boxes, tank_poses};
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
    /// Revision of the rival: one with another grid may start from another state.
    rival_revision: u64,
    overlay: OverlayKey,
}

/// Contents of a picture.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The snapshot, with the scene and the time.
    pub snapshot: &'a Snapshot,
    /// The particles: the simulation's own or its rival's.
    pub particles: &'a Particles,
    /// Camera and display settings.
    pub state: &'a State,
    /// The inspection drawn over the particles.
    pub inspection: Option<&'a Inspection>,
}

/// The renderer, and the key of its latest picture.
#[derive(Debug)]
pub struct ScenePicture {
    renderer: Renderer,
    drawn: Option<Key>,
    values: Vec<f32>,
    overlay: Overlay,
    /// True if values lie below, and above, the range of the colours.
    beyond: [bool; 2],
    /// Boxes of the scene `generation`.
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

    /// Updates the picture at `size` pixels.
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
        let fluids = &scene.setup.fluids;
        color::values(color, particles, fluids, discretization.rest_density, &mut self.values);
        self.beyond = [self.values.iter().any(|&value| value < range[0]), self.values.iter().any(|&value| value > range[1])];
        let frame = Frame {
            positions: self.bodies.beside(&particles.positions, snapshot.poses.iter().copied()),
            values: &self.values,
            range,
            color_map: color::default_map(color, fluids),
            radius: 0.5 * discretization.particle_spacing,
            tints: &self.overlay.tints,
            palette: &VERDICT_COLORS,
            slab: self.overlay.slab,
            boxes: &self.boxes,
            poses: &tank_poses(&scene.setup.containers, time),
            meshes: &[],
            show_boxes: tank,
            cells: &self.overlay.cells,
            camera,
            background: Background::Room,
        };
        self.renderer.draw(gpu, key.size, &frame);
        self.drawn = Some(key);
    }

    /// True if values lie below, and above, the range of the colours.
    pub fn beyond_range(&self) -> [bool; 2] {
        self.beyond
    }

    /// Cost of the grid's inspection per frame.
    pub fn overlay_costs(&self, inspection: &Inspection) -> OverlayCosts {
        let Costs { particles_ms, overlay_ms, .. } = self.renderer.costs();
        OverlayCosts { particles: particles_ms, cells: overlay_ms, reading: 1e3 * inspection.cost.as_secs_f32() }
    }

    /// The picture; `None` before the first.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.drawn.as_ref().map(|_| self.renderer.texture())
    }

    /// The picture's pixels; `None` before the first.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn read(&self, gpu: &Gpu) -> Option<Result<Picture, ReadError>> {
        self.drawn.as_ref().map(|_| self.renderer.read(gpu))
    }
}
