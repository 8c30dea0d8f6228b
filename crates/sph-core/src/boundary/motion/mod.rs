//! Motion of bodies and containers: prescribed displacement and rotation as functions of time, and displacement by a user.

mod error;
mod moved_body;
mod piecewise_linear;
mod pose;
mod prescribed;
mod rigid_state;
mod rotation;
mod spline;
mod step_frame;

pub use error::MotionError;
pub use moved_body::MovedBody;
pub(crate) use piecewise_linear::PiecewiseLinear;
pub use pose::Pose;
pub use prescribed::Motion;
pub(crate) use rigid_state::RigidState;
pub use rotation::{AngleLaw, Rotation};
pub(crate) use step_frame::StepFrame;

#[cfg(test)]
mod tests;
