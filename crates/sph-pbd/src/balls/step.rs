//! A step of all balls, in phases that a joint loop over substeps can call.

use super::contact::{INVERSE_INERTIA, Substep};
use super::contacts::Contacts;
use super::material::{BallMaterial, Laws};
use super::memory::{KeptPair, KeptWall, Memory};
use super::row_order::RowOrder;
use super::rows::{Ball, Balls as Rows, Strikes};
use super::walls::{self, Moment, WallBall};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sph_core::neighbors::{Audit, GridParameters, SphereSearch, Structure};
pub use sph_core::point_sets::SPIN;
use sph_core::point_sets::{ColumnValues, PointHold, PointImpulse, PointReport, PointSet, PointStep, SetSearch, SolidImpulse};
use std::ops::Range;

/// Longest substep unless another is set, s. Contacts that last keep their forces from substep to substep, so that few are needed.
pub const USUAL_SUBSTEP: f64 = 1.0 / 480.0;

/// Passes over the velocities of all contacts in a substep. The second removes what the first did too much, before it is kept as a
/// force: with one, balls of different masses swing on each other; twice as many substeps instead are no better, and cost more.
const SWEEPS: usize = 2;

/// Passes of tasks in which balls overlap deeply, as where many land: light balls would not yet bear heavy ones after two.
const MOST_SWEEPS: usize = 6;

/// Part of the balls, one in so many, that may go farther in a step than they were searched for, though by less than a radius: of many
/// balls some always do, when others strike them. They may overlap with others until the next step.
const OUTRUN_PART: usize = 200;

/// Balls per parallel task.
const GRAIN: usize = 2048;

/// Least margin of a search, in radii.
const MARGIN: f32 = 0.05;

/// Balls of one or more sets during a step.
///
/// # Method
/// Position-based dynamics with substeps (Macklin2019) as for rigid bodies (Muller2020), with three changes:
/// - Contacts that last keep their impulses (`memory.rs`), so that piles do not sink.
/// - The normal is that of the moment at which two balls meet (`contact.rs`), so that impacts are exact.
/// - Constraints act on the displacements of a substep through the velocities. What then overlaps is moved apart without a change of
///   velocity, as by the velocity pass of Muller2020, so that overlaps do not become kinetic energy.
///
/// # Phases
/// [`begin_step`](Self::begin_step), then for each substep [`predict`](Self::predict) and [`solve`](Self::solve), then
/// [`finish`](Self::finish). The results do not depend on threads, nor on the structure of the search.
#[derive(Debug)]
pub struct Balls {
    laws: Laws,
    material_count: usize,
    // By ball: sets one after the other, each in its order.
    ranges: Vec<Range<usize>>,
    ids: Vec<u32>,
    bases: Vec<DVec3>,
    velocities: Vec<Vec3>,
    spins: Vec<Vec3>,
    /// Accelerations by the fluid, m/s².
    pushes: Vec<Vec3>,
    radii: Vec<f32>,
    inverse_masses: Vec<f32>,
    materials: Vec<u32>,
    // By row: in the order of the last search.
    order: RowOrder,
    rows: Rows,
    strikes: Strikes,
    drives: Vec<Drive>,
    contacts: Contacts,
    walls: Vec<WallBall>,
    memory: Memory,
    search: Option<SphereSearch>,
    /// Spot checks of the searches of the step.
    audit: Audit,
    /// Buffers of a search.
    points: Vec<Vec3>,
    reaches: Vec<f32>,
    // The step.
    step_dt: f64,
    dt: f32,
    elapsed: f64,
    /// Largest external acceleration, m/s².
    acceleration: f32,
    reactions: Vec<SolidImpulse>,
    /// Ball that a hand holds.
    held: Option<Held>,
    searches: u32,
}

/// A ball that a hand holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    ball: usize,
    /// Its row after the last search.
    row: usize,
    hold: PointHold,
}

/// Accelerations of a ball besides those by new contacts.
#[derive(Clone, Copy, Debug, Default)]
struct Drive {
    /// Acceleration by gravity and other external forces, m/s².
    acceleration: Vec3,
    /// Changes of velocity (m/s) and spin (rad/s) in a substep by contacts that last.
    velocity: Vec3,
    spin: Vec3,
    /// Velocity and spin without contacts.
    free_velocity: Vec3,
    free_spin: Vec3,
    /// Way within which all partners are known, m.
    margin: f32,
}

