//! The simulation's thread: its loop and everything that it owns. The window sees nothing of it.

mod contest;
mod event;
mod inspectors;
mod loader;
mod outlet;
mod pacer;
mod pool;
mod record;
mod runner;
mod running;
mod tuner;

pub(super) use event::Event;
pub(super) use outlet::Outlet;
pub(super) use runner::Runner;
