//! The picture of the 3D view, redrawn only if something in it has changed; the overlay of the grid in it, and its resolution on a
//! software driver.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::interpolation::{InterpolatedState, StepFraction};
use crate::session::{ComparisonSnapshot, Inspection, Queried, Snapshot};
use crate::ui::{DrawnCells, GridView, OverlayCosts, State};
use glam::{IVec3, Vec3};
use sph_color::{Scale, VERDICT_COLORS, VERDICTS, verdict_index};
use sph_core::neighbors::{Structure, Trace, Verdict};
use sph_core::{Dimensions, DroppedBody, Particles, Setup};
use sph_io::Scene;
use sph_render::camera::Camera;
use sph_render::{
    CellBox, Gpu, Overlay, Part, Picture, PictureContents, PictureOptions, ReadError, Renderer, SceneFrame, ShownFluid,
    ShownSets, Tint, ViewStyle, grid_boxes,
};

/// Everything that the picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    size: [u32; 2],
    camera: Camera,
    style: ViewStyle,
    generation: u64,
    steps: u64,
    time: f64,
    /// Part of the last step that is shown; `None` for its end.
    part: Option<f32>,
    /// Bodies that have been dropped, in a pause too.
    dropped: Vec<DroppedBody>,
    /// Number of jumps to other moments: another history may have the same times.
    jumps: u64,
    /// Revision of the comparison: a second simulation with another grid may start from another state.
    comparison_revision: u64,
    overlay: OverlayKey,
}

/// Contents of a picture.
#[derive(Clone, Copy, Debug)]
pub struct PictureView<'a> {
    /// The snapshot, with the scene and the time.
    pub snapshot: &'a Snapshot,
    /// The particles: the simulation's own or grid B's.
    pub particles: &'a Particles,
    /// The cloths and balls of the same.
    pub sets: &'a ShownSets,
    /// Camera and display settings.
    pub state: &'a State,
    /// The inspection drawn over the particles.
    pub inspection: Option<&'a Inspection>,
    /// Moment of the last step that is shown; `None` for its end.
    pub moment: Option<StepFraction<'a>>,
}

impl<'a> PictureView<'a> {
    /// The simulation.
    pub fn own(snapshot: &'a Snapshot, state: &'a State) -> Self {
        let Snapshot { particles, sets, inspection, .. } = snapshot;
        Self { snapshot, particles, sets, state, inspection: inspection.as_deref(), moment: None }
    }

    /// The simulation with grid B, of the same snapshot.
    pub fn second(snapshot: &'a Snapshot, grid_b: &'a ComparisonSnapshot, state: &'a State) -> Self {
        let ComparisonSnapshot { particles, sets, inspection, .. } = grid_b;
        Self { snapshot, particles, sets, state, inspection: inspection.as_deref(), moment: None }
    }

    /// The same at this `moment` of the last step, unless the picture shows the grid, which is that of the latest state.
    #[must_use]
    pub fn at(self, moment: Option<StepFraction<'a>>) -> Self {
        let shows_grid = self.inspection.is_some_and(|inspection| inspection.asked.is_of_grid());
        Self { moment: moment.filter(|_| !shows_grid), ..self }
    }

    /// The fluid, with what the inspection has computed of it.
    fn fluid(&self) -> ShownFluid<'a> {
        let Self { snapshot, particles, sets, state, inspection, moment: _ } = *self;
        ShownFluid {
            particles,
            poses: &snapshot.poses,
            dropped: &snapshot.dropped,
            sets,
            time: snapshot.time,
            foam: &snapshot.foam.particles,
            values: inspection.and_then(|inspection| inspection.values_of(state.display.color)),
            ellipsoids: inspection.map_or(&[], |inspection| &inspection.ellipsoids),
            surfaces: &[],
        }
    }

    /// The style that is set; `transparent` without a background.
    fn style(&self, scene: &Scene, transparent: bool) -> ViewStyle {
        let look = self.state.drawn_look(scene, self.inspection, transparent).look;
        let display = &self.state.display;
        let style = ViewStyle::of(&display.scene_view(scene), look);
        let scale = Scale { range: Some(display.range(scene)), ..style.scale };
        ViewStyle { background: display.background, scale, ..style }
    }
}

