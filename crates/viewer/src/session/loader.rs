//! Reads and builds scenes on a thread of their own, so that the running one goes on.

use super::runner::Event;
use super::{Notice, Subject};
use sph_core::{Parameters, Setup, Simulation};
use sph_io::{Override, Scene};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// Where a scene comes from.
#[derive(Clone, Debug)]
pub enum SceneSource {
    /// A scene file, with values that replace its own.
    File(PathBuf, Vec<Override>),
    /// A scene that the program carries in itself: its name and its text, with values that replace its own.
    Text(&'static str, &'static str, Vec<Override>),
}

/// What a loading thread hands over.
#[derive(Debug)]
pub(super) struct Loaded {
    /// Which of the loads asked for it is; only the last one counts.
    pub number: u64,
    /// Whether the scene is the one that ran when it was asked for.
    pub restarted: bool,
    /// The scene and its simulation, or why there is none.
    pub result: Result<(Arc<Scene>, Box<Simulation>), Notice>,
}

/// What to build.
#[derive(Debug)]
pub(super) enum Job {
    /// Another scene.
    Load(SceneSource),
    /// The same scene from its start, with these parameters.
    Restart(Arc<Scene>, Parameters),
}

impl Job {
    /// Builds on a new thread, which sends its result as an event.
    pub(super) fn start(self, number: u64, events: Sender<Event>) -> std::io::Result<()> {
        let restarted = matches!(self, Self::Restart(..));
        let work = move || {
            // The session may have ended meanwhile; then nobody needs the result.
            let _ = events.send(Event::Loaded(Loaded { number, restarted, result: self.build() }));
        };
        std::thread::Builder::new().name("scene loader".into()).spawn(work).map(drop)
    }

    fn build(self) -> Result<(Arc<Scene>, Box<Simulation>), Notice> {
        let (scene, setup) = match self {
            Self::Load(source) => {
                let scene = source.read()?;
                let setup = scene.setup.clone();
                (Arc::new(scene), setup)
            }
            Self::Restart(scene, parameters) => {
                let setup = Setup { parameters, ..scene.setup.clone() };
                (scene, setup)
            }
        };
        let simulation = Simulation::new(&setup).map_err(|error| {
            Notice::error(format!("Cannot simulate {}", scene.name), error.to_string()).about(Subject::Scene)
        })?;
        Ok((scene, Box::new(simulation)))
    }
}

impl SceneSource {
    fn read(&self) -> Result<Scene, Notice> {
        let (name, result) = match self {
            Self::File(path, overrides) => (path.display().to_string(), sph_io::load(path, overrides)),
            Self::Text(name, text, overrides) => ((*name).to_owned(), sph_io::parse(text, name, overrides)),
        };
        let unusable = |error: sph_io::SceneError| Notice::error(format!("Cannot load {name}"), error.report(false));
        result.map_err(|error| unusable(error).laid_out().about(Subject::Scene))
    }
}
