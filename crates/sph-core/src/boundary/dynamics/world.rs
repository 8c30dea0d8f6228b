//! The bodies and joints of a setup as rapier's, for one step at a time; added mass, by which the loads of light bodies are relaxed.

use super::colliders::{Part, from_vector, of_body, of_container, rotation, vector};
use super::{BodyState, Dynamics, Joint, JointEnd, JointKind, Load};
use crate::boundary::{Body, Container, Motion, MovedBody, Pose as Placement};
use crate::parameters::{Dimensions, Discretization};
use crate::setup::Setup;
use glam::{DQuat, DVec3, Vec3};
use rapier3d_f64::math::{Matrix, Pose};
use rapier3d_f64::prelude::{
    Collider, ColliderBuilder, FixedJointBuilder, GenericJoint, IntegrationParameters, JointAxis, LockedAxes, MassProperties,
    PhysicsWorld, PrismaticJointBuilder, RevoluteJointBuilder, RigidBodyBuilder, RigidBodyHandle, RopeJointBuilder,
    SphericalJointBuilder, SpringCoefficients, SpringJointBuilder,
};

/// Length of a body in particle spacings for which rapier's tolerances are meant.
const USUAL_LENGTH: f64 = 10.0;

/// Depth by which contacts give way under the weight of a body, particle spacings.
const CONTACT_PENETRATION: f64 = 0.02;

/// Speed at which solids that overlap part, and joints close, over √(g·spacing), and over the highest speed of a solid: more than a
/// contact at rest needs, and too little to throw bodies that touch at the start, or meet within one step.
const PARTING_AT_REST: f64 = 0.25;
const PARTING_IN_MOTION: f64 = 0.025;

/// Parts of a step in which contacts and joints are solved one after the other, and iterations of each.
const SUBSTEPS: usize = 4;
const ITERATIONS: usize = 4;

/// Free bodies, and the solids and joints that they touch.
#[derive(Clone, Debug)]
pub(crate) struct World {
    free: Vec<FreeBody>,
    prescribed: Vec<Prescribed>,
    joints: Vec<AttachedJoint>,
    /// Particle spacing, m.
    spacing: f64,
    is_planar: bool,
}

impl World {
    /// The world of `setup` with these `bodies`, of which its own are the first, and of which a user has moved some; `None` if no body moves
    /// by forces.
    pub fn new(setup: &Setup, bodies: &[Body], moved: &[MovedBody]) -> Option<Self> {
        let Setup { discretization, containers, joints, .. } = setup;
        let dynamic = |(index, body): (usize, &Body)| {
            let dynamics = body.dynamics.as_ref()?;
            Some(FreeBody::new(index, body, dynamics, discretization))
        };
        let free: Vec<FreeBody> = bodies.iter().enumerate().filter_map(dynamic).collect();
        if free.is_empty() {
            return None;
        }
        let spacing = f64::from(discretization.particle_spacing);
        let of_rigid = |(index, body): (usize, &Body)| {
            let corners = [body.min, body.max].map(|corner| corner.as_dvec3());
            let moved = moved.iter().position(|moved| moved.body == index);
            Prescribed::new(&body.motion, moved, corners, of_body(body, discretization, DVec3::ZERO), spacing)
        };
        let rigid = bodies.iter().enumerate().filter(|(_, body)| body.dynamics.is_none());
        let mut prescribed: Vec<Prescribed> = rigid.map(of_rigid).collect();
        let thickness = f64::from(discretization.support_radius);
        let walls = |container: &Container| {
            let container = container.clone().within(&setup.domain.flat(discretization.dimensions));
            let corners = [container.min, container.max].map(|corner| corner.as_dvec3());
            Prescribed::new(&container.motion, None, corners, of_container(&container, discretization, thickness), spacing)
        };
        prescribed.extend(containers.iter().map(walls));
        let attachment = |index: usize| match bodies[..index].iter().filter(|body| body.dynamics.is_some()).count() {
            before if bodies[index].dynamics.is_some() => Attachment::Free(before),
            before => Attachment::Prescribed(index - before),
        };
        let joints =
            joints.iter().map(|joint| AttachedJoint::new(joint, bodies, discretization.dimensions, attachment)).collect();
        let is_planar = discretization.dimensions == Dimensions::Two;
        Some(Self { free, prescribed, joints, spacing, is_planar })
    }

