//! The simulation's thread: its loop and its data. The window sees nothing of it.

mod contest;
mod event;
mod inspectors;
mod loader;
mod meters;
mod motion;
mod pacer;
mod playback;
mod pool;
mod publisher;
mod recorder;
mod runner;
mod running;
mod tuner;
mod watcher;

pub(super) use event::Event;
pub(super) use publisher::Publisher;
pub(super) use runner::Runner;
