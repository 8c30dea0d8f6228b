//! Joints of a setup as rapier's.

use super::colliders::vector;
use super::joints::{Joint, JointEnd, JointKind};
use crate::boundary::Body;
use crate::parameters::Dimensions;
use glam::{DVec3, Vec3};
use rapier3d_f64::prelude::{
    FixedJointBuilder, GenericJoint, JointAxis, PrismaticJointBuilder, RevoluteJointBuilder, RopeJointBuilder,
    SphericalJointBuilder, SpringJointBuilder,
};

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
