//! All sheets of a scene, moved together.

use super::Sheet;
use super::blocks::Blocks;
use super::constraints::{Constraints, tear};
use super::faces::Faces;
use super::movers::Movers;
use super::obstacles::{Obstacles, Unyielding};
use super::pairs::Over;
use super::reach::Surroundings;
use super::self_collision::SelfCollision;
use super::solids::{SolidStep, Solids};
use super::vertices::{GRAIN, PARALLEL_FROM, Vertex, displaced};
use super::wind::Wind;
use crate::substep::Substep;
use glam::{DVec3, Vec3, Vec3A, Vec4};
use rayon::prelude::*;
use sph_core::neighbors::GridParameters;
use sph_core::point_sets::{PointDynamics, PointImpulse, PointReport, PointSet, PointStep};

/// Settings that may change while sheets move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothSettings {
    /// Longest substep, s: a step is cut into equal parts that are no longer. Short ones make cloth stiffer and contacts tighter.
    pub longest_substep: f64,
    /// Velocity of the air, m/s.
    pub wind: Vec3,
}

impl Default for ClothSettings {
    fn default() -> Self {
        Self { longest_substep: 1.0 / 960.0, wind: Vec3::ZERO }
    }
}

/// Largest number of passes over the contacts in a substep, and in the last of a step. More than one follow while vertices are too near, as in an
/// impact or at the bottom of a pile; the last ones make sure of the distances that are seen. Their number is odd, so that the last is over all pairs.
const MAX_PASSES: [usize; 2] = [4, 61];

/// Distance of a pair, of its least distance, from which another pass is not worth its time, in a substep and in the last of a step: pushes of a pass
/// may make others a little too near.
const TIGHT: [f32; 2] = [0.95, 0.96];

/// Number of passes over all pairs before those over the pairs of vertices that are too near.
const FULL_PASSES: usize = 2;

/// In the last substep, one pass in so many is over all pairs, and only such a one ends the passes before their limit.
const FULL_PERIOD: usize = 2;

/// Highest speed, in thicknesses a substep, relative to the mean of all vertices.
const SPEED_LIMIT: f32 = 0.2;

/// Largest number of parts of a substep, where vertices are faster than the limits: beyond, these take their momentum.
const MOST_PARTS: f64 = 8.0;

/// Highest speed of that mean, in thicknesses a substep: two vertices, of which one rests, approach by less than a thickness.
const MEAN_SPEED_LIMIT: f32 = 0.4;

/// Mass with which edges meet a vertex that a hand holds, parts of its sheet's: the hand bears the sheet, and yields before it draws a taut one far
/// out of shape.
const HELD_PART: f32 = 0.05;

/// Dynamics of all sheets. The sets that it moves are those of its sheets, in their order.
#[derive(Clone, Debug)]
pub struct Cloths {
    sheets: Vec<Sheet>,
    settings: ClothSettings,
    // Constants that follow from the sheets.
    offsets: Vec<usize>,
    blocks: Blocks,
    friction: Vec<f32>,
    // Memory of a step.
    constraints: Constraints,
    contacts: SelfCollision,
    solids: Solids,
    faces: Faces,
    wind: Wind,
    vertices: Vec<Vertex>,
    velocities: Vec<Vec3A>,
    accelerations: Vec<Vec3A>,
    motion: MeanMotion,
    work: Work,
}

/// Work of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Number of substeps.
    pub substeps: usize,
    /// Number of searches of all vertices: more than one if many moved farther than had been allowed for.
    pub searches: usize,
    /// Number of vertices searched again alone, as they moved farther than had been allowed for.
    pub strays: usize,
    /// Number of passes over the contacts, at least one a substep.
    pub passes: usize,
    /// Number of pairs that might have touched after the last search.
    pub pairs: usize,
}

/// Vertices that a search is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchOf {
    All,
    /// Those that moved farther than had been allowed for, unless they are many.
    Strays,
}

/// Mean motion of the vertices that forces move.
#[derive(Clone, Copy, Debug, Default)]
struct MeanMotion {
    /// Time of the last search since the beginning of the step, s.
    since: f32,
    /// Velocity at that time, m/s.
    velocity: Vec3A,
    /// Acceleration, m/s².
    acceleration: Vec3A,
}

