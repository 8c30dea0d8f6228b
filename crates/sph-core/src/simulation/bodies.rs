//! Bodies of a simulation: where they are, and the fluid that they stop.

use super::placement::place;
use crate::boundary::{Body, BoundaryParticles, Center, Pose, Reaction, StepFrame};
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
    /// Present place and orientation.
    pub pose: Pose,
    /// Force and torque of the fluid in the last step; zero before the first.
    pub force: Reaction,
    /// Indices of its boundary particles.
    particles: Range<usize>,
    /// Positions of the particles before any motion, m; empty for a body that never moves.
    initial: Vec<Vec3>,
    /// Motion during the step that is being integrated.
    step: StepMotion,
}

/// Motion of a body during a step.
#[derive(Clone, Copy, Debug)]
enum StepMotion {
    /// Mean velocity of a body without rotation, m/s.
    Translation(Vec3),
    /// Frame of a rotated body, with its centre as the origin.
    Rotation(StepFrame),
}

impl PlacedBody {
    /// Indices of its boundary particles in [`View::walls`](crate::View::walls).
    pub fn boundary_particles(&self) -> Range<usize> {
        self.particles.clone()
    }

    /// Present position of its centre, m, not wrapped into the periodic domain.
    pub fn center(&self) -> Vec3 {
        match self.body.motion.rotation() {
            Some(_) => self.pose.point(self.body.middle().as_dvec3()).as_vec3(),
            None => self.body.middle() + self.pose.displacement.as_vec3(),
        }
    }
}

/// All bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub placed: Vec<PlacedBody>,
}

impl Bodies {
    /// Appends the particles of the bodies of `setup`, at time 0, to `walls`, bodies that never move first. `volume` (m³) is the
    /// volume of a particle at distances of one spacing.
    pub fn new(setup: &Setup, domain: &Domain, volume: f32, walls: &mut BoundaryParticles) -> Self {
        let Setup { bodies, discretization, wall_sampling, .. } = setup;
        let mut placed: Vec<Option<PlacedBody>> = vec![None; bodies.len()];
        for moving in [false, true] {
            walls.moving_from = walls.len();
            for (slot, body) in placed.iter_mut().zip(bodies).filter(|(_, body)| body.motion.moves() == moving) {
                let first = walls.len();
                body.sample(discretization, *wall_sampling, volume, walls);
                let (particles, pose) = (first..walls.len(), body.motion.pose(0.0));
                let sampled = &mut walls.positions[particles.clone()];
                let initial = if moving { sampled.to_vec() } else { Vec::new() };
                if body.motion.rotation().is_some() {
                    sampled.iter_mut().for_each(|position| *position = pose.point(position.as_dvec3()).as_vec3());
                }
                sampled.iter_mut().for_each(|position| *position = domain.wrap(*position));
                let (force, step) = (Reaction::default(), StepMotion::Translation(Vec3::ZERO));
                *slot = Some(PlacedBody { body: body.clone(), pose, force, particles, initial, step });
            }
        }
        Self { placed: placed.into_iter().flatten().collect() }
    }

    /// Sets positions, velocities and accelerations of the bodies' particles to those at `time`, s.
    pub fn place(&mut self, time: f64, domain: &Domain, walls: &mut BoundaryParticles) {
        for PlacedBody { body, pose, particles, initial, .. } in self.placed.iter_mut().filter(|body| !body.initial.is_empty())
        {
            *pose = body.motion.pose(time);
            place(&body.motion, time, (domain, walls), particles, initial);
        }
    }

    /// Computes how the bodies move from `times[0]`, the present, to `times[1]`, s: what [`Bodies::confine`] reads.
    pub fn begin_step(&mut self, times: [f64; 2]) {
        let dt = times[1] - times[0];
        for PlacedBody { body, step, initial, .. } in &mut self.placed {
            let motion = &body.motion;
            *step = if motion.rotation().is_some() {
                StepMotion::Rotation(StepFrame::new(motion, body.middle().as_dvec3(), times))
            } else if initial.is_empty() {
                StepMotion::Translation(Vec3::ZERO)
            } else {
                StepMotion::Translation(((motion.displacement(times[1]) - motion.displacement(times[0])) / dt).as_vec3())
            };
        }
    }

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m) enters no body during the step of `dt` (s)
    /// that has begun. `stopped` is called with the index of each body that changes it, and the change, m/s.
    pub fn confine(
        &self,
        (dimensions, domain): (Dimensions, &Domain),
        clearance: f32,
        dt: f32,
        (position, velocity): (Vec3, Vec3),
        mut stopped: impl FnMut(usize, DVec3),
    ) -> Vec3 {
        let wrap = Wrap::new(domain);
        self.placed.iter().enumerate().fold(velocity, |velocity, (index, placed)| {
            let body = &placed.body;
            let from_middle = wrap.minimum_image(position, domain.wrap(placed.center()));
            let confined = match placed.step {
                StepMotion::Translation(own) => body.confine(dimensions, clearance, dt, (from_middle, own), velocity),
                StepMotion::Rotation(frame) => frame.confine(dt, from_middle, velocity, |position, relative| {
                    body.confine(dimensions, clearance, dt, (position, Vec3::ZERO), relative)
                }),
            };
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
        self.placed.iter().map(move |placed| {
            let (position, motion) = (placed.center(), &placed.body.motion);
            let velocity = match motion.rotation() {
                Some(_) => motion.velocity_at(time, position.as_dvec3()).as_vec3(),
                None => motion.velocity(time),
            };
            Center { position: domain.wrap(position), velocity }
        })
    }
}