    /// Indices of the free bodies among all, in the order of their states.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        self.free.iter().map(|body| body.body)
    }

    /// States at the end of a step, from those at its beginning and the `impulses` of the fluid, N s and N m s. `acceleration` is
    /// that by external forces at a point, m/s². The index of a body whose state would not be finite is an error.
    pub fn advance(
        &self,
        states: &[BodyState],
        impulses: &[Load],
        acceleration: impl Fn(DVec3) -> DVec3,
        interval: StepInterval<'_>,
    ) -> Result<Vec<BodyState>, usize> {
        let [start, end] = interval.times;
        let dt = end - start;
        let external = states.iter().map(|state| acceleration(state.position).length()).fold(0.0, f64::max);
        let speeds = self.free.iter().zip(states).map(|(free, state)| free.top_speed(state));
        let speed = speeds.chain(self.prescribed.iter().map(|solid| solid.top_speed(interval))).fold(0.0, f64::max);
        let frequency = self.contact_frequency(external, speed);
        let parting = (PARTING_AT_REST * (external * self.spacing).sqrt()).max(PARTING_IN_MOTION * speed);
        let mut world = PhysicsWorld { integration_parameters: self.settings(dt, frequency, parting), ..PhysicsWorld::new() };
        world.gravity = vector(DVec3::ZERO);
        let mut loads = Vec::with_capacity(self.free.len());
        let mut handles = Vec::with_capacity(self.free.len());
        for ((free, state), impulse) in self.free.iter().zip(states).zip(impulses) {
            let now = Load { force: impulse.force / dt, torque: impulse.torque / dt };
            let factor = if interval.is_incompressible { free.relaxation } else { 1.0 };
            let load = Load::relaxed(now, state.load, factor);
            // The contact impulse of the last step, applied in this one.
            let contact = Load { force: state.contact.force / dt, torque: state.contact.torque / dt };
            let force = load.force + contact.force + free.mass * acceleration(state.position);
            let torque = load.torque + contact.torque;
            if !(state.is_finite() && force.is_finite() && torque.is_finite()) {
                return Err(free.body);
            }
            loads.push(load);
            handles.push(free.insert(&mut world, state, Load { force, torque }));
        }
        let others: Vec<RigidBodyHandle> = self.prescribed.iter().map(|solid| solid.insert(&mut world, interval)).collect();
        for AttachedJoint { ends, joint } in &self.joints {
            let [first, second] = ends.map(|end| match end {
                Some(Attachment::Free(index)) => handles[index],
                Some(Attachment::Prescribed(index)) => others[index],
                None => world.insert_body(RigidBodyBuilder::fixed()),
            });
            world.insert_impulse_joint(first, second, *joint);
        }
        world.step();
        let states = handles.iter().zip(loads).zip(&self.free).map(|((&handle, load), free)| {
            let body = &world.bodies[handle];
            let state = BodyState {
                position: from_vector(body.translation()),
                rotation: DQuat::from_array(body.rotation().to_array()).normalize(),
                velocity: from_vector(body.linvel()),
                angular_velocity: from_vector(body.angvel()),
                load: Some(load),
                contact: Load::default(),
            };
            let state = if self.is_planar { state.in_plane() } else { state };
            if state.is_finite() { Ok(state) } else { Err(free.body) }
        });
        states.collect()
    }

    /// Angular frequency (rad/s) of contacts, critically damped springs, for bodies under the acceleration `external` (m/s²) with speeds of
    /// at most `speed`, m/s. They give way by [`CONTACT_PENETRATION`] at rest and by a quarter of a spacing when they are hit: a body that stops
    /// within a step would stop the fluid around it as well, which the pressure of incompressible fluid answers with an impulse.
    fn contact_frequency(&self, external: f64, speed: f64) -> f64 {
        let at_rest = (external / (CONTACT_PENETRATION * self.spacing)).sqrt();
        // The spring gives way by v/(e ω).
        let hit = speed / (std::f64::consts::E * 0.25 * self.spacing);
        at_rest.max(hit).max(1.0)
    }

    /// Settings of a step of `dt` (s) with contacts of the angular frequency `frequency` (rad/s) that part at a speed of at most `parting`,
    /// m/s.
    fn settings(&self, dt: f64, frequency: f64, parting: f64) -> IntegrationParameters {
        let length_unit = USUAL_LENGTH * self.spacing;
        let softness = SpringCoefficients { natural_frequency: frequency / std::f64::consts::TAU, damping_ratio: 1.0 };
        IntegrationParameters {
            dt,
            contact_softness: softness,
            static_contact_softness: softness,
            length_unit,
            num_solver_iterations: SUBSTEPS,
            num_internal_pgs_iterations: ITERATIONS,
            // They would make the springs rigid.
            num_internal_stabilization_iterations: 0,
            normalized_max_corrective_velocity: parting / length_unit,
            normalized_max_linear_velocity: f64::MAX,
            max_ccd_substeps: 0,
            ..IntegrationParameters::default()
        }
    }
}

// Solids of a setup as rapier's: bodies that move by forces, and those whose motion is prescribed.

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

// Joints of a setup as rapier's.

/// Stiffness of motors, 1/s: as fast as a step allows, up to the limit of the force.
const MOTOR_STIFFNESS: f64 = 1e6;

/// A joint between two solids of the world, in their own coordinates. An end without a place is in space.
#[derive(Clone, Debug)]
pub(super) struct AttachedJoint {
    pub ends: [Option<Attachment>; 2],
    pub joint: GenericJoint,
}

/// Index among free bodies, or among prescribed solids.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attachment {
    Free(usize),
    Prescribed(usize),
}