impl MeanMotion {
    fn velocity(&self, time: f32) -> Vec3A {
        self.velocity + self.acceleration * (time - self.since)
    }

    fn displacement(&self, time: f32) -> Vec3A {
        let t = time - self.since;
        (self.velocity + self.acceleration * (0.5 * t)) * t
    }
}

impl Cloths {
    /// Dynamics of `sheets`.
    pub fn new(sheets: Vec<Sheet>, settings: ClothSettings) -> Self {
        let mut count = 0;
        let offsets: Vec<usize> = sheets
            .iter()
            .map(|sheet| {
                count += sheet.len();
                count - sheet.len()
            })
            .collect();
        let blocks = Blocks::new(sheets.iter().map(Sheet::len));
        Self {
            friction: sheets.iter().map(|sheet| sheet.setup().friction).collect(),
            constraints: Constraints::new(&sheets, &offsets, &blocks),
            wind: Wind::new(&sheets, &offsets, count),
            contacts: SelfCollision::default(),
            solids: Solids::default(),
            faces: Faces::default(),
            vertices: vec![Vertex::default(); count],
            velocities: vec![Vec3A::ZERO; count],
            accelerations: vec![Vec3A::ZERO; count],
            motion: MeanMotion::default(),
            work: Work::default(),
            sheets,
            settings,
            offsets,
            blocks,
        }
    }

    /// The sheets.
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// Greatest thickness of a sheet, m.
    fn greatest_thickness(&self) -> f32 {
        self.sheets.iter().map(|sheet| sheet.setup().thickness).fold(0.0, f32::max)
    }

    /// Work of the last step.
    pub fn work(&self) -> Work {
        Work { pairs: self.contacts.pair_count(), ..self.work }
    }

    /// The settings.
    pub fn settings(&self) -> ClothSettings {
        self.settings
    }

    /// Changes the settings, from the next step on.
    pub fn set_settings(&mut self, settings: ClothSettings) {
        self.settings = settings;
    }

    /// State of all sheets at the start.
    pub fn point_sets(&self) -> Vec<PointSet> {
        self.sheets.iter().map(Sheet::point_set).collect()
    }

    /// Takes up the state and the impulses of the fluid, and finds what may touch in a step of substeps of length `h`, s.
    fn begin_step(&mut self, sets: &[PointSet], step: &PointStep<'_>, obstacles: &dyn Obstacles, h: f64) {
        for (number, (set, &offset)) in sets.iter().zip(&self.offsets).enumerate() {
            let impulses = step.impulses.get(number).map_or(&[][..], Vec::as_slice);
            for k in 0..set.len() {
                let PointImpulse { linear, added_mass, .. } = impulses.get(k).copied().unwrap_or_default();
                let inverse = if set.masses[k] > 0.0 { (set.masses[k] + added_mass).recip() } else { 0.0 };
                self.vertices[offset + k] = Vertex { moved: Vec4::new(0.0, 0.0, 0.0, inverse), before: Vec4::ZERO };
                self.velocities[offset + k] = Vec3A::from(set.velocities[k]);
                let push = linear * (inverse / step.dt as f32);
                let external = if inverse > 0.0 { (step.acceleration)(set.positions[k]) + push } else { Vec3::ZERO };
                self.accelerations[offset + k] = Vec3A::from(external);
            }
        }
        self.begin_constraints(sets, step, h);
        self.wind.begin_step(&self.sheets, &self.offsets, sets);
        let mut solids = std::mem::take(&mut self.solids);
        solids.begin_step(&self.solid_step(sets, step, obstacles), &self.vertices, &self.velocities);
        self.solids = solids;
        self.faces.begin_step();
        self.list_faces(sets);
        self.contacts.begin_step();
        self.work = Work::default();
        self.search(sets, step, 0.0, SearchOf::All);
    }

    /// Finds the triangles that solids may come through.
    fn list_faces(&mut self, sets: &[PointSet]) {
        let thickness = self.greatest_thickness();
        let Self { sheets, offsets, solids, faces, .. } = self;
        let triangles = sheets.iter().zip(sets).zip(&*offsets).flat_map(|((sheet, set), &offset)| {
            sheet.triangles(set).map(move |triangle| triangle.map(|vertex| offset + vertex as usize))
        });
        faces.list(solids, triangles, thickness);
        solids.mark_listed();
    }