impl Balls {
    /// Balls of sets with these `materials`, one for each set.
    pub fn new(materials: &[BallMaterial]) -> Self {
        Self {
            laws: Laws::new(materials),
            material_count: materials.len(),
            ranges: Vec::new(),
            ids: Vec::new(),
            bases: Vec::new(),
            velocities: Vec::new(),
            spins: Vec::new(),
            pushes: Vec::new(),
            radii: Vec::new(),
            inverse_masses: Vec::new(),
            materials: Vec::new(),
            order: RowOrder::default(),
            rows: Rows::default(),
            strikes: Strikes::default(),
            drives: Vec::new(),
            contacts: Contacts::default(),
            walls: Vec::new(),
            memory: Memory::default(),
            search: None,
            audit: Audit::default(),
            points: Vec::new(),
            reaches: Vec::new(),
            step_dt: 0.0,
            dt: 0.0,
            elapsed: 0.0,
            acceleration: 0.0,
            reactions: Vec::new(),
            held: None,
            searches: 0,
        }
    }

    /// Number of balls.
    pub fn len(&self) -> usize {
        self.bases.len()
    }

    /// True without balls.
    pub fn is_empty(&self) -> bool {
        self.bases.is_empty()
    }

    /// Reads the balls of `sets`, one for each material, and finds contacts. `substeps` ≥ 1 is the number of substeps; `grid` are the
    /// parameters of the search. `impulses` of the fluid (one array for each of `sets`, or none) act evenly during the step.
    pub fn begin_step(
        &mut self,
        sets: &[&PointSet],
        step: &PointStep<'_>,
        impulses: &[&[PointImpulse]],
        grid: &GridParameters,
        substeps: u32,
    ) {
        debug_assert_eq!(sets.len(), self.material_count, "one material for each set");
        self.step_dt = step.dt;
        self.read(sets, impulses);
        self.dt = (step.dt / f64::from(substeps)) as f32;
        self.elapsed = 0.0;
        self.searches = 0;
        self.audit = Audit::default();
        self.reactions.clear();
        self.hold(step.hold);
        self.memory.read(sets, &self.ranges, self.dt);
        if self.search.as_ref().is_none_or(|search| search.parameters() != grid) {
            self.search = Some(SphereSearch::new(grid));
        }
        self.arrange(step);
    }

    /// A substep: [`predict`](Self::predict) and [`solve`](Self::solve).
    pub(crate) fn substep(&mut self, step: &PointStep<'_>) {
        self.predict(step);
        self.solve(step);
    }

    /// Changes the velocity (m/s) and the spin (rad/s) of each ball, given its index among the balls of all sets, by what others push it with between
    /// two substeps.
    pub(crate) fn push(&mut self, change: impl Fn(usize) -> [Vec3; 2]) {
        for (row, &ball) in self.order.balls.iter().enumerate() {
            let [velocity, spin] = change(ball as usize);
            if velocity != Vec3::ZERO || spin != Vec3::ZERO {
                let mut ball = self.rows.get(row);
                ball.velocity += velocity;
                ball.spin += spin;
                self.rows.set(row, &ball);
            }
        }
    }

    /// Calls `visit` for each ball between two substeps, with its index among the balls of all sets, position (m), velocity (m/s) and spin (rad/s).
    pub(crate) fn each_motion(&self, mut visit: impl FnMut(usize, DVec3, Vec3, Vec3)) {
        for (row, &ball) in self.order.balls.iter().enumerate() {
            let Ball { displacement, velocity, spin, .. } = self.rows.get(row);
            visit(ball as usize, self.bases[ball as usize] + displacement.as_dvec3(), velocity, spin);
        }
    }

