//! Bodies of a simulation: where they and their boundary particles are, and the fluid that they stop.

use std::ops::Range;

use super::points::Near;
use crate::boundary::{
    Body, BodyState, BoundaryParticles, Center, Load, Motion, MovedBody, Pose, Reaction, Reactions, RigidState, StepFrame,
    StepInterval, Support, World,
};
use crate::parameters::Dimensions;
use crate::point_sets::{SolidId, SolidImpulse, Surface};
use crate::report::held;
use crate::setup::Setup;
use crate::space::{Domain, Wrap};
use glam::{DVec3, Vec3};

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
    /// Velocity of the point that [`PlacedBody::motion`] gives, m/s.
    velocity: DVec3,
    /// Motion during the step that is being integrated.
    step: StepMotion,
    /// Index of its state among those of the bodies that move by forces.
    state: Option<usize>,
    /// Index among the bodies that a user has moved.
    moved: Option<usize>,
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
    /// Appends the particles of `body`, at time 0, to `walls`. They come after `offset` other particles in the end. `moved` is its index among
    /// the bodies that a user has moved.
    fn sampled(
        (body, moved): (&Body, Option<usize>),
        (setup, domain): (&Setup, &Domain),
        volume: f32,
        walls: &mut BoundaryParticles,
        offset: usize,
    ) -> Self {
        let first = walls.len();
        body.sample(&setup.discretization, setup.wall_sampling, volume, walls);
        let (particles, pose) = (first..walls.len(), body.motion.pose(0.0));
        let sampled = &mut walls.positions[particles.clone()];
        let initial = if body.moves() || moved.is_some() { sampled.to_vec() } else { Vec::new() };
        if body.motion.rotation().is_some() {
            sampled.iter_mut().for_each(|position| *position = pose.point(position.as_dvec3()).as_vec3());
        }
        sampled.iter_mut().for_each(|position| *position = domain.wrap(*position));
        Self {
            body: body.clone(),
            pose,
            force: Reaction::default(),
            particles: offset + particles.start..offset + particles.end,
            initial,
            velocity: DVec3::ZERO,
            step: StepMotion::Translation(Vec3::ZERO),
            state: None,
            moved,
        }
    }

    /// Indices of its boundary particles in [`View::walls`](crate::View::walls).
    pub fn boundary_particles(&self) -> Range<usize> {
        self.particles.clone()
    }

    /// Position (m, not wrapped into the periodic domain) and velocity (m/s) of its centre of mass if it moves by forces, else of the
    /// centre of its box.
    pub fn motion(&self) -> [DVec3; 2] {
        let place = if self.state.is_some() { self.pose.pivot + self.pose.displacement } else { self.center().as_dvec3() };
        [place, self.velocity]
    }

    /// Index of its state among those of the bodies that move by forces; `None` for any other body.
    pub(super) fn state_index(&self) -> Option<usize> {
        self.state
    }

    /// Boundary particles of a body that moves, before any motion, m.
    pub(super) fn initial(&self) -> &[Vec3] {
        &self.initial
    }

    /// True if any point of it ever moves, or may.
    fn moves(&self) -> bool {
        self.body.moves() || self.moved.is_some()
    }

    /// Index among the bodies that a user has moved; `None` for any other body.
    pub(super) fn moved_index(&self) -> Option<usize> {
        self.moved
    }

    /// Present position of the centre of its box, m, not wrapped into the periodic domain.
    pub fn center(&self) -> Vec3 {
        match self.body.motion.rotation() {
            _ if self.body.dynamics.is_some() => self.pose.point(self.body.middle().as_dvec3()).as_vec3(),
            Some(_) => self.pose.point(self.body.middle().as_dvec3()).as_vec3(),
            None => self.body.middle() + self.pose.displacement.as_vec3(),
        }
    }
}

/// All bodies.
#[derive(Clone, Debug)]
pub(super) struct Bodies {
    pub placed: Vec<PlacedBody>,
    dimensions: Dimensions,
    /// World of those that move by forces; `None` without any.
    world: Option<World>,
}

impl Bodies {
    /// Appends the particles of the bodies of `setup`, at time 0, to `walls`, first those of bodies that do not move unless a user has `moved`
    /// them.
    /// `volume` (m³) is the volume of a particle at distances of one spacing. [`Bodies::enter_world`] has to follow.
    pub fn new((setup, moved): (&Setup, &[MovedBody]), domain: &Domain, volume: f32, walls: &mut BoundaryParticles) -> Self {
        let mut placed: Vec<Option<PlacedBody>> = vec![None; setup.bodies.len()];
        let mut moved_of = vec![None; setup.bodies.len()];
        moved.iter().enumerate().for_each(|(index, moved)| moved_of[moved.body] = Some(index));
        let mut moving_from = None;
        for moving in [false, true] {
            for (index, body) in setup.bodies.iter().enumerate().filter(|(_, body)| body.moves() == moving) {
                let first = walls.len();
                let body = PlacedBody::sampled((body, moved_of[index]), (setup, domain), volume, walls, 0);
                if body.moves() {
                    moving_from.get_or_insert(first);
                }
                placed[index] = Some(body);
            }
        }
        walls.moving_from = moving_from.unwrap_or(walls.len());
        Self { placed: placed.into_iter().flatten().collect(), dimensions: setup.discretization.dimensions, world: None }
    }

