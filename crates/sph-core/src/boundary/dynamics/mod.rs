//! Dynamics of bodies: they move by the forces of the fluid and of gravity, touch one another and the walls, and are held by joints.
//!
//! Contacts and joints are rapier's; the world of bodies is built anew for each step from the states of the bodies, so that these
//! alone determine the motion.

mod colliders;
mod world;

pub(crate) use world::{StepInterval, World};

use super::motion::RigidState;
use super::{Body, Pose};
use crate::parameters::{Dimensions, choice};
use glam::{DMat3, DQuat, DVec3, Vec3};

/// Properties of a body that moves by forces, besides its shape and density.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamics {
    /// Velocity of the centre of mass at the start, m/s.
    pub velocity: Vec3,
    /// Angular velocity at the start, rad/s; only that about z counts in two dimensions.
    pub angular_velocity: Vec3,
    /// Coefficient of friction at contacts with solids; that of a contact is the mean of both sides. Walls have 0.5.
    pub friction: f32,
    /// Coefficient of restitution at contacts with solids, from 0 to 1; that of a contact is the mean of both sides. Walls have 0.
    pub restitution: f32,
    /// Motion that is free.
    pub freedom: Freedom,
}

choice! {
    /// Directions of translation and axes of rotation.
    pub enum FreeAxis {
        /// Translation along x.
        X = "x", "x";
        /// Translation along y.
        Y = "y", "y";
        /// Translation along z.
        Z = "z", "z";
        /// Rotation about x.
        RotationX = "rotation_x", "Rotation about x";
        /// Rotation about y.
        RotationY = "rotation_y", "Rotation about y";
        /// Rotation about z, the one of two dimensions.
        RotationZ = "rotation_z", "Rotation about z";
    }
}

/// Directions in which a body may move, and axes about which it may turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Translation along x, y and z.
    pub translation: [bool; 3],
    /// Rotation about x, y and z.
    pub rotation: [bool; 3],
}

impl Freedom {
    /// Every motion.
    pub const ALL: Self = Self { translation: [true; 3], rotation: [true; 3] };

    /// Returns the freedom without one of them.
    #[must_use]
    pub fn without(mut self, axis: FreeAxis) -> Self {
        let index = axis as usize % 3;
        let motion = if (axis as usize) < 3 { &mut self.translation } else { &mut self.rotation };
        motion[index] = false;
        self
    }
}

impl Default for Dynamics {
    fn default() -> Self {
        Self { velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO, friction: 0.5, restitution: 0.0, freedom: Freedom::ALL }
    }
}

impl Dynamics {
    /// True if all numbers are finite, and the coefficients in their ranges.
    pub(crate) fn is_valid(&self) -> bool {
        let Self { velocity, angular_velocity, friction, restitution, freedom: _ } = self;
        velocity.is_finite()
            && angular_velocity.is_finite()
            && (0.0..=10.0).contains(friction)
            && (0.0..=1.0).contains(restitution)
    }
}

// State of a body that moves by forces.

/// Force and torque, or their impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Load {
    /// Force, N (N/m in two dimensions), or impulse, N s.
    pub force: DVec3,
    /// Torque about the centre of mass, N m (N in two dimensions), or angular impulse, N m s.
    pub torque: DVec3,
}

/// State of a body that moves by forces: all that its next steps depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyState {
    /// Centre of mass, m.
    pub position: DVec3,
    /// Rotation since the start, a unit quaternion.
    pub rotation: DQuat,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: DVec3,
    /// Load by the fluid in the last step, relaxed; `None` before the first.
    pub load: Option<Load>,
    /// Impulses of fluid that the surface has stopped in the last step: they act in the next, N s and N m s.
    pub contact: Load,
}

impl BodyState {
    /// State of a free body at the start; `None` for one whose motion is prescribed.
    pub(crate) fn initial(body: &Body, dimensions: Dimensions) -> Option<Self> {
        let dynamics = body.dynamics.as_ref()?;
        let planar = dimensions == Dimensions::Two;
        let (velocity, angular_velocity) = (dynamics.velocity.as_dvec3(), dynamics.angular_velocity.as_dvec3());
        Some(Self {
            position: body.pivot(dimensions),
            rotation: DQuat::IDENTITY,
            velocity: if planar { velocity.with_z(0.0) } else { velocity },
            angular_velocity: if planar { angular_velocity.z * DVec3::Z } else { angular_velocity },
            load: None,
            contact: Load::default(),
        })
    }

    /// Place and orientation of the body.
    pub fn pose(&self, body: &Body, dimensions: Dimensions) -> Pose {
        let pivot = body.pivot(dimensions);
        Pose { displacement: self.position - pivot, pivot, rotation: DMat3::from_quat(self.rotation) }
    }

    /// The state without what rounding has added to it out of the plane z = 0: fluid would leave the plane, faster and faster.
    fn in_plane(self) -> Self {
        let Self { position, rotation, velocity, angular_velocity, .. } = self;
        Self {
            position: position.with_z(0.0),
            rotation: DQuat::from_xyzw(0.0, 0.0, rotation.z, rotation.w).normalize(),
            velocity: velocity.with_z(0.0),
            angular_velocity: angular_velocity.z * DVec3::Z,
            ..self
        }
    }

