//! The bodies of a setup as rapier's, for one step at a time.

use super::added_mass::relaxation;
use super::colliders::{Part, from_vector, of_body, of_container, rotation, vector};
use super::placed_joint::{Place, PlacedJoint, placed};
use super::{BodyState, Dynamics, Load};
use crate::boundary::{Body, Container, Motion};
use crate::parameters::{Dimensions, Discretization};
use crate::setup::Setup;
use glam::{DQuat, DVec3};
use rapier3d_f64::math::{Matrix, Pose};
use rapier3d_f64::prelude::{
    Collider, ColliderBuilder, IntegrationParameters, LockedAxes, MassProperties, PhysicsWorld, RigidBodyBuilder,
    RigidBodyHandle, SpringCoefficients,
};

/// Length of a body in particle spacings for which rapier's tolerances are meant.
const USUAL_LENGTH: f64 = 10.0;

/// Distance in particle spacings of contacts from the surface of each solid: together a particle, so that a film of fluid between two
/// of them has room and is not squeezed out at any speed.
const CLEARANCE: f64 = 0.5;

/// Depth by which contacts give way under the weight of a body, particle spacings.
const SAG: f64 = 0.02;

/// Parts of a step in which contacts and joints are solved one after the other, and iterations of each.
const PARTS: usize = 4;
const ITERATIONS: usize = 4;

/// Free bodies, and the solids and joints that they touch.
#[derive(Clone, Debug)]
pub(crate) struct World {
    free: Vec<FreeBody>,
    prescribed: Vec<Prescribed>,
    joints: Vec<PlacedJoint>,
    /// Particle spacing, m.
    spacing: f64,
    is_planar: bool,
}

/// A body that moves by forces.
#[derive(Clone, Debug)]
struct FreeBody {
    /// Index among all bodies.
    body: usize,
    parts: Vec<Collider>,
    mass: f64,
    properties: MassProperties,
    locked: LockedAxes,
    /// Relaxation factor of its load in incompressible fluid.
    relaxation: f64,
}

/// A solid whose motion is prescribed.
#[derive(Clone, Debug)]
struct Prescribed {
    motion: Motion,
    parts: Vec<Collider>,
}

/// A time step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// Beginning and end, s.
    pub times: [f64; 2],
    /// True if pressure keeps the fluid incompressible within the step.
    pub is_incompressible: bool,
}