/// The renderer, and the key of its latest picture.
#[derive(Debug)]
pub struct ScenePicture {
    renderer: Renderer,
    /// Draws pictures of another size, camera or background; created when the first is taken.
    camera_renderer: Option<Renderer>,
    drawn: Option<Key>,
    contents: Contents,
}

/// What pictures show, kept from one to the next.
#[derive(Debug, Default)]
struct Contents {
    /// Builder of the frames of the scene that was drawn last.
    frame: Option<SceneFrame>,
    overlay: Overlay,
    between: InterpolatedState,
}

impl Contents {
    /// What a picture of `shown` in this style and through `camera` contains, and the builder of its frame.
    fn of<'a>(
        &'a mut self,
        shown: &PictureView<'a>,
        scene: &Arc<Scene>,
        style: ViewStyle,
        camera: Camera,
    ) -> (&'a mut SceneFrame, PictureContents<'a>) {
        let PictureView { particles, state, inspection, .. } = *shown;
        let Self { frame, overlay, between } = self;
        if frame.as_ref().is_some_and(|frame| !Arc::ptr_eq(frame.scene(), scene)) {
            *frame = None;
        }
        update(overlay, (&state.view, state.is_comparing()), inspection, (&scene.setup, shown.sets), &particles.positions);
        let frame = frame.get_or_insert_with(|| SceneFrame::new(scene.clone()));
        let fluid = match shown.moment {
            Some(moment) => between.show(shown.fluid(), &scene.setup.domain, moment),
            None => shown.fluid(),
        };
        (frame, PictureContents { fluid, style, overlay, camera })
    }
}

impl ScenePicture {
    /// Compiles the shaders.
    pub fn new(gpu: &Gpu) -> Self {
        Self { renderer: Renderer::new(gpu), camera_renderer: None, drawn: None, contents: Contents::default() }
    }

    /// Updates the picture at `size` pixels.
    pub fn update(&mut self, gpu: &Gpu, size: [u32; 2], shown: &PictureView<'_>) {
        let PictureView { snapshot, state, inspection, .. } = *shown;
        let Some(scene) = &snapshot.scene else { return };
        let Snapshot { generation, steps, time, comparison_revision, .. } = *snapshot;
        let key = Key {
            size: gpu.usable_size(size),
            camera: state.display.camera,
            style: shown.style(scene, false),
            generation,
            steps,
            time,
            part: shown.moment.map(|moment| moment.part),
            dropped: snapshot.dropped.clone(),
            jumps: snapshot.timeline.jumps,
            comparison_revision,
            overlay: OverlayKey::new((&state.view, state.is_comparing()), inspection),
        };
        if self.drawn.as_ref() == Some(&key) {
            return;
        }
        let (frame, contents) = self.contents.of(shown, scene, key.style, key.camera);
        frame.with_frame(&contents, |frame| self.renderer.draw(gpu, key.size, frame));
        self.drawn = Some(key);
    }

    /// Takes a picture of `size` pixels through `camera`; the picture in the window stays as it is. `None` without a scene.
    ///
    /// # Errors
    /// If the device is lost or out of memory.
    pub fn take(
        &mut self,
        gpu: &Gpu,
        (size, options): ([u32; 2], PictureOptions),
        camera: Camera,
        shown: &PictureView<'_>,
    ) -> Option<Result<Picture, ReadError>> {
        let scene = shown.snapshot.scene.as_ref()?;
        let renderer = self.camera_renderer.get_or_insert_with(|| Renderer::new(gpu));
        let style = shown.style(scene, options.transparent);
        let (frame, contents) = self.contents.of(shown, scene, style, camera);
        Some(frame.picture((renderer, gpu), (size, options), &contents))
    }

