//! Forces other than pressure, the same for every solver.

mod adhesion;
mod external;
mod flow;
mod implicit_viscosity;
mod laminar;
mod micropolar;
mod state;
mod surface_tension;
mod viscosity;
mod xsph;

pub use external::{CentralLaw, ExternalForce, ExternalForces, Keyframe};

pub(crate) use adhesion::Adhesion;
pub(crate) use flow::Flow;
pub(crate) use laminar::{Laminar, implicit_weight};
pub(crate) use state::ForceState;
pub(crate) use viscosity::{Pair, Viscosity};
pub(crate) use xsph::smooth;
