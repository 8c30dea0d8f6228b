//! The picture of the 3D view, redrawn only if something in it has changed.

use super::overlay::{Overlay, OverlayKey};
use crate::camera::Camera;
use crate::color::{self, ColorField, ColorMap, VERDICT_COLORS};
use crate::render::{
    Arrows, Background, Bodies, BodyMeshes, ClipPlane, Frame, Gpu, Mesh, Part, Picture, ReadError, Renderer, scene_boxes,
    tank_poses,
};
use crate::session::{Inspection, Snapshot};
use crate::ui::{Aids, OverlayCosts, State};
use glam::Vec3;
use sph_core::{Particles, Pose};
use sph_io::{Look, Scene};

/// Everything that the picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    size: [u32; 2],
    camera: Camera,
    color: ColorField,
    look: Look,
    tank: bool,
    generation: u64,
    steps: u64,
    time: f64,
    /// Number of jumps to other moments: another history may have the same times.
    jumps: u64,
    range: [f32; 2],
    color_map: ColorMap,
    /// Revision of the rival: one with another grid may start from another state.
    rival_revision: u64,
    overlay: OverlayKey,
    aids: Aids,
    background: Background,
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
    /// Draws pictures of another size, camera or background; created when the first is taken.
    camera_renderer: Option<Renderer>,
    drawn: Option<Key>,
    contents: Contents,
    /// Surfaces of the bodies and the generation of their scene; made when they are first drawn.
    body_meshes: Option<(u64, BodyMeshes)>,
}

/// Data of a frame, kept from one to the next.
#[derive(Debug, Default)]
struct Contents {
    values: Vec<f32>,
    overlay: Overlay,
    /// True if values lie below, and above, the range of the colours.
    beyond: [bool; 2],
    /// Boxes of the scene `generation`.
    boxes: Vec<(Vec3, Vec3)>,
    poses: Vec<Pose>,
    bodies: Bodies,
    /// Colours of the fluids in the look of water.
    fluid_colors: Vec<[u8; 3]>,
    generation: u64,
}

