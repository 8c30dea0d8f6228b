//! Fluid that a user pours: as plain data, and the places where it has room.

use super::{HandError, Obstacle};
use crate::boundary::{Aperture, Container, Emitter, Face, Inlet, Rate, Schedule};
use crate::parameters::{Dimensions, Discretization};
use crate::simulation::{NewParticle, PlacedBody, Simulation};
use crate::space::Wrap;
use glam::Vec3;

/// Pour: a disc of particles across a velocity, one spacing apart, of which those are added that find room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pour {
    /// Centre of the disc, m.
    pub center: Vec3,
    /// Radius of the disc, m.
    pub radius: f32,
    /// Velocity of the fluid, m/s: the next disc has room once the last has moved on by a spacing.
    pub velocity: Vec3,
    /// Index of the fluid in [`Setup::fluids`](crate::Setup::fluids); 0 if there is one.
    pub fluid: usize,
    /// Most particles per second of simulated time, those nearest to the centre first; `None` adds all that find room.
    pub rate: Option<f32>,
}

impl Pour {
    /// Particles per second through the whole disc, one spacing apart: `A v/Δx³`, in two dimensions `2r v/Δx²`, 1/s. Without a rate there are about as many:
    /// discs find room a little earlier, but only at the end of a step.
    pub fn full_rate(&self, discretization: &Discretization) -> f32 {
        let (radius, speed) = (self.radius / discretization.particle_spacing, self.velocity.length());
        let disc = match discretization.dimensions {
            Dimensions::Two => 2.0 * radius,
            Dimensions::Three => std::f32::consts::PI * radius * radius,
        };
        disc * speed / discretization.particle_spacing
    }

    /// Checks the numbers.
    pub(super) fn validate(&self, discretization: &Discretization) -> Result<(), HandError> {
        let Self { center, velocity, .. } = *self;
        let place = center.abs().max_element() <= 1e6 && center.is_finite();
        HandError::unless(place, "pour.center", "coordinates of at most 1e6 m")?;
        let speed = velocity.length() <= 1e4 && velocity != Vec3::ZERO;
        HandError::unless(speed, "pour.velocity", "a speed above 0, of at most 1e4 m/s")?;
        let is_rate = self.rate.is_none_or(|rate| rate > 0.0 && rate <= 1e9);
        HandError::unless(is_rate, "pour.rate", "above 0, at most 1e9 particles per second")?;
        let is_valid = self.emitter().is_some_and(|emitter| emitter.validate(discretization).is_ok());
        HandError::unless(
            is_valid,
            "pour.radius",
            "a radius above 0 for at most 1000000 particles, in the plane in two dimensions",
        )
    }

    /// Places of the disc's particles, m, without regard to what is there; in a fixed order.
    pub(crate) fn places(&self, discretization: &Discretization) -> Vec<Vec3> {
        let inlet = self.emitter().map(|emitter| Inlet::new(&emitter, discretization));
        inlet.map_or_else(Vec::new, |inlet| inlet.sheet.into_iter().map(|offset| self.center + offset).collect())
    }

    /// Number of particles that the rate allows at `time` (s), `dt` (s) after it was asked last. It follows from the clock alone, so that nothing needs to
    /// be remembered: over many steps the numbers add up to the rate.
    fn allowed(&self, time: f64, dt: f32) -> usize {
        let Some(rate) = self.rate.map(f64::from) else { return usize::MAX };
        ((rate * time).floor() - (rate * (time - f64::from(dt))).floor()) as usize
    }

    /// An emitter with the same opening.
    fn emitter(&self) -> Option<Emitter> {
        let rate = Rate::Speed(Schedule::constant(0.0).ok()?);
        let Self { center, radius, velocity: direction, fluid, .. } = *self;
        Some(Emitter { center, direction, aperture: Aperture::Round { radius }, rate, fluid })
    }
}

/// Smallest distance to other fluid and to solids at which a particle is poured, in spacings. Below 1 by more than rounding, so that a disc
/// leaves room for the next when it has moved on by a spacing, whatever the pressure in the jet.
const CLEARANCE: f32 = 0.95;

impl Simulation {
    pub(super) fn pour(&mut self, pour: &Pour) -> Result<usize, HandError> {
        let wrap = Wrap::new(&self.domain);
        let clearance = CLEARANCE * self.discretization.particle_spacing;
        let reach = pour.radius.max(self.discretization.particle_spacing) + clearance;
        let others = self.state.particles.positions.iter().chain(&self.walls.positions);
        let near: Vec<Vec3> = others.copied().filter(|&at| wrap.minimum_image(at, pour.center).length() <= reach).collect();
        let is_free = |at: &Vec3| {
            near.iter().all(|&other| wrap.minimum_image(*at, other).length() >= clearance)
                && self.solid_near(*at, clearance).is_none()
                && !self.is_beyond_containers(*at)
                && !self.coats.has_ball_near(&self.state.sets, &self.domain, *at, 0.5 * clearance)
        };
        let places = pour.places(&self.discretization).into_iter().map(|at| self.domain.wrap(at)).filter(is_free);
        let (velocity, fluid) = (pour.velocity, pour.fluid);
        let mut new: Vec<NewParticle> =
            places.map(|position| NewParticle { position, velocity, pressure: 0.0, fluid }).collect();
        if pour.rate.is_some() {
            // A smaller rate is a thinner stream.
            let to_center = |new: &NewParticle| wrap.minimum_image(new.position, pour.center).length();
            new.sort_by(|a, b| to_center(a).total_cmp(&to_center(b)));
            new.truncate(pour.allowed(self.state.time, self.state.last_dt));
        }
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
