//! Coats: boundary particles of point sets, through which the fluid meets the points; what it does to them, and the fluid that they stop.

use std::f32::consts::PI;
use std::ops::Range;

use super::points::{Moved, MovedBy};
use crate::boundary::{
    BallShells, BoundaryParticles, MovingBall, MovingTriangle, PointContact, Solid, on_triangle, volumes_of_sheet, weights_at,
};
use crate::neighbors::NeighborLists;
use crate::parameters::{Discretization, Slip, WallSampling};
use crate::point_sets::{Coating, ColumnValues, PointDynamics, PointImpulse, PointSet, SPIN, is_met};
use crate::report::held;
use crate::setup::Setup;
use crate::space::{Domain, Wrap, lattice_sum};
use glam::{DVec3, Vec3};

/// Thickness, in particle spacings, of the fluid that is taken to move with a sheet within a step. Where less fluid lies on the sheet, it answers late
/// and gains energy; with six spacings a jet throws a slack sheet about.
const MOVED_THICKNESS: f32 = 1.0;

/// Most boundary particles that points get for what a hand pours: fluid in a scene that has none, or balls. Those of other scenes are counted when
/// the scene is checked.
pub(super) const MOST_FOR_A_HAND: u64 = 1_000_000;

/// The coats of all point sets. Their boundary particles come after all others, set by set, and ball by ball or triangle by triangle, so that
/// their order follows from the state; balls that come later get theirs then, and torn triangles lose theirs. Without fluid there are none.
#[derive(Clone, Debug)]
pub(super) struct Coats {
    discretization: Discretization,
    sampling: WallSampling,
    /// Volume of a boundary particle at distances of a spacing, m³.
    volume: f32,
    sets: Vec<SetCoat>,
    /// Balls and triangles with boundary particles, in the order of these.
    owners: Vec<Owner>,
    /// Index of the owner of each boundary particle.
    owner_of: Vec<u32>,
    /// Place of each boundary particle: for one of a ball its offset from the centre, m; for one of a triangle the weights of the corners.
    places: Vec<Vec3>,
    /// Their boundary particles.
    particles: Range<usize>,
    /// Radii (m) of the balls of each set, with or without boundary particles, and triangles of each sheet when the coats were made; empty without
    /// coats.
    made_of: Vec<(Vec<f32>, Vec<[u32; 3]>)>,
}

/// Coat of a set.
#[derive(Clone, Debug)]
struct SetCoat {
    coating: Coating,
    /// Radii (m) of the balls that have been coated so far, and their boundary particles around their centres; none for those that are too small.
    balls: Vec<(f32, BallShells)>,
    /// Share of the boundary particles of each ball that fluid has pushed in the step.
    wet: Vec<f32>,
    /// Area at rest of each point of a sheet, m²: a third of its triangles'.
    areas: Vec<f32>,
}

/// A ball or triangle with boundary particles.
#[derive(Clone, Debug)]
struct Owner {
    set: usize,
    shape: Shape,
    particles: Range<usize>,
}

impl Owner {
    /// Range of its boundary particles among those of all coats, which are `all`.
    fn own(&self, all: &Range<usize>) -> Range<usize> {
        self.particles.start - all.start..self.particles.end - all.start
    }
}

/// Points that carry boundary particles.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// A ball.
    Ball(usize),
    /// The corners of a triangle.
    Triangle([u32; 3]),
}

impl Coats {
    pub fn new(setup: &Setup) -> Self {
        let (discretization, sampling) = (setup.discretization, setup.wall_sampling);
        let uncoated = |coating| SetCoat { coating, balls: Vec::new(), wet: Vec::new(), areas: Vec::new() };
        let sets: Vec<SetCoat> = setup.coatings().map(uncoated).collect();
        let is_bounded = setup.has_fluid() || setup.coat_count() <= MOST_FOR_A_HAND;
        let has_coats = is_bounded && sets.iter().any(|set| set.coating != Coating::None);
        Self {
            discretization,
            sampling,
            volume: discretization.particle_volume() / lattice_sum(&discretization),
            sets: if has_coats { sets } else { Vec::new() },
            owners: Vec::new(),
            owner_of: Vec::new(),
            places: Vec::new(),
            particles: 0..0,
            made_of: Vec::new(),
        }
    }

    /// Their boundary particles.
    pub fn particles(&self) -> Range<usize> {
        self.particles.clone()
    }

    /// Forgets all coats, after the walls have been sampled again.
    pub fn take_off(&mut self) {
        self.made_of.clear();
        // Points of sheets without coats have no fluid that moves with them.
        self.sets.iter_mut().for_each(|set| set.areas.clear());
        self.owners.clear();
        self.owner_of.clear();
        self.places.clear();
        self.particles = 0..0;
    }

