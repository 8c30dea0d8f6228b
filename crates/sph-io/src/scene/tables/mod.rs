//! Tables of a scene file: serde types that mirror the text key for key, and their conversion to values of the simulation.

mod blocks;
mod bodies;
mod containers;
mod domain;
mod fluids;
mod forces;
mod kinds;
mod named;
mod openings;
mod order;
mod probes;
mod scene_file;
mod solids;
mod vectors;
mod velocity_field;

pub use probes::NamedProbe;

pub(crate) use blocks::block;
pub(crate) use bodies::{body, check_names, joint};
pub(crate) use containers::container;
pub(crate) use domain::domain;
pub(crate) use fluids::fluids;
pub(crate) use forces::forces;
pub(crate) use named::one_of;
pub(crate) use openings::{drain, emitter};
pub(crate) use order::{ORDER, REPEATED};
pub(crate) use probes::probes;
pub(crate) use scene_file::{FORMAT, SceneFile};
pub(crate) use vectors::Vectors;