    /// Appends the particles of another body to `own`, which come after `offset` other particles in the end.
    pub fn sample(&mut self, body: &Body, scene: (&Setup, &Domain), volume: f32, own: &mut BoundaryParticles, offset: usize) {
        self.placed.push(PlacedBody::sampled((body, None), scene, volume, own, offset));
    }

    /// Makes the world of those that move by forces among the bodies, which are `all` as they are described; a user has `moved` some.
    pub fn enter_world(&mut self, setup: &Setup, all: &[Body], moved: &[MovedBody]) {
        self.world = World::new(setup, all, moved);
        for (state, body) in self.world.iter().flat_map(World::free).enumerate() {
            self.placed[body].state = Some(state);
        }
    }

    /// States of the bodies that move by forces, at the start.
    pub fn initial_states(bodies: &[Body], dimensions: Dimensions) -> Vec<BodyState> {
        bodies.iter().filter_map(|body| BodyState::initial(body, dimensions)).collect()
    }

    /// Sets positions, velocities and accelerations of the bodies' particles to those at `time` (s), or of `states`, or as a user has `moved`
    /// them. Returns true if any of them may be elsewhere than before.
    pub fn place(
        &mut self,
        time: f64,
        (states, moved): (&[BodyState], &[MovedBody]),
        domain: &Domain,
        walls: &mut BoundaryParticles,
    ) -> bool {
        let dimensions = self.dimensions;
        let mut has_moved = false;
        for placed in self.placed.iter_mut().filter(|placed| placed.moves()) {
            let PlacedBody { body, pose, particles, initial, state, moved: by_user, velocity, .. } = placed;
            if let Some(state) = *state {
                let state = states[state].rigid_state(body, dimensions);
                (*pose, *velocity) = (state.pose, state.velocity);
                place_rigidly(&state, (domain, walls), particles, initial);
            } else if let Some(by_user) = *by_user {
                let state = moved[by_user].rigid_state(&body.motion, time);
                let now = (state.pose, state.velocity_at(state.pose.point(body.middle().as_dvec3())));
                if !body.motion.moves() && now == (*pose, *velocity) && now.1 == DVec3::ZERO {
                    // It rests where a user has put it.
                    continue;
                }
                (*pose, *velocity) = now;
                place_rigidly(&state, (domain, walls), particles, initial);
            } else {
                *pose = body.motion.pose(time);
                *velocity = body.motion.velocity_at(time, pose.point(body.middle().as_dvec3()));
                place(&body.motion, time, (domain, walls), particles, initial);
            }
            has_moved = true;
        }
        has_moved
    }

    /// States at the end of a step, from those at its beginning and the impulses of the fluid on the bodies during it; see
    /// [`World::advance`].
    pub fn advance(
        &self,
        states: &[BodyState],
        reactions: &Reactions,
        acceleration: impl Fn(DVec3) -> DVec3,
        interval: StepInterval<'_>,
    ) -> Result<Vec<BodyState>, usize> {
        let Some(world) = &self.world else { return Ok(Vec::new()) };
        let impulses: Vec<Load> = world.free().map(|body| reactions.impulse(body)).collect();
        world.advance(states, &impulses, acceleration, interval)
    }

    /// Keeps in `states` the impulses of fluid that surfaces have stopped in this step.
    pub fn keep_contacts(&self, states: &mut [BodyState], reactions: &Reactions) {
        for (state, body) in states.iter_mut().zip(self.world.iter().flat_map(World::free)) {
            state.contact = reactions.contact(body);
        }
    }