    /// Makes the coats anew if `sets` have other balls or triangles than before, or if the first fluid has come or the last has gone. Returns
    /// whether.
    pub fn put_on<'a>(
        &mut self,
        dynamics: &dyn PointDynamics,
        sets: &'a [PointSet],
        has_fluid: bool,
        walls: &mut BoundaryParticles,
    ) -> bool {
        if self.sets.is_empty() {
            return false;
        }
        let sets = if has_fluid { sets } else { &[] };
        let of_set = |(number, (set, coat)): (usize, (&'a PointSet, &SetCoat))| match coat.coating {
            Coating::Sheet(_) => (&[][..], dynamics.triangles(number, set)),
            Coating::Balls(_) => (&set.radii[..], Vec::new()),
            Coating::None => (&[][..], Vec::new()),
        };
        let present: Vec<_> = sets.iter().zip(&self.sets).enumerate().map(of_set).collect();
        let before = self.made_of.iter().map(|(radii, triangles)| (&radii[..], &triangles[..]));
        if before.eq(present.iter().map(|(radii, triangles)| (*radii, &triangles[..]))) {
            return false;
        }
        let made_of: Vec<_> = present.into_iter().map(|(radii, triangles)| (radii.to_vec(), triangles)).collect();
        let first = walls.len() - self.particles.len();
        walls.truncate(first);
        self.take_off();
        for (number, (radii, triangles)) in made_of.iter().enumerate() {
            match self.sets[number].coating.clone() {
                Coating::None => {}
                Coating::Balls(_) => self.coat_balls(number, radii, walls),
                Coating::Sheet(rest) => self.coat_sheet(number, &rest, triangles, walls),
            }
        }
        self.made_of = made_of;
        self.particles = first..walls.len();
        true
    }

    /// Appends the boundary particles of balls of these `radii`, m.
    fn coat_balls(&mut self, set: usize, radii: &[f32], walls: &mut BoundaryParticles) {
        let Self { discretization, sampling, volume, sets, places, .. } = self;
        let balls = &mut sets[set].balls;
        // After a return in time, a hand may have poured others.
        if let Some(other) = balls.iter().zip(radii).position(|((of, _), radius)| of != radius) {
            balls.truncate(other);
        }
        for &radius in radii.iter().skip(balls.len()) {
            let shells = match is_met(radius, discretization.particle_spacing) {
                true => BallShells::new(radius, discretization, *sampling, *volume),
                false => BallShells::default(),
            };
            balls.push((radius, shells));
        }
        let mut coated = Vec::new();
        for (ball, (_, shells)) in
            balls.iter().enumerate().take(radii.len()).filter(|(_, (_, shells))| !shells.offsets.is_empty())
        {
            let start = walls.len();
            walls.coat(shells.offsets.iter().copied(), &shells.volumes, Slip::NoSlip);
            places.extend_from_slice(&shells.offsets);
            coated.push((Shape::Ball(ball), start..walls.len()));
        }
        coated.into_iter().for_each(|(shape, particles)| self.add(set, shape, particles));
    }

    /// Appends the boundary particles of a sheet with this `rest` shape (m) and these `triangles`.
    fn coat_sheet(&mut self, set: usize, rest: &[Vec3], triangles: &[[u32; 3]], walls: &mut BoundaryParticles) {
        let (spacing, first) = (self.discretization.particle_spacing, self.places.len());
        let mut areas = vec![0.0; rest.len()];
        let (mut positions, mut counts) = (Vec::new(), Vec::new());
        for corners in triangles {
            let [a, b, c] = corners.map(|corner| rest[corner as usize]);
            let before = positions.len();
            for weights in on_triangle([a, b, c], spacing) {
                positions.push(weights.x * a + weights.y * b + weights.z * c);
                self.places.push(weights);
            }
            counts.push(positions.len() - before);
            let area = 0.5 * (b - a).cross(c - a).length();
            corners.iter().for_each(|&corner| areas[corner as usize] += area / 3.0);
        }
        self.sets[set].areas = areas;
        let mut start = walls.len();
        walls.coat(positions.iter().copied(), &volumes_of_sheet(&positions, &self.discretization), Slip::NoSlip);
        debug_assert_eq!(self.places.len() - first, positions.len());
        for (corners, count) in triangles.iter().zip(counts) {
            self.add(set, Shape::Triangle(*corners), start..start + count);
            start += count;
        }
    }

    fn add(&mut self, set: usize, shape: Shape, particles: Range<usize>) {
        self.owner_of.resize(self.owner_of.len() + particles.len(), self.owners.len() as u32);
        self.owners.push(Owner { set, shape, particles });
    }

    /// Sets positions and velocities of the boundary particles to those of balls, `v + ω × r`, and triangles. Accelerations are left out, as for
    /// bodies that move by forces. Returns true if there are any.
    pub fn place(&self, sets: &[PointSet], domain: &Domain, walls: &mut BoundaryParticles) -> bool {
        for owner in &self.owners {
            let (points, places) = (&sets[owner.set], &self.places[owner.own(&self.particles)]);
            let positions = walls.positions[owner.particles.clone()].iter_mut().zip(places);
            match owner.shape {
                Shape::Ball(ball) => {
                    let (center, velocity) = (points.positions[ball], points.velocities[ball]);
                    let spin = match points.column(SPIN) {
                        Some(ColumnValues::Vectors(spins)) => spins.get(ball).copied().unwrap_or(Vec3::ZERO),
                        _ => Vec3::ZERO,
                    };
                    positions.for_each(|(position, offset)| *position = domain.wrap(center + *offset));
                    walls.set_motion(owner.particles.clone(), |k| [velocity + spin.cross(places[k]), Vec3::ZERO]);
                }
                Shape::Triangle(corners) => {
                    let mean = |values: &[Vec3], weights: Vec3| {
                        let [a, b, c] = corners.map(|corner| values[corner as usize]);
                        weights.x * a + weights.y * b + weights.z * c
                    };
                    positions.for_each(|(position, weights)| *position = domain.wrap(mean(&points.positions, *weights)));
                    walls.set_motion(owner.particles.clone(), |k| [mean(&points.velocities, places[k]), Vec3::ZERO]);
                }
            }
        }
        !self.owners.is_empty()
    }

    /// Writes the impulses on all points to `impulses`, one array for each of `sets`, from those on their boundary particles, N s: those of a
    /// triangle are shared among its corners by their weights.
    pub fn gather(&mut self, on_particles: &[DVec3], sets: &[PointSet], impulses: &mut Vec<Vec<PointImpulse>>) {
        impulses.resize_with(sets.len(), Vec::new);
        for (impulses, (set, coat)) in impulses.iter_mut().zip(sets.iter().zip(&mut self.sets)) {
            impulses.clear();
            coat.wet.clear();
            coat.wet.resize(if coat.balls.is_empty() { 0 } else { set.len() }, 0.0);
            if coat.coating != Coating::None {
                impulses.resize(set.len(), PointImpulse::default());
            }
        }
        let Self { owners, places, particles, sets: coats, .. } = self;
        for owner in owners.iter() {
            let own = owner.own(particles);
            let each = || on_particles[own.clone()].iter().zip(&places[own.clone()]);
            match owner.shape {
                Shape::Ball(ball) => {
                    let pushed = each().filter(|(impulse, _)| **impulse != DVec3::ZERO).count();
                    coats[owner.set].wet[ball] = pushed as f32 / own.len().max(1) as f32;
                    let angular: DVec3 = each().map(|(impulse, offset)| offset.as_dvec3().cross(*impulse)).sum();
                    let linear: DVec3 = each().map(|(impulse, _)| *impulse).sum();
                    impulses[owner.set][ball] =
                        PointImpulse { linear: linear.as_vec3(), angular: angular.as_vec3(), added_mass: 0.0 };
                }
                Shape::Triangle(corners) => {
                    for (k, corner) in corners.into_iter().enumerate() {
                        let share: DVec3 = each().map(|(impulse, weights)| f64::from(weights[k]) * *impulse).sum();
                        impulses[owner.set][corner as usize].linear += share.as_vec3();
                    }
                }
            }
        }
    }

    /// Fluid that is taken to move with a point of `sets` within a step.
    pub fn moved(&self, sets: &[PointSet], (set, point): (usize, usize), is_incompressible: bool) -> Moved {
        let SetCoat { coating, areas, wet, .. } = &self.sets[set];
        let (volume, by) = match coating {
            // As much as it displaces, of which a ball that hardly touches the water moves little.
            Coating::Balls(_) if is_incompressible => {
                let share = wet.get(point).copied().unwrap_or(0.0);
                (share * 4.0 / 3.0 * PI * sets[set].radii[point].powi(3), MovedBy::Point)
            }
            Coating::None | Coating::Balls(_) => (0.0, MovedBy::Point),
            Coating::Sheet(_) => {
                let thickness = MOVED_THICKNESS * self.discretization.particle_spacing;
                let by = if is_incompressible { MovedBy::Sheet } else { MovedBy::SheetInSound };
                (thickness * areas.get(point).copied().unwrap_or(0.0), by)
            }
        };
        Moved { mass: self.discretization.rest_density * volume, by }
    }

    /// Calls `add(set, point, impulse)` for the points of `sets` that have stopped fluid, with their shares of the impulses, N s.
    /// `sets` are those at the beginning of the step, where the fluid was.
    pub fn share(
        &self,
        sets: &[PointSet],
        domain: &Domain,
        contacts: &[PointContact],
        add: &mut dyn FnMut(usize, usize, Vec3),
    ) {
        let wrap = Wrap::new(domain);
        for &PointContact { index, position, impulse } in contacts {
            let Owner { set, shape, .. } = self.owners[index];
            match shape {
                Shape::Ball(ball) => add(set, ball, impulse.as_vec3()),
                Shape::Triangle(corners) => {
                    let from = |corner: u32| wrap.minimum_image(domain.wrap(sets[set].positions[corner as usize]), position);
                    let weights = weights_at(corners.map(from), Vec3::ZERO);
                    for (corner, weight) in corners.into_iter().zip(weights.to_array()) {
                        add(set, corner as usize, (f64::from(weight) * impulse).as_vec3());
                    }
                }
            }
        }
    }

    /// True if the place `at` (m) is inside a ball that the fluid meets, or closer to it than `clearance`, m.
    pub fn has_ball_near(&self, sets: &[PointSet], domain: &Domain, at: Vec3, clearance: f32) -> bool {
        let (wrap, spacing) = (Wrap::new(domain), self.discretization.particle_spacing);
        // With or without boundary particles, as the first fluid has yet to come.
        let balls = self.sets.iter().zip(sets).filter(|(coat, _)| matches!(coat.coating, Coating::Balls(_)));
        let is_near = |(&center, &radius): (&Vec3, &f32)| {
            is_met(radius, spacing) && wrap.minimum_image(at, domain.wrap(center)).length() < radius + clearance
        };
        balls.into_iter().any(|(_, set)| set.positions.iter().zip(&set.radii).any(is_near))
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { sets, owners, owner_of, places, made_of, .. } = self;
        let shells = |(_, ball): &(f32, BallShells)| held(&ball.offsets) + held(&ball.volumes);
        let shape = |coating: &Coating| if let Coating::Sheet(rest) = coating { size_of_val(&**rest) } else { 0 };
        let of_set = |set: &SetCoat| {
            shape(&set.coating)
                + held(&set.wet)
                + held(&set.areas)
                + held(&set.balls)
                + set.balls.iter().map(shells).sum::<usize>()
        };
        let triangles = made_of.iter().map(|(radii, triangles)| held(radii) + held(triangles)).sum::<usize>();
        let all = held(sets) + held(owners) + held(owner_of) + held(places) + held(made_of) + triangles;
        all + sets.iter().map(of_set).sum::<usize>()
    }
}