    /// Adds to the velocities what gravity, and contacts that last, change in a substep. Finds contacts anew if more than one ball in 200 may go
    /// farther than it was searched for, or one by more than its radius.
    pub fn predict(&mut self, step: &PointStep<'_>) {
        if self.outruns_the_search() {
            self.collect();
            self.arrange(step);
        }
        let Self { rows, drives, dt, bases, held, .. } = self;
        let held = held.map(|Held { ball, row, hold }| {
            let position = bases[ball] + rows.get(row).displacement.as_dvec3();
            (row, hold.velocity(position, f64::from(*dt)))
        });
        drives.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(row, drive)| {
            let mut ball = rows.get(row);
            drive.free_velocity = match held {
                Some((held, velocity)) if held == row => velocity,
                _ => ball.velocity + *dt * drive.acceleration,
            };
            drive.free_spin = ball.spin;
            ball.velocity = drive.free_velocity + drive.velocity;
            ball.spin = drive.free_spin + drive.spin;
            ball.brake = Vec3::ZERO;
            rows.set(row, &ball);
        });
    }

    /// Solves the contacts of a substep and moves the balls.
    pub fn solve(&mut self, step: &PointStep<'_>) {
        let Self { laws, rows, strikes, drives, contacts, walls, dt, .. } = self;
        let slow = 2.0 * self.acceleration * *dt;
        let moment = Moment { surfaces: step.surfaces, part: (self.elapsed / self.step_dt) as f32 };
        let free = |row: u32| drives[row as usize].free_velocity;
        let pass = |sweep: usize| Substep { dt: *dt, slow, is_first: sweep == 0, only_deep: sweep >= SWEEPS };
        let sweeps = if contacts.are_deep() { MOST_SWEEPS } else { SWEEPS };
        for pass in (0..sweeps).map(pass) {
            contacts.solve(rows, strikes, laws, &pass, free);
            walls::solve(walls, rows, strikes, laws, &pass, moment, free);
        }
        drives.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(row, drive)| {
            let mut ball = rows.get(row);
            let strike = strikes.get(row, &ball);
            drive.velocity = ball.velocity - drive.free_velocity - strike.velocity;
            drive.spin = ball.spin - ball.brake - drive.free_spin - strike.spin;
            // A ball in free flight follows its parabola: its energy stays as it is.
            let is_free = ball.velocity == drive.free_velocity;
            let flight = if is_free { 0.5 * *dt * *dt * drive.acceleration } else { Vec3::ZERO };
            ball.displacement += *dt * ball.velocity - strike.lag - flight;
            (ball.is_struck, ball.is_deep) = (false, false);
            rows.set(row, &ball);
        });
        contacts.separate(rows);
        walls::separate(walls, rows);
        self.elapsed += f64::from(self.dt);
    }

    /// Writes the balls to their `sets`, and what the search and the solids need to `report`.
    pub fn finish(&mut self, sets: &mut [&mut PointSet], report: &mut PointReport) {
        self.collect();
        for (own, set) in sets.iter_mut().enumerate() {
            let range = self.ranges[own].clone();
            let rounded = |base: &DVec3| base.as_vec3();
            set.positions.clear();
            set.positions.extend(self.bases[range.clone()].iter().map(rounded));
            set.rounding_errors.clear();
            set.rounding_errors
                .extend(self.bases[range.clone()].iter().map(|base| (*base - rounded(base).as_dvec3()).as_vec3()));
            set.velocities.clear();
            set.velocities.extend_from_slice(&self.velocities[range.clone()]);
            set.set_column(SPIN, "rad/s", ColumnValues::Vectors(self.spins[range].to_vec()));
            self.memory.write(set, own, &self.ids, &self.ranges, self.dt);
        }
        report.impulses.append(&mut self.reactions);
        if let Some(search) = &self.search {
            report.searches.extend(sets.iter().map(|_| SetSearch {
                radius: search.radius(),
                searches: self.searches,
                stats: search.stats(),
                audit: self.audit,
                among_others: None,
            }));
        }
    }

    /// Number of searches in the last step: one, and one more whenever a ball went farther than expected.
    pub fn searches(&self) -> u32 {
        self.searches
    }

    /// Number of pairs of balls that the last search found near enough to touch.
    pub fn contact_count(&self) -> usize {
        self.contacts.count()
    }

    /// Radii within which the balls of set `index` were searched last, m; none before the first step.
    pub fn reaches(&self, index: usize) -> &[f32] {
        self.ranges.get(index).and_then(|range| self.reaches.get(range.clone())).unwrap_or(&[])
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        let by_ball = size_of::<DVec3>() + 3 * size_of::<Vec3>() + 4 * size_of::<f32>();
        self.bases.capacity() * by_ball
            + self.order.memory()
            + self.rows.memory()
            + self.strikes.memory()
            + self.drives.capacity() * size_of::<Drive>()
            + self.contacts.memory()
            + self.walls.iter().map(|wall| size_of::<WallBall>() + wall.memory()).sum::<usize>()
            + self.memory.memory()
            + self.search.as_ref().map_or(0, SphereSearch::memory)
            + self.points.capacity() * size_of::<Vec3>()
            + self.reaches.capacity() * size_of::<f32>()
    }

    fn read(&mut self, sets: &[&PointSet], impulses: &[&[PointImpulse]]) {
        let per_second = (1.0 / self.step_dt) as f32;
        let Self { ranges, ids, bases, velocities, spins, pushes, radii, inverse_masses, materials, .. } = self;
        ranges.clear();
        ids.clear();
        bases.clear();
        velocities.clear();
        spins.clear();
        pushes.clear();
        radii.clear();
        inverse_masses.clear();
        materials.clear();
        for (own, set) in sets.iter().enumerate() {
            let start = bases.len();
            bases.extend((0..set.len()).map(|i| set.exact_position(i)));
            ids.extend_from_slice(&set.ids);
            radii.extend_from_slice(&set.radii);
            inverse_masses.extend(set.masses.iter().map(|mass| mass.recip()));
            velocities.extend_from_slice(&set.velocities);
            match set.column(SPIN) {
                Some(ColumnValues::Vectors(values)) if values.len() == set.len() => spins.extend_from_slice(values),
                _ => spins.resize(bases.len(), Vec3::ZERO),
            }
            let of_fluid = impulses.get(own).copied().unwrap_or(&[]);
            for (i, PointImpulse { linear, angular, .. }) in of_fluid.iter().enumerate().take(set.len()) {
                let inverse_mass = set.masses[i].recip();
                pushes.push(per_second * inverse_mass * *linear);
                // The moment of inertia of a ball is 2/5 m r².
                spins[start + i] += INVERSE_INERTIA * inverse_mass / (set.radii[i] * set.radii[i]) * *angular;
            }
            pushes.resize(bases.len(), Vec3::ZERO);
            materials.resize(bases.len(), own as u32);
            ranges.push(start..bases.len());
        }
    }

    /// Lets a hand hold a ball: its velocity counts for the search, and nothing else accelerates the ball.
    fn hold(&mut self, hold: Option<PointHold>) {
        let ball_of = |hold: PointHold| Some(self.ranges.get(hold.set)?.start + hold.index);
        self.held = hold.and_then(|hold| Some(Held { ball: ball_of(hold)?, row: 0, hold }));
        if let Some(Held { ball, hold, .. }) = self.held {
            self.velocities[ball] = hold.velocity(self.bases[ball], f64::from(self.dt));
            self.pushes[ball] = Vec3::ZERO;
        }
    }

    /// True if balls may go farther in the next substep than they were searched for, and a search now would help: some of them, or one by more
    /// than its radius, which could pass through a wall.
    fn outruns_the_search(&self) -> bool {
        let Self { rows, drives, dt, .. } = self;
        let outruns = |(row, drive): (usize, &Drive), slack: f32| {
            let Ball { displacement, velocity, radius, .. } = rows.get(row);
            displacement != Vec3::ZERO && displacement.length() + dt * velocity.length() > drive.margin + slack * radius
        };
        let count = drives.par_iter().enumerate().with_min_len(GRAIN).filter(|&ball| outruns(ball, 0.0)).count();
        count > drives.len() / OUTRUN_PART
            || count > 0 && drives.par_iter().enumerate().with_min_len(GRAIN).any(|ball| outruns(ball, 1.0))
    }

    /// Brings the rows back to the order of the balls, and keeps what lasts.
    fn collect(&mut self) {
        let Self { order, rows, bases, velocities, spins, contacts, walls, memory, reactions, .. } = self;
        for (row, &ball) in order.balls.iter().enumerate() {
            let Ball { displacement, velocity, spin, .. } = rows.get(row);
            let ball = ball as usize;
            bases[ball] += displacement.as_dvec3();
            velocities[ball] = velocity;
            spins[ball] = spin;
        }
        for wall in &*walls {
            reactions.extend(wall.reactions(&rows.get(wall.row())));
        }
        let ball_of = |row: u32| order.balls[row as usize];
        let pairs = contacts.lasting(|contact| KeptPair::new(ball_of(contact.a), ball_of(contact.b), contact.impulse));
        let at_walls = walls.iter().flat_map(|wall| {
            let ball = order.balls[wall.row()];
            let lasting = wall.impulses().filter(|(_, impulse)| *impulse != Vec3::ZERO);
            lasting.map(move |(solid, impulse)| KeptWall { ball, solid, impulse })
        });
        memory.put(bases.len(), pairs, at_walls);
    }

    /// Puts the balls into rows, and finds contacts for the rest of the step.
    fn arrange(&mut self, step: &PointStep<'_>) {
        self.searches += 1;
        let dt = self.dt;
        let rest = (self.step_dt - self.elapsed).max(0.0) as f32;
        let Self { bases, velocities, spins, pushes, radii, inverse_masses, materials, order, rows, strikes, drives, .. } =
            self;
        let Self { laws, contacts, walls, memory, search, audit, points, reaches, held, .. } = self;
        points.clear();
        points.extend(bases.iter().map(|base| base.as_vec3()));
        let largest = radii.iter().copied().fold(0.0, f32::max);
        let mean = radii.iter().sum::<f32>() / radii.len().max(1) as f32;
        let squares: f32 = velocities.iter().map(|velocity| velocity.length_squared()).sum();
        // A ball that rests may be struck by one of usual speed.
        let usual = (squares / velocities.len().max(1) as f32).sqrt();
        let held_ball = held.map(|held| held.ball);
        let by_ball: Vec<(Vec3, f32)> = (points.par_iter().zip(&*velocities).zip(&*radii).zip(&*inverse_masses).zip(&*pushes))
            .enumerate()
            .with_min_len(GRAIN)
            .map(|(ball, ((((&point, velocity), &radius), &inverse_mass), &push))| {
                let is_free = inverse_mass > 0.0 && held_ball != Some(ball);
                let acceleration = if is_free { (step.acceleration)(point) + push } else { Vec3::ZERO };
                let way = 1.25 * velocity.length().max(0.5 * usual) * rest + acceleration.length() * rest * rest;
                // Not much farther than half the mean radius, so that pairs are not too many: balls that are fast are searched for
                // several times a step.
                let most = (5.0 * dt * velocity.length()).max(0.5 * mean).min(8.0 * largest);
                let margin = (way + MARGIN * radius).min(most);
                (acceleration, margin)
            })
            .collect();
        reaches.clear();
        reaches.extend((by_ball.iter().zip(&*radii).zip(&*points)).map(|((&(_, margin), radius), point)| {
            // Centres are rounded to f32.
            radius + margin + f32::EPSILON * point.abs().max_element()
        }));
        order.sort(points, radii, reaches);
        if let Some(held) = held {
            held.row = order.balls.iter().position(|&ball| ball as usize == held.ball).expect("every ball has a row");
        }
        let external = by_ball.iter().zip(&*pushes).map(|((acceleration, _), push)| (*acceleration - *push).length());
        self.acceleration = external.fold(0.0, f32::max);

        rows.reset(bases.len());
        strikes.reset(bases.len());
        order.balls.par_iter().enumerate().with_min_len(GRAIN).for_each(|(row, &ball)| {
            let ball = ball as usize;
            let (inverse_mass, radius, material) = (inverse_masses[ball], radii[ball], materials[ball]);
            rows.set(row, &Ball { inverse_mass, radius, material, ..Ball::default() });
        });
        let by_row = || order.balls.par_iter().with_min_len(GRAIN).map(|&ball| ball as usize);
        by_row()
            .map(|ball| Drive { acceleration: by_ball[ball].0, margin: by_ball[ball].1, ..Drive::default() })
            .collect_into_vec(drives);
        let sorted_points: Vec<Vec3> = by_row().map(|ball| points[ball]).collect();
        let sorted_reaches: Vec<f32> = by_row().map(|ball| reaches[ball]).collect();
        let search = search.as_mut().expect("made at the beginning of the step");
        if search.find(&sorted_points, &sorted_reaches, &order.balls).is_err() {
            // Only the uniform grid can fail; another structure finds the same.
            *search = SphereSearch::new(&GridParameters { structure: Structure::SortedCells, ..*search.parameters() });
            search.find(&sorted_points, &sorted_reaches, &order.balls).expect("an unbounded structure");
        }
        *audit = audit.join(Audit::of_spheres(search, &sorted_points, &sorted_reaches, step.audit));
        let centers: Vec<DVec3> = by_row().map(|ball| bases[ball]).collect();
        contacts.put(order, search, rows, laws, &centers, memory);
        let moment = Moment { surfaces: step.surfaces, part: (self.elapsed / self.step_dt) as f32 };
        let found = order.balls.par_iter().enumerate().with_min_len(GRAIN).filter_map(|(row, &ball)| {
            let ball = ball as usize;
            WallBall::find(row as u32, bases[ball], reaches[ball], moment, || memory.walls(ball))
        });
        *walls = found.collect();

        for wall in &mut *walls {
            wall.accelerate(drives[wall.row()].acceleration);
        }
        // What contacts change is summed where the balls have no motion yet.
        contacts.push(rows);
        drives.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(row, drive)| {
            let changes = rows.get(row);
            (drive.velocity, drive.spin) = (changes.velocity, changes.spin);
            let ball = order.balls[row] as usize;
            rows.set(row, &Ball { velocity: velocities[ball], spin: spins[ball], ..changes });
        });
        for wall in &*walls {
            let (row, ball) = (wall.row(), rows.get(wall.row()));
            let (linear, angular) = wall.push(ball.radius);
            drives[row].velocity += ball.inverse_mass * linear;
            drives[row].spin += ball.inverse_inertia() * angular;
        }
    }
}
