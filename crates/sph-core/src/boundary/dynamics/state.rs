//! State of a body that moves by forces.

use crate::boundary::motion::RigidState;
use crate::boundary::{Body, Pose};
use crate::parameters::Dimensions;
use glam::{DMat3, DQuat, DVec3};

/// Force and torque, or their impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Force, N (N/m in two dimensions), or impulse, N s.
    pub force: DVec3,
    /// Torque about the centre of mass, N m (N in two dimensions), or angular impulse, N m s.
    pub torque: DVec3,
}

/// State of a body that moves by forces: all that its next steps depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    pub(super) fn in_plane(self) -> Self {
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
