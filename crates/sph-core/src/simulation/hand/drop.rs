//! Bodies that a user drops: as plain data, how they are put into the scene, and the places where they have room.

use std::sync::Arc;

use super::{HandError, Obstacle};
use crate::boundary::{Body, BodyState, Container, Dynamics, Face, Pose};
use crate::parameters::{Dimensions, Discretization, choice};
use crate::setup::{BlockShape, MAX_PARTICLES};
use crate::simulation::{PopulationError, Simulation, View};
use crate::space::geometry::Solid;
use crate::space::{Domain, Wrap};
use glam::Vec3;

choice! {
    /// Shape of a dropped body.
    pub enum DroppedShape, default Box {
        /// A cube; in two dimensions a square.
        Box = "box", "Box";
        /// A ball; in two dimensions a disc.
        Ball = "ball", "Ball";
    }
}

/// A body that is dropped while the simulation runs: from then on it moves by forces, as a body of the setup with
/// [`Dynamics`](crate::Dynamics) does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DroppedBody {
    /// Centre at the moment when it is dropped, m; in two dimensions in the plane z = 0.
    pub center: Vec3,
    /// Edge of the box, or diameter of the ball, m: at least two particle spacings.
    pub size: f32,
    /// Shape.
    pub shape: DroppedShape,
    /// Density, kg/m³: a tenth to ten times the rest density of the fluid, of the densest one if there are several.
    pub density: f32,
    /// Velocity with which it is dropped, m/s.
    pub velocity: Vec3,
}

impl DroppedBody {
    /// Largest number of bodies that can be dropped into one simulation.
    pub const MAX: usize = 64;

    /// True if it does not meet its own images in a periodic `domain`, with room for particles of this `spacing` (m) between them.
    pub(super) fn fits(&self, domain: &Domain, spacing: f32) -> bool {
        self.size + 2.0 * spacing <= domain.period().min_element()
    }

    /// The same as a body of a setup: at rest in its own coordinates, with the usual friction and no restitution.
    pub fn body(&self) -> Body {
        let Self { center, size, shape, density, velocity } = *self;
        let half = Vec3::splat(0.5 * size);
        let shape = match shape {
            DroppedShape::Box => BlockShape::Box,
            DroppedShape::Ball => BlockShape::Ellipsoid,
        };
        let dynamics = Some(Dynamics { velocity, ..Dynamics::default() });
        Body { min: center - half, max: center + half, shape, density, dynamics, ..Body::default() }
    }
}

// Dropping: a body that is put into the scene between two steps.

/// Smallest distance of a body's surface from other surfaces when it is dropped, spacings: contacts keep one. Below 1 by more than
/// rounding.
const CLEARANCE: f32 = 0.95;

