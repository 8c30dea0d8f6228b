//! The thread that packs states, beside the simulation.

use super::kept::{Beside, Kept, Packed, Position};
use crate::session::thread::pool;
use sph_core::State;
use sph_io::PackedState;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

/// Packing of a state.
pub type Pack = fn(&State) -> PackedState;

/// A state to pack.
#[derive(Debug)]
pub struct Job {
    pub position: Position,
    pub state: State,
    pub beside: Beside,
}

/// Starts the thread, which packs what comes over the channel by `pack` and hands it to `done`, until that returns false or the sender is
/// gone. It outlives a panic of `pack`.
pub fn start(pack: Pack, done: impl Fn(Packed) -> bool + Send + 'static) -> std::io::Result<Sender<Job>> {
    let (jobs, incoming) = mpsc::channel();
    std::thread::Builder::new().name("state packer".into()).spawn(move || run(&incoming, pack, done))?;
    Ok(jobs)
}

fn run(jobs: &Receiver<Job>, pack: Pack, done: impl Fn(Packed) -> bool) {
    pool::lower_priority();
    for Job { position, state, beside } in jobs {
        let start = Instant::now();
        let result = match catch_unwind(AssertUnwindSafe(|| pack(&state))) {
            Ok(packed) => Ok(Kept { position, time: state.time, state: packed, beside }),
            Err(panic) => Err(message(&*panic)),
        };
        if !done(Packed { result, cost: start.elapsed() }) {
            return;
        }
    }
}

/// Message of a panic, or empty.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