    /// Computes how the bodies move from `times[0]`, the present, to `times[1]` (s), those that move by forces to `ends`, those that a user has
    /// `moved` on from there: what [`Bodies::confine`] reads.
    pub fn begin_step(&mut self, times: [f64; 2], ends: &[BodyState], moved: &[MovedBody]) {
        let dt = times[1] - times[0];
        for PlacedBody { body, step, initial, state, moved: by_user, pose, .. } in &mut self.placed {
            let motion = &body.motion;
            *step = if let Some(state) = *state {
                let end = ends[state].pose(body, self.dimensions);
                StepMotion::Rotation(StepFrame::between([*pose, end], body.middle().as_dvec3()))
            } else if let Some(by_user) = *by_user {
                let end = moved[by_user].after(dt).pose(motion, times[1]);
                StepMotion::Rotation(StepFrame::between([*pose, end], body.middle().as_dvec3()))
            } else if motion.rotation().is_some() {
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

    /// True if one of them may move.
    pub fn any_moves(&self) -> bool {
        self.placed.iter().any(PlacedBody::moves)
    }

    /// Calls `visit` for the nearest surface of each body in reach.
    pub fn each_near(&self, domain: &Domain, near: Near, visit: &mut dyn FnMut(Surface)) {
        let Near { point, reach, part, dt } = near;
        let wrap = Wrap::new(domain);
        for (index, placed) in self.placed.iter().enumerate() {
            let body = &placed.body;
            let from_middle = wrap.minimum_image(point, domain.wrap(placed.center()));
            let frame = match placed.step {
                StepMotion::Translation(own) => StepFrame::translation(dt * own),
                StepMotion::Rotation(frame) => frame,
            };
            let local = frame.local(part, from_middle);
            if local.length() > body.half_extent().length() + reach {
                continue;
            }
            let Support { normal, distance } = body.support(self.dimensions, local);
            if distance < reach {
                let velocity = frame.velocity(dt, local - distance * normal);
                visit(Surface { distance, normal: frame.direction(part, normal), velocity, solid: SolidId::Body(index) });
            }
        }
    }

    /// Adds the `impulses` of points on bodies that move by forces to those that act in the next step.
    pub fn push(&self, states: &mut [BodyState], impulses: impl Iterator<Item = (usize, SolidImpulse)>) {
        for (index, SolidImpulse { point, impulse, .. }) in impulses {
            if let Some(state) = self.placed[index].state.map(|state| &mut states[state]) {
                let impulse = impulse.as_dvec3();
                state.contact.force += impulse;
                state.contact.torque += (point.as_dvec3() - state.position).cross(impulse);
            }
        }
    }

    /// Bytes on the heap, without the tables of the motions.
    pub fn memory(&self) -> usize {
        held(&self.placed) + self.placed.iter().map(|body| held(&body.initial)).sum::<usize>()
    }

    /// Boundary particles of each body that a user has moved.
    pub fn moved_particles(&self) -> impl Iterator<Item = Range<usize>> {
        self.placed.iter().filter(|placed| placed.moved.is_some()).map(|placed| placed.particles.clone())
    }

    /// Boundary particles of each body.
    pub fn particles(&self) -> impl Iterator<Item = Range<usize>> {
        self.placed.iter().map(|body| body.particles.clone())
    }

    /// Point of each body about which its torque is, at `time` (s) or in `states`, at which it is placed: its centre, or the centre
    /// of mass if it moves by forces.
    pub fn centers<'a>(&'a self, time: f64, states: &'a [BodyState], domain: &'a Domain) -> impl Iterator<Item = Center> + 'a {
        self.placed.iter().map(move |placed| {
            if let Some(state) = placed.state {
                let BodyState { position, velocity, .. } = states[state];
                return Center { position: domain.wrap(position.as_vec3()), velocity: velocity.as_vec3() };
            }
            let (position, motion) = (placed.center(), &placed.body.motion);
            let velocity = match motion.rotation() {
                _ if placed.moved.is_some() => placed.velocity.as_vec3(),
                Some(_) => motion.velocity_at(time, position.as_dvec3()).as_vec3(),
                None => motion.velocity(time),
            };
            Center { position: domain.wrap(position), velocity }
        })
    }
}

// Placement of boundary particles that move with a rigid body or container.

/// Sets positions, velocities and accelerations of `particles`, which are at `initial` (m) before any motion, to those at
/// `time`, s.
pub(super) fn place(
    motion: &Motion,
    time: f64,
    (domain, walls): (&Domain, &mut BoundaryParticles),
    particles: &Range<usize>,
    initial: &[Vec3],
) {
    if motion.rotation().is_none() {
        let present = walls.positions[particles.clone()].iter_mut().zip(initial);
        // Summed in single precision, as before bodies could turn: runs without rotation keep their bits.
        let displacement = motion.displacement(time).as_vec3();
        present.for_each(|(position, start)| *position = domain.wrap(domain.wrap(*start) + displacement));
        let (velocity, acceleration) = (motion.velocity(time), motion.acceleration(time));
        return walls.set_motion(particles.clone(), |_| [velocity, acceleration]);
    }
    place_rigidly(&motion.state(time), (domain, walls), particles, initial);
}

/// Sets positions, velocities and accelerations of `particles`, which are at `initial` (m) before any motion, to those of a rigid
/// body in `state`.
fn place_rigidly(
    state: &RigidState,
    (domain, walls): (&Domain, &mut BoundaryParticles),
    particles: &Range<usize>,
    initial: &[Vec3],
) {
    let present = walls.positions[particles.clone()].iter_mut().zip(initial);
    let point = |start: Vec3| state.pose.point(start.as_dvec3());
    present.for_each(|(position, start)| *position = domain.wrap(point(*start).as_vec3()));
    walls.set_motion(particles.clone(), |k| {
        let point = point(initial[k]);
        [state.velocity_at(point).as_vec3(), state.acceleration_at(point).as_vec3()]
    });
}
