//! A user's hand in the fluid during a step, as plain data. With the setup and the parameters, the hand of each step determines
//! the motion to the bit.
//!
//! A hand acts between two steps: it changes velocities, adds particles, moves a body, or drops one, which is there from then on. So solvers know
//! nothing of it, and a step without one costs what it costs without this module. Only a point of a set is held during the next step, by what moves
//! the set: between two steps, a hand could not bear the cloth that hangs on a vertex.

mod drop;
mod move_site;
mod pour;

pub use drop::{DropSite, DroppedBody, DroppedShape};
pub use move_site::MoveSite;
pub use pour::{BallPour, Pour};

use super::{PopulationError, Simulation};
use crate::boundary::{BodyState, MovedBody};
use crate::parameters::{Dimensions, Discretization};
use crate::particles::Particles;
use crate::passes::sweep;
use crate::point_sets::{PointHold, PointId, PointSet};
use crate::space::Wrap;
use glam::{DVec3, Vec3};

/// Action of a user's hand during a step. See [`Engine::apply_hand`](crate::Engine::apply_hand).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hand {
    /// Pushes or pulls fluid, cloths and balls.
    Push(Push),
    /// Adds fluid.
    Pour(Pour),
    /// Adds balls.
    PourBalls(BallPour),
    /// Moves a body.
    Grab(Grab),
    /// Moves a ball or a vertex of cloth.
    GrabPoint(PointGrab),
}

impl Hand {
    /// Checks the numbers.
    ///
    /// # Errors
    /// A number outside its range, or in two dimensions out of the plane.
    pub fn validate(&self, discretization: &Discretization) -> Result<(), HandError> {
        match self {
            Self::Push(push) => push.validate(discretization.dimensions),
            Self::Pour(pour) => pour.validate(discretization),
            Self::PourBalls(pour) => pour.validate(),
            Self::Grab(grab) => grab.validate(discretization.dimensions),
            Self::GrabPoint(grab) => grab.validate(discretization.dimensions),
        }
    }
}

/// Push or pull: the acceleration `w(r) (s ê + k (u − v))` of fluid, and of points of sets, at the distance r from a centre, with ê the direction to the centre and
/// the weight w falling linearly from 1 at the centre to 0 at the radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Centre, m.
    pub center: Vec3,
    /// Radius R beyond which nothing is felt, m: `w = 1 − r/R`.
    pub radius: f32,
    /// Strength s, m/s²: positive pulls towards the centre, negative pushes away.
    pub strength: f32,
    /// Drag k, 1/s.
    pub drag: f32,
    /// Velocity u of the hand, m/s.
    pub velocity: Vec3,
}

impl Push {
    /// Checks the numbers.
    fn validate(&self, dimensions: Dimensions) -> Result<(), HandError> {
        let Self { center, radius, strength, drag, velocity } = *self;
        let planar = |vector: Vec3| dimensions == Dimensions::Three || vector.z == 0.0;
        let place = center.abs().max_element() <= 1e6 && center.is_finite() && planar(center);
        HandError::unless(place, "push.center", "coordinates of at most 1e6 m, in the plane in two dimensions")?;
        HandError::unless(radius > 0.0 && radius <= 1e6, "push.radius", "a radius above 0, of at most 1e6 m")?;
        HandError::unless(strength.abs() <= 1e5, "push.strength", "an acceleration of -1e5 to 1e5 m/s²")?;
        HandError::unless((0.0..=1e6).contains(&drag), "push.drag", "0 to 1e6 1/s")?;
        let speed = velocity.length() <= 1e4 && planar(velocity);
        HandError::unless(speed, "push.velocity", "at most 1e4 m/s, in the plane in two dimensions")
    }

    /// Velocity (m/s) after `dt` (s) of a particle at `to_center` (m) from the centre that had `velocity`: the drag is implicit, so that it is
    /// stable for any step.
    pub(crate) fn accelerated(&self, to_center: Vec3, velocity: Vec3, dt: f32) -> Vec3 {
        let weight = 1.0 - to_center.length() / self.radius;
        // NaN leaves the velocity alone too.
        if weight > 0.0 {
            let (force, drag) = (weight * dt * self.strength, weight * dt * self.drag);
            (velocity + force * to_center.normalize_or_zero() + drag * self.velocity) / (1.0 + drag)
        } else {
            velocity
        }
    }
}