    /// True if all numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let Self { position, rotation, velocity, angular_velocity, load: _, contact: _ } = self;
        position.is_finite() && rotation.is_finite() && velocity.is_finite() && angular_velocity.is_finite()
    }

    /// True if all numbers are finite, the rotation is one, and in two dimensions nothing is out of the plane.
    pub(crate) fn is_valid(&self, dimensions: Dimensions) -> bool {
        let of = |load: Load| load.force.is_finite() && load.torque.is_finite();
        let Self { position, rotation, velocity, angular_velocity, .. } = self;
        let in_space = [position.z, velocity.z, rotation.x, rotation.y, angular_velocity.x, angular_velocity.y];
        let is_flat = dimensions == Dimensions::Three || in_space == [0.0; 6];
        self.is_finite() && self.rotation.is_normalized() && is_flat && of(self.contact) && self.load.is_none_or(of)
    }

    /// Velocities, with accelerations that are left out: the pressure that is extrapolated into a body would follow its acceleration
    /// and accelerate it in turn, which for a light body is unstable.
    pub(crate) fn rigid_state(&self, body: &Body, dimensions: Dimensions) -> RigidState {
        RigidState {
            pose: self.pose(body, dimensions),
            velocity: self.velocity,
            acceleration: DVec3::ZERO,
            angular_velocity: self.angular_velocity,
            angular_acceleration: DVec3::ZERO,
        }
    }
}

// Joints between bodies, and between a body and space.

choice! {
    /// Kinds of joints.
    pub enum JointKind, default Hinge {
        /// Rotation about one axis.
        Hinge = "hinge", "Hinge";
        /// Rotation about a point.
        Ball = "ball", "Ball";
        /// Translation along one axis.
        Slider = "slider", "Slider";
        /// No relative motion.
        Fixed = "fixed", "Fixed";
        /// Distance of the two points at most the length.
        Rope = "rope", "Rope";
        /// Force along the line between two points.
        Spring = "spring", "Spring";
    }
}

/// Solid at the other end of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointEnd {
    /// Space: the point stays where it is.
    Space,
    /// The body with this index.
    Body(usize),
}

/// A joint between a body and another one, or space. Points and directions are those at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Kind.
    pub kind: JointKind,
    /// Index of the body.
    pub body: usize,
    /// Other end.
    pub to: JointEnd,
    /// Point of the body at which it is held, m.
    pub anchor: Vec3,
    /// Point of the other end, m: the same but for ropes and springs.
    pub to_anchor: Vec3,
    /// Axis of a hinge or a slider, of any length.
    pub axis: Vec3,
    /// Least and greatest angle (rad) of a hinge, or displacement (m) of a slider, from the start.
    pub limits: Option<[f32; 2]>,
    /// Motor of a hinge or a slider.
    pub motor: Option<Motor>,
    /// Length of a rope, or of a spring without force, m.
    pub length: f32,
    /// Stiffness of a spring, N/m.
    pub stiffness: f32,
    /// Damping of a spring, N s/m.
    pub damping: f32,
}

/// Motor of a joint: it drives the relative velocity to the target by a force or torque that is limited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Target of the angular velocity of a hinge, rad/s, or the velocity of a slider, m/s.
    pub velocity: f32,
    /// Largest torque, N m, or force, N.
    pub limit: f32,
}

/// Reasons why a joint is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JointError {
    /// There is no body of this index.
    #[error("there is no body {0}")]
    NoBody(usize),
    /// Both ends are the same body.
    #[error("both ends are the same body")]
    SameBody,
    /// Neither end moves by forces.
    #[error("neither end is a body that moves by forces")]
    NothingFree,
    /// A number is not finite, or out of its range.
    #[error("a number is not finite, or below 0")]
    Number,
    /// The axis has no direction.
    #[error("the axis has no direction")]
    Axis,
    /// The lower limit is above the upper one.
    #[error("the lower limit is above the upper one")]
    Limits,
}

impl Joint {
    /// Checks the joint among bodies that are free or not.
    pub(crate) fn validate(&self, is_free: &[bool]) -> Result<(), JointError> {
        let Self { body, to, anchor, to_anchor, axis, limits, motor, length, stiffness, damping, kind } = self;
        let free = |index: usize| is_free.get(index).copied().ok_or(JointError::NoBody(index));
        let other = match *to {
            JointEnd::Space => false,
            JointEnd::Body(index) if index == *body => return Err(JointError::SameBody),
            JointEnd::Body(index) => free(index)?,
        };
        if !(free(*body)? || other) {
            return Err(JointError::NothingFree);
        }
        let positive = |number: f32| number >= 0.0 && number.is_finite();
        let of_motor = motor.is_none_or(|motor| motor.velocity.is_finite() && positive(motor.limit));
        let of_limits = limits.is_none_or(|limits| limits.iter().all(|limit| limit.is_finite()));
        let of_spring = [*length, *stiffness, *damping].into_iter().all(positive);
        if !(anchor.is_finite() && to_anchor.is_finite() && axis.is_finite() && of_motor && of_limits && of_spring) {
            return Err(JointError::Number);
        }
        if matches!(kind, JointKind::Hinge | JointKind::Slider) && axis.try_normalize().is_none() {
            return Err(JointError::Axis);
        }
        if limits.is_some_and(|[least, greatest]| least > greatest) { Err(JointError::Limits) } else { Ok(()) }
    }
}