    /// True if values lie below, and above, the range of the colours.
    pub fn beyond_range(&self) -> [bool; 2] {
        self.contents.frame.as_ref().map_or([false; 2], SceneFrame::beyond_range)
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
/// Opacity of fill and edge of the other cells while a query is shown, relative to theirs without it: many lie one behind the other.
const BESIDE_QUERY: [f32; 2] = [0.0, 0.12];
const OWN: ([f32; 4], [f32; 4]) = ([1.0, 1.0, 1.0, 0.12], [1.0, 1.0, 1.0, 1.0]);
/// Fill and edge of the cells of the bucket under the pointer.
const POINTED: ([f32; 4], [f32; 4]) = ([1.0, 1.0, 1.0, 0.40], [1.0, 1.0, 1.0, 1.0]);

/// Everything that the overlay depends on besides the particles.
#[derive(Clone, Debug, Default, PartialEq)]
struct OverlayKey {
    serial: u64,
    view: Option<GridView>,
    compared: bool,
}

impl OverlayKey {
    /// The key of the overlay that `view` shows of `inspection`, of a grid alone or beside a `compared` one.
    fn new((view, compared): (&GridView, bool), inspection: Option<&Inspection>) -> Self {
        let Some(inspection) = inspection else { return Self::default() };
        Self { serial: inspection.serial, view: Some(view.without_map()), compared }
    }
}

/// Fills `overlay` with what `view` shows of `inspection`, of a grid alone or beside a `compared` one, for particles at
/// `positions` (m) and point sets.
fn update(
    overlay: &mut Overlay,
    (view, compared): (&GridView, bool),
    inspection: Option<&Inspection>,
    (setup, sets): (&Setup, &ShownSets),
    positions: &[Vec3],
) {
    let dimensions = setup.discretization.dimensions;
    let Overlay { cells, tints, set_tints, slab } = overlay;
    cells.clear();
    tints.clear();
    set_tints.clear();
    *slab = None;
    let Some(inspection) = inspection else { return };
    if let Some(contents) = &inspection.contents {
        let slice = view.slice(contents.cell_size);
        let bucket = view.shown_bucket().map_or(&[][..], |bucket| contents.cells_of(bucket));
        let looks_through = view.looks_through() && !bucket.is_empty();
        *slab = slice.map(|slice| slice.slab(contents.cell_size));
        // A bucket in faint fluid is shown alone; beside a query the cells are faint.
        if let Some(DrawnCells { coloring, opacity }) = view.drawn_cells(inspection.grid.structure, compared)
            && !looks_through
        {
            let beside_query = inspection.query_of(view.selected).is_some();
            let [fill, edge] = if beside_query { BESIDE_QUERY } else { [1.0; 2] }.map(|part| part * opacity);
            grid_boxes::boxes_up_to(view.top, contents, coloring, slice, dimensions, cells);
            for shown in cells.iter_mut() {
                shown.fill[3] *= fill;
                shown.edge[3] *= edge;
            }
        }
        for cell in bucket {
            push(cell.cell, contents.cell_size, dimensions, POINTED, cells);
        }
        if looks_through && contents.cell_size > 0.0 {
            let bucket: HashSet<IVec3> = bucket.iter().map(|cell| cell.cell).collect();
            let is_of_fluid = inspection.asked.set.is_none();
            let tint = |&position: &Vec3| match is_of_fluid && bucket.contains(&contents.cell_of(position)) {
                true => Tint::Value,
                false => Tint::Faint,
            };
            tints.extend(positions.iter().map(tint));
        }
    }
    if let Some(query) = inspection.query_of(view.selected) {
        *slab = None;
        query_boxes(inspection, query, dimensions, cells);
        if let Some(Queried::Point(point)) = view.selected {
            tints.resize(positions.len(), Tint::Faint);
            let searched = setup.points.as_ref().map_or(0..0, |points| points.source().searched_with(point.set));
            let count = searched.clone().map(|set| sets.points_of(set)).sum();
            let mut all = query_tints(query, &view.hidden, count).into_iter();
            set_tints.resize(searched.start, Vec::new());
            set_tints.extend(searched.map(|set| all.by_ref().take(sets.points_of(set)).collect()));
        } else {
            *tints = query_tints(query, &view.hidden, positions.len());
        }
    }
}

/// Tints of `count` particles, or points that are searched together, beside a query.
fn query_tints(query: &Trace, hidden: &[bool; VERDICTS.len()], count: usize) -> Vec<Tint> {
    let mut tints = vec![Tint::Faint; count];
    let visited = |is_tested: bool| {
        let met = query.visited.iter().filter(move |met| met.verdict.is_tested() == is_tested);
        met.map(|met| (met.index, met.verdict))
    };
    let found_by = query.found_by.iter().map(|&index| (index, Verdict::Neighbor));
    // What is skipped in one bucket may be tested in another, which counts.
    for (index, verdict) in visited(false).chain(visited(true)).chain(found_by) {
        if let Some(tint) = tints.get_mut(index as usize) {
            let kind = verdict_index(verdict);
            *tint = match verdict {
                _ if hidden[kind] => Tint::Faint,
                Verdict::Itself | Verdict::Neighbor => Tint::Color(kind as u8),
                // The neighbours are among them.
                Verdict::TooFar | Verdict::Foreign | Verdict::PassedOver => Tint::Small(kind as u8),
            };
        }
    }
    tints
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
    use crate::offscreen::OffscreenRenderer;
    use crate::session::Inspect;
    use sph_color::{ColorField, FieldReader};
    use sph_core::neighbors::Search;
    use sph_core::probes::Vicinity;
    use sph_core::{DroppedShape, Engine};
    use sph_io::{ClipPlane, Look, SolidStyle};

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

    /// Fluid and two bodies, one of them dropped, after a few steps in a tank that moves.
    fn engine(scene: &Scene) -> Box<dyn Engine> {
        let mut engine = sph_commands::engine::start(&scene.setup).expect("the scene can be simulated");
        let (center, velocity) = (Vec3::new(0.3, 0.45, 0.15), Vec3::ZERO);
        let ball = DroppedBody { center, size: 0.12, shape: DroppedShape::Ball, density: 500.0, velocity };
        engine.drop_body(&ball).expect("there is room");
        for _ in 0..3 {
            assert_eq!(engine.step().error, None);
        }
        engine
    }

    /// What the window's session computes for the colours and the look of `view`.
    fn inspection(view: &sph_io::View, fluid: &sph_core::View<'_>) -> Inspection {
        let asked = Inspect { field: Some(view.color), ellipsoids: true, ..Inspect::default() };
        let (mut values, mut ellipsoids) = (Vec::new(), Vec::new());
        FieldReader::default().read(view.color, fluid, &mut values);
        Vicinity::default().read_ellipsoids(fluid, &mut ellipsoids);
        let (grid, cost) = (fluid.parameters.grid, Duration::ZERO);
        Inspection {
            asked,
            grid,
            serial: 1,
            contents: None,
            occupancy: None,
            query: None,
            values,
            ellipsoids,
            refusal: None,
            cost,
        }
    }

    #[test]
    fn the_other_cells_are_faint_beside_a_query() {
        let text = "format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.6, 0.6, 0.6]\n";
        let scene = sph_io::parse(text, "block", &[]).unwrap_or_else(|error| panic!("{error}"));
        let engine = sph_commands::engine::start(&scene.setup).expect("the scene can be simulated");
        let fluid = engine.view();
        let mut search = Search::new(&fluid.parameters.grid, fluid.discretization.support_radius);
        search.update(&fluid.particles.positions, &fluid.particles.ids).expect("unbounded");
        let asked = Inspect { contents: true, queried: Some(Queried::Particle(fluid.particles.ids[0])), ..Inspect::default() };
        let mut inspection = inspection(&scene.view, &fluid);
        (inspection.asked, inspection.contents) = (asked, Some(search.contents()));
        let mut view = GridView::default();
        (view.cells, view.selected) = (true, asked.queried);
        view.follow(Some(&inspection));
        let boxes = |inspection: &Inspection| {
            let mut overlay = Overlay::default();
            update(
                &mut overlay,
                (&view, false),
                Some(inspection),
                (&scene.setup, &ShownSets::default()),
                &fluid.particles.positions,
            );
            overlay.cells
        };
        let before = boxes(&inspection);
        inspection.query = Some(search.trace(fluid.particles.positions[0], Some(0)));
        let with_query = boxes(&inspection);
        assert!(with_query.len() > before.len() && !before.is_empty());
        for (full, faint) in before.iter().zip(&with_query) {
            assert_eq!(full.min, faint.min);
            assert!(faint.fill[3] == 0.0 && faint.edge[3] < 0.2 * full.edge[3], "{faint:?}");
        }
        assert_eq!(with_query.last().map(|own| own.edge[3] > 0.5), Some(true), "those of the query are on top");
    }

    #[test]
    fn a_snapshot_and_an_engine_give_the_same_picture() {
        let text = "format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.4, 0.3, 0.3]\n\
                    [[containers]]\nmin = [0, 0, 0]\nmax = [0.8, 0.6, 0.3]\n\
                    rotation = { axis = [0, 0, 1], pivot = [0.4, -0.5, 0], oscillation = { amplitude = 2.0, period = 1.4 } }\n\
                    [[bodies]]\nmin = [0.5, 0, 0.1]\nmax = [0.6, 0.1, 0.2]\n";
        let parsed = sph_io::parse(text, "tank", &[]).unwrap_or_else(|error| panic!("{error}"));
        let engine = engine(&parsed);
        let fluid = engine.view();
        let gpu = Gpu::headless().expect("a driver; `cargo xtask test` installs one");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let mut window = ScenePicture::new(&gpu);
        let (size, usual) = ([160, 120], parsed.view);
        let clip = Some(ClipPlane { axis: 2, position: 0.14, flipped: false });
        let wireframe = Some(SolidStyle::Wireframe);
        let views = [
            sph_io::View { look: Some(Look::Spheres), arrows: true, ..usual },
            sph_io::View { look: Some(Look::Points), color: ColorField::Vorticity, clip, ..usual },
            sph_io::View { look: Some(Look::Spheres), color: ColorField::Body, walls: Some(SolidStyle::Shaded), ..usual },
            sph_io::View { look: Some(Look::Spheres), range: Some([0.0, 0.01]), bodies: wireframe, ..usual },
            sph_io::View { look: Some(Look::Water), walls: Some(SolidStyle::Hidden), ..usual },
        ];
        let mut seen: Vec<Picture> = Vec::new();
        for (generation, view) in (1..).zip(views) {
            let scene = Scene { view, ..parsed.clone() };
            let options = PictureOptions { transparent: false, captions: true };
            let mut offscreen = OffscreenRenderer::new(&scene, size, None, view.look, (None, None), options).expect("a driver");
            offscreen.prepare(&fluid, &pool).expect("no surfaces");
            let rendered = offscreen.picture(&fluid).expect("a picture");

            let aspect = size[0] as f32 / size[1] as f32;
            let camera = sph_render::first_camera(&scene.setup, None, None, aspect);
            let scene = Some(Arc::new(scene));
            let mut snapshot = Snapshot { scene, generation, opened: generation, ..Snapshot::default() };
            snapshot.copy_fluid(&fluid);
            let mut state = State::default();
            state.follow(&snapshot);
            let inspection = inspection(&view, &fluid);
            let shown = PictureView { inspection: Some(&inspection), ..PictureView::own(&snapshot, &state) };
            let taken = window.take(&gpu, (size, options), camera, &shown).expect("a scene").expect("a picture");
            assert!(taken == rendered, "{view:?}");
            assert!(!seen.contains(&taken), "{view:?} changes nothing");
            seen.push(taken);
        }
    }
}
