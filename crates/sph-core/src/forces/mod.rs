//! Forces other than pressure, the same for every solver.

mod adhesion;
mod external;
mod flow;
mod implicit_viscosity;
mod micropolar;
mod state;
mod surface_tension;
mod viscosity;
mod xsph;

pub use external::{CentralLaw, ExternalForce, ExternalForces, Keyframe};

pub(crate) use flow::Flow;
pub(crate) use state::ForceState;
pub(crate) use viscosity::{Pair, Viscosity, wall_drag};
pub(crate) use xsph::smooth;