    /// Prepares the constraints, to which a vertex that a hand holds is heavy; to contacts it is not.
    fn begin_constraints(&mut self, sets: &[PointSet], step: &PointStep<'_>, h: f64) {
        let held = step.hold.map(|hold| {
            let masses = sets[hold.set].masses.iter().filter(|mass| mass.is_finite());
            let vertex = self.offsets[hold.set] + hold.index;
            self.accelerations[vertex] = Vec3A::ZERO;
            (vertex, (HELD_PART * masses.sum::<f32>()).recip())
        });
        let own = held.map(|(vertex, inverse_mass)| {
            let own = &mut self.vertices[vertex].moved.w;
            std::mem::replace(own, inverse_mass.min(*own))
        });
        self.constraints.begin_step(&self.offsets, sets, &self.vertices, h);
        if let Some(((vertex, _), own)) = held.zip(own) {
            self.vertices[vertex].moved.w = own;
        }
    }

    /// Number of substeps of a step that are no longer than `longest` (s), and in which no vertex is faster than [`SPEED_LIMIT`] and
    /// [`MEAN_SPEED_LIMIT`] allow, with what accelerates it in the step; but none is shorter than [`Self::shortest_substep`].
    pub(crate) fn substeps(&self, sets: &[PointSet], step: &PointStep<'_>, longest: f64) -> u32 {
        Substep::count_of(step.dt, self.longest_substep(sets, step).min(longest.max(self.shortest_substep())))
    }

    /// Shortest substep that speed leads to, s.
    pub(crate) fn shortest_substep(&self) -> f64 {
        self.settings.longest_substep / MOST_PARTS
    }

    /// Longest substep in which no vertex is faster than the limits allow, s, but no shorter than [`Self::shortest_substep`].
    fn longest_substep(&self, sets: &[PointSet], step: &PointStep<'_>) -> f64 {
        let longest = self.settings.longest_substep;
        let pushed = |(number, set): (usize, &PointSet)| -> Vec<Vec3> {
            let impulses = step.impulses.get(number).map_or(&[][..], Vec::as_slice);
            let moving = (0..set.len()).filter(|&k| set.masses[k].is_finite());
            let push =
                |k: usize| impulses.get(k).map_or(Vec3::ZERO, |impulse| impulse.linear / (set.masses[k] + impulse.added_mass));
            let fall = |k: usize| (step.acceleration)(set.positions[k]) * step.dt as f32;
            moving.map(|k| set.velocities[k] + push(k) + fall(k)).collect()
        };
        let velocities: Vec<Vec3> = sets.iter().enumerate().flat_map(pushed).collect();
        let mean = velocities.iter().map(|velocity| velocity.as_dvec3()).sum::<DVec3>() / velocities.len().max(1) as f64;
        let fastest =
            velocities.iter().map(|velocity| (velocity.as_dvec3() - mean).length_squared()).fold(0.0, f64::max).sqrt();
        let thickness = self.sheets.iter().map(|sheet| sheet.setup().thickness).fold(f32::INFINITY, f32::min);
        // NaN leaves the usual length.
        let allowed = f64::from(SPEED_LIMIT * thickness) / fastest;
        let allowed = allowed.min(f64::from(MEAN_SPEED_LIMIT * thickness) / mean.length());
        longest.min(allowed.max(self.shortest_substep()))
    }

    fn solid_step<'a>(&'a self, sets: &'a [PointSet], step: &PointStep<'_>, obstacles: &'a dyn Obstacles) -> SolidStep<'a> {
        let (offsets, friction, dt) = (&self.offsets[..], &self.friction[..], step.dt as f32);
        SolidStep { sets, offsets, friction, obstacles, dt }
    }

