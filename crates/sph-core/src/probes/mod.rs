//! Probes: what instruments in a flume would read, taken from the particles of one moment.
//!
//! Every reading is a function of the state alone and of nothing that came before, so a run computes the same whether or not it is
//! probed. A reading where there is no fluid is `None`, never a number.

mod energy;
mod field;
mod fluid;
mod probe;
mod surface;

pub use energy::{kinetic_energy, potential_energy};
pub use field::{pressure_at, velocity_at};
pub use fluid::Fluid;
pub use probe::Probe;
pub use surface::{front, water_height};
