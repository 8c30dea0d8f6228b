//! Containers and bodies, which foam neither leaves nor enters.

use crate::boundary::{Container, StepFrame};
use crate::parameters::Dimensions;
use crate::simulation::{PlacedBody, View};
use crate::space::{Domain, Wrap};
use glam::Vec3;

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
