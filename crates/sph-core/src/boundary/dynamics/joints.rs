//! Joints between bodies, and between a body and space.

use crate::parameters::choice;
use glam::Vec3;

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
