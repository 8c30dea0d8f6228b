//! The thread that packs states, beside the simulation.

use super::kept::{Beside, Kept, Packed, Position};
use crate::session::thread::pool;
use sph_core::State;
use sph_io::PackedState;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

/// A state to pack.
#[derive(Debug)]
pub struct Job {
    /// Number of the history that it belongs to.
    pub epoch: u64,
    pub position: Position,
    pub state: State,
    pub beside: Beside,
}

/// Starts the thread, which packs what comes over the channel and hands it to `done`, until that returns false or the sender is gone.
pub fn start(done: impl Fn(Packed) -> bool + Send + 'static) -> std::io::Result<Sender<Job>> {
    let (jobs, incoming) = mpsc::channel();
    std::thread::Builder::new().name("state packer".into()).spawn(move || run(&incoming, done))?;
    Ok(jobs)
}

fn run(jobs: &Receiver<Job>, done: impl Fn(Packed) -> bool) {
    pool::lower_priority();
    for Job { epoch, position, state, beside } in jobs {
        let start = Instant::now();
        let kept = Kept { position, time: state.time, state: PackedState::new(&state), beside };
        let packed = Packed { epoch, kept, cost: start.elapsed() };
        if !done(packed) {
            return;
        }
    }
}
