//! Dropping: a body that is put into the scene between two steps.

use super::{DroppedBody, HandError, Obstacle};
use crate::boundary::{BodyState, Container, Face};
use crate::parameters::{Dimensions, Discretization};
use crate::setup::MAX_PARTICLES;
use crate::simulation::{PopulationError, Simulation};
use crate::space::geometry::Solid;
use crate::space::{Domain, Wrap};
use glam::Vec3;

/// Smallest distance of a body's surface from other surfaces when it is dropped, spacings: contacts keep one. Below 1 by more than
/// rounding.
const CLEARANCE: f32 = 0.95;

/// Densities over that of the fluid for which the coupling is tested (`tests/rigid_bodies.rs`), with room for rounding.
const DENSITY_RATIOS: std::ops::RangeInclusive<f32> = 0.099..=10.1;

impl DroppedBody {
    /// Checks the numbers.
    ///
    /// # Errors
    /// A number outside its range, too large for a periodic `domain`, or in two dimensions out of the plane.
    pub fn validate(&self, discretization: &Discretization, domain: &Domain) -> Result<(), HandError> {
        let Self { center, size, shape: _, density, velocity } = *self;
        let planar = |vector: Vec3| discretization.dimensions == Dimensions::Three || vector.z == 0.0;
        let place = center.abs().max_element() <= 1e6 && center.is_finite() && planar(center);
        HandError::unless(place, "drop.center", "coordinates of at most 1e6 m, in the plane in two dimensions")?;
        let sizes = 1.999 * discretization.particle_spacing..=1e6;
        HandError::unless(sizes.contains(&size), "drop.size", "at least two particle spacings, and at most 1e6 m")?;
        // Far from the origin, floats are too coarse for small bodies.
        let extent = self.body().max - self.body().min;
        let is_exact = (extent - size).abs().max_element() <= 0.1 * discretization.particle_spacing;
        HandError::unless(is_exact, "drop.center", "a place so near the origin that numbers resolve the body")?;
        let ratio = density / discretization.rest_density;
        let expected = "a tenth to ten times the rest density of the (densest) fluid";
        HandError::unless(DENSITY_RATIOS.contains(&ratio), "drop.density", expected)?;
        let speed = velocity.length() <= 1e4 && planar(velocity);
        HandError::unless(speed, "drop.velocity", "at most 1e4 m/s, in the plane in two dimensions")?;
        let fits = self.fits(domain, discretization.particle_spacing);
        HandError::unless(fits, "drop.size", "less than the periods of the domain, by two particle spacings")
    }
}

impl Simulation {
    /// Adds a body that moves by forces from the next step on. Nothing else changes: neither the fluid nor the other bodies. It is the last of
    /// [`Simulation::bodies`].
    ///
    /// Walls are sampled again, which costs about as much as some steps.
    ///
    /// # Errors
    /// A number of it is outside its range, it would overlap something, or there would be too many bodies or particles. Nothing has
    /// changed then.
    pub fn drop_body(&mut self, dropped: &DroppedBody) -> Result<(), HandError> {
        dropped.validate(&self.discretization, &self.domain)?;
        if self.state.dropped.len() >= DroppedBody::MAX {
            return Err(HandError::TooManyBodies { limit: DroppedBody::MAX });
        }
        let body = dropped.body();
        // An upper bound, before any of them is made.
        let present = (self.state.particles.len() + self.walls.len()) as u64;
        let count = body.particle_count(&self.discretization).saturating_add(present);
        if count > MAX_PARTICLES {
            return Err(PopulationError::TooMany { count, limit: MAX_PARTICLES }.into());
        }
        if let Some(obstacle) = self.obstacle_to(dropped) {
            return Err(HandError::NoRoom { obstacle });
        }
        self.state.bodies.extend(BodyState::initial(&body, self.discretization.dimensions));
        self.state.dropped.push(*dropped);
        self.sample_solids();
        Ok(())
    }

    /// What is where the body would be, if it is not free.
    fn obstacle_to(&self, dropped: &DroppedBody) -> Option<Obstacle> {
        if self.is_beyond_containers(dropped) {
            return Some(Obstacle::Beyond);
        }
        let Discretization { dimensions, particle_spacing: spacing, .. } = self.discretization;
        let (body, wrap) = (dropped.body(), Wrap::new(&self.domain));
        let center = self.domain.wrap(dropped.center);
        let distance = |at: Vec3| body.support(dimensions, wrap.minimum_image(at, center)).distance;
        // Boundary particles lie half a spacing behind surfaces.
        let clearance = (CLEARANCE + 0.5) * spacing;
        let particles = body.particles(&self.discretization).into_iter().map(|at| self.domain.wrap(at));
        let mut solids = particles.filter_map(|at| self.solid_near(at, clearance));
        if let Some(obstacle) = solids.next() {
            return Some(obstacle);
        }
        // A solid inside the body is far from its surface.
        if let Some(b) = self.walls.positions.iter().position(|&at| distance(at) < clearance) {
            let is_body = self.bodies.particles().any(|particles| particles.contains(&b));
            return Some(if is_body { Obstacle::Body } else { Obstacle::Wall });
        }
        let is_wet = self.state.particles.positions.iter().any(|&at| distance(at) < (CLEARANCE - 0.5) * spacing);
        is_wet.then_some(Obstacle::Fluid)
    }

    /// True if there are containers, and the centre of the body is in none of them: beyond a wall, or farther than the container is long beyond
    /// an open face.
    fn is_beyond_containers(&self, dropped: &DroppedBody) -> bool {
        let axes = self.discretization.dimensions.count();
        let is_in = |container: &Container| {
            let at = container.motion.pose(self.state.time).start(dropped.center.as_dvec3()).as_vec3();
            // An open face is no end of the region either.
            let nearest = at.clamp(container.min, container.max);
            let in_region = |region: &Solid| region.signed_distance(nearest) < 0.5 * self.discretization.particle_spacing;
            container.region.as_ref().is_none_or(in_region)
                && (0..axes).all(|axis| {
                    let extent = container.max[axis] - container.min[axis];
                    let [below, above] = [2 * axis, 2 * axis + 1].map(|face| {
                        let is_wall = container.faces.contains(Face::ALL[face]);
                        if is_wall { 0.0 } else { extent }
                    });
                    (container.min[axis] - below..=container.max[axis] + above).contains(&at[axis])
                })
        };
        !self.containers.all.is_empty() && !self.containers.all.iter().any(is_in)
    }
}
