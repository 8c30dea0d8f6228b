//! Probes: readings of numerical instruments, as in a flume: pressure, water level, front, velocity, density, flow, energy, force; at points, along
//! lines, over planes and in regions.
//!
//! A reading depends on the present state only and does not change it, so probes do not affect a run. Without fluid in reach a
//! reading is `None`.

mod ellipsoids;
mod energy;
mod field;
mod flux;
mod gauge;
mod instruments;
mod motion;
mod moving_average;
mod point_grid;
mod probe;
mod region;
mod surface;
mod total;
mod vicinity;

pub use ellipsoids::Ellipsoid;
pub use energy::{kinetic_energy, momentum, potential_energy};
pub use field::{density_at, pressure_at, velocity_at};
pub use flux::FluxGate;
pub use gauge::Gauge;
pub use instruments::Instruments;
pub use point_grid::PointGrid;
pub use probe::{Probe, Quantity, Reading};
pub use surface::{front, water_height};
pub use vicinity::Vicinity;
