//! A user's hand in the fluid during a step, as plain data. With the setup and the parameters, the hand of each step determines
//! the motion to the bit.
//!
//! A hand acts between two steps: it changes velocities, adds particles, or drops a body, which is there from then on. So solvers know
//! nothing of it, and a step without one costs what it costs without this module.

mod action;
mod drop;
mod drop_site;
mod dropped_body;
mod error;
mod grab;
mod kind;
mod move_site;
mod pour;
mod push;

pub use drop_site::DropSite;
pub use dropped_body::{DroppedBody, DroppedShape};
pub use error::{HandError, Obstacle};
pub use grab::Grab;
pub use kind::Hand;
pub use move_site::MoveSite;
pub use pour::Pour;
pub use push::Push;
