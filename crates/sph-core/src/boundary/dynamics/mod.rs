//! Dynamics of bodies: they move by the forces of the fluid and of gravity, touch one another and the walls, and are held by joints.
//!
//! Contacts and joints are rapier's; the world of bodies is built anew for each step from the states of the bodies, so that these
//! alone determine the motion.

mod added_mass;
mod attached_joint;
mod colliders;
mod joints;
mod settings;
mod solids;
mod state;
mod world;

pub use joints::{Joint, JointEnd, JointError, JointKind, Motor};
pub use settings::{Dynamics, FreeAxis, Freedom};
pub(crate) use solids::StepInterval;
pub use state::{BodyState, Load};
pub(crate) use world::World;
