//! The picture of the 3D view, redrawn only if something in it has changed.

use super::overlay::{Overlay, OverlayKey};
use crate::camera::Camera;
use crate::color::{self, CATEGORIES, ColorField, ColorMap, VERDICT_COLORS};
use crate::render::{
    Arrows, Background, Bodies, BodyForm, Frame, Gpu, Part, Picture, ReadError, Renderer, Scenery, SceneryStyle, ShownScenery,
    Slab, scene_boxes, tank_poses,
};
use crate::session::{Inspection, Snapshot};
use crate::ui::{Aids, OverlayCosts, State};
use glam::Vec3;
use sph_core::{DroppedBody, Particles, Pose};
use sph_io::{Look, Scene};

/// Everything that the picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    size: [u32; 2],
    camera: Camera,
    color: ColorField,
    look: Look,
    generation: u64,
    steps: u64,
    time: f64,
    /// Bodies that have been dropped, in a pause too.
    dropped: Vec<DroppedBody>,
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
    solids: Solids,
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
    /// The frame of `shown` in `look`, through `camera`, with walls and bodies as in `scenery`.
    fn frame<'a>(
        &'a mut self,
        shown: &View<'a>,
        (scene, look): (&'a Scene, Look),
        camera: &'a Camera,
        scenery: &'a ShownScenery<'a>,
    ) -> Frame<'a> {
        let View { snapshot, particles, state, inspection } = *shown;
        let State { color, view, .. } = state;
        let setup = &scene.setup;
        self.overlay.update(view, inspection, setup.discretization.dimensions, &particles.positions);
        if self.generation != snapshot.generation || self.boxes.is_empty() {
            self.boxes = scene_boxes(setup);
            self.bodies = Bodies::new(setup);
            self.fluid_colors = color::fluid_tints(&setup.fluids);
            self.generation = snapshot.generation;
        }
        self.bodies.set_dropped(&snapshot.dropped, &setup.discretization);
        let range = state.scale.range(*color, scene);
        match inspection.and_then(|inspection| inspection.values_of(*color)) {
            Some(values) => {
                self.values.clear();
                self.values.extend_from_slice(values);
            }
            None => color::values(*color, particles, &setup.fluids, setup.discretization.rest_density, &mut self.values),
        }
        self.beyond = [self.values.iter().any(|&value| value < range[0]), self.values.iter().any(|&value| value > range[1])];
        self.poses = tank_poses(&setup.containers, snapshot.time);
        let [_, speed] = color::auto_range(ColorField::Speed, scene);
        let arrows = Arrows { velocities: &particles.velocities, ids: &particles.ids, speed };
        if *color == ColorField::Body {
            self.values.resize(particles.len(), f32::NAN);
            self.values.extend(self.bodies.numbers().map(|number| (number % CATEGORIES) as f32));
        }
        let poses = snapshot.poses.iter().copied();
        Frame {
            look,
            positions: match scenery.bodies {
                BodyForm::Particles => self.bodies.beside(&particles.positions, poses),
                _ => &particles.positions,
            },
            fluids: &particles.fluids,
            fluid_colors: &self.fluid_colors,
            ellipsoids: inspection.map_or(&[], |inspection| &inspection.ellipsoids),
            values: &self.values,
            range,
            color_map: state.scale.map(*color, &setup.fluids),
            radius: 0.5 * setup.discretization.particle_spacing,
            tints: &self.overlay.tints,
            palette: &VERDICT_COLORS,
            slab: self.overlay.slab.or(state.aids.clip().map(Slab::from)),
            boxes: &self.boxes,
            poses: &self.poses,
            meshes: &scenery.meshes,
            foam: &snapshot.foam.particles,
            arrows: state.aids.arrows.then_some(arrows),
            show_boxes: scenery.boxes,
            shaped: scenery.shaped,
            outlines: &scenery.outlines,
            cells: &self.overlay.cells,
            camera,
            background: state.background,
        }
    }
}

/// Walls and bodies of a scene, kept from one frame to the next.
#[derive(Debug, Default)]
struct Solids {
    scenery: Scenery,
    /// Scene that they are of.
    generation: u64,
}

impl Solids {
    /// What is shown of them beside a fluid in `look`, through `camera`.
    fn shown(&mut self, shown: &View<'_>, (scene, look): (&Scene, Look), camera: &Camera) -> ShownScenery<'_> {
        let View { snapshot, state, .. } = shown;
        if self.generation != snapshot.generation {
            *self = Self { scenery: Scenery::new(&scene.setup), generation: snapshot.generation };
        }
        self.scenery.set_dropped(&snapshot.dropped);
        let numbered = look.has_colors() && state.color == ColorField::Body;
        let style = SceneryStyle { walls: state.aids.walls, bodies: state.aids.bodies, look, numbered };
        let containers = tank_poses(&scene.setup.containers, snapshot.time);
        self.scenery.shown(&scene.setup, style, (&containers, snapshot.poses.iter().copied()), camera.eye())
    }
}

impl ScenePicture {
    /// Compiles the shaders.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            renderer: Renderer::new(gpu),
            camera_renderer: None,
            drawn: None,
            contents: Contents::default(),
            solids: Solids::default(),
        }
    }

    /// Updates the picture at `size` pixels.
    pub fn update(&mut self, gpu: &Gpu, size: [u32; 2], shown: &View<'_>) {
        let View { snapshot, state, inspection, .. } = *shown;
        let Some(scene) = &snapshot.scene else { return };
        let State { camera, color, look, view, .. } = state;
        let Snapshot { generation, steps, time, rival_revision, .. } = *snapshot;
        let key = Key {
            size: gpu.usable_size(size),
            camera: *camera,
            color: *color,
            look: *look,
            generation,
            steps,
            time,
            dropped: snapshot.dropped.clone(),
            range: state.scale.range(*color, scene),
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
        let drawn = (&**scene, state.drawn_look(scene, inspection, false).look);
        let scenery = self.solids.shown(shown, drawn, camera);
        self.renderer.draw(gpu, key.size, &self.contents.frame(shown, drawn, camera, &scenery));
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
        let drawn = (&**scene, shown.state.drawn_look(scene, shown.inspection, transparent).look);
        let scenery = self.solids.shown(shown, drawn, camera);
        Some(renderer.picture(gpu, size, &self.contents.frame(shown, drawn, camera, &scenery), transparent))
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
