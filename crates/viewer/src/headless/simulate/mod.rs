//! A run without a window, shared by all commands: the loop and its goal, progress, interruption, schedule of the frames,
//! outcome.

mod announce;
mod interrupt;
mod outcome;
mod progress;
mod replay;
mod schedule;
mod simulator;

pub use announce::announce;
pub use interrupt::Interrupt;
pub use progress::Progress;
pub use replay::Replay;
pub use schedule::Schedule;
pub use simulator::{Goal, Simulator, start_threads};
