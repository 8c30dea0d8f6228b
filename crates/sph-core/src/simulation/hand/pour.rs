//! Fluid and balls that a user pours: as plain data, and the places where they have room.

use super::{HandError, Obstacle};
use crate::boundary::{Aperture, Container, Emitter, Face, Inlet, Rate, Schedule};
use crate::parameters::{Dimensions, Discretization};
use crate::point_sets::{PointDynamics, PourDisc, is_met};
use crate::simulation::coats::MOST_FOR_A_HAND;
use crate::simulation::{NewParticle, PlacedBody, Simulation};
use crate::space::Wrap;
use crate::space::geometry::distance_to_triangle;
use glam::{DVec3, Vec3};
use std::f32::consts::PI;

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
    /// Particles per second through the whole disc, one spacing apart: `A v/Δx³`, in two dimensions `2r v/Δx²`, 1/s. Without a rate there are about
    /// as many: discs find room a little earlier, but only at the end of a step.
    pub fn full_rate(&self, discretization: &Discretization) -> f32 {
        let (radius, speed) = (self.radius / discretization.particle_spacing, self.velocity.length());
        let disc = match discretization.dimensions {
            Dimensions::Two => 2.0 * radius,
            Dimensions::Three => PI * radius * radius,
        };
        disc * speed / discretization.particle_spacing
    }

    /// Checks the numbers.
    pub(super) fn validate(&self, discretization: &Discretization) -> Result<(), HandError> {
        validate_stream(["pour.center", "pour.velocity"], [self.center, self.velocity])?;
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

    /// An emitter with the same opening.
    fn emitter(&self) -> Option<Emitter> {
        let rate = Rate::Speed(Schedule::constant(0.0).ok()?);
        let Self { center, radius, velocity: direction, fluid, .. } = *self;
        Some(Emitter { center, direction, aperture: Aperture::Round { radius }, rate, fluid })
    }
}

/// Pour of balls: those of a set that find room in a disc across a velocity. Balls that find none when they are due are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallPour {
    /// Index of the set of balls, after those of cloths.
    pub set: usize,
    /// Centre of the disc, m.
    pub center: Vec3,
    /// Radius of the disc, m.
    pub radius: f32,
    /// Velocity of the balls, m/s.
    pub velocity: Vec3,
    /// Balls per second of simulated time.
    pub rate: f32,
}

/// Share of the stream's volume that balls take at the full rate: more would seldom find room at random places.
const FULL_STREAM: f32 = 0.2;

impl BallPour {
    /// Largest rate, 1/s.
    pub const MAX_RATE: f32 = 1e4;

    /// Balls of the mean volume V (m³) per second that find room in the disc of radius R, `0.2 π R² v/V`, 1 to 10,000 1/s.
    pub fn full_rate(&self, volume: f32) -> f32 {
        let disc = PI * self.radius.powi(2);
        (FULL_STREAM * disc * self.velocity.length() / volume).clamp(1.0, Self::MAX_RATE)
    }

    /// Checks the numbers.
    pub(super) fn validate(&self) -> Result<(), HandError> {
        let Self { set: _, center, radius, velocity, rate } = *self;
        validate_stream(["pour_balls.center", "pour_balls.velocity"], [center, velocity])?;
        HandError::unless(radius > 0.0 && radius <= 1e6, "pour_balls.radius", "a radius above 0, of at most 1e6 m")?;
        HandError::unless(rate > 0.0 && rate <= Self::MAX_RATE, "pour_balls.rate", "above 0, at most 1e4 balls per second")
    }
}

