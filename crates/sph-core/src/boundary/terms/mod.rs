//! Terms of everything solid in the equations of the fluid, one file a term: what boundary particles and analytic planes add
//! to a sum over the neighbours of a fluid particle.

mod adhesion;
mod compression;
mod density;
mod drag;
mod implicit_drag;
mod position_divergence;
mod pressure;
mod pressures;
mod solids;

pub(crate) use pressures::{PlanePressures, Pressures};
pub(crate) use solids::Solids;
