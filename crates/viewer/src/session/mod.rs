//! The simulation on a thread of its own: requests go in over a channel, snapshots come out through a triple buffer.
//!
//! Neither side waits for the other. The simulation thread drains its requests between two steps; the window reads the latest
//! snapshot, if there is a new one, and draws. Scenes are read and built on yet another thread while the running one goes on.
//!
//! The files here hold the window's handle and the data that crosses between the threads, each with the part of the simulation's side
//! that makes it; `thread` is the rest of that side: the loop, the running scene, loading and playback.

mod comparison;
mod handle;
mod history;
mod inspection;
mod notice;
mod pace;
mod readings;
mod snapshot;
mod thread;
mod tuning;

#[cfg(test)]
mod tests;

pub use comparison::ComparisonSnapshot;
pub use comparison::{Comparison, Difference, Differing};
pub use handle::Session;
pub use handle::{CHECKPOINT, Options, Request, SceneSource, Wake};
pub use history::{Curve, Goal, History, Moment, Readings, Sample, Stepping, Timeline};
pub use inspection::{Inspect, Inspection};
pub use notice::{Notice, Severity, Subject};
pub use pace::{Rates, SpeedLimit};
pub use snapshot::{ShownFoam, Snapshot};
pub use tuning::{Stage, Tuning};
