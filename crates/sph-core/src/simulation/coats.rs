//! Coats: boundary particles of point sets, through which the fluid meets the points; what it does to them, and the fluid that they stop.

use std::ops::Range;

use crate::boundary::{BallShells, BoundaryParticles, MovingBall, Solid};
use crate::neighbors::NeighborLists;
use crate::parameters::{Discretization, Slip, WallSampling};
use crate::point_sets::{Coating, ColumnValues, PointImpulse, PointSet, SPIN, is_met};
use crate::report::held;
use crate::setup::Setup;
use crate::space::{Domain, Wrap, lattice_sum};
use glam::{DVec3, Vec3};

/// The coats of all point sets. Their boundary particles come after all others, set by set and point by point, so that their order follows
/// from the state; points that come later get theirs then. Without fluid there are none.
#[derive(Clone, Debug)]
pub(super) struct Coats {
    discretization: Discretization,
    sampling: WallSampling,
    /// Volume of a boundary particle at distances of a spacing, m³.
    volume: f32,
    sets: Vec<SetCoat>,
    /// Points with a coat, in the order of their boundary particles.
    points: Vec<CoatedPoint>,
    /// Index in `points` of each boundary particle.
    owners: Vec<u32>,
    /// Their boundary particles.
    particles: Range<usize>,
    /// Number of points of each set, with or without a coat, when the coats were made; empty without coats.
    counts: Vec<usize>,
}

/// Coat of a set.
#[derive(Clone, Debug)]
struct SetCoat {
    coating: Coating,
    /// Boundary particles of its balls around their centres, of as many as have been coated so far; none for those that are too small.
    balls: Vec<BallShells>,
}

/// A point with boundary particles.
#[derive(Clone, Debug)]
struct CoatedPoint {
    set: usize,
    point: usize,
    particles: Range<usize>,
}

impl Coats {
    pub fn new(setup: &Setup) -> Self {
        let (discretization, sampling) = (setup.discretization, setup.wall_sampling);
        let source = setup.points.as_ref().map(|points| points.source());
        let coatings = source.iter().flat_map(|source| (0..source.grids().len()).map(|set| source.coating(set)));
        let sets: Vec<SetCoat> = coatings.map(|coating| SetCoat { coating, balls: Vec::new() }).collect();
        let has_coats = sets.iter().any(|set| set.coating != Coating::None);
        Self {
            discretization,
            sampling,
            volume: discretization.particle_volume() / lattice_sum(&discretization),
            sets: if has_coats { sets } else { Vec::new() },
            points: Vec::new(),
            owners: Vec::new(),
            particles: 0..0,
            counts: Vec::new(),
        }
    }

    /// Their boundary particles.
    pub fn particles(&self) -> Range<usize> {
        self.particles.clone()
    }

    /// Forgets all coats, after the walls have been sampled again.
    pub fn take_off(&mut self) {
        self.counts.clear();
        self.points.clear();
        self.owners.clear();
        self.particles = 0..0;
    }

    /// Makes the coats anew if `sets` have other points than before, or if the first fluid has come or the last has gone. Returns whether.
    pub fn put_on(&mut self, sets: &[PointSet], has_fluid: bool, walls: &mut BoundaryParticles) -> bool {
        if self.sets.is_empty() {
            return false;
        }
        let sets = if has_fluid { sets } else { &[] };
        if self.counts.iter().copied().eq(sets.iter().map(PointSet::len)) {
            return false;
        }
        let first = walls.len() - self.particles.len();
        walls.truncate(first);
        self.take_off();
        self.counts.extend(sets.iter().map(PointSet::len));
        let Self { discretization, sampling, volume, .. } = *self;
        for (set, coat) in self.sets.iter_mut().enumerate() {
            let count = sets.get(set).map_or(0, PointSet::len);
            let Coating::Balls(radii) = &coat.coating else { continue };
            for &radius in radii.iter().take(count).skip(coat.balls.len()) {
                coat.balls.push(match is_met(radius, discretization.particle_spacing) {
                    true => BallShells::new(radius, &discretization, sampling, volume),
                    false => BallShells::default(),
                });
            }
            for (point, shells) in coat.balls.iter().enumerate().take(count).filter(|(_, shells)| !shells.offsets.is_empty()) {
                let start = walls.len();
                walls.coat(shells.offsets.iter().copied(), &shells.volumes, Slip::NoSlip);
                self.owners.resize(walls.len() - first, self.points.len() as u32);
                self.points.push(CoatedPoint { set, point, particles: start..walls.len() });
            }
        }
        self.particles = first..walls.len();
        true
    }

