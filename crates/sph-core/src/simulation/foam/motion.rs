//! Motion of foam, spray and bubbles (Ihmsen2012, section 3.3), and the walls that hold them back.

use super::emission::full_count;
use super::{FoamKind, FoamParticle};
use crate::boundary::{Container, StepFrame};
use crate::parameters::{Dimensions, FoamParameters};
use crate::simulation::{PlacedBody, View};
use crate::space::{Domain, Wrap};
use glam::Vec3;

/// Share of a full neighbourhood below which a particle is spray: 6 of 33 neighbours.
const SPRAY: f32 = 0.18;
/// Share of a full neighbourhood above which a particle is a bubble: 20 of 33 neighbours.
const BUBBLE: f32 = 0.6;

/// Step of the particles through the present fluid.
pub(super) struct Mover<'a> {
    fluid: &'a View<'a>,
    parameters: FoamParameters,
    walls: &'a Walls<'a>,
    wrap: Wrap,
    /// Radius of the neighbourhoods, m.
    radius: f32,
    full: f32,
    dt: f32,
}

impl<'a> Mover<'a> {
    /// A step of `dt`, s; `radius` (m) is that of the neighbourhoods.
    pub fn new(fluid: &'a View<'a>, walls: &'a Walls<'a>, radius: f32, dt: f32) -> Self {
        let full = full_count(fluid.discretization.dimensions.count());
        Self { fluid, parameters: fluid.parameters.foam, walls, wrap: fluid.wrap(), radius, full, dt }
    }

    /// Moves `particle`, among the fluid particles with the indices `around`.
    pub fn step(&self, particle: &mut FoamParticle, around: &[u32]) {
        let Self { fluid, parameters, walls, dt, .. } = *self;
        let FoamParticle { position, velocity, .. } = *particle;
        particle.kind = self.kind(around.len());
        let (free, end) = match particle.kind {
            // The mean velocity of a parabola, and the velocity at its end.
            FoamKind::Spray => {
                let change = dt * fluid.external.at(position);
                (velocity + 0.5 * change, velocity + change)
            }
            FoamKind::Foam => {
                let flow = self.flow(position, around);
                (flow, flow)
            }
            // dv/dt = k_d (u − v) − k_b g, implicit in v: stable for any drag, and exact once the bubble rises evenly.
            FoamKind::Bubble => {
                let lift = -parameters.buoyancy * fluid.external.balanced_at(position);
                let pull = parameters.drag * self.flow(position, around) + lift;
                let end = (velocity + dt * pull) / (1.0 + dt * parameters.drag);
                (end, end)
            }
        };
        let confined = walls.confine(position, free);
        particle.position = fluid.domain.wrap(position + dt * confined);
        particle.velocity = if confined == free { end } else { confined };
        particle.left -= dt;
    }

    /// Kind of a particle with this number of fluid particles around it.
    fn kind(&self, around: usize) -> FoamKind {
        let share = around as f32 / self.full;
        if share < SPRAY {
            FoamKind::Spray
        } else if share > BUBBLE {
            FoamKind::Bubble
        } else {
            FoamKind::Foam
        }
    }

    /// Velocity of the fluid at `position` (m): the mean of that `around` it, weighted with `1 − r/R`, m/s.
    fn flow(&self, position: Vec3, around: &[u32]) -> Vec3 {
        let particles = self.fluid.particles;
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for j in around.iter().map(|&j| j as usize) {
            let weight = 1.0 - self.wrap.minimum_image(position, particles.positions[j]).length() / self.radius;
            sum += weight * particles.velocities[j];
            total += weight;
        }
        if total > 0.0 { sum / total } else { Vec3::ZERO }
    }
}

// Containers and bodies, which foam neither leaves nor enters.

/// Least distance from a wall, particle spacings.
const CLEARANCE: f32 = 0.1;

/// Containers and bodies during a step of the foam.
pub(super) struct Walls<'a> {
    dimensions: Dimensions,
    domain: &'a Domain,
    bodies: &'a [PlacedBody],
    containers: Vec<(&'a Container, Option<Moving>)>,
    clearance: f32,
    dt: f32,
}

/// Motion of a container during the step.
struct Moving {
    /// Its centre at the beginning, m.
    middle: Vec3,
    frame: StepFrame,
}

impl<'a> Walls<'a> {
    /// The solids of `fluid` in a step of `dt` (s) that ends now. Bodies are where they are at its end.
    pub fn new(fluid: &View<'a>, dt: f32) -> Self {
        let times = [fluid.time - f64::from(dt), fluid.time];
        let moving = |container: &Container| {
            container.motion.moves().then(|| {
                let origin = container.middle().as_dvec3();
                let middle = container.motion.pose(times[0]).point(origin).as_vec3();
                Moving { middle, frame: StepFrame::new(&container.motion, origin, times) }
            })
        };
        Self {
            dimensions: fluid.discretization.dimensions,
            domain: fluid.domain,
            bodies: fluid.bodies,
            containers: fluid.containers.iter().map(|container| (container, moving(container))).collect(),
            clearance: CLEARANCE * fluid.discretization.particle_spacing,
            dt,
        }
    }

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m) passes through no wall.
    pub fn confine(&self, position: Vec3, velocity: Vec3) -> Vec3 {
        let outside = self.bodies.iter().fold(velocity, |velocity, placed| self.outside(placed, position, velocity));
        self.containers.iter().fold(outside, |velocity, (container, moving)| {
            let inside = |position, velocity| container.confine(self.dimensions, self.clearance, self.dt, position, velocity);
            match moving {
                None => inside(position, velocity),
                Some(Moving { middle, frame }) => {
                    let inside = |from_middle, relative| inside(container.middle() + from_middle, relative);
                    frame.confine(self.dt, position - *middle, velocity, inside)
                }
            }
        })
    }

    /// Velocity closest to `velocity` that leads into no body.
    fn outside(&self, PlacedBody { body, pose, .. }: &PlacedBody, position: Vec3, velocity: Vec3) -> Vec3 {
        let center = pose.point(body.middle().as_dvec3()).as_vec3();
        let rotation = pose.rotation.as_mat3();
        let from_center = Wrap::new(self.domain).minimum_image(position, self.domain.wrap(center));
        let [from_center, turned] = [from_center, velocity].map(|vector| rotation.transpose() * vector);
        let confined = body.confine(self.dimensions, self.clearance, self.dt, (from_center, Vec3::ZERO), turned);
        if confined == turned { velocity } else { rotation * confined }
    }
}
