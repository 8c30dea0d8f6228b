//! Effect of a hand: velocities that it changes and particles that it adds before a step.

use super::{Grab, Hand, HandError, Obstacle, Pour, Push};
use crate::boundary::{Container, Face, MovedBody};
use crate::passes::sweep;
use crate::simulation::{NewParticle, PlacedBody, Simulation};
use crate::space::Wrap;
use glam::Vec3;

/// Smallest distance to other fluid and to solids at which a particle is poured, in spacings. Below 1 by more than rounding, so that a disc
/// leaves room for the next when it has moved on by a spacing, whatever the pressure in the jet.
const CLEARANCE: f32 = 0.95;

/// Distance from the point at which a body need not be moved, spacings.
const AT_THE_POINT: f32 = 1e-3;

impl Simulation {
    /// Lets `hand` act for the length of the last step, and returns the number of particles added. Nothing but the velocities in its
    /// reach and the particles that it adds change; for the first move of a body, walls are sampled again, which costs about as much as some
    /// steps.
    ///
    /// # Errors
    /// A number of the hand is outside its range, its body does not exist, or there would be too many particles. Nothing has changed then.
    pub fn apply_hand(&mut self, hand: &Hand) -> Result<usize, HandError> {
        hand.validate(&self.discretization)?;
        match hand {
            Hand::Push(push) => self.push(push),
            Hand::Pour(pour) => return self.pour(pour),
            Hand::Grab(grab) => self.grab(grab)?,
        }
        Ok(0)
    }

    fn push(&mut self, push: &Push) {
        let (wrap, dt) = (Wrap::new(&self.domain), self.state.last_dt);
        let particles = &mut self.state.particles;
        let positions = &particles.positions;
        sweep::update(&mut particles.velocities, |i, velocity| {
            *velocity = push.accelerated(wrap.minimum_image(push.center, positions[i]), *velocity, dt);
        });
    }

    fn grab(&mut self, grab: &Grab) -> Result<(), HandError> {
        let placed = self.bodies.placed.get(grab.body).ok_or(HandError::Body { body: grab.body })?;
        let dt = self.state.last_dt;
        if let Some(index) = placed.state_index() {
            let state = &mut self.state.bodies[index];
            *state = grab.held(*state, dt);
        } else {
            let wanted = Wrap::new(&self.domain).minimum_image(grab.point, self.domain.wrap(placed.center()));
            let is_there = wanted.length() <= AT_THE_POINT * self.discretization.particle_spacing;
            let index = match placed.moved_index() {
                Some(index) => index,
                // A click on a body is none on the walls, which would be sampled again.
                None if is_there => return Ok(()),
                None => self.make_movable(grab.body),
            };
            let to_point = self.within_walls(&self.bodies.placed[grab.body], wanted);
            let moved = &mut self.state.moved[index];
            *moved = grab.moved(*moved, to_point.as_dvec3(), dt);
        }
        self.place_walls();
        Ok(())
    }

    /// Lets a user move the body with this index, which does not move by forces, and returns its index among those.
    fn make_movable(&mut self, body: usize) -> usize {
        self.state.moved.push(MovedBody::new(body));
        self.sample_solids();
        self.state.moved.len() - 1
    }

    fn pour(&mut self, pour: &Pour) -> Result<usize, HandError> {
        let wrap = Wrap::new(&self.domain);
        let clearance = CLEARANCE * self.discretization.particle_spacing;
        let reach = pour.radius.max(self.discretization.particle_spacing) + clearance;
        let others = self.state.particles.positions.iter().chain(&self.walls.positions);
        let near: Vec<Vec3> = others.copied().filter(|&at| wrap.minimum_image(at, pour.center).length() <= reach).collect();
        let is_free = |at: &Vec3| {
            near.iter().all(|&other| wrap.minimum_image(*at, other).length() >= clearance)
                && self.solid_near(*at, clearance).is_none()
        };
        let places = pour.places(&self.discretization).into_iter().map(|at| self.domain.wrap(at)).filter(is_free);
        let (velocity, fluid) = (pour.velocity, pour.fluid);
        let mut new: Vec<NewParticle> =
            places.map(|position| NewParticle { position, velocity, pressure: 0.0, fluid }).collect();
        let limit = self.inflow.particle_limit.unwrap_or(u64::MAX);
        let room = limit.saturating_sub(self.state.particles.len() as u64);
        new.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        self.add(&new)?;
        Ok(new.len())
    }

    /// A solid that is closer to `position` (m) than `clearance` (m): the face of a container, or a body, that it may be inside.
    pub(super) fn solid_near(&self, position: Vec3, clearance: f32) -> Option<Obstacle> {
        let (dimensions, time) = (self.discretization.dimensions, self.state.time);
        let axes = dimensions.count();
        let is_near = |body: &PlacedBody| {
            let at_start = body.pose.start(position.as_dvec3()).as_vec3();
            body.body.distance(dimensions, at_start) < clearance
        };
        let is_at_wall = |container: &Container| {
            let at_start = container.motion.pose(time).start(position.as_dvec3()).as_vec3();
            Face::ALL[..2 * axes].iter().any(|&face| container.has_wall_within(clearance, at_start, face, axes))
        };
        let body = self.bodies.placed.iter().any(is_near).then_some(Obstacle::Body);
        body.or_else(|| self.containers.all.iter().any(is_at_wall).then_some(Obstacle::Wall))
    }
}
