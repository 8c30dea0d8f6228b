//! Probes: readings of numerical instruments, as in a flume: pressure, water level, front, velocity, energy, force.
//!
//! A reading depends on the present state only and does not change it, so probes do not affect a run. Without fluid in reach a
//! reading is `None`.

mod energy;
mod field;
mod gauge;
mod instruments;
mod probe;
mod surface;

pub use energy::{kinetic_energy, potential_energy};
pub use field::{pressure_at, velocity_at};
pub use gauge::Gauge;
pub use instruments::Instruments;
pub use probe::Probe;
pub use surface::{front, water_height};