/// Densities over that of the fluid for which the coupling is tested (`tests/integration/bodies.rs`), with room for rounding.
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
        HandError::unless(is_exact, "drop.center", "a position close enough to the origin to resolve the body")?;
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
        if self.is_beyond_containers(dropped.center) {
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

    /// True if there are containers, and `point` (m) is in none of them: beyond a wall, or farther than the container is long beyond an open
    /// face.
    pub(super) fn is_beyond_containers(&self, point: Vec3) -> bool {
        let axes = self.discretization.dimensions.count();
        let is_in = |container: &Container| {
            let at = container.motion.pose(self.state.time).start(point.as_dvec3()).as_vec3();
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

// Places for dropped bodies: the pointer's, or the first above it that is free.

/// Distance of a placed body's surface from fluid particles, from the boundary particles of bodies, and from walls, particle
/// spacings: that of fluid at a surface, and that of two solids in contact, with room for rounding. Boundary particles lie half a spacing
/// behind faces, and behind a corner farther than that by (√3 − 1)/2.
const TO_FLUID: f32 = 0.501;
const TO_PARTICLES_OF_BODIES: f32 = 1.867;
const TO_WALLS: f32 = 1.001;

/// Scene into which a body is dropped, at one moment.
#[derive(Clone, Copy, Debug)]
pub struct DropSite<'a> {
    /// Discretisation.
    pub discretization: &'a Discretization,
    /// Periodic domain.
    pub domain: &'a Domain,
    /// Containers, as they are at time 0.
    pub containers: &'a [Container],
    /// Simulated time, s.
    pub time: f64,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Positions of the fluid, m.
    pub fluid: &'a [Vec3],
}

impl<'a> DropSite<'a> {
    /// The site of a fluid.
    pub fn of(view: &View<'a>) -> Self {
        Self {
            discretization: view.discretization,
            domain: view.domain,
            containers: view.containers,
            time: view.time,
            gravity: view.parameters.gravity,
            fluid: &view.particles.positions,
        }
    }

    /// `dropped` moved into the nearest container, and from there against gravity to the first place clear of the fluid and of `bodies`, which
    /// are in these poses. `None` if there is none inside the walls.
    pub fn place<'b>(&self, dropped: DroppedBody, bodies: impl IntoIterator<Item = (&'b Body, Pose)>) -> Option<DroppedBody> {
        self.place_among(dropped, bodies, |_, body| body.particles(self.discretization).into())
    }

    /// [`Self::place`] with the particles of the bodies near the place from `sampled`, which is given their indices: a caller can keep them.
    pub fn place_among<'b>(
        &self,
        dropped: DroppedBody,
        bodies: impl IntoIterator<Item = (&'b Body, Pose)>,
        mut sampled: impl FnMut(usize, &Body) -> Arc<[Vec3]>,
    ) -> Option<DroppedBody> {
        let spacing = self.discretization.particle_spacing;
        if !dropped.fits(self.domain, spacing) {
            return None;
        }
        let up = (-self.gravity).try_normalize().unwrap_or(Vec3::Y);
        let wrap = Wrap::new(self.domain);
        let center = self.inside(dropped.center, dropped.size)?;
        let shape = DroppedBody { center, ..dropped };
        let rise =
            |position: Vec3, clearance: f32| shape.blocked_rise(wrap.minimum_image(position, center), up, clearance * spacing);
        let mut blocked: Vec<[f32; 2]> = self.fluid.iter().filter_map(|&position| rise(position, TO_FLUID)).collect();
        for (index, (body, pose)) in bodies.into_iter().enumerate() {
            // Most bodies are not above the pointer: their particles need not be made.
            let from_center = wrap.minimum_image(self.domain.wrap(pose.point(body.middle().as_dvec3()).as_vec3()), center);
            let reach = body.half_extent().length() + shape.size + 2.0 * spacing;
            if from_center.reject_from(up).length() <= reach {
                let particles = sampled(index, body);
                let places = particles.iter().map(|at| self.domain.wrap(pose.point(at.as_dvec3()).as_vec3()));
                let ranges = places.filter_map(|at| rise(at, TO_PARTICLES_OF_BODIES));
                if matches!(body.shape, BlockShape::Solid(_)) {
                    blocked.extend(ranges);
                } else {
                    // Convex, and hollow where no particles are needed: everything between the first and the last is inside.
                    blocked.extend(ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]));
                }
            }
        }
        blocked.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let mut rise = 0.0f32;
        for [from, to] in blocked {
            if from >= rise {
                break;
            }
            rise = rise.max(to);
        }
        let center = center + rise * up;
        let is_inside = self.inside(center, dropped.size).is_some_and(|at| at.abs_diff_eq(center, 1e-3 * spacing));
        (center.is_finite() && is_inside).then_some(DroppedBody { center, ..dropped })
    }

    /// The place nearest to `center` (m) for the centre of a body of this `size` (m) between the walls of a container; `None` if it is too
    /// large for all of them.
    fn inside(&self, center: Vec3, size: f32) -> Option<Vec3> {
        let axes = self.discretization.dimensions.count();
        let margin = 0.5 * size + TO_WALLS * self.discretization.particle_spacing;
        let within = |container: &Container| {
            let pose = container.motion.pose(self.time);
            let faces = container.faces_within(self.domain);
            let mut at = pose.start(center.as_dvec3()).as_vec3();
            for axis in 0..axes {
                let [low, high] = [Face::ALL[2 * axis], Face::ALL[2 * axis + 1]].map(|face| faces.contains(face));
                let (min, max) = (container.min[axis] + margin, container.max[axis] - margin);
                if low && high && min > max {
                    return None;
                }
                if low {
                    at[axis] = at[axis].max(min);
                }
                if high {
                    at[axis] = at[axis].min(max);
                }
            }
            // Beyond an open face the region counts as if it went on.
            let (min, max) = (container.min + margin, container.max - margin);
            let nearest = at.clamp(min.min(max), max.max(min));
            let room =
                |region: &Solid| -region.signed_distance(nearest) >= margin - 1e-3 * self.discretization.particle_spacing;
            container.region.as_ref().is_none_or(room).then(|| pose.point(at.as_dvec3()).as_vec3())
        };
        if self.containers.is_empty() {
            return Some(center);
        }
        let places = self.containers.iter().filter_map(within);
        places.min_by(|a, b| a.distance(center).total_cmp(&b.distance(center)))
    }
}

