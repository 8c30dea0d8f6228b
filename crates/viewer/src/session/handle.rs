//! The window's side of the session: starts the thread with its options, sends requests, receives snapshots and notices.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use super::thread::{Event, Publisher, Runner};
use super::{Goal, Inspect, Notice, SearchGrid, Snapshot, SpeedLimit, Subject};
use sph_commands::engine::{self, StartEngine};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{DroppedBody, Hand, Parameters, State};
use sph_io::{Checkpoint, Override, Scene, SourceFiles};

/// Handle of a running simulation thread, held by the window. Dropping it ends the thread after its current step.
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
    /// If the threads cannot be started or the statistics file cannot be created.
    pub fn start(options: &Options, wake: Wake) -> anyhow::Result<Self> {
        let (input, snapshots) = triple_buffer::triple_buffer(&Snapshot::default());
        let (events, incoming) = mpsc::channel();
        let (notice_sender, notices) = mpsc::channel();
        let publisher = Publisher::new(input, notice_sender, wake);
        let runner = Runner::new(options, events.clone(), incoming, publisher)?;
        let thread = std::thread::Builder::new().name("simulation".into()).spawn(move || runner.run())?;
        Ok(Self { events, snapshots, notices, thread: Some(thread) })
    }

    /// Sends a request; never blocks.
    pub fn send(&self, request: Request) {
        // A thread that has ended has reported the reason; otherwise `is_alive` shows it.
        let _ = self.events.send(Event::Request(request));
    }

    /// Receives the latest snapshot; returns true if there was a new one.
    pub fn update(&mut self) -> bool {
        self.snapshots.update()
    }

    /// The snapshot that the last [`Session::update`] received.
    pub fn snapshot(&self) -> &Snapshot {
        self.snapshots.output_buffer()
    }

    /// The oldest notice not received yet.
    pub fn next_notice(&self) -> Option<Notice> {
        self.notices.try_recv().ok()
    }

    /// True while the simulation thread runs. Only a defect of the program ends it early.
    pub fn is_alive(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Ends the thread after its current step and completes the statistics file.
    ///
    /// # Errors
    /// If the statistics file could not be written or completed, or if the thread panicked.
    pub fn quit(mut self) -> anyhow::Result<()> {
        self.end()
    }

    fn end(&mut self) -> anyhow::Result<()> {
        let _ = self.events.send(Event::Quit);
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(_)) => anyhow::bail!("the simulation thread panicked"),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Options of a session.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads that compute a step; all cores if `None`.
    pub threads: Option<usize>,
    /// File that receives one line of statistics a step.
    pub stats: Option<PathBuf>,
    /// File that receives the recording of the session at its end.
    pub record: Option<PathBuf>,
    /// Constructor of the engine of every scene.
    pub engine: StartEngine,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: None, stats: None, record: None, engine: engine::start }
    }
}

