//! The simulation on a thread of its own: requests go in over a channel, snapshots come out through a triple buffer.
//!
//! Neither side waits for the other. The simulation thread drains its requests between two steps; the window reads the latest
//! snapshot, if there is a new one, and draws. Scenes are read and built on yet another thread while the running one goes on.

mod comparison;
mod contest;
mod event;
mod handle;
mod history;
mod inspection;
mod inspectors;
mod loader;
mod notice;
mod options;
mod outlet;
mod pace;
mod pacer;
mod record;
mod request;
mod rival;
mod runner;
mod running;
mod scene_source;
mod snapshot;
mod threads;
mod tuner;
mod tuning;

pub use comparison::{Comparison, Difference, Differing};
pub use handle::Session;
pub use history::{History, Sample};
pub use inspection::{Inspect, Inspection};
pub use notice::{Notice, Severity, Subject};
pub use options::{Options, Wake};
pub use pace::{Rates, SpeedLimit};
pub use request::Request;
pub use rival::Rival;
pub use scene_source::SceneSource;
pub use snapshot::Snapshot;
pub use tuning::{Stage, Tuning};

#[cfg(test)]
mod tests;