impl DroppedBody {
    /// Lowest and highest rise along the unit vector `up`, m, between which a point at `offset` (m) from its centre is closer to its
    /// surface than `clearance`, m; for a box to each of its faces.
    fn blocked_rise(&self, offset: Vec3, up: Vec3, clearance: f32) -> Option<[f32; 2]> {
        let reach = 0.5 * self.size + clearance;
        match self.shape {
            DroppedShape::Ball => {
                let along = offset.dot(up);
                let half = (reach * reach - (offset - along * up).length_squared()).sqrt();
                // NaN for a point that the ball passes.
                (half > 0.0).then_some([along - half, along + half])
            }
            DroppedShape::Box => {
                let [mut low, mut high] = [f32::NEG_INFINITY, f32::INFINITY];
                for axis in 0..3 {
                    if up[axis] == 0.0 {
                        if offset[axis].abs() >= reach {
                            return None;
                        }
                        continue;
                    }
                    let ends = [-reach, reach].map(|end| (offset[axis] + end) / up[axis]);
                    (low, high) = (low.max(ends[0].min(ends[1])), high.min(ends[0].max(ends[1])));
                }
                (low < high).then_some([low, high])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Dimensions;

    const BODY: DroppedBody = DroppedBody {
        center: Vec3::new(0.5, 0.2, 0.0),
        size: 0.2,
        shape: DroppedShape::Box,
        density: 500.0,
        velocity: Vec3::ZERO,
    };

    fn placed(body: DroppedBody, fluid: &[Vec3], bodies: &[Body]) -> Option<Vec3> {
        let discretization = Discretization::new(Dimensions::Two, 0.05);
        let containers = [Container::new(Vec3::ZERO, Vec3::new(1.0, 2.0, 0.0))];
        let domain = Domain::default();
        let gravity = Vec3::new(0.0, -9.81, 0.0);
        let site =
            DropSite { discretization: &discretization, domain: &domain, containers: &containers, time: 0.0, gravity, fluid };
        let bodies = bodies.iter().map(|body| (body, body.motion.pose(0.0)));
        site.place(body, bodies).map(|placed| placed.center)
    }

    /// Heights in closed form: half the body, half a spacing, and the particle; a ball sinks between two particles.
    #[test]
    fn bodies_rise_to_the_first_free_place_above_the_pointer() {
        assert_eq!(placed(BODY, &[], &[]), Some(BODY.center));
        let ball = DroppedBody { shape: DroppedShape::Ball, ..BODY };
        let row: Vec<Vec3> = [0.4, 0.6].map(|x| Vec3::new(x, 0.25, 0.0)).into();
        let reach = 0.1 + TO_FLUID * 0.05;
        for (body, above) in [(BODY, reach), (ball, (reach * reach - 0.01).sqrt())] {
            let center = placed(body, &row, &[]).expect("there is room above");
            assert!((center - Vec3::new(0.5, 0.25 + above, 0.0)).length() < 1e-6, "{:?}: {center}", body.shape);
        }
        // Between two rows with room, not above both.
        let rows = [row[0], row[0].with_y(0.9)];
        let center = placed(BODY, &rows, &[]).expect("there is room between them");
        assert!((center.y - 0.25 - reach).abs() < 1e-6, "{center}");
        // The second has the pointer in its hollow middle.
        for (low, high) in [(0.3, 0.6), (-0.5, 0.9)] {
            let slab = Body { min: Vec3::new(0.0, low, 0.0), max: Vec3::new(1.0, high, 0.0), ..Body::default() };
            let center = placed(BODY, &[], &[slab]).expect("there is room above the body");
            assert!((center.y - high - 0.1 - (TO_PARTICLES_OF_BODIES - 0.5) * 0.05).abs() < 1e-3, "{center}");
        }
    }

    #[test]
    fn bodies_stay_between_the_walls() {
        let at = |x: f32, y: f32| DroppedBody { center: Vec3::new(x, y, 0.0), ..BODY };
        let corner = placed(at(-3.0, -1.0), &[], &[]).expect("inside");
        assert!((corner - Vec3::new(0.15, 0.15, 0.0)).length() < 1e-3, "{corner}");
        let full: Vec<Vec3> = (0..40).map(|row| Vec3::new(0.5, 0.05 * row as f32, 0.0)).collect();
        assert_eq!(placed(BODY, &full, &[]), None);
        assert_eq!(placed(DroppedBody { size: 0.95, ..BODY }, &[], &[]), None, "too large");
    }
}
