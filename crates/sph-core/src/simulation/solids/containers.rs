//! Containers of a simulation, and their motion.

use super::bodies::place;
use crate::boundary::{BoundaryParticles, Container, StepFrame};
use crate::parameters::{Dimensions, Discretization, WallSampling};
use crate::report::held;
use crate::space::Domain;
use glam::Vec3;
use std::ops::Range;

/// All containers, without faces along periodic axes.
#[derive(Clone, Debug, Default)]
pub(in crate::simulation) struct Containers {
    pub all: Vec<Container>,
    /// Those that never move.
    fixed: Vec<Container>,
    /// Those that do.
    moving: Vec<Moving>,
}

/// A container that moves. No axis is periodic, and its walls are particles.
#[derive(Clone, Debug)]
struct Moving {
    container: Container,
    /// Indices of its boundary particles.
    particles: Range<usize>,
    /// Positions of the particles at time 0, m.
    initial: Vec<Vec3>,
    /// Present position of its centre, m.
    middle: Vec3,
    /// Frame during the step that is being integrated, with the centre as the origin.
    frame: StepFrame,
}

impl Containers {
    pub fn new(containers: &[Container], domain: &Domain) -> Self {
        let all: Vec<Container> = containers.iter().map(|container| container.clone().within(domain)).collect();
        let fixed = all.iter().filter(|container| !container.motion.moves()).cloned().collect();
        Self { all, fixed, moving: Vec::new() }
    }

    /// Appends the particles of the containers that never move to `walls`. `volume` (m³) is the volume of a particle at
    /// distances of one spacing.
    pub fn sample_fixed(
        &self,
        discretization: &Discretization,
        (domain, sampling): (&Domain, WallSampling),
        volume: f32,
        walls: &mut BoundaryParticles,
    ) {
        for container in &self.fixed {
            container.sample(discretization, (domain, sampling), volume, walls);
        }
    }

    /// Appends the particles of those that move, at time 0; they come after all others.
    pub fn sample_moving(
        &mut self,
        discretization: &Discretization,
        (domain, sampling): (&Domain, WallSampling),
        volume: f32,
        walls: &mut BoundaryParticles,
    ) {
        for container in self.all.iter().filter(|container| container.motion.moves()) {
            let first = walls.len();
            container.sample(discretization, (domain, sampling), volume, walls);
            let particles = first..walls.len();
            let initial = walls.positions[particles.clone()].to_vec();
            let frame = StepFrame::new(&container.motion, container.middle().as_dvec3(), [0.0; 2]);
            let middle = container.middle();
            self.moving.push(Moving { container: container.clone(), particles, initial, middle, frame });
        }
    }

    /// Sets positions, velocities and accelerations of the particles of moving containers to those at `time`, s. Returns true if there are any.
    pub fn place(&self, time: f64, domain: &Domain, walls: &mut BoundaryParticles) -> bool {
        for Moving { container, particles, initial, .. } in &self.moving {
            place(&container.motion, time, (domain, walls), particles, initial);
        }
        !self.moving.is_empty()
    }

    /// Computes how the containers move from `times[0]`, the present, to `times[1]`, s: what [`Containers::confine`] reads.
    pub fn begin_step(&mut self, times: [f64; 2]) {
        for Moving { container, middle, frame, .. } in &mut self.moving {
            let origin = container.middle().as_dvec3();
            *middle = container.motion.pose(times[0]).point(origin).as_vec3();
            *frame = StepFrame::new(&container.motion, origin, times);
        }
    }

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m) passes through no wall during the step of
    /// `dt` (s) that has begun.
    #[inline]
    pub fn confine(&self, dimensions: Dimensions, clearance: f32, dt: f32, position: Vec3, velocity: Vec3) -> Vec3 {
        let by_fixed = |velocity, container: &Container| container.confine(dimensions, clearance, dt, position, velocity);
        let velocity = self.fixed.iter().fold(velocity, by_fixed);
        self.moving.iter().fold(velocity, |velocity, Moving { container, middle, frame, .. }| {
            frame.confine(dt, position - *middle, velocity, |from_middle, relative| {
                container.confine(dimensions, clearance, dt, container.middle() + from_middle, relative)
            })
        })
    }

    /// Bytes on the heap, without the tables of the motions.
    pub fn memory(&self) -> usize {
        held(&self.all)
            + held(&self.fixed)
            + held(&self.moving)
            + self.moving.iter().map(|moving| held(&moving.initial)).sum::<usize>()
    }
}
