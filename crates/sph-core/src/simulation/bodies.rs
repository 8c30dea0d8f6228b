//! Bodies of a simulation: where they are, and the fluid that they stop.

use crate::boundary::{Body, BoundaryParticles, Center, Reaction};
use crate::parameters::Dimensions;
use crate::report::held;
use crate::setup::Setup;
use crate::space::{Domain, Wrap};
use glam::{DVec3, Vec3};
use std::ops::Range;

/// A body at one moment.
#[derive(Clone, Debug)]
pub struct PlacedBody {
    /// Body as it was at time 0.
    pub body: Body,
    /// Displacement since time 0, m.
    pub displacement: Vec3,
    /// Force and torque of the fluid in the last step; zero before the first.
    pub force: Reaction,
    /// Indices of its boundary particles.
    particles: Range<usize>,
    /// Positions of the particles at time 0, m; empty for a body that never moves.
    initial: Vec<Vec3>,
}

/// All bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub placed: Vec<PlacedBody>,
}

impl Bodies {
    /// Appends the particles of the bodies of `setup`, at `time` (s), to `walls`, bodies that never move first. `volume` (m³) is the volume of
    /// a particle at distances of one spacing.
    pub fn new(setup: &Setup, (domain, time): (&Domain, f64), volume: f32, walls: &mut BoundaryParticles) -> Self {
        let Setup { bodies, discretization, wall_sampling, .. } = setup;
        let mut placed: Vec<Option<PlacedBody>> = vec![None; bodies.len()];
        for moving in [false, true] {
            walls.moving_from = walls.len();
            for (slot, body) in placed.iter_mut().zip(bodies).filter(|(_, body)| body.motion.moves() == moving) {
                let first = walls.len();
                body.sample(discretization, *wall_sampling, volume, walls);
                walls.positions[first..].iter_mut().for_each(|position| *position = domain.wrap(*position));
                let initial = if moving { walls.positions[first..].to_vec() } else { Vec::new() };
                let (particles, force) = (first..walls.len(), Reaction::default());
                *slot = Some(PlacedBody { body: body.clone(), displacement: Vec3::ZERO, force, particles, initial });
            }
        }
        let mut placed = Self { placed: placed.into_iter().flatten().collect() };
        placed.place(time, domain, walls);
        placed
    }

    /// True if any body ever moves.
    pub fn move_at_all(&self) -> bool {
        self.placed.iter().any(|body| !body.initial.is_empty())
    }

    /// Sets positions, velocities and accelerations of the bodies' particles to those at `time`, s.
    pub fn place(&mut self, time: f64, domain: &Domain, walls: &mut BoundaryParticles) {
        for PlacedBody { body, displacement, particles, initial, .. } in
            self.placed.iter_mut().filter(|body| !body.initial.is_empty())
        {
            *displacement = body.motion.displacement(time).as_vec3();
            walls.set_motion(particles.clone(), body.motion.velocity(time), body.motion.acceleration(time));
            for (position, start) in walls.positions[particles.clone()].iter_mut().zip(initial) {
                *position = domain.wrap(*start + *displacement);
            }
        }
    }

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m) enters no body between `times[0]` and
    /// `times[1]`, s. `stopped` is called with the index of each body that changes it, and the change, m/s.
    pub fn confine(
        &self,
        (dimensions, domain): (Dimensions, &Domain),
        clearance: f32,
        times: [f64; 2],
        (position, velocity): (Vec3, Vec3),
        mut stopped: impl FnMut(usize, DVec3),
    ) -> Vec3 {
        let wrap = Wrap::new(domain);
        let dt = times[1] - times[0];
        self.placed.iter().enumerate().fold(velocity, |velocity, (index, PlacedBody { body, displacement, initial, .. })| {
            let body_velocity = if initial.is_empty() {
                Vec3::ZERO
            } else {
                ((body.motion.displacement(times[1]) - body.motion.displacement(times[0])) / dt).as_vec3()
            };
            let from_middle = wrap.minimum_image(position, domain.wrap(body.middle() + *displacement));
            let confined = body.confine(dimensions, clearance, dt as f32, (from_middle, body_velocity), velocity);
            if confined != velocity {
                stopped(index, confined.as_dvec3() - velocity.as_dvec3());
            }
            confined
        })
    }

    /// Bytes on the heap, without the tables of the motions.
    pub fn memory(&self) -> usize {
        held(&self.placed) + self.placed.iter().map(|body| held(&body.initial)).sum::<usize>()
    }

    /// Boundary particles of each body.
    pub fn particles(&self) -> impl Iterator<Item = Range<usize>> {
        self.placed.iter().map(|body| body.particles.clone())
    }

    /// Centre of each body at `time`, s, at which it is placed.
    pub fn centers(&self, time: f64, domain: &Domain) -> impl Iterator<Item = Center> {
        self.placed.iter().map(move |PlacedBody { body, displacement, .. }| Center {
            position: domain.wrap(body.middle() + *displacement),
            velocity: body.motion.velocity(time),
        })
    }
}