    /// Sets positions and velocities of the boundary particles to those of the points: `v + ω × r`. Accelerations are left out, as for bodies
    /// that move by forces. Returns true if there are any.
    pub fn place(&self, sets: &[PointSet], domain: &Domain, walls: &mut BoundaryParticles) -> bool {
        for CoatedPoint { set, point, particles } in &self.points {
            let (points, offsets) = (&sets[*set], &self.sets[*set].balls[*point].offsets);
            let (center, velocity) = (points.positions[*point], points.velocities[*point]);
            let spin = match points.column(SPIN) {
                Some(ColumnValues::Vectors(spins)) => spins.get(*point).copied().unwrap_or(Vec3::ZERO),
                _ => Vec3::ZERO,
            };
            let positions = walls.positions[particles.clone()].iter_mut();
            positions.zip(offsets).for_each(|(position, offset)| *position = domain.wrap(center + *offset));
            walls.set_motion(particles.clone(), |k| [velocity + spin.cross(offsets[k]), Vec3::ZERO]);
        }
        !self.points.is_empty()
    }

    /// Writes the impulses on all points to `impulses`, one array for each of `sets`, from those on their boundary particles, N s.
    pub fn gather(&self, on_particles: &[DVec3], sets: &[PointSet], impulses: &mut Vec<Vec<PointImpulse>>) {
        impulses.resize_with(sets.len(), Vec::new);
        for (impulses, (set, coat)) in impulses.iter_mut().zip(sets.iter().zip(&self.sets)) {
            impulses.clear();
            if coat.coating != Coating::None {
                impulses.resize(set.len(), PointImpulse::default());
            }
        }
        for CoatedPoint { set, point, particles } in &self.points {
            let own = &on_particles[particles.start - self.particles.start..particles.end - self.particles.start];
            let levers = own.iter().zip(&self.sets[*set].balls[*point].offsets);
            let angular: DVec3 = levers.map(|(impulse, offset)| offset.as_dvec3().cross(*impulse)).sum();
            let linear: DVec3 = own.iter().sum();
            impulses[*set][*point] = PointImpulse { linear: linear.as_vec3(), angular: angular.as_vec3() };
        }
    }

    /// Adds the impulses of fluid that points have stopped, N s, to the velocities of the points in `sets`.
    pub fn push(&self, sets: &mut [PointSet], contacts: &[(usize, DVec3)]) {
        for (index, impulse) in contacts {
            let CoatedPoint { set, point, .. } = self.points[*index];
            let inverse_mass = f64::from(sets[set].masses[point]).recip();
            sets[set].velocities[point] += (inverse_mass * *impulse).as_vec3();
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { sets, points, owners, counts, .. } = self;
        let shells = |ball: &BallShells| held(&ball.offsets) + held(&ball.volumes);
        let of_set = |set: &SetCoat| held(&set.balls) + set.balls.iter().map(shells).sum::<usize>();
        held(sets) + sets.iter().map(of_set).sum::<usize>() + held(points) + held(owners) + held(counts)
    }
}

/// Coated points during a step, which particles do not enter.
#[derive(Clone, Copy)]
pub(super) struct CoatedStep<'a> {
    pub coats: &'a Coats,
    /// Boundary neighbours of the particles.
    pub near: &'a NeighborLists,
    /// Sets at the beginning and at the end of the step.
    pub sets: [&'a [PointSet]; 2],
}

impl CoatedStep<'_> {
    /// Velocity (m/s) closest to `velocity` with which particle `i` at `position` (m) enters no coated point during the step of `dt` (s).
    /// `stopped` is called for each point that changes it, with the change, m/s.
    ///
    /// What a particle can enter has boundary particles in its reach: it goes less than half a support radius a step.
    pub fn confine(
        &self,
        (i, position): (usize, Vec3),
        wrap: Wrap,
        (clearance, dt): (f32, f32),
        mut velocity: Vec3,
        mut stopped: impl FnMut(Solid, DVec3),
    ) -> Vec3 {
        let Coats { points, owners, particles, sets: coats, .. } = self.coats;
        if particles.is_empty() {
            return velocity;
        }
        let mut last = None;
        for &b in self.near.of(i).iter().filter(|&&b| b as usize >= particles.start) {
            let owner = owners[b as usize - particles.start] as usize;
            if last.replace(owner) == Some(owner) {
                continue;
            }
            let CoatedPoint { set, point, .. } = points[owner];
            let Coating::Balls(radii) = &coats[set].coating else { continue };
            let [start, end] = self.sets.map(|sets| sets[set].positions[point]);
            let ball = MovingBall { radius: radii[point], velocity: (end - start) / dt };
            let confined = ball.confine(clearance, dt, wrap.minimum_image(position, start), velocity);
            if confined != velocity {
                stopped(Solid::Point(owner), confined.as_dvec3() - velocity.as_dvec3());
            }
            velocity = confined;
        }
        velocity
    }
}
