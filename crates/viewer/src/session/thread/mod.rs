//! The simulation's thread; the window sees nothing of it. `runner` is its loop, `running` the scene that runs, `loader` the thread that
//! makes the next one ready, `recorder` and `playback` keep what has been done and where the fluid has been.

mod loader;
mod playback;
mod recorder;
mod runner;
mod running;

pub(super) use runner::Runner;

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::{Notice, Request, Snapshot, Wake};
use anyhow::Context as _;
use playback::Packed;
use sph_core::Engine;
use sph_io::{Scene, SourceFiles};
use thread_priority::ThreadPriority;

/// An event that the simulation thread receives.
#[derive(Debug)]
pub(super) enum Event {
    Request(Request),
    Loaded(Loaded),
    /// A state that has been packed to be kept.
    Packed(Box<Packed>),
    /// A message from work beside the simulation.
    Notice(Notice),
    /// A file of the running scene is no longer what it was.
    FilesChanged,
    /// The same of a scene that could not be loaded.
    FailedFilesChanged,
    Quit,
}

/// A scene and its engine, or the reason why there is none.
type Built = Result<(Arc<Scene>, Box<dyn Engine>), Notice>;

/// A result of the loading thread.
#[derive(Debug)]
pub(super) struct Loaded {
    /// Number of the job.
    number: u64,
    /// Files that were read or looked for.
    files: SourceFiles,
    result: Built,
}

// Output of the simulation thread to the window: snapshots, notices, and the callback that wakes it.

/// Shortest time between two snapshots of a running simulation: no window shows more of them.
const INTERVAL: Duration = Duration::from_millis(16);

/// Shortest time between two snapshots while the window has not read the previous one: more copies would be wasted.
const UNREAD_INTERVAL: Duration = Duration::from_millis(50);

/// Shortest time between two snapshots, in times that it took to fill the latest one: what is inspected of a large fluid must not take the
/// simulation's time.
const FILLING_TIMES: u32 = 3;

/// Longest time between two snapshots: a single one that took long, as the last of a pause, must not stop the picture.
const LONGEST_INTERVAL: Duration = Duration::from_millis(100);

/// Sends snapshots and notices to the window.
pub(super) struct Publisher {
    snapshots: triple_buffer::Input<Snapshot>,
    notices: Sender<Notice>,
    wake: Wake,
    /// Time of the latest snapshot, and how long it took to fill.
    published: Instant,
    filling: Duration,
}

impl Publisher {
    pub(super) fn new(snapshots: triple_buffer::Input<Snapshot>, notices: Sender<Notice>, wake: Wake) -> Self {
        Self { snapshots, notices, wake, published: Instant::now(), filling: Duration::ZERO }
    }

    /// True if a running simulation should publish again.
    fn is_due(&self, now: Instant) -> bool {
        let interval = if self.snapshots.consumed() { INTERVAL } else { UNREAD_INTERVAL };
        now - self.published >= interval.max((FILLING_TIMES * self.filling).min(LONGEST_INTERVAL))
    }

    /// Publishes a snapshot, which `fill` makes from an older one.
    fn publish(&mut self, fill: impl FnOnce(&mut Snapshot)) {
        let start = Instant::now();
        fill(self.snapshots.input_buffer_mut());
        self.snapshots.publish();
        self.published = Instant::now();
        self.filling = self.published - start;
        (self.wake)();
    }

    fn notify(&self, notice: Notice) {
        // A closed window needs no notices.
        let _ = self.notices.send(notice);
        (self.wake)();
    }
}

// The threads that compute a step.

/// Starts `count` threads, or one per core if `None`.
fn pool(count: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        // 0 means one per core.
        .num_threads(count.unwrap_or(0))
        .thread_name(|index| format!("simulation {index}"))
        .start_handler(|_| lower_priority())
        .build()
        .context("cannot start the simulation's threads")
}

/// Lowers the thread's priority, so that the window's threads go first if there are fewer cores than threads: otherwise every
/// frame would wait for the simulation.
fn lower_priority() {
    let low = ThreadPriority::Crossplatform(20u8.try_into().expect("priorities reach from 0 to 99"));
    if let Err(error) = thread_priority::set_current_thread_priority(low) {
        log::info!("the simulation runs at normal priority: {error:?}");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn snapshots_that_take_long_to_fill_come_seldom() {
        let (input, mut output) = triple_buffer::triple_buffer(&Snapshot::default());
        let (notices, _incoming) = std::sync::mpsc::channel();
        let mut publisher = Publisher::new(input, notices, Arc::new(|| ()));
        for filling in [Duration::ZERO, Duration::from_millis(30)] {
            publisher.publish(|_| std::thread::sleep(filling));
            output.update();
            // The sleep is as long at least, and longer on a busy machine.
            let least = INTERVAL.max(FILLING_TIMES * filling);
            assert!(!publisher.is_due(publisher.published + least - Duration::from_micros(1)));
            assert!(publisher.is_due(publisher.published + INTERVAL.max(FILLING_TIMES * publisher.filling)));
        }
    }
}