impl AttachedJoint {
    /// A joint between the ends that `attachment` finds for the indices of bodies.
    pub fn new(joint: &Joint, bodies: &[Body], dimensions: Dimensions, attachment: impl Fn(usize) -> Attachment) -> Self {
        let Joint { kind, body, to, anchor, to_anchor, axis, limits, motor, length, stiffness, damping } = joint;
        let ends = [
            match *to {
                JointEnd::Space => None,
                JointEnd::Body(index) => Some((index, attachment(index))),
            },
            Some((*body, attachment(*body))),
        ];
        // Points and directions in the coordinates of each end.
        let local = |end: Option<(usize, Attachment)>, point: Vec3| match end {
            None => point.as_dvec3(),
            Some((index, Attachment::Free(_))) => point.as_dvec3() - bodies[index].pivot(dimensions),
            Some((index, Attachment::Prescribed(_))) => bodies[index].motion.pose(0.0).start(point.as_dvec3()),
        };
        let along = |end: Option<(usize, Attachment)>| match end {
            Some((index, Attachment::Prescribed(_))) => bodies[index].motion.pose(0.0).rotation.transpose() * axis.as_dvec3(),
            _ => axis.as_dvec3(),
        };
        let [first, second] = [local(ends[0], *to_anchor), local(ends[1], *anchor)].map(vector);
        let [first_axis, second_axis] = ends.map(|end| vector(along(end).normalize_or(DVec3::Z)));
        let mut joint: GenericJoint = match kind {
            JointKind::Hinge => RevoluteJointBuilder::new(first_axis).into(),
            JointKind::Slider => PrismaticJointBuilder::new(first_axis).into(),
            JointKind::Ball => SphericalJointBuilder::new().into(),
            JointKind::Fixed => FixedJointBuilder::new().into(),
            JointKind::Rope => RopeJointBuilder::new((*length).into()).into(),
            JointKind::Spring => SpringJointBuilder::new((*length).into(), (*stiffness).into(), (*damping).into()).into(),
        };
        joint.set_local_anchor1(first);
        joint.set_local_anchor2(second);
        let free = match kind {
            JointKind::Hinge => Some(JointAxis::AngX),
            JointKind::Slider => Some(JointAxis::LinX),
            JointKind::Ball | JointKind::Fixed | JointKind::Rope | JointKind::Spring => None,
        };
        if let Some(free) = free {
            joint.set_local_axis1(first_axis);
            joint.set_local_axis2(second_axis);
            if let Some(limits) = limits {
                joint.set_limits(free, limits.map(f64::from));
            }
            if let Some(motor) = motor {
                joint.set_motor_velocity(free, motor.velocity.into(), MOTOR_STIFFNESS);
                joint.set_motor_max_force(free, motor.limit.into());
            }
        }
        // Ropes and springs leave room between their ends.
        joint.set_contacts_enabled(matches!(kind, JointKind::Rope | JointKind::Spring));
        Self { ends: ends.map(|end| end.map(|(_, attachment)| attachment)), joint }
    }
}

// Added mass: the fluid that an accelerated body takes with it, which makes light bodies unstable unless their load is relaxed.
//
// Fluid that is kept incompressible answers the acceleration a of a body within a step by the force −m_a a, with the added mass m_a.
// The body feels it in the next step, so that accelerations change by the factor −m_a/m from step to step: without bound for a body
// that is lighter than its added mass (Causin2005). With the relaxed load F' ← F' + θ (F − F') the factor is 1 − θ (1 + m_a/m), and
// 0 for θ = m / (m + m_a): the load at rest is the same, and impulses are late by steps, not lost.

/// Relaxation factor θ of the load on a body in incompressible fluid of rest density `rest_density`, kg/m³.
///
/// The added mass is that of an ellipsoid with the extents of the body, along its thinnest axis, in terms of the fluid that it
/// displaces: exactly the ratio of half extents in two dimensions (Lamb1932, art. 71), and about that of the mean of the two longer
/// ones to the shortest in three. An estimate that is too large makes the load late by more steps; half of it is still stable.
pub(super) fn relaxation(body: &Body, dimensions: Dimensions, rest_density: f32) -> f64 {
    let half = body.half_extent().as_dvec3();
    let slenderness = match dimensions {
        Dimensions::Two => half.truncate().max_element() / half.truncate().min_element(),
        Dimensions::Three => {
            let least = half.min_element();
            (half.element_product() / least).sqrt() / least
        }
    };
    1.0 / (1.0 + slenderness * f64::from(rest_density / body.density))
}

impl Load {
    /// The load that acts in this step, from the relaxed one of the last step and that of the fluid now.
    pub(super) fn relaxed(now: Self, last: Option<Self>, factor: f64) -> Self {
        let Some(last) = last else { return now };
        Self {
            force: last.force + factor * (now.force - last.force),
            torque: last.torque + factor * (now.torque - last.torque),
        }
    }
}
