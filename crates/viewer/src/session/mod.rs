//! The simulation on a thread of its own: requests go in over a channel, snapshots come out through a triple buffer.
//!
//! Neither side waits for the other. The simulation thread drains its requests between two steps; the window reads the latest
//! snapshot, if there is a new one, and draws. Scenes are read and built on yet another thread while the running one goes on.
//!
//! The files here hold the window's handle and the data that crosses between the threads, each with the part of the simulation's side
//! that makes it; `thread` is the rest of that side: the loop, the running scene, loading and playback.

mod audits;
mod comparison;
mod followed;
mod handle;
mod inspection;
mod measuring;
mod notice;
mod pace;
mod readings;
mod snapshot;
mod statistics;
mod step_costs;
mod thread;
mod tuning;

#[cfg(test)]
mod tests;

pub use audits::Audits;
pub use comparison::ComparisonSnapshot;
pub use comparison::{Comparison, Difference, Differing, Differs, SearchGrid};
pub use followed::{MAX_FOLLOWED, ParticleQuantity};
pub use handle::Session;
pub use handle::{CHECKPOINT, Options, Request, SceneSource, Wake};
pub use inspection::{Inspect, Inspection, Queried};
pub use notice::{Notice, Severity, Subject};
pub use pace::{Rates, SpeedLimit};
pub use readings::{Curve, Readings};
pub use snapshot::{Goal, Moment, ShownFoam, Snapshot, Timeline};
pub use statistics::{STATISTICS, Statistic};
pub use step_costs::{Sample, StepCosts, Stepping};
pub use tuning::{Stage, Tuning, forecast, search_time};
