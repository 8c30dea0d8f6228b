//! Balls at surfaces of solids.

use super::contact::{Plane, Substep};
use super::material::Laws;
use super::memory::KeptWall;
use super::rows::{Ball, Balls, Strikes};
use crate::corners::SurfaceQuery;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sph_core::point_sets::{SolidId, SolidImpulse, Surface, Surfaces};
use std::hint::black_box;

/// Most surfaces that a ball meets at once: the nearest ones.
const MOST: usize = 6;

/// Way after which a ball looks for surfaces again, in its radii: a curved surface is taken for a plane so far.
const WAY: f32 = 0.1;

/// Balls per parallel task.
const GRAIN: usize = 64;

/// A ball near solids.
#[derive(Clone, Debug)]
pub(super) struct WallBall {
    row: u32,
    /// Centre of the ball without displacement, m.
    base: Vec3,
    /// Distance within which surfaces are looked for, m.
    reach: f32,
    /// External acceleration of the ball, m/s².
    acceleration: Vec3,
    /// Displacement of the ball when they were looked for, m.
    displacement: Vec3,
    /// True if surfaces are looked for in each substep: one moves, or comes near before the end of the step.
    moves: bool,
    /// True if a solid is near at the end of the step that was not at its beginning.
    is_approached: bool,
    planes: Vec<SolidPlane>,
    /// Impulses on surfaces that are no longer near.
    lost: Vec<SolidImpulse>,
}

/// Surface of a solid next to a ball.
#[derive(Clone, Copy, Debug)]
struct SolidPlane {
    plane: Plane,
    solid: SolidId,
    /// Impulse on the ball since the last search, N s.
    total: Vec3,
}

/// Time in a step, at which solids have their places.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub surfaces: &'a dyn Surfaces,
    /// Part of the step that has passed, 0 to 1.
    pub part: f32,
}

impl WallBall {
    /// Ball in `row` around `base` (m) without displacement, if a surface is closer than `reach` (m) now or at the end of the step.
    /// `kept` are its contacts that last.
    pub fn find<'a>(
        row: u32,
        base: DVec3,
        reach: f32,
        moment: Moment<'_>,
        kept: impl FnOnce() -> &'a [KeptWall],
    ) -> Option<Self> {
        let base = base.as_vec3();
        let (mut now, mut later) = (Vec::new(), Vec::new());
        moment.surfaces.each_near(base, reach, moment.part, &mut |surface| now.push(surface.solid));
        moment.surfaces.each_near(base, reach, 1.0, &mut |surface| later.push(surface.solid));
        let is_approached = later.iter().any(|solid| !now.contains(solid));
        if now.is_empty() && !is_approached {
            return None;
        }
        let (displacement, planes, lost) = (Vec3::ZERO, Vec::new(), Vec::new());
        let mut ball =
            Self { row, base, reach, acceleration: Vec3::ZERO, displacement, moves: false, is_approached, planes, lost };
        ball.planes.extend(kept().iter().map(|wall| {
            let plane = Plane { normal: wall.impulse.normalize_or_zero(), impulse: wall.impulse, ..Plane::default() };
            SolidPlane { plane, solid: wall.solid, total: Vec3::ZERO }
        }));
        ball.look(Vec3::ZERO, moment);
        Some(ball)
    }

    /// Sets the external acceleration, m/s².
    pub fn accelerate(&mut self, acceleration: Vec3) {
        self.acceleration = acceleration;
        self.planes.iter_mut().for_each(|plane| plane.plane.acceleration = acceleration);
    }

    /// Row of the ball.
    pub fn row(&self) -> usize {
        self.row as usize
    }

    /// Impulses of the contacts, N s.
    pub fn impulses(&self) -> impl Iterator<Item = (SolidId, Vec3)> {
        self.planes.iter().map(|plane| (plane.solid, plane.plane.impulse))
    }

    /// Sums of the impulses, and of their moments about the centre, N s and N m s.
    pub fn push(&self, radius: f32) -> (Vec3, Vec3) {
        let sum = |(linear, angular): (Vec3, Vec3), plane: &SolidPlane| {
            let Plane { normal, impulse, .. } = plane.plane;
            (linear + impulse, angular - (radius * normal).cross(impulse))
        };
        self.planes.iter().fold((Vec3::ZERO, Vec3::ZERO), sum)
    }

    /// Looks for surfaces, and gives each what is known of the nearest one of the same solid before.
    fn look(&mut self, displacement: Vec3, moment: Moment<'_>) {
        let center = self.base + displacement;
        let mut before = std::mem::take(&mut self.planes);
        for surface in surfaces_near(center, self.reach, moment) {
            let likeness =
                |plane: &SolidPlane| if plane.solid == surface.solid { plane.plane.normal.dot(surface.normal) } else { -1.0 };
            let old = (0..before.len()).max_by(|&a, &b| likeness(&before[a]).total_cmp(&likeness(&before[b])));
            let old = old.filter(|&old| likeness(&before[old]) > 0.5).map(|old| before.swap_remove(old));
            let plane = Plane {
                normal: surface.normal,
                distance: surface.distance - surface.normal.dot(displacement),
                velocity: surface.velocity,
                acceleration: self.acceleration,
                impulse: old.map_or(Vec3::ZERO, |old| old.plane.impulse),
            };
            self.planes.push(SolidPlane { plane, solid: surface.solid, total: old.map_or(Vec3::ZERO, |old| old.total) });
        }
        self.moves = self.is_approached || self.planes.iter().any(|plane| plane.plane.velocity != Vec3::ZERO);
        self.displacement = displacement;
        let lost = before.iter().filter(|plane| plane.total != Vec3::ZERO);
        self.lost.extend(lost.map(|plane| plane.reaction(center)));
    }

    /// Solves the velocity of the ball once.
    fn solve(
        &mut self,
        balls: &Balls,
        strikes: &Strikes,
        laws: &Laws,
        substep: &Substep,
        moment: Moment<'_>,
        free: &impl Fn(u32) -> Vec3,
    ) {
        let row = self.row();
        let mut ball = balls.get(row);
        let moved = ball.displacement.distance_squared(self.displacement);
        if self.moves || moved > (WAY * ball.radius).powi(2) {
            self.look(ball.displacement, moment);
        }
        let law = laws.of(ball.material, ball.material);
        let mut changes = false;
        for SolidPlane { plane, total, .. } in &mut self.planes {
            if let Some((impulse, strike)) = plane.solve(&mut ball, || free(self.row), law, substep) {
                *total += impulse;
                changes = true;
                strike.iter().for_each(|strike| strikes.add(row, &mut ball, strike));
            }
        }
        if changes {
            balls.set(row, &ball);
        }
    }

    /// Moves the ball out of the surfaces once.
    fn separate(&self, balls: &Balls) {
        let mut ball: Ball = balls.get(self.row());
        let moves = self.planes.iter().fold(false, |moves, plane| plane.plane.separate(&mut ball) | moves);
        if moves {
            balls.set(self.row(), &ball);
        }
    }

    /// Impulses on the solids since the last search.
    pub fn reactions(&self, ball: &Ball) -> impl Iterator<Item = SolidImpulse> {
        let center = self.base + ball.displacement;
        let radius = ball.radius;
        let now = self.planes.iter().filter(|plane| plane.total != Vec3::ZERO);
        self.lost.iter().copied().chain(now.map(move |plane| plane.reaction(center - radius * plane.plane.normal)))
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.planes.capacity() * size_of::<SolidPlane>() + self.lost.capacity() * size_of::<SolidImpulse>()
    }
}

