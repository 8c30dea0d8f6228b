//! Walls and bodies of a simulation: their particles, where they are, and the fluid that they stop.

mod bodies;
mod containers;
mod sampling;

pub(super) use bodies::Bodies;
pub use bodies::PlacedBody;
pub(super) use containers::Containers;
pub(super) use sampling::{SolidSetup, Solids};