    /// Searches for what may touch, `time` (s) after the beginning of the step: all vertices, or those alone that have strayed.
    fn search(&mut self, sets: &[PointSet], step: &PointStep<'_>, time: f32, of: SearchOf) {
        let mut motion = self.motion;
        let frame = motion.displacement(time);
        let mut contacts = std::mem::take(&mut self.contacts);
        let around = |mean_velocity: Vec3A| Surroundings {
            sheets: &self.sheets,
            offsets: &self.offsets,
            sets,
            blocks: &self.blocks,
            grid: step.grids.first().copied().unwrap_or_default(),
            audit: step.audit,
            vertices: &self.vertices,
            velocities: &self.velocities,
            time_left: step.dt as f32 - time,
            mean_velocity,
            thickness: self.greatest_thickness(),
        };
        let strays = match of {
            SearchOf::Strays => contacts.search_strays(&around(motion.velocity(time)), frame),
            SearchOf::All => None,
        };
        if strays.is_none() {
            motion = self.mean_motion(time);
            contacts.search(&around(motion.velocity));
            self.work.searches += 1;
        }
        self.work.strays += strays.unwrap_or(0);
        (self.motion, self.contacts) = (motion, contacts);
    }

    fn mean_motion(&self, since: f32) -> MeanMotion {
        let mut sums = [glam::DVec3::ZERO; 2];
        let mut count = 0;
        for (vertex, (velocity, acceleration)) in self.vertices.iter().zip(self.velocities.iter().zip(&self.accelerations)) {
            if vertex.inverse_mass() > 0.0 {
                sums[0] += Vec3::from(*velocity).as_dvec3();
                sums[1] += Vec3::from(*acceleration).as_dvec3();
                count += 1;
            }
        }
        let [velocity, acceleration] = sums.map(|sum| Vec3A::from((sum / f64::from(count.max(1))).as_vec3()));
        MeanMotion { since, velocity, acceleration }
    }

    /// Moves all vertices by their velocities, those with a prescribed motion as it says.
    fn predict(&mut self, sets: &[PointSet], step: &PointStep<'_>, substep: &Substep) {
        let (h, end) = (substep.h as f32, substep.end() as f32);
        if !self.wind.is_empty() {
            self.wind.blow(&self.vertices, &mut self.velocities, self.settings.wind.into(), h);
        }
        self.move_pins(sets, step, substep);
        let thickness = self.sheets.iter().map(|sheet| sheet.setup().thickness).fold(f32::INFINITY, f32::min);
        let most = MEAN_SPEED_LIMIT * thickness / h;
        let limit =
            SpeedLimit { mean: self.motion.velocity(end - h).clamp_length_max(most), relative: SPEED_LIMIT * thickness / h };
        let frame = self.motion.displacement(end);
        let (accelerations, contacts) = (&self.accelerations, &self.contacts);
        let predict = |(number, (vertices, velocities)): (usize, (&mut [Vertex], &mut [Vec3A]))| {
            let first = number * GRAIN;
            for ((vertex, velocity), acceleration) in vertices.iter_mut().zip(velocities).zip(&accelerations[first..]) {
                if vertex.inverse_mass() > 0.0 {
                    *velocity = limit.of(*velocity + *acceleration * h);
                }
                vertex.begin_substep();
                vertex.shift(*velocity * h);
            }
            contacts.exceeded(first, vertices, frame)
        };
        let exceeded = if self.vertices.len() < PARALLEL_FROM {
            let chunks = self.vertices.chunks_mut(GRAIN).zip(self.velocities.chunks_mut(GRAIN));
            chunks.enumerate().map(predict).fold(false, |any, exceeded| any | exceeded)
        } else {
            let chunks = self.vertices.par_chunks_mut(GRAIN).zip(self.velocities.par_chunks_mut(GRAIN));
            chunks.enumerate().map(predict).reduce(|| false, |any, exceeded| any | exceeded)
        };
        if exceeded {
            self.search(sets, step, end, SearchOf::Strays);
        }
    }

