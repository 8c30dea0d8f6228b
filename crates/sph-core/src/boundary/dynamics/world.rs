//! The bodies of a setup as rapier's, for one step at a time.

use super::attached_joint::{AttachedJoint, Attachment};
use super::colliders::{from_vector, of_body, of_container, vector};
use super::solids::{FreeBody, Prescribed, StepInterval};
use super::{BodyState, Load};
use crate::boundary::{Body, Container, MovedBody};
use crate::parameters::Dimensions;
use crate::setup::Setup;
use glam::{DQuat, DVec3};
use rapier3d_f64::prelude::{IntegrationParameters, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SpringCoefficients};

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
