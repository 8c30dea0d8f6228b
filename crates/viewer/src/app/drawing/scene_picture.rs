//! The picture of the 3D view, redrawn only if something in it has changed; the overlay of the grid in it, and its resolution on a
//! software driver.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::session::{Inspection, Snapshot};
use crate::ui::{Aids, GridView, OverlayCosts, State};
use glam::{IVec3, Vec3};
use sph_color::{self, CATEGORIES, ColorField, ColorMap, VERDICT_COLORS, verdict_index};
use sph_core::neighbors::{Structure, Trace, Verdict};
use sph_core::{Dimensions, DroppedBody, Particles, Pose};
use sph_io::{Look, Scene};
use sph_render::camera::Camera;
use sph_render::{
    Arrows, Background, Bodies, BodyForm, CellBox, Frame, Gpu, Part, Picture, ReadError, Renderer, Scenery, SceneryStyle,
    ShownScenery, Slab, Tint, grid_boxes, scene_boxes, tank_poses,
};

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
            self.fluid_colors = sph_color::fluid_tints(&setup.fluids);
            self.generation = snapshot.generation;
        }
        self.bodies.set_dropped(&snapshot.dropped, &setup.discretization);
        let range = state.scale.range(*color, scene);
        match inspection.and_then(|inspection| inspection.values_of(*color)) {
            Some(values) => {
                self.values.clear();
                self.values.extend_from_slice(values);
            }
            None => sph_color::values(*color, particles, &setup.fluids, setup.discretization.rest_density, &mut self.values),
        }
        self.beyond = [self.values.iter().any(|&value| value < range[0]), self.values.iter().any(|&value| value > range[1])];
        self.poses = tank_poses(&setup.containers, snapshot.time);
        let [_, speed] = sph_color::auto_range(ColorField::Speed, scene);
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

// Overlay of the grid: cells as boxes, particles in the colours of a query, the slice.

/// Largest number of cells in reach that are all drawn, empty ones included. Of more, only those in which the query met
/// particles.
const MOST_OUTLINES: u64 = 343;

/// Fill and edge of the cells in reach of a query.
const IN_REACH: ([f32; 4], [f32; 4]) = ([0.30, 0.72, 0.91, 0.06], [0.30, 0.72, 0.91, 0.60]);
const OWN: ([f32; 4], [f32; 4]) = ([1.0, 1.0, 1.0, 0.12], [1.0, 1.0, 1.0, 1.0]);
/// Fill and edge of the cells of the bucket under the pointer.
const POINTED: ([f32; 4], [f32; 4]) = ([1.0, 1.0, 1.0, 0.40], [1.0, 1.0, 1.0, 1.0]);

/// Everything that the overlay depends on besides the particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayKey {
    serial: u64,
    view: Option<GridView>,
}

/// The overlay of a frame. Its memory is reused.
#[derive(Debug, Default)]
pub struct Overlay {
    pub cells: Vec<CellBox>,
    pub tints: Vec<Tint>,
    pub slab: Option<Slab>,
}

impl OverlayKey {
    /// The key of the overlay that `view` shows of `inspection`.
    pub fn new(view: &GridView, inspection: Option<&Inspection>) -> Self {
        let Some(inspection) = inspection else { return Self::default() };
        Self { serial: inspection.serial, view: Some(view.without_map()) }
    }
}