/// Callback on the simulation's thread whenever there is something new to read; it must return at once.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// A request of the window to the simulation. Requests that arrive while a step runs take effect after it.
#[derive(Clone, Debug)]
pub enum Request {
    /// Reads and builds another scene; the running one goes on until the new one is ready, or for good if it cannot be loaded.
    Load(SceneSource),
    /// Reads the running scene again with another particle spacing, and runs it from its start with what has been changed of its parameters.
    LoadAtSpacing(SceneSource),
    /// Saves the present state as a checkpoint, from which [`SceneSource::at`] opens it again; a notice says how that went.
    SaveState(PathBuf),
    /// Saves the recording of the session since the scene was started, for `sph run --replay`; a notice says how that went.
    SaveRecording(PathBuf),
    /// Saves the result of the last steps: times, settings, scene and machine; a notice says how that went.
    SaveResult(PathBuf),
    /// Reads the values of these particles over time, in place of those before.
    Follow {
        /// Their ids.
        ids: Vec<u32>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that they are of; ignored for any other scene.
        generation: u64,
    },
    /// Publishes that result with the snapshots, or no longer.
    Measure(bool),
    /// Lets this hand act in every step from the next one on; `None` lets go.
    UseHand {
        /// The hand.
        hand: Option<Hand>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is for; ignored for any other scene.
        generation: u64,
    },
    /// Drops a body, at its place or at the first free one above; a notice says why if there is none.
    DropBody {
        /// The body.
        body: DroppedBody,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is for; ignored for any other scene.
        generation: u64,
    },
    /// Takes back the body that was dropped last, unless a step or another change has followed; a notice says if one has.
    TakeBackBody {
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is for; ignored for any other scene.
        generation: u64,
    },
    /// Uses these parameters from the next step on. Of several pending requests only the last is used.
    SetParameters {
        /// The parameters.
        parameters: Parameters,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that they are for; ignored for any other scene.
        generation: u64,
        /// Value of [`Snapshot::revision`](super::Snapshot::revision) once the parameters are in force or refused.
        revision: u64,
    },
    /// Searches a point set with this grid from the next step on, and the sets that are searched with it. The motion stays as it is.
    SetPointGrid {
        /// Index of the set.
        set: usize,
        /// The grid.
        grid: GridParameters,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is for; ignored for any other scene.
        generation: u64,
        /// Value of [`Snapshot::point_revision`](super::Snapshot::point_revision) once the request is handled.
        revision: u64,
    },
    /// Takes the parameters with these keys off their curves, and puts all others on theirs.
    SetOffCurve {
        /// The keys.
        keys: Vec<&'static str>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that they are for; ignored for any other scene.
        generation: u64,
    },
    /// Starts a second simulation with this grid of a search from the present state, gives it this grid, or ends the comparison. Takes effect at
    /// the next step; of several pending requests only the last counts.
    Compare {
        /// Grid B; `None` to end the comparison.
        grid: Option<SearchGrid>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that the request is for; ignored for any other
        /// scene.
        generation: u64,
        /// Value of [`Snapshot::comparison_revision`](super::Snapshot::comparison_revision) once the request is handled.
        revision: u64,
    },
    /// Runs.
    Play,
    /// Stops after the current step.
    Pause,
    /// Makes a single step; pauses when running.
    StepOnce,
    /// Goes to another moment and pauses there: to a kept one at once, to one between two of them by the steps from the earlier,
    /// to a later one than all so far by new steps, as fast as the machine can. Of several pending requests only the last counts.
    Seek(Goal),
    /// Goes back by this many steps.
    StepBack(u64),
    /// Bounds the memory of kept moments, bytes; with 0 none are kept while the fluid runs.
    SetPlaybackMemory(u64),
    /// Restarts the fluid from the scene, with the parameters in force.
    Reset,
    /// Bounds simulated seconds per second.
    SetSpeedLimit(SpeedLimit),
    /// Inspects this part of the grid with every snapshot.
    Inspect(Inspect),
    /// Parameters have been written to the file of `scene`: it is the baseline of "changed" now, and its own writing no change of a file.
    Saved {
        /// The scene before.
        scene: Arc<Scene>,
        /// The scene as the file has it now.
        saved: Arc<Scene>,
    },
    /// Measures grids on the present state, one trial between two steps; see [`Snapshot::tuning`](super::Snapshot::tuning).
    Tune {
        /// First point set of the search; `None` for that of the fluid.
        set: Option<usize>,
        /// Structures.
        structures: Vec<Structure>,
    },
    /// Ends the trials; their results stay.
    CancelTune,
}

/// Source of a scene.
#[derive(Clone, Debug)]
pub enum SceneSource {
    /// A scene file, with values that replace its own.
    File(PathBuf, Vec<Override>),
    /// A scene built into the program: its name and its text, with values that replace its own.
    Text(&'static str, &'static str, Vec<Override>),
    /// A checkpoint: a scene in a later state.
    Checkpoint(PathBuf),
}

/// Extension of checkpoints.
pub const CHECKPOINT: &str = "checkpoint";

impl SceneSource {
    /// The file at `path`: a scene, or a checkpoint.
    pub fn at(path: PathBuf) -> Self {
        if path.extension().is_some_and(|extension| extension == CHECKPOINT) {
            Self::Checkpoint(path)
        } else {
            Self::File(path, Vec::new())
        }
    }

    /// The scene, and the state in which it is; `None` for its start. Files that are read or looked for are added to `files`, with or
    /// without an error.
    pub(super) fn read(&self, files: &mut SourceFiles) -> Result<(Scene, Option<State>), Notice> {
        let (name, result) = match self {
            Self::Checkpoint(path) => {
                return match Checkpoint::load(path) {
                    Ok(Checkpoint { scene, state, .. }) => Ok((scene, Some(state))),
                    Err(error) => {
                        let title = format!("Cannot open the state {}", path.display());
                        Err(Notice::error(title, error.to_string()).about(Subject::Scene))
                    }
                };
            }
            Self::File(path, overrides) => (path.display().to_string(), sph_io::load_from(path, overrides, files)),
            Self::Text(name, text, overrides) => ((*name).to_owned(), sph_io::parse(text, name, overrides)),
        };
        let unusable = |error: sph_io::SceneError| Notice::error(format!("Cannot load {name}"), error.report(false));
        let scene = result.map_err(|error| unusable(error).laid_out().about(Subject::Scene))?;
        Ok((scene, None))
    }
}