/// Coated points during a step: balls that particles do not enter, and triangles that they do not cross.
#[derive(Clone, Copy)]
pub(super) struct CoatedStep<'a> {
    pub coats: &'a Coats,
    /// Boundary neighbours of the particles.
    pub near: &'a NeighborLists,
    /// Sets at the beginning and at the end of the step.
    pub sets: [&'a [PointSet]; 2],
}

impl CoatedStep<'_> {
    /// Velocity (m/s) closest to `velocity` with which particle `i` at `position` (m) enters no ball and crosses no triangle during the step of
    /// `dt` (s). `stopped` is called for each ball or triangle that changes it, with the change, m/s.
    ///
    /// What a particle can meet has boundary particles in its reach: it goes less than half a support radius a step.
    pub fn confine(
        &self,
        (i, position): (usize, Vec3),
        domain: &Domain,
        (clearance, dt): (f32, f32),
        mut velocity: Vec3,
        mut stopped: impl FnMut(Solid, DVec3),
    ) -> Vec3 {
        let Coats { owners, owner_of, particles, .. } = self.coats;
        if particles.is_empty() {
            return velocity;
        }
        let (wrap, mut last) = (Wrap::new(domain), None);
        for &b in self.near.of(i).iter().filter(|&&b| b as usize >= particles.start) {
            let index = owner_of[b as usize - particles.start] as usize;
            if last.replace(index) == Some(index) {
                continue;
            }
            let Owner { set, shape, .. } = owners[index];
            let [before, after] = self.sets.map(|sets| &sets[set].positions);
            let confined = match shape {
                Shape::Ball(ball) => {
                    let own = (after[ball] - before[ball]) / dt;
                    let from_center = wrap.minimum_image(position, domain.wrap(before[ball]));
                    let radius = self.sets[0][set].radii[ball];
                    MovingBall { radius, velocity: own }.confine(clearance, dt, from_center, velocity)
                }
                Shape::Triangle(corners) => {
                    let start = corners.map(|corner| -wrap.minimum_image(position, domain.wrap(before[corner as usize])));
                    let moved = corners.map(|corner| after[corner as usize] - before[corner as usize]);
                    let end = std::array::from_fn(|k| start[k] + moved[k]);
                    MovingTriangle { corners: [start, end] }.confine(clearance, dt, velocity)
                }
            };
            if confined != velocity {
                stopped(Solid::Point(index), confined.as_dvec3() - velocity.as_dvec3());
            }
            velocity = confined;
        }
        velocity
    }
}
