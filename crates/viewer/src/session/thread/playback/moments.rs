//! Kept moments: one, the ring of all, and the thread that packs their states.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use crate::session::{Audits, Moment, thread};
use sph_core::{State, StepStats};
use sph_io::PackedState;

/// Place in what has happened: completed steps, and inputs that were made before the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct HistoryPosition {
    pub steps: u64,
    /// Number of inputs since the scene was loaded or reset.
    pub inputs: u64,
}

/// State of the session, which is kept with that of the engine.
#[derive(Clone, Debug, Default)]
pub struct SessionState {
    /// Memory of the probes' averages and totals.
    pub averages: Vec<f64>,
    /// All spot checks so far.
    pub audits: Audits,
    /// Report of the step before.
    pub stats: Option<StepStats>,
}

/// A kept moment.
#[derive(Clone, Debug)]
pub struct KeptMoment {
    pub position: HistoryPosition,
    /// Simulated time, s.
    pub time: f64,
    pub state: PackedState,
    pub session: SessionState,
}

impl KeptMoment {
    pub fn moment(&self) -> Moment {
        Moment { time: self.time, steps: self.position.steps }
    }

    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> u64 {
        let SessionState { averages, audits, stats: _ } = &self.session;
        (size_of::<Self>() + self.state.bytes() + size_of_val(&averages[..]) + audits.memory()) as u64
    }
}

/// A packed state, or the message of the panic in packing it.
#[derive(Clone, Debug)]
pub struct Packed {
    pub result: Result<KeptMoment, String>,
    /// Time that the packing took.
    pub cost: Duration,
}

// Kept moments, of which the oldest give way when their memory is full. The start stays.

/// Kept moments, in the order of their positions.
#[derive(Debug)]
pub struct Ring {
    moments: VecDeque<KeptMoment>,
    bytes: u64,
    unpacked: u64,
    limit: u64,
    /// True if moments after the first have given way.
    has_gap: bool,
}

impl Ring {
    /// No moments yet, of at most `limit` bytes.
    pub fn new(limit: u64) -> Self {
        Self { moments: VecDeque::new(), bytes: 0, unpacked: 0, limit, has_gap: false }
    }

    /// Adds a moment. Of two after the same steps the later stays: it has all inputs of the earlier.
    pub fn insert(&mut self, moment: KeptMoment) {
        self.bytes += moment.bytes();
        self.unpacked += moment.state.unpacked_bytes() as u64;
        let mut index = self.moments.partition_point(|kept| kept.position <= moment.position);
        if index > 0 && self.moments[index - 1].position.steps == moment.position.steps {
            index -= 1;
            self.remove(index);
        }
        self.moments.insert(index, moment);
    }

    /// Removes all moments after `position`.
    pub fn truncate(&mut self, position: HistoryPosition) {
        while self.moments.back().is_some_and(|kept| kept.position > position) {
            self.remove(self.moments.len() - 1);
        }
    }

    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// True if the moments take more than their memory, of which `others` (bytes) are taken by something else.
    pub fn is_over(&self, others: u64) -> bool {
        self.bytes + others > self.limit
    }

    /// Removes a moment: the oldest after the first, then the first.
    pub fn give_way(&mut self) {
        self.has_gap = self.moments.len() > 1;
        self.remove(usize::from(self.has_gap));
    }

    fn remove(&mut self, index: usize) {
        if let Some(moment) = self.moments.remove(index) {
            self.bytes -= moment.bytes();
            self.unpacked -= moment.state.unpacked_bytes() as u64;
        }
    }

    /// The moments, in the order of their positions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &KeptMoment> {
        self.moments.iter()
    }

    /// Number of moments.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// The oldest moment from which all that came after it is kept, or can be computed again.
    pub fn oldest(&self) -> Option<&KeptMoment> {
        self.moments.get(usize::from(self.has_gap && self.moments.len() > 1))
    }

    /// True if a moment has this position.
    pub fn has(&self, position: HistoryPosition) -> bool {
        self.moments.binary_search_by_key(&position, |kept| kept.position).is_ok()
    }

    /// Memory of the moments, without compression, and the bound on the first, bytes.
    pub fn memory(&self) -> [u64; 3] {
        [self.bytes, self.unpacked, self.limit]
    }
}

// The thread that packs states, beside the simulation.

/// Packing of a state.
pub type Pack = fn(&State) -> PackedState;

/// A state to pack.
#[derive(Debug)]
pub struct Job {
    pub position: HistoryPosition,
    pub state: State,
    pub session: SessionState,
}

/// Starts the thread, which packs what comes over the channel by `pack` and hands it to `done`, until that returns false or the sender is
/// gone. It outlives a panic of `pack`.
pub fn start(pack: Pack, done: impl Fn(Packed) -> bool + Send + 'static) -> std::io::Result<Sender<Job>> {
    let (jobs, incoming) = mpsc::channel();
    std::thread::Builder::new().name("state packer".into()).spawn(move || run(&incoming, pack, done))?;
    Ok(jobs)
}

fn run(jobs: &Receiver<Job>, pack: Pack, done: impl Fn(Packed) -> bool) {
    thread::lower_priority();
    for Job { position, state, session } in jobs {
        let start = Instant::now();
        let result = match catch_unwind(AssertUnwindSafe(|| pack(&state))) {
            Ok(packed) => Ok(KeptMoment { position, time: state.time, state: packed, session }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use sph_commands::engine;
    use sph_io::PackedState;

    #[test]
    fn the_oldest_give_way_and_the_start_stays() {
        let text = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.9, 0.9]";
        let scene = sph_io::parse(text, "square", &[]).expect("a scene");
        let state = engine::start(&scene.setup).expect("a valid setup").snapshot();
        let kept = |steps| KeptMoment {
            position: HistoryPosition { steps, inputs: 0 },
            time: steps as f64,
            state: PackedState::new(&state),
            session: SessionState::default(),
        };
        let each = kept(0).bytes();
        let mut ring = Ring::new(4 * each);
        let steps = |ring: &Ring| ring.iter().map(|kept| kept.position.steps).collect::<Vec<_>>();
        let fit = |ring: &mut Ring| {
            while ring.is_over(0) && ring.len() > 0 {
                ring.give_way();
            }
        };
        for steps in 0..20 {
            ring.insert(kept(steps));
            fit(&mut ring);
        }
        assert_eq!((steps(&ring), ring.memory()[0]), (vec![0, 17, 18, 19], 4 * each));
        assert!(ring.memory()[1] > ring.memory()[0]);
        ring.truncate(HistoryPosition { steps: 18, inputs: 7 });
        assert!(steps(&ring) == [0, 17, 18] && ring.has(HistoryPosition { steps: 17, inputs: 0 }));
        // The same steps with more inputs.
        ring.insert(KeptMoment { position: HistoryPosition { steps: 18, inputs: 2 }, ..kept(18) });
        assert_eq!((steps(&ring), ring.memory()[0]), (vec![0, 17, 18], 3 * each));
        assert!(ring.has(HistoryPosition { steps: 18, inputs: 2 }) && !ring.has(HistoryPosition { steps: 18, inputs: 0 }));
        ring.set_limit(each);
        fit(&mut ring);
        assert_eq!(steps(&ring), [0]);
        ring.set_limit(each - 1);
        fit(&mut ring);
        assert_eq!((steps(&ring), ring.memory()), (vec![], [0, 0, each - 1]));
    }
}