impl SolidPlane {
    /// Impulse on the solid at `point`, m.
    fn reaction(&self, point: Vec3) -> SolidImpulse {
        SolidImpulse { solid: self.solid, point, impulse: -self.total }
    }
}

/// Solves the velocities of all balls at walls once, or of those alone that have to do with deep overlaps.
pub(super) fn solve(
    walls: &mut [WallBall],
    balls: &Balls,
    strikes: &Strikes,
    laws: &Laws,
    substep: &Substep,
    moment: Moment<'_>,
    free: impl Fn(u32) -> Vec3 + Sync,
) {
    walls.par_chunks_mut(GRAIN).for_each(|walls| {
        glance(walls, balls);
        for wall in walls {
            if !substep.only_deep || balls.get(wall.row()).is_deep {
                wall.solve(balls, strikes, laws, substep, moment, &free);
            }
        }
    });
}

/// Moves all balls out of walls once.
pub(super) fn separate(walls: &[WallBall], balls: &Balls) {
    walls.par_chunks(GRAIN).for_each(|walls| {
        glance(walls, balls);
        walls.iter().for_each(|wall| wall.separate(balls));
    });
}

/// Reads something of each ball and its first surface: the processor waits for many of them from memory at a time, but only for one if
/// each is worked on before the next is read.
fn glance(walls: &[WallBall], balls: &Balls) {
    let seen = |wall: &WallBall| {
        let plane = wall.planes.first().map_or(0.0, |plane| plane.plane.distance);
        balls.glance(wall.row()) ^ u64::from(plane.to_bits())
    };
    black_box(walls.iter().fold(0, |all, wall| all ^ seen(wall)));
}

/// Surfaces closer to `point` than `reach`, both m, the nearest first, and those of corners after them.
fn surfaces_near(point: Vec3, reach: f32, Moment { surfaces, part }: Moment<'_>) -> Vec<Surface> {
    let query = SurfaceQuery { surfaces, point, reach, part };
    let mut found = query.reported();
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    found.truncate(MOST);
    query.add_corners(&mut found, MOST);
    found
}