/// Grab: a body is drawn towards a point, at most with the top speed. One that moves by forces goes on as they let
/// it, its rotation damped; any other keeps its prescribed motion, from a place that moves with the hand and comes to rest when it is let go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grab {
    /// Index of the body: those of [`Setup::bodies`](crate::Setup::bodies), then those that have been dropped.
    pub body: usize,
    /// Point p for its centre of mass, or for the centre of its box if it does not move by forces, m.
    pub point: Vec3,
    /// Time τ in which its velocity comes to that of the hand, s.
    pub time: f32,
    /// Top speed, m/s.
    pub top_speed: f32,
}

impl Grab {
    /// Checks the numbers.
    fn validate(&self, dimensions: Dimensions) -> Result<(), HandError> {
        let Self { point, time, top_speed, .. } = *self;
        validate_pull(["grab.point", "grab.time", "grab.top_speed"], dimensions, (point, time, top_speed))
    }

    /// State of a body that moves by forces after the hand has held it for `dt` (s): `v ← (v + dt/τ v_hand)/(1 + dt/τ)` with
    /// `v_hand = (p − x)/τ`, stable for any step.
    pub(crate) fn held(&self, state: BodyState, dt: f32) -> BodyState {
        let share = f64::from(dt) / f64::from(self.time);
        let hand = self.limited((self.point.as_dvec3() - state.position) / f64::from(self.time));
        BodyState {
            velocity: (state.velocity + share * hand) / (1.0 + share),
            angular_velocity: state.angular_velocity / (1.0 + share),
            ..state
        }
    }

    /// Any other body after the hand has held it for `dt` (s), for the displacement `to_point` (m) to the nearest place that it may have. With
    /// the brake, its velocity is drawn to that of the hand, `v_hand = (p − x)(1/τ + 1/τ_b)/4` with the braking time τ_b: critically damped.
    pub(crate) fn moved(&self, moved: MovedBody, to_point: DVec3, dt: f32) -> MovedBody {
        let (time, dt) = (f64::from(self.time), f64::from(dt));
        let (share, brake) = (dt / time, dt / MovedBody::BRAKING_TIME);
        let rate = 0.25 * (1.0 / time + 1.0 / MovedBody::BRAKING_TIME);
        // In long steps no farther than half of the way.
        let hand = self.limited(rate.min(0.5 / dt) * to_point);
        // The velocity that the brake leaves of the hand's comes back to it.
        let gain = 1.0 + share - 1.0 / (1.0 + brake);
        MovedBody { velocity: (moved.velocity + gain * hand) / (1.0 + share), ..moved }
    }

    fn limited(&self, velocity: DVec3) -> DVec3 {
        velocity.clamp_length_max(f64::from(self.top_speed))
    }
}

/// Grab of a point of a set, a ball or a vertex of cloth: it is drawn towards a place, at most with the top speed, with no regard to its mass and to
/// what hangs on it. Other points and solids stop it. When it is let go, it goes on with the velocity that it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointGrab {
    /// The point; one of finite mass.
    pub point: PointId,
    /// Place p for it, m.
    pub target: Vec3,
    /// Time τ in which it comes near: its velocity is `(p − x)/τ`, s.
    pub time: f32,
    /// Top speed, m/s.
    pub top_speed: f32,
}

impl PointGrab {
    /// Checks the numbers.
    fn validate(&self, dimensions: Dimensions) -> Result<(), HandError> {
        let Self { target, time, top_speed, .. } = *self;
        let names = ["grab_point.target", "grab_point.time", "grab_point.top_speed"];
        validate_pull(names, dimensions, (target, time, top_speed))
    }
}

