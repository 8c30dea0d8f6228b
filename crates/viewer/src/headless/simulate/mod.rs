//! Simulating without a window, as all commands do it: the loop, when it ends and why, when something is due, how far it has come.

mod announce;
mod interrupt;
mod outcome;
mod progress;
mod schedule;
mod simulator;

pub use announce::announce;
pub use interrupt::Interrupt;
pub use progress::Progress;
pub use schedule::Schedule;
pub use simulator::{Goal, Simulator};