impl Overlay {
    /// Updates the overlay for particles at `positions` (m).
    pub fn update(&mut self, view: &GridView, inspection: Option<&Inspection>, dimensions: Dimensions, positions: &[Vec3]) {
        let Self { cells, tints, slab } = self;
        cells.clear();
        tints.clear();
        *slab = None;
        let Some(inspection) = inspection else { return };
        if let Some(contents) = &inspection.contents {
            let slice = view.slice(contents.cell_size);
            let bucket = view.shown_bucket().map_or(&[][..], |bucket| contents.cells_of(bucket));
            let looks_through = view.looks_through() && !bucket.is_empty();
            *slab = slice.map(|slice| slice.slab(contents.cell_size));
            // A query is shown alone, and so is a bucket in faint fluid.
            if view.cells && inspection.query_of(view.selected).is_none() && !looks_through {
                grid_boxes::boxes_up_to(view.top, contents, view.coloring, slice, dimensions, cells);
            }
            for cell in bucket {
                push(cell.cell, contents.cell_size, dimensions, POINTED, cells);
            }
            if looks_through && contents.cell_size > 0.0 {
                let bucket: HashSet<IVec3> = bucket.iter().map(|cell| cell.cell).collect();
                let tint = |&position: &Vec3| match bucket.contains(&contents.cell_of(position)) {
                    true => Tint::Value,
                    false => Tint::Faint,
                };
                tints.extend(positions.iter().map(tint));
            }
        }
        if let Some(query) = inspection.query_of(view.selected) {
            *slab = None;
            query_boxes(inspection, query, dimensions, cells);
            tints.clear();
            tints.resize(positions.len(), Tint::Faint);
            for met in &query.visited {
                if let Some(tint) = tints.get_mut(met.index as usize) {
                    let kind = verdict_index(met.verdict);
                    *tint = match met.verdict {
                        _ if view.hidden[kind] => Tint::Faint,
                        Verdict::Itself | Verdict::Neighbor => Tint::Color(kind as u8),
                        // The neighbours are among them.
                        Verdict::TooFar | Verdict::Foreign | Verdict::PassedOver => Tint::Small(kind as u8),
                    };
                }
            }
        }
    }
}

/// Adds the cells that a query visits: its own, those in reach, and foreign ones that share their buckets.
fn query_boxes(inspection: &Inspection, query: &Trace, dimensions: Dimensions, cells: &mut Vec<CellBox>) {
    if inspection.grid.structure == Structure::BruteForce {
        return;
    }
    let size = inspection.grid.cell_size;
    let (low, high) = query.reach;
    let inside = |cell: IVec3| cell.cmpge(low).all() && cell.cmple(high).all();
    let mut styles: HashMap<IVec3, ([f32; 4], [f32; 4])> = HashMap::new();
    let extent = high.as_i64vec3() - low.as_i64vec3() + 1;
    if extent.min_element() > 0
        && extent.to_array().iter().fold(1, |count: u64, &length| count.saturating_mul(length as u64)) <= MOST_OUTLINES
    {
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                styles.extend((low.x..=high.x).map(|x| (IVec3::new(x, y, z), IN_REACH)));
            }
        }
    }
    for met in &query.visited {
        let style = if inside(met.cell) { IN_REACH } else { style_of(met.verdict) };
        styles.insert(met.cell, style);
    }
    styles.insert(query.cell, OWN);
    let mut styles: Vec<_> = styles.into_iter().collect();
    styles.sort_unstable_by_key(|(cell, _)| cell.to_array());
    for (cell, style) in styles {
        push(cell, size, dimensions, style, cells);
    }
}

/// Fill and edge of a cell out of reach.
fn style_of(verdict: Verdict) -> ([f32; 4], [f32; 4]) {
    let [r, g, b] = VERDICT_COLORS[verdict_index(verdict)].map(|channel| f32::from(channel) / 255.0);
    ([r, g, b, 0.10], [r, g, b, 0.85])
}

fn push(cell: IVec3, size: f32, dimensions: Dimensions, (fill, edge): ([f32; 4], [f32; 4]), cells: &mut Vec<CellBox>) {
    let (min, max) = grid_boxes::cell_bounds(cell, size, dimensions);
    cells.push(CellBox { min, max, fill, edge });
}

// Resolution of the 3D views on a software driver: lower while the fluid moves, as far as frames would take too long, and full as soon as
// it rests.

/// Lengths of the picture relative to its place in the window.
const SCALES: [f32; 3] = [1.0, 0.71, 0.5];