    /// Gives vertices with a prescribed motion the velocity that takes them there in the substep, and the one that a hand holds that of the hand.
    fn move_pins(&mut self, sets: &[PointSet], step: &PointStep<'_>, substep: &Substep) {
        for ((sheet, set), &offset) in self.sheets.iter().zip(sets).zip(&self.offsets) {
            for pin in sheet.pins() {
                let k = pin.vertex as usize;
                let Some(motion) = &pin.motion else { continue };
                if self.vertices[offset + k].inverse_mass() > 0.0 {
                    continue;
                }
                let target = motion.pose(step.time + substep.end()).point(sheet.setup().vertices[k].as_dvec3());
                let gap = target - self.present_position(set, k, offset);
                self.velocities[offset + k] = Vec3A::from((gap / substep.h).as_vec3());
            }
        }
        if let Some(hold) = step.hold {
            let (set, offset) = (&sets[hold.set], self.offsets[hold.set]);
            let velocity = hold.velocity(self.present_position(set, hold.index, offset), substep.h);
            self.velocities[offset + hold.index] = Vec3A::from(velocity);
        }
    }

    /// Position of vertex `k` of a `set` whose first vertex has the index `offset` among all, m.
    fn present_position(&self, set: &PointSet, k: usize, offset: usize) -> DVec3 {
        set.exact_position(k) + Vec3::from(self.vertices[offset + k].displacement()).as_dvec3()
    }

    /// Moves vertices towards constraints, in one pass, and out of contacts, in up to [`MAX_PASSES`].
    fn solve(&mut self, sets: &[PointSet], step: &PointStep<'_>, obstacles: &mut dyn Obstacles, substep: &Substep) {
        let (h, end) = (substep.h as f32, substep.end() as f32);
        let rate = |sheet: &Sheet| {
            let decay = sheet.setup().damping * h;
            decay / (1.0 + decay)
        };
        let damping: Vec<f32> = self.sheets.iter().map(rate).collect();
        self.constraints.solve(&self.blocks, &mut self.vertices, &damping);
        let dt = step.dt as f32;
        obstacles.movers_mut().begin_substep(h);
        let solid_step = SolidStep { sets, offsets: &self.offsets, friction: &self.friction, obstacles: &*obstacles, dt };
        if self.solids.begin_substep(&solid_step, &mut self.vertices, end, h) {
            self.list_faces(sets);
        }
        obstacles.movers_mut().expect(self.solids.touched());
        let Self { offsets, friction, blocks, contacts, solids, faces, vertices, .. } = self;
        let is_last = substep.number + 1 == substep.count;
        let most = MAX_PASSES[usize::from(is_last)];
        let (mut passes, mut is_loose) = (0, true);
        while is_loose && passes < most {
            let is_full = if is_last { passes % FULL_PERIOD == 0 } else { passes < FULL_PASSES };
            let over = if is_full { Over::All } else { Over::Awake };
            is_loose = contacts.solve(blocks, vertices, passes, over, TIGHT[usize::from(is_last)]) || (is_last && !is_full);
            let solid_step = SolidStep { sets, offsets, friction, obstacles: &*obstacles, dt };
            match over {
                // The questions of the first pass were those at the beginning of the substep.
                Over::All if passes > 0 => solids.solve(&solid_step, vertices, end, h),
                _ => solids.solve_near(obstacles.movers(), vertices, end, h),
            }
            if passes == 0 {
                faces.begin_substep(solids, &solid_step, vertices, end, h);
            }
            let movers = obstacles.movers_mut();
            movers.push(solids.pushes(), h);
            faces.solve(movers, vertices, h);
            passes += 1;
        }
        self.work.substeps += 1;
        self.work.passes += passes;
    }

    /// Takes the velocities from how far vertices have come in the substep.
    fn finish(&mut self, substep: &Substep) {
        let per_h = (1.0 / substep.h) as f32;
        let finish = |(vertex, velocity): (&Vertex, &mut Vec3A)| *velocity = vertex.travel() * per_h;
        if self.vertices.len() < PARALLEL_FROM {
            self.vertices.iter().zip(&mut self.velocities).for_each(finish);
        } else {
            self.vertices.par_iter().zip(&mut self.velocities).with_min_len(GRAIN).for_each(finish);
        }
    }