/// Checks centre (m) and velocity (m/s) of a stream, which have these `names`.
fn validate_stream(names: [&'static str; 2], [center, velocity]: [Vec3; 2]) -> Result<(), HandError> {
    let place = center.abs().max_element() <= 1e6 && center.is_finite();
    HandError::unless(place, names[0], "coordinates of at most 1e6 m")?;
    let speed = velocity.length() <= 1e4 && velocity != Vec3::ZERO;
    HandError::unless(speed, names[1], "a speed above 0, of at most 1e4 m/s")
}

/// Number of a rate's arrivals (1/s) at `time` (s), `dt` (s) after it was asked last. It follows from the clock alone, so that nothing needs to be
/// remembered: over many steps the numbers add up to the rate.
fn due(rate: f32, time: f64, dt: f32) -> usize {
    let rate = f64::from(rate);
    ((rate * time).floor() - (rate * (time - f64::from(dt))).floor()) as usize
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
        if let Some(rate) = pour.rate {
            // A smaller rate is a thinner stream.
            let to_center = |new: &NewParticle| wrap.minimum_image(new.position, pour.center).length();
            new.sort_by(|a, b| to_center(a).total_cmp(&to_center(b)));
            new.truncate(due(rate, self.state.time, self.state.last_dt));
        }
        let limit = self.inflow.particle_limit.unwrap_or(u64::MAX);
        let room = limit.saturating_sub(self.state.particles.len() as u64);
        new.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        self.add(&new)?;
        Ok(new.len())
    }

    /// Adds balls, and returns their number.
    pub(super) fn pour_balls(&mut self, pour: &BallPour) -> Result<usize, HandError> {
        let BallPour { set, center, radius, velocity, rate } = *pour;
        let dynamics = self.points.dynamics();
        let (Some(dynamics), Some(largest)) = (dynamics, dynamics.and_then(|dynamics| dynamics.largest_poured(set))) else {
            return Err(HandError::Balls { set });
        };
        let due = due(rate, self.state.time, self.state.last_dt);
        if due == 0 {
            return Ok(0);
        }
        let setup = self.solids.setup();
        let mut boundary_particles = setup.coat_count_of_balls(&self.state.sets);
        let mut surroundings = self.surroundings(center, radius.max(largest) + largest, dynamics);
        let (steps, mut added) = (self.state.steps, 0);
        let mut sets = std::mem::take(&mut self.state.sets);
        let poured = &mut sets[set];
        while added < due {
            let has_room = |at: Vec3, radius: f32| {
                boundary_particles.saturating_add(setup.coat_count_of_ball(radius)) <= MOST_FOR_A_HAND
                    && surroundings.have_room(at - center, radius)
                    && self.solid_near(self.domain.wrap(at), radius).is_none()
                    && !self.is_beyond_containers(self.domain.wrap(at))
            };
            if !dynamics.pour(set, poured, &PourDisc { center, radius, velocity, steps, has_room: &has_room }) {
                break;
            }
            let ball = poured.len() - 1;
            boundary_particles = boundary_particles.saturating_add(setup.coat_count_of_ball(poured.radii[ball]));
            surroundings.spheres.push((poured.positions[ball] - center, poured.radii[ball]));
            added += 1;
        }
        self.state.sets = sets;
        if added > 0 {
            self.place_walls();
        }
        Ok(added)
    }

    /// What is near `center` (m): closer than `reach` (m).
    fn surroundings(&self, center: Vec3, reach: f32, dynamics: &dyn PointDynamics) -> Surroundings {
        let wrap = Wrap::new(&self.domain);
        let spacing = self.discretization.particle_spacing;
        let offset = |at: Vec3| wrap.minimum_image(self.domain.wrap(at), center);
        let fluid = self.state.particles.positions.iter().map(|&at| wrap.minimum_image(at, center));
        let fluid = fluid.filter(|offset| offset.length() < reach + spacing).collect();
        let (mut spheres, mut triangles) = (Vec::new(), Vec::new());
        for (index, set) in self.state.sets.iter().enumerate() {
            let all = set.positions.iter().zip(&set.radii).map(|(&at, &radius)| (offset(at), radius));
            spheres.extend(all.filter(|&(offset, radius)| offset.length() < reach + radius));
            for corners in dynamics.triangles(index, set) {
                let [a, b, c] = corners.map(|corner| set.positions[corner as usize]);
                let from = offset(a);
                let triangle = [from, from + (b - a), from + (c - a)];
                let half = set.radii[corners[0] as usize];
                if distance_to_triangle(triangle.map(|corner| corner.as_dvec3()), DVec3::ZERO) < f64::from(reach + half) {
                    triangles.push((triangle, half));
                }
            }
        }
        Surroundings { wrap, spacing, fluid, spheres, triangles }
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

/// What a ball that is poured must not touch. Places are relative to the centre of the opening, m.
struct Surroundings {
    wrap: Wrap,
    /// Particle spacing, m.
    spacing: f32,
    /// Particles.
    fluid: Vec<Vec3>,
    /// Points of sets, with their radii, m.
    spheres: Vec<(Vec3, f32)>,
    /// Triangles of sheets, with half of their thickness, m.
    triangles: Vec<([Vec3; 3], f32)>,
}

impl Surroundings {
    /// True if a ball of this `radius` (m) around `at` (m) touches nothing. Fluid flows through one that it does not meet.
    fn have_room(&self, at: Vec3, radius: f32) -> bool {
        let Self { wrap, spacing, fluid, spheres, triangles } = self;
        let from_fluid = if is_met(radius, *spacing) { radius + 0.5 * spacing } else { 0.0 };
        let distance = |other: Vec3| wrap.minimum_image(at, other).length();
        fluid.iter().all(|&other| distance(other) >= from_fluid)
            && spheres.iter().all(|&(other, own)| distance(other) >= radius + own)
            && triangles.iter().all(|&([a, b, c], half)| {
                let from = -wrap.minimum_image(at, a);
                let corners = [from, from + (b - a), from + (c - a)].map(|corner| corner.as_dvec3());
                distance_to_triangle(corners, DVec3::ZERO) >= f64::from(radius + half)
            })
    }
}