/// Time for the 3D view and the composition in a frame: a quarter of a frame at 20 a second, so that three quarters of the processor's time
/// are left to the simulation.
const BUDGET: Duration = Duration::from_micros(12_500);

/// Frames measured at a scale before it is judged.
const FRAMES: u32 = 6;

/// Frames before a larger picture is tried again: it would not be used if it turned out too slow, but it would be seen to flicker.
const PATIENCE: u32 = 60;

/// Chooses a scale from the time of the frames.
#[derive(Debug)]
pub struct Resolution {
    software: bool,
    /// Index into [`SCALES`].
    level: usize,
    /// Frames at this level so far, and the sum of the times of the latest of them.
    frames: u32,
    spent: Duration,
    counted: u32,
}

impl Resolution {
    /// Full resolution; it stays so unless `software`.
    pub fn new(software: bool) -> Self {
        Self { software, level: 0, frames: 0, spent: Duration::ZERO, counted: 0 }
    }

    /// Size of the picture that is shown with `size` pixels, in motion or at rest.
    pub fn size(&self, size: [u32; 2], moving: bool) -> [u32; 2] {
        if !moving || self.level == 0 {
            return size;
        }
        size.map(|length| ((length as f32 * SCALES[self.level]).round() as u32).max(1))
    }

    /// Takes note of a frame of the moving fluid, whose 3D view and composition took `time`.
    pub fn drawn(&mut self, time: Duration) {
        if !self.software {
            return;
        }
        self.frames += 1;
        self.spent += time;
        self.counted += 1;
        if self.counted < FRAMES {
            return;
        }
        let mean = self.spent / self.counted;
        (self.spent, self.counted) = (Duration::ZERO, 0);
        if mean > BUDGET && self.level + 1 < SCALES.len() {
            self.set(self.level + 1);
        } else if self.level > 0 && self.frames >= PATIENCE {
            // At worst, time is proportional to the number of pixels.
            let growth = (SCALES[self.level - 1] / SCALES[self.level]).powi(2);
            if mean.mul_f32(growth) < BUDGET {
                self.set(self.level - 1);
            }
        }
    }

    fn set(&mut self, level: usize) {
        *self = Self { level, ..Self::new(self.software) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws `frames` frames, each of which takes `full` at full resolution and in proportion to its pixels.
    fn draw(resolution: &mut Resolution, full: Duration, frames: u32) {
        for _ in 0..frames {
            let [width, height] = resolution.size([1000, 1000], true);
            resolution.drawn(full.mul_f32(width as f32 * height as f32 / 1e6));
        }
    }

    #[test]
    fn slow_frames_become_smaller_until_they_fit_and_do_not_swing() {
        let mut resolution = Resolution::new(true);
        draw(&mut resolution, Duration::from_millis(40), 3 * FRAMES);
        let size = resolution.size([1000, 1000], true);
        assert_eq!(size, [500, 500]);
        for _ in 0..20 {
            draw(&mut resolution, Duration::from_millis(40), FRAMES);
            assert_eq!(resolution.size([1000, 1000], true), size);
        }
        assert_eq!(resolution.size([1000, 1000], false), [1000, 1000], "at rest");
    }

    #[test]
    fn fast_frames_become_full_again_after_a_while() {
        let mut resolution = Resolution::new(true);
        draw(&mut resolution, Duration::from_secs(1), 10 * FRAMES);
        assert_eq!(resolution.size([1000, 1000], true), [500, 500]);
        draw(&mut resolution, Duration::from_millis(5), 4 * PATIENCE);
        assert_eq!(resolution.size([1000, 1000], true), [1000, 1000]);
    }

    #[test]
    fn hardware_always_draws_all_pixels() {
        let mut resolution = Resolution::new(false);
        draw(&mut resolution, Duration::from_secs(1), 10 * FRAMES);
        assert_eq!(resolution.size([123, 45], true), [123, 45]);
    }
}