/// Checks place (m), time (s) and top speed (m/s) of a grab, which have these `names`.
fn validate_pull(
    names: [&'static str; 3],
    dimensions: Dimensions,
    (place, time, top_speed): (Vec3, f32, f32),
) -> Result<(), HandError> {
    let planar = dimensions == Dimensions::Three || place.z == 0.0;
    let is_place = place.abs().max_element() <= 1e6 && place.is_finite() && planar;
    HandError::unless(is_place, names[0], "coordinates of at most 1e6 m, in the plane in two dimensions")?;
    HandError::unless((1e-4..=1e3).contains(&time), names[1], "1e-4 to 1e3 s")?;
    HandError::unless((0.0..=1e4).contains(&top_speed), names[2], "0 to 1e4 m/s")
}

// Effect of a hand: velocities that it changes and particles that it adds before a step.

/// Distance from the point at which a body need not be moved, spacings.
const AT_THE_POINT: f32 = 1e-3;

impl Simulation {
    /// Lets `hand` act for the length of the last step, and returns the number of particles or balls added. Nothing but the velocities in its
    /// reach and the particles that it adds change; for the first move of a body, walls are sampled again, which costs about as much as some
    /// steps. A grab of a point changes nothing yet: it acts in the next step.
    ///
    /// # Errors
    /// A number of the hand is outside its range, its body or point does not exist or cannot be moved, or there would be too many particles. Nothing has changed then.
    pub fn apply_hand(&mut self, hand: &Hand) -> Result<usize, HandError> {
        hand.validate(&self.discretization)?;
        match hand {
            Hand::Push(push) => self.push(push),
            Hand::Pour(pour) => return self.pour(pour),
            Hand::PourBalls(pour) => return self.pour_balls(pour),
            Hand::Grab(grab) => self.grab(grab)?,
            Hand::GrabPoint(grab) => self.points.next_hold = Some(self.hold_of(grab)?),
        }
        Ok(0)
    }

    fn push(&mut self, push: &Push) {
        let (domain, wrap, dt) = (&self.domain, Wrap::new(&self.domain), self.state.last_dt);
        let accelerated =
            |position: Vec3, velocity: Vec3| push.accelerated(wrap.minimum_image(push.center, position), velocity, dt);
        let Particles { positions, velocities, .. } = &mut self.state.particles;
        sweep::update(velocities, |i, velocity| *velocity = accelerated(positions[i], *velocity));
        for PointSet { positions, velocities, masses, .. } in &mut self.state.sets {
            sweep::update(velocities, |i, velocity| {
                // No force moves a point of infinite mass.
                if masses[i].is_finite() {
                    *velocity = accelerated(domain.wrap(positions[i]), *velocity);
                }
            });
        }
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

    /// The hold of a point in the next step.
    fn hold_of(&self, grab: &PointGrab) -> Result<PointHold, HandError> {
        let PointGrab { point: PointId { set, id }, target, time, top_speed } = *grab;
        let points = self.state.sets.get(set).ok_or(HandError::Point { set, id })?;
        let index = points.index_of(id).ok_or(HandError::Point { set, id })?;
        if points.masses[index].is_infinite() {
            return Err(HandError::FixedPoint { set, id });
        }
        // Points are not wrapped into a periodic domain.
        let position = points.positions[index];
        let target = position + Wrap::new(&self.domain).minimum_image(target, self.domain.wrap(position));
        Ok(PointHold { set, index, target, time, top_speed })
    }

    /// Lets a user move the body with this index, which does not move by forces, and returns its index among those.
    fn make_movable(&mut self, body: usize) -> usize {
        self.state.moved.push(MovedBody::new(body));
        self.sample_solids();
        self.state.moved.len() - 1
    }
}

/// Reason why a hand cannot act. The fluid is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HandError {
    /// A number is outside its range, not finite, or in two dimensions out of the plane.
    #[error("{name}: expected {expected}")]
    Range {
        /// Name of the number: `push.radius`.
        name: &'static str,
        /// Range in words.
        expected: &'static str,
    },
    /// No body has this index.
    #[error("grab.body: there is no body {body}")]
    Body {
        /// Index of the body.
        body: usize,
    },
    /// There are no balls to pour in this set.
    #[error("pour_balls.set: there are no balls to pour in set {set}")]
    Balls {
        /// Index of the set.
        set: usize,
    },
    /// No point of this set has this id.
    #[error("grab_point: there is no point {id} in set {set}")]
    Point {
        /// Index of the set.
        set: usize,
        /// Id of the point.
        id: u32,
    },
    /// A point is pinned.
    #[error("grab_point: point {id} of set {set} is pinned")]
    FixedPoint {
        /// Index of the set.
        set: usize,
        /// Id of the point.
        id: u32,
    },
    /// As many bodies have been dropped as is possible.
    #[error("{limit} bodies have been dropped, which is the maximum")]
    TooManyBodies {
        /// Largest number.
        limit: usize,
    },
    /// A body that is dropped would be where something else is.
    #[error("the body would be {obstacle}")]
    NoRoom {
        /// What is there.
        obstacle: Obstacle,
    },
    /// Particles cannot be added.
    #[error(transparent)]
    Population(#[from] PopulationError),
}

/// What is in the way of a body that is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The wall of a container.
    #[error("in a wall, or closer to one than a particle spacing")]
    Wall,
    /// Another body.
    #[error("in another body, or closer to one than a particle spacing")]
    Body,
    /// Fluid.
    #[error("in the fluid: drop it from above")]
    Fluid,
    /// The outside of all containers.
    #[error("outside the containers")]
    Beyond,
}

impl HandError {
    /// `Ok` if `is_valid`, else an error about the number `name`.
    fn unless(is_valid: bool, name: &'static str, expected: &'static str) -> Result<(), Self> {
        if is_valid { Ok(()) } else { Err(Self::Range { name, expected }) }
    }
}
