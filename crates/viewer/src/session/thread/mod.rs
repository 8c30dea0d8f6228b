//! What the simulation's thread owns and does: nothing in here is seen by the window.

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
