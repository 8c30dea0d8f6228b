//! The simulation on a thread of its own: requests go in over a channel, snapshots come out through a triple buffer.
//!
//! Neither side waits for the other. The simulation thread drains its requests between two steps; the window reads the latest
//! snapshot, if there is a new one, and draws. Scenes are read and built on yet another thread while the running one goes on.

mod comparison;
mod history;
mod inspection;
mod loader;
mod notice;
mod outlet;
mod pace;
mod record;
mod rival;
mod runner;
mod running;
mod snapshot;
mod threads;
mod tuning;

pub use comparison::{Comparison, Difference, Differing};
pub use history::{History, Sample};
pub use inspection::{Inspect, Inspection};
pub use loader::SceneSource;
pub use notice::{Notice, Severity, Subject};
pub use pace::{Rates, SpeedLimit};
pub use rival::Rival;
pub use snapshot::Snapshot;
pub use tuning::{Stage, Tuning};

use outlet::Outlet;
use runner::{Event, Runner};
use sph_core::Parameters;
use sph_core::neighbors::{GridParameters, Structure};
use sph_io::Scene;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

/// What the window asks of the simulation. Requests that come while a step runs act after it.
#[derive(Clone, Debug)]
pub enum Request {
    /// Reads and builds another scene; the running one goes on until the new one is ready, or for good when it cannot be loaded.
    Load(SceneSource),
    /// Uses these parameters from the next step on. Of several that wait, only the last is used.
    SetParameters {
        /// The parameters.
        parameters: Parameters,
        /// [`Snapshot::generation`] of the scene that they are meant for; another scene ignores them.
        generation: u64,
        /// Comes back as [`Snapshot::revision`] once they are in force or refused.
        revision: u64,
    },
    /// Starts a rival with this grid from the present state, gives the rival this grid, or ends the comparison. Acts from the next step
    /// on; of several that wait, only the last does.
    Compare {
        /// The rival's grid; `None` for no rival.
        grid: Option<GridParameters>,
        /// [`Snapshot::generation`] of the scene that it is meant for; another scene ignores it.
        generation: u64,
        /// Comes back as [`Snapshot::rival_revision`] once dealt with.
        revision: u64,
    },
    /// Runs.
    Play,
    /// Stops after the current step.
    Pause,
    /// Makes a single step; pauses when running.
    StepOnce,
    /// Starts the fluid afresh from the scene, with the parameters in force.
    Reset,
    /// Bounds simulated seconds per second.
    SetSpeedLimit(SpeedLimit),
    /// Looks into this part of the grid with every snapshot.
    Inspect(Inspect),
    /// These parameters are in the file of this scene now: what counts as changed is measured from them.
    Saved(Arc<Scene>, Parameters),
    /// Tries grids with these structures on the present state, a trial between two steps; see [`Snapshot::tuning`].
    Tune(Vec<Structure>),
    /// Ends the trials; what they have shown stays.
    CancelTune,
}

/// How a session is set up.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Threads that compute a step; all cores when `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
}

/// Called on the simulation's thread whenever there is something new to read; it must return at once.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The window's end of a running simulation thread. Dropping it ends the thread after its current step.
#[derive(Debug)]
pub struct Session {
    events: Sender<Event>,
    snapshots: triple_buffer::Output<Snapshot>,
    notices: Receiver<Notice>,
    thread: Option<JoinHandle<anyhow::Result<()>>>,
}

impl Session {
    /// Starts the thread, with no scene yet.
    ///
    /// # Errors
    /// When the threads cannot be started or the statistics file cannot be created.
    pub fn start(options: &Options, wake: Wake) -> anyhow::Result<Self> {
        let (input, snapshots) = triple_buffer::triple_buffer(&Snapshot::default());
        let (events, incoming) = mpsc::channel();
        let (notice_sender, notices) = mpsc::channel();
        let outlet = Outlet::new(input, notice_sender, wake);
        let runner = Runner::new(options, events.clone(), incoming, outlet)?;
        let thread = std::thread::Builder::new().name("simulation".into()).spawn(move || runner.run())?;
        Ok(Self { events, snapshots, notices, thread: Some(thread) })
    }

    /// Sends a request; never blocks.
    pub fn send(&self, request: Request) {
        // A thread that ended has reported why, or `is_alive` tells.
        let _ = self.events.send(Event::Request(request));
    }

    /// Takes the latest snapshot over; whether there was a new one.
    pub fn update(&mut self) -> bool {
        self.snapshots.update()
    }

    /// The snapshot that the last [`Session::update`] took over.
    pub fn snapshot(&self) -> &Snapshot {
        self.snapshots.output_buffer()
    }

    /// The oldest notice not taken yet.
    pub fn next_notice(&self) -> Option<Notice> {
        self.notices.try_recv().ok()
    }

    /// Whether the simulation thread runs. It ends early only by a defect of the program.
    pub fn is_alive(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Ends the thread after its current step and completes the statistics file.
    ///
    /// # Errors
    /// When the statistics file could not be written or completed, or the thread had died of a panic.
    pub fn quit(mut self) -> anyhow::Result<()> {
        self.end()
    }

    fn end(&mut self) -> anyhow::Result<()> {
        let _ = self.events.send(Event::Quit);
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(_)) => anyhow::bail!("the simulation thread died"),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

#[cfg(test)]
mod tests;
