//! Walls and bodies of a simulation: their particles, where they are, and the fluid that they stop.

use std::ops::Range;
use std::sync::Arc;

use super::DroppedBody;
use super::bodies::{Bodies, place};
use super::points::Near;
use crate::boundary::{Body, BoundaryParticles, Container, MovedBody, Openings, Planes, Reactions, StepFrame, calibrate};
use crate::neighbors::CellOrder;
use crate::parameters::{Dimensions, Discretization, WallSampling};
use crate::point_sets::{SolidId, Surface};
use crate::report::held;
use crate::setup::Setup;
use crate::space::{Domain, lattice_sum};
use glam::Vec3;

// Walls and bodies of a simulation, made of a setup and of the bodies that have been dropped.

/// The setup without its fluid: walls are sampled from it again when a body is dropped, or moved for the first time, and a state that is
/// restored is compared with its point sets. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct SolidSetup(Arc<Setup>);

impl SolidSetup {
    /// What a valid `setup` says of solids and point sets.
    pub fn of(setup: &Setup) -> Self {
        let Setup { bodies, containers, joints, .. } = setup;
        let (bodies, containers, joints) = (bodies.clone(), containers.clone(), joints.clone());
        let (discretization, parameters) = (setup.discretization, setup.parameters);
        let (domain, wall_sampling, points) = (setup.domain, setup.wall_sampling, setup.points.clone());
        Self(Arc::new(Setup {
            discretization,
            parameters,
            curves: Vec::new(),
            fluids: Vec::new(),
            blocks: Vec::new(),
            particle_sets: Vec::new(),
            containers,
            bodies,
            joints,
            external_forces: Vec::new(),
            domain,
            openings: Openings::default(),
            wall_sampling,
            points,
        }))
    }

    pub fn setup(&self) -> &Setup {
        &self.0
    }

    /// Bytes on the heap, without the tables of the motions.
    pub fn memory(&self) -> usize {
        let Setup { bodies, containers, joints, .. } = self.setup();
        let counts = 2 * size_of::<usize>();
        counts + size_of::<Setup>() + held(bodies) + held(containers) + held(joints)
    }
}

/// All solids, as they are at time 0 or when they are dropped, and their boundary particles: first those of fixed containers, then of
/// bodies, of moving containers, and of dropped bodies. So those of the setup have the same indices and bits whatever is dropped. Bodies
/// that move only if a user moves them come before the others.
pub(super) struct Solids {
    pub containers: Containers,
    pub planes: Planes,
    pub walls: BoundaryParticles,
    pub bodies: Bodies,
    pub reactions: Reactions,
}

impl Solids {
    /// The solids of a valid `setup`, of which a user has `moved` some bodies, and the bodies that have been `dropped`.
    pub fn new(setup: &Setup, moved: &[MovedBody], dropped: &[DroppedBody]) -> Self {
        let discretization = setup.discretization;
        let domain = setup.domain.flat(discretization.dimensions);
        let mut containers = Containers::new(&setup.containers, &domain);
        // A particle stands for one lattice cell of fluid: the kernel's lattice sum makes its summed density exactly ρ₀.
        let volume = discretization.particle_volume() / lattice_sum(&discretization);
        let mut walls = BoundaryParticles::default();
        let analytic = setup.wall_sampling == WallSampling::Analytic;
        let planes = if analytic { Planes::new(&discretization, containers.all.clone()) } else { Planes::default() };
        let walled = (&domain, setup.wall_sampling);
        if !analytic {
            containers.sample_fixed(&discretization, walled, volume, &mut walls);
        }
        let mut order = CellOrder::default();
        let sorted = order.sort(&walls.positions, discretization.support_radius);
        walls.sort(sorted);
        let fixed = 0..walls.len();
        let mut bodies = Bodies::new((setup, moved), &domain, volume, &mut walls);
        if !analytic {
            containers.sample_moving(&discretization, walled, volume, &mut walls);
        }
        let moving = bodies.particles().map(|particles| particles.end).max().unwrap_or(fixed.end)..walls.len();
        let is_calibrated = setup.wall_sampling == WallSampling::SingleLayer;
        if is_calibrated {
            // Each body that has been moved by itself, as it is no longer beside the others.
            let apart: Vec<Range<usize>> = bodies.moved_particles().collect();
            let is_apart = |b: usize| apart.iter().any(|particles| particles.contains(&b));
            let others: Vec<usize> = (0..walls.len()).filter(|&b| !is_apart(b)).collect();
            for group in std::iter::once(others).chain(apart.iter().map(|particles| particles.clone().collect())) {
                calibrate(&discretization, &domain, &mut walls, &group);
            }
        }
        for body in dropped.iter().map(DroppedBody::body) {
            // By itself: where it is dropped, another body may have been at time 0.
            let mut own = BoundaryParticles::default();
            bodies.sample(&body, (setup, &domain), volume, &mut own, walls.len());
            if is_calibrated {
                let all: Vec<usize> = (0..own.len()).collect();
                calibrate(&discretization, &domain, &mut own, &all);
            }
            walls.append(own);
        }
        walls.finish();
        let all: Vec<Body> = setup.bodies.iter().cloned().chain(dropped.iter().map(DroppedBody::body)).collect();
        bodies.enter_world(setup, &all, moved);
        let reactions = Reactions::new([fixed, moving], bodies.particles());
        Self { containers, planes, walls, bodies, reactions }
    }
}

// Containers of a simulation, and their motion.

/// All containers, without faces along periodic axes.
#[derive(Clone, Debug, Default)]
pub(super) struct Containers {
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

    /// True if one of them may move.
    pub fn any_moves(&self) -> bool {
        !self.moving.is_empty()
    }

    /// Calls `visit` for each wall in reach; see [`Container::each_wall_near`].
    pub fn each_near(&self, near: Near, visit: &mut dyn FnMut(Surface)) {
        let Near { point, reach, part, dt } = near;
        let mut moving = self.moving.iter();
        for (index, container) in self.all.iter().enumerate() {
            let solid = SolidId::Container(index);
            if !container.motion.moves() {
                container.each_wall_near(solid, point, reach, visit);
                continue;
            }
            let Some(Moving { middle, frame, .. }) = moving.next() else { continue };
            let local = frame.local(part, point - *middle);
            container.each_wall_near(solid, container.middle() + local, reach, &mut |wall| {
                let velocity = frame.velocity(dt, local - wall.distance * wall.normal);
                visit(Surface { normal: frame.direction(part, wall.normal), velocity, ..wall });
            });
        }
    }

    /// Bytes on the heap, without the tables of the motions.
    pub fn memory(&self) -> usize {
        held(&self.all)
            + held(&self.fixed)
            + held(&self.moving)
            + self.moving.iter().map(|moving| held(&moving.initial)).sum::<usize>()
    }
}