impl Contents {
    /// The frame of `shown` through `camera`, with bodies as `meshes` in the look of water.
    fn frame<'a>(&'a mut self, shown: &View<'a>, scene: &'a Scene, camera: &'a Camera, meshes: &'a [Mesh<'a>]) -> Frame<'a> {
        let View { snapshot, particles, state, inspection } = *shown;
        let State { color, show_tank, view, .. } = state;
        let setup = &scene.setup;
        self.overlay.update(view, inspection, setup.discretization.dimensions, &particles.positions);
        if self.generation != snapshot.generation || self.boxes.is_empty() {
            self.boxes = scene_boxes(setup);
            self.bodies = Bodies::new(setup);
            self.fluid_colors = color::fluid_tints(&setup.fluids);
            self.generation = snapshot.generation;
        }
        let range = state.scale.range(*color, setup);
        color::values(*color, particles, &setup.fluids, setup.discretization.rest_density, &mut self.values);
        self.beyond = [self.values.iter().any(|&value| value < range[0]), self.values.iter().any(|&value| value > range[1])];
        self.poses = tank_poses(&setup.containers, snapshot.time);
        let [_, speed] = color::auto_range(ColorField::Speed, setup);
        let arrows = Arrows { velocities: &particles.velocities, ids: &particles.ids, speed };
        // What is inspected is particles.
        let look = if state.look == Look::Water && !self.overlay.tints.is_empty() { Look::Spheres } else { state.look };
        let is_water = look == Look::Water;
        let poses = snapshot.poses.iter().copied();
        Frame {
            look,
            positions: if is_water { &particles.positions } else { self.bodies.beside(&particles.positions, poses) },
            fluids: &particles.fluids,
            fluid_colors: &self.fluid_colors,
            values: &self.values,
            range,
            color_map: state.scale.map(*color, &setup.fluids),
            radius: 0.5 * setup.discretization.particle_spacing,
            tints: &self.overlay.tints,
            palette: &VERDICT_COLORS,
            slab: self.overlay.slab.or(state.aids.clip().map(ClipPlane::slab)),
            boxes: &self.boxes,
            poses: &self.poses,
            meshes: if is_water { meshes } else { &[] },
            foam: &snapshot.foam.particles,
            arrows: state.aids.arrows.then_some(arrows),
            show_boxes: *show_tank,
            cells: &self.overlay.cells,
            camera,
            background: state.background,
        }
    }
}

/// Bodies in their present poses as meshes, for the look of water; `kept` has their surfaces.
fn body_meshes<'a>(kept: &'a mut Option<(u64, BodyMeshes)>, shown: &View<'_>, scene: &Scene) -> Vec<Mesh<'a>> {
    if shown.state.look != Look::Water {
        return Vec::new();
    }
    let generation = shown.snapshot.generation;
    if kept.as_ref().is_none_or(|(of, _)| *of != generation) {
        *kept = Some((generation, BodyMeshes::new(&scene.setup)));
    }
    kept.as_ref().map_or_else(Vec::new, |(_, bodies)| bodies.placed(shown.snapshot.poses.iter().copied()))
}

impl ScenePicture {
    /// Compiles the shaders.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            renderer: Renderer::new(gpu),
            camera_renderer: None,
            drawn: None,
            contents: Contents::default(),
            body_meshes: None,
        }
    }

    /// Updates the picture at `size` pixels.
    pub fn update(&mut self, gpu: &Gpu, size: [u32; 2], shown: &View<'_>) {
        let View { snapshot, state, inspection, .. } = *shown;
        let Some(scene) = &snapshot.scene else { return };
        let State { camera, color, look, show_tank: tank, view, .. } = state;
        let Snapshot { generation, steps, time, rival_revision, .. } = *snapshot;
        let key = Key {
            size: gpu.usable_size(size),
            camera: *camera,
            color: *color,
            look: *look,
            tank: *tank,
            generation,
            steps,
            time,
            range: state.scale.range(*color, &scene.setup),
            color_map: state.scale.map(*color, &scene.setup.fluids),
            jumps: snapshot.timeline.jumps,
            rival_revision,
            overlay: OverlayKey::new(view, inspection),
            aids: state.aids,
            background: state.background,
        };
        if self.drawn.as_ref() == Some(&key) {
            return;
        }
        let meshes = body_meshes(&mut self.body_meshes, shown, scene);
        self.renderer.draw(gpu, key.size, &self.contents.frame(shown, scene, camera, &meshes));
        self.drawn = Some(key);
    }

    /// Takes a picture of `size` pixels through `camera`; the picture in the window stays as it is. `None` without a scene.
    ///
    /// # Errors
    /// If the device is lost or out of memory.
    pub fn take(
        &mut self,
        gpu: &Gpu,
        (size, transparent): ([u32; 2], bool),
        camera: &Camera,
        shown: &View<'_>,
    ) -> Option<Result<Picture, ReadError>> {
        let scene = shown.snapshot.scene.as_ref()?;
        let renderer = self.camera_renderer.get_or_insert_with(|| Renderer::new(gpu));
        let meshes = body_meshes(&mut self.body_meshes, shown, scene);
        Some(renderer.picture(gpu, size, &self.contents.frame(shown, scene, camera, &meshes), transparent))
    }

    /// True if values lie below, and above, the range of the colours.
    pub fn beyond_range(&self) -> [bool; 2] {
        self.contents.beyond
    }

    /// Cost of the grid's inspection per frame.
    pub fn overlay_costs(&self, inspection: &Inspection) -> OverlayCosts {
        let costs = self.renderer.costs();
        OverlayCosts {
            particles: costs.of(Part::Particles),
            cells: costs.of(Part::Overlay),
            reading: 1e3 * inspection.cost.as_secs_f32(),
        }
    }

    /// The picture; `None` before the first.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.drawn.as_ref().map(|_| self.renderer.texture())
    }
}