    /// Writes the state after the step, and reports it.
    fn end_step(&mut self, sets: &mut [PointSet]) -> PointReport {
        for ((sheet, set), &offset) in self.sheets.iter().zip(&mut *sets).zip(&self.offsets) {
            set.rounding_errors.resize(set.positions.len(), Vec3::ZERO);
            for k in 0..set.len() {
                let moved = self.vertices[offset + k].displacement().into();
                (set.positions[k], set.rounding_errors[k]) = displaced(set.positions[k], set.rounding_errors[k], moved);
                set.velocities[k] = self.velocities[offset + k].into();
            }
            tear(sheet, set);
        }
        let point = |vertex: usize| {
            let sheet = self.offsets.partition_point(|&offset| offset <= vertex) - 1;
            sets[sheet].positions[vertex - self.offsets[sheet]]
        };
        // All sheets are searched together: each set has the same report.
        let searches = self.contacts.report().into_iter().flat_map(|report| std::iter::repeat_n(report.clone(), sets.len()));
        let mut impulses = self.solids.impulses(point);
        impulses.extend(self.faces.impulses(&point));
        PointReport { searches: searches.collect(), impulses }
    }
}

impl Cloths {
    /// Advances the sheets by a step of so many substeps among `obstacles`, which take the place of the step's surfaces.
    pub(crate) fn advance_among(
        &mut self,
        sets: &mut [PointSet],
        step: &PointStep<'_>,
        substeps: u32,
        obstacles: &mut dyn Obstacles,
    ) -> PointReport {
        let fits =
            sets.len() == self.sheets.len() && sets.iter().zip(&self.sheets).all(|(set, sheet)| set.len() == sheet.len());
        if sets.is_empty() || !(fits && step.dt > 0.0 && step.dt.is_finite()) {
            return PointReport::default();
        }
        let mut begun = false;
        for substep in Substep::of_step(step.dt, substeps) {
            if !begun {
                self.begin_step(sets, step, obstacles, substep.h);
                begun = true;
            }
            self.predict(sets, step, &substep);
            self.solve(sets, step, obstacles, &substep);
            self.finish(&substep);
            obstacles.end_substep(&substep);
        }
        self.end_step(sets)
    }
}

impl PointDynamics for Cloths {
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport {
        let substeps = self.substeps(sets, step, f64::INFINITY);
        self.advance_among(sets, step, substeps, &mut Unyielding { surfaces: step.surfaces, none: Movers::default() })
    }

    fn triangles(&self, index: usize, set: &PointSet) -> Vec<[u32; 3]> {
        self.sheets.get(index).map_or_else(Vec::new, |sheet| sheet.triangles(set).collect())
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(self.clone())
    }

    fn memory(&self) -> usize {
        self.sheets.iter().map(Sheet::memory).sum::<usize>()
            + self.blocks.memory()
            + self.constraints.memory()
            + self.contacts.memory()
            + self.solids.memory()
            + self.faces.memory()
            + self.wind.memory()
            + size_of_val(&self.vertices[..])
            + size_of_val(&self.velocities[..])
            + size_of_val(&self.accelerations[..])
    }
}

/// Limit of the speed, so that vertices cannot pass through each other between two substeps.
#[derive(Clone, Copy)]
struct SpeedLimit {
    /// Mean velocity, m/s, limited itself.
    mean: Vec3A,
    /// Limit, m/s.
    relative: f32,
}

impl SpeedLimit {
    /// The velocity, limited relative to the mean or, where that would make it faster, to rest: it never adds energy to a vertex.
    #[inline(always)]
    fn of(&self, velocity: Vec3A) -> Vec3A {
        let Self { mean, relative } = *self;
        let difference = velocity - mean;
        let limit = relative * relative;
        if velocity.length_squared() <= limit || difference.length_squared() <= limit {
            return velocity;
        }
        let to_mean = mean + difference * (relative / difference.length());
        let to_rest = velocity * (relative / velocity.length());
        if to_mean.length_squared() <= velocity.length_squared() { to_mean } else { to_rest }
    }
}

/// Parameters of the search for cloth with this thickness (m) and number of vertices.
pub fn usual_grid(thickness: f32, vertices: usize) -> GridParameters {
    let table_size = (2 * vertices).clamp(1, sph_core::parameters::MAX_TABLE_SIZE as usize) as u32;
    GridParameters { table_size, cell_size: 2.0 * thickness, ..GridParameters::default() }
}
