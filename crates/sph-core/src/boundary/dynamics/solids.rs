//! Solids of a setup as rapier's: bodies that move by forces, and those whose motion is prescribed.

use super::added_mass::relaxation;
use super::colliders::{Part, of_body, rotation, vector};
use super::{BodyState, Dynamics, Load};
use crate::boundary::{Body, Motion, MovedBody, Pose as Placement};
use crate::parameters::{Dimensions, Discretization};
use glam::{DQuat, DVec3};
use rapier3d_f64::math::{Matrix, Pose};
use rapier3d_f64::prelude::{
    Collider, ColliderBuilder, LockedAxes, MassProperties, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle,
};

/// Distance in particle spacings of contacts from the surface of each solid: together a particle, so that a film of fluid between two
/// of them has room and is not squeezed out at any speed.
const CLEARANCE: f64 = 0.5;

/// A body that moves by forces.
#[derive(Clone, Debug)]
pub(super) struct FreeBody {
    /// Index among all bodies.
    pub body: usize,
    parts: Vec<Collider>,
    pub mass: f64,
    properties: MassProperties,
    locked: LockedAxes,
    /// Distance of the farthest point of its box from the middle of it, m.
    reach: f64,
    /// Relaxation factor of its load in incompressible fluid.
    pub relaxation: f64,
}

/// A time step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepInterval<'a> {
    /// Beginning and end, s.
    pub times: [f64; 2],
    /// Bodies that a user has moved, at the beginning.
    pub moved: &'a [MovedBody],
    /// True if pressure keeps the fluid incompressible within the step.
    pub is_incompressible: bool,
}

/// A solid whose motion is prescribed.
#[derive(Clone, Debug)]
pub(super) struct Prescribed {
    motion: Motion,
    /// Index among the bodies that a user has moved, if it is one of them.
    moved: Option<usize>,
    /// Corners of its box as it is described, m.
    corners: [DVec3; 2],
    parts: Vec<Collider>,
}

impl FreeBody {
    /// Highest speed of any of its points in `state`, m/s: an upper bound.
    pub fn top_speed(&self, state: &BodyState) -> f64 {
        state.velocity.length() + self.reach * state.angular_velocity.length()
    }

    pub fn new(index: usize, body: &Body, dynamics: &Dynamics, discretization: &Discretization) -> Self {
        let dimensions = discretization.dimensions;
        let planar = dimensions == Dimensions::Two;
        let parts = of_body(body, discretization, body.pivot(dimensions));
        let mass = f64::from(body.mass(dimensions));
        let mut inertia = body.inertia(dimensions).as_dmat3();
        if planar {
            // It turns about z only; the others are set to it, because rapier inverts them.
            inertia = glam::DMat3::from_diagonal(DVec3::splat(inertia.z_axis.z));
        }
        let inertia = Matrix::from_cols_array(&inertia.to_cols_array());
        let free = dynamics.freedom;
        let axes = [
            (!free.translation[0], LockedAxes::TRANSLATION_LOCKED_X),
            (!free.translation[1], LockedAxes::TRANSLATION_LOCKED_Y),
            (!free.translation[2] || planar, LockedAxes::TRANSLATION_LOCKED_Z),
            (!free.rotation[0] || planar, LockedAxes::ROTATION_LOCKED_X),
            (!free.rotation[1] || planar, LockedAxes::ROTATION_LOCKED_Y),
            (!free.rotation[2], LockedAxes::ROTATION_LOCKED_Z),
        ];
        let locked = axes.into_iter().filter(|axis| axis.0).fold(LockedAxes::empty(), |all, axis| all | axis.1);
        Self {
            body: index,
            parts: parts.into_iter().map(|part| collider(part, dynamics, discretization.particle_spacing.into())).collect(),
            mass,
            properties: MassProperties::with_inertia_matrix(vector(DVec3::ZERO), mass, inertia),
            locked,
            reach: body.half_extent().as_dvec3().length(),
            relaxation: relaxation(body, dimensions, discretization.rest_density),
        }
    }

    pub fn insert(&self, world: &mut PhysicsWorld, state: &BodyState, load: Load) -> RigidBodyHandle {
        let mut body = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(vector(state.position), rotation(state.rotation)))
            .linvel(vector(state.velocity))
            .angvel(vector(state.angular_velocity))
            .additional_mass_properties(self.properties)
            .locked_axes(self.locked)
            .can_sleep(false)
            .build();
        body.add_force(vector(load.force), true);
        body.add_torque(vector(load.torque), true);
        let handle = world.insert_body(body);
        for part in &self.parts {
            world.insert_collider(part.clone(), Some(handle));
        }
        handle
    }
}

impl Prescribed {
    /// A solid of these parts, with the box `corners`, m.
    pub fn new(motion: &Motion, moved: Option<usize>, corners: [DVec3; 2], parts: Vec<Part>, spacing: f64) -> Self {
        let parts = parts.into_iter().map(|part| collider(part, &Dynamics::default(), spacing)).collect();
        Self { motion: motion.clone(), moved, corners, parts }
    }

    /// Places at the beginning and at the end of a step.
    fn placements(&self, interval: StepInterval<'_>) -> [Placement; 2] {
        let [start, end] = interval.times;
        match self.moved.and_then(|index| interval.moved.get(index)) {
            None => [start, end].map(|time| self.motion.pose(time)),
            Some(moved) => [moved.pose(&self.motion, start), moved.after(end - start).pose(&self.motion, end)],
        }
    }

    /// Highest mean speed of the ends of its box over a step, m/s.
    pub fn top_speed(&self, interval: StepInterval<'_>) -> f64 {
        let [start, end] = self.placements(interval);
        let moved = self.corners.map(|corner| start.point(corner).distance(end.point(corner)));
        moved[0].max(moved[1]) / (interval.times[1] - interval.times[0])
    }

    pub fn insert(&self, world: &mut PhysicsWorld, interval: StepInterval<'_>) -> RigidBodyHandle {
        let [start, end] = self
            .placements(interval)
            .map(|pose| Pose::from_parts(vector(pose.point(DVec3::ZERO)), rotation(DQuat::from_mat3(&pose.rotation))));
        let mut solid = RigidBodyBuilder::kinematic_position_based().pose(start).build();
        solid.set_next_kinematic_position(end);
        let handle = world.insert_body(solid);
        for part in &self.parts {
            world.insert_collider(part.clone(), Some(handle));
        }
        handle
    }
}

/// A part of a solid; its mass is that of the whole.
fn collider((pose, shape): Part, dynamics: &Dynamics, spacing: f64) -> Collider {
    ColliderBuilder::new(shape)
        .contact_skin(CLEARANCE * spacing)
        .position(pose)
        .density(0.0)
        .friction(dynamics.friction.into())
        .restitution(dynamics.restitution.into())
        .build()
}