impl World {
    /// The world of `setup`; `None` if no body moves by forces.
    pub fn new(setup: &Setup) -> Option<Self> {
        let Setup { discretization, bodies, containers, joints, .. } = setup;
        let dynamic = |(index, body): (usize, &Body)| {
            let dynamics = body.dynamics.as_ref()?;
            Some(FreeBody::new(index, body, dynamics, discretization))
        };
        let free: Vec<FreeBody> = bodies.iter().enumerate().filter_map(dynamic).collect();
        if free.is_empty() {
            return None;
        }
        let spacing = f64::from(discretization.particle_spacing);
        let of_motion = |motion: &Motion, parts: Vec<Part>| Prescribed {
            motion: motion.clone(),
            parts: parts.into_iter().map(|part| collider(part, &Dynamics::default(), spacing)).collect(),
        };
        let rigid = bodies.iter().filter(|body| body.dynamics.is_none());
        let mut prescribed: Vec<Prescribed> =
            rigid.map(|body| of_motion(&body.motion, of_body(body, discretization, DVec3::ZERO))).collect();
        let thickness = f64::from(discretization.support_radius);
        let walls = |container: &Container| {
            let container = container.clone().within(&setup.domain.flat(discretization.dimensions));
            of_motion(&container.motion, of_container(&container, discretization, thickness))
        };
        prescribed.extend(containers.iter().map(walls));
        let place = |index: usize| match bodies[..index].iter().filter(|body| body.dynamics.is_some()).count() {
            before if bodies[index].dynamics.is_some() => Place::Free(before),
            before => Place::Prescribed(index - before),
        };
        let joints = joints.iter().map(|joint| placed(joint, bodies, discretization.dimensions, place)).collect();
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
        course: Course,
    ) -> Result<Vec<BodyState>, usize> {
        let [start, end] = course.times;
        let dt = end - start;
        let pull = states.iter().map(|state| acceleration(state.position).length()).fold(0.0, f64::max);
        let speed = states.iter().map(|state| state.velocity.length()).fold(0.0, f64::max);
        let frequency = self.contact_frequency(pull, speed);
        let mut world = PhysicsWorld { integration_parameters: self.settings(dt, frequency), ..PhysicsWorld::new() };
        world.gravity = vector(DVec3::ZERO);
        let mut loads = Vec::with_capacity(self.free.len());
        let mut handles = Vec::with_capacity(self.free.len());
        for ((free, state), impulse) in self.free.iter().zip(states).zip(impulses) {
            // What the surface has stopped in the last step comes now.
            let now = Load { force: impulse.force / dt, torque: impulse.torque / dt };
            let factor = if course.is_incompressible { free.relaxation } else { 1.0 };
            let load = Load::relaxed(now, state.load, factor);
            let contact = Load { force: state.contact.force / dt, torque: state.contact.torque / dt };
            let force = load.force + contact.force + free.mass * acceleration(state.position);
            let torque = load.torque + contact.torque;
            if !(state.is_finite() && force.is_finite() && torque.is_finite()) {
                return Err(free.body);
            }
            loads.push(load);
            handles.push(free.insert(&mut world, state, Load { force, torque }));
        }
        let others: Vec<RigidBodyHandle> = self.prescribed.iter().map(|solid| solid.insert(&mut world, course.times)).collect();
        for PlacedJoint { ends, joint } in &self.joints {
            let [first, second] = ends.map(|end| match end {
                Some(Place::Free(index)) => handles[index],
                Some(Place::Prescribed(index)) => others[index],
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

    /// Angular frequency (rad/s) of contacts, critically damped springs, for bodies under the acceleration `pull` (m/s²) with speeds of
    /// at most `speed`, m/s. They give way by [`SAG`] at rest and by a quarter of a spacing when they are hit: a body that stops
    /// within a step would stop the fluid around it as well, which the pressure of incompressible fluid answers with an impulse.
    fn contact_frequency(&self, pull: f64, speed: f64) -> f64 {
        let at_rest = (pull / (SAG * self.spacing)).sqrt();
        // The spring gives way by v/(e ω).
        let hit = speed / (std::f64::consts::E * 0.25 * self.spacing);
        at_rest.max(hit).max(1.0)
    }

    /// Settings of a step of `dt` (s) with contacts of the angular frequency `frequency`, rad/s.
    fn settings(&self, dt: f64, frequency: f64) -> IntegrationParameters {
        let softness = SpringCoefficients { natural_frequency: frequency / std::f64::consts::TAU, damping_ratio: 1.0 };
        IntegrationParameters {
            dt,
            contact_softness: softness,
            static_contact_softness: softness,
            length_unit: USUAL_LENGTH * self.spacing,
            num_solver_iterations: PARTS,
            num_internal_pgs_iterations: ITERATIONS,
            // They would make the springs rigid.
            num_internal_stabilization_iterations: 0,
            normalized_max_corrective_velocity: f64::MAX,
            normalized_max_linear_velocity: f64::MAX,
            max_ccd_substeps: 0,
            ..IntegrationParameters::default()
        }
    }
}

impl FreeBody {
    fn new(index: usize, body: &Body, dynamics: &Dynamics, discretization: &Discretization) -> Self {
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
            relaxation: relaxation(body, dimensions, discretization.rest_density),
        }
    }

    fn insert(&self, world: &mut PhysicsWorld, state: &BodyState, load: Load) -> RigidBodyHandle {
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
    fn insert(&self, world: &mut PhysicsWorld, times: [f64; 2]) -> RigidBodyHandle {
        let [start, end] = times.map(|time| {
            let pose = self.motion.pose(time);
            Pose::from_parts(vector(pose.point(DVec3::ZERO)), rotation(DQuat::from_mat3(&pose.rotation)))
        });
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
