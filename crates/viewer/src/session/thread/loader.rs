//! Loading thread: reads and builds scenes one after the other, while the running one goes on; the watch over the files of the running
//! scene, and of one that could not be loaded.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, SystemTime};

use super::{Built, Event, Loaded};
use crate::session::{Notice, SceneSource, Subject};
use sph_commands::engine::{self, StartEngine};
use sph_core::{Parameters, Setup};
use sph_io::{Scene, SourceFiles};

/// Distances that a step may spend on checking neighbour lists against brute force: about one per cent of its time.
const AUDITED_DISTANCES: usize = 200_000;

/// A scene to build.
#[derive(Debug)]
pub(super) enum Job {
    /// Another scene.
    Load(SceneSource),
    /// The running scene again, from its changed files.
    Reload(SceneSource),
    /// The same scene from its start, with these parameters.
    Restart(Arc<Scene>, Parameters),
}

/// A result that is not superseded.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Result of [`Job::Load`], and the files that it read or looked for.
    Loaded(Built, SourceFiles),
    /// The same of [`Job::Reload`].
    Reloaded(Built, SourceFiles),
    /// Result of [`Job::Restart`], for the scene that still runs.
    Restarted(Built),
}

/// Handle of the loading thread. Of several jobs of a kind only the last counts, and the kinds are independent: a restart does
/// not cancel a load under way, and a load that fails does not cancel a restart.
#[derive(Debug)]
pub(super) struct Loader {
    jobs: Sender<(u64, Job)>,
    /// Number of jobs submitted.
    submitted: u64,
    /// Numbers of the current job of each kind, while it is under way.
    load: Option<u64>,
    restart: Option<u64>,
    /// True if the load under way is a reload.
    is_reload: bool,
}

impl Loader {
    /// Starts the thread, which makes engines by `engine` and sends its results as events until the loader is gone.
    pub(super) fn start(engine: StartEngine, events: Sender<Event>) -> std::io::Result<Self> {
        let (jobs, incoming) = mpsc::channel();
        std::thread::Builder::new().name("scene loader".into()).spawn(move || run_jobs(engine, &incoming, &events))?;
        Ok(Self { jobs, submitted: 0, load: None, restart: None, is_reload: false })
    }

    /// Submits `job`; it replaces earlier ones of its kind.
    pub(super) fn submit(&mut self, job: Job) {
        self.submitted += 1;
        match job {
            Job::Load(_) | Job::Reload(_) => {
                self.load = Some(self.submitted);
                self.is_reload = matches!(job, Job::Reload(_));
            }
            Job::Restart(..) => self.restart = Some(self.submitted),
        }
        // The thread lives as long as this handle does: it catches panics.
        let _ = self.jobs.send((self.submitted, job));
    }

    /// True while a current job is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.load.is_some() || self.restart.is_some()
    }

    /// True while a scene is read that may take the place of the running one.
    pub(super) fn is_loading(&self) -> bool {
        self.load.is_some()
    }

    /// True while the running scene is read again.
    pub(super) fn is_reloading(&self) -> bool {
        self.is_loading() && self.is_reload
    }

    /// Cancels the restart under way: it is for a scene that no longer runs.
    pub(super) fn cancel_restart(&mut self) {
        self.restart = None;
    }

    /// Classifies a result; `None` if it is superseded.
    pub(super) fn accept(&mut self, Loaded { number, files, result }: Loaded) -> Option<Outcome> {
        if self.load == Some(number) {
            self.load = None;
            if result.is_ok() && !self.is_reload {
                self.cancel_restart();
            }
            Some(if self.is_reload { Outcome::Reloaded(result, files) } else { Outcome::Loaded(result, files) })
        } else if self.restart == Some(number) {
            self.restart = None;
            Some(Outcome::Restarted(result))
        } else {
            None
        }
    }
}

/// The pending jobs: one of each kind at most.
#[derive(Debug, Default)]
struct Waiting {
    load: Option<(u64, Job)>,
    restart: Option<(u64, Job)>,
}

impl Waiting {
    fn put(&mut self, job: (u64, Job)) {
        match job.1 {
            Job::Load(_) | Job::Reload(_) => self.load = Some(job),
            Job::Restart(..) => self.restart = Some(job),
        }
    }

    /// The next job. A load comes first: if it succeeds there is nothing left to restart, unless it is a reload, which may have found
    /// nothing new.
    fn take(&mut self) -> Option<(u64, Job)> {
        self.load.take().or_else(|| self.restart.take())
    }
}

/// The loop of the loading thread.
fn run_jobs(engine: StartEngine, jobs: &Receiver<(u64, Job)>, events: &Sender<Event>) {
    let mut waiting = Waiting::default();
    loop {
        // All jobs submitted during the last one; only the latest of each kind is built.
        jobs.try_iter().for_each(|job| waiting.put(job));
        let Some((number, job)) = waiting.take() else {
            match jobs.recv() {
                Ok(job) => waiting.put(job),
                Err(_) => return,
            }
            continue;
        };
        let is_load = matches!(job, Job::Load(_));
        let mut files = SourceFiles::default();
        let result = job.build_catching_panics(engine, &mut files);
        if is_load && result.is_ok() {
            waiting.restart = None;
        }
        if events.send(Event::Loaded(Loaded { number, files, result })).is_err() {
            return;
        }
    }
}

impl Job {
    /// Builds the scene; a panic, which is a defect of the program, costs this job only.
    fn build_catching_panics(self, engine: StartEngine, files: &mut SourceFiles) -> Built {
        // The job is dropped afterwards, and the other data that it reads cannot change.
        catch_unwind(AssertUnwindSafe(|| self.build(engine, files))).unwrap_or_else(|_| {
            Err(Notice::error(
                "The scene cannot be built",
                "This is a defect of the program. The running scene is not affected.",
            ))
        })
    }

    fn build(self, start: StartEngine, files: &mut SourceFiles) -> Built {
        let (scene, setup, state) = match self {
            Self::Load(source) | Self::Reload(source) => {
                let (scene, state) = source.read(files)?;
                let setup = scene.setup.clone();
                (Arc::new(scene), setup, state)
            }
            Self::Restart(scene, parameters) => {
                let setup = Setup { parameters, ..scene.setup.clone() };
                (scene, setup, None)
            }
        };
        let engine = match state {
            Some(state) => engine::resume(&setup, state).map_err(anyhow::Error::from),
            None => start(&setup),
        };
        let mut engine = engine.map_err(|error| {
            Notice::error(format!("Cannot simulate {}", scene.name), error.to_string()).about(Subject::Scene)
        })?;
        if scene.measures_walls() {
            engine.set_wall_reaction(true);
        }
        let view = engine.view();
        let points = view.sets.iter().map(|set| set.len()).sum::<usize>().max(view.particles.len());
        engine.set_audit((AUDITED_DISTANCES / points.max(1)).clamp(8, 256));
        Ok((scene, engine))
    }
}

// Watch over the files of a scene, for hot reload.
//
// Files are looked at by name, a few times a second: editors replace a file by renaming another, which a watch on the old one would not notice.

/// Time between two looks. A change counts once it has lasted from one look to the next, so that files are not read half written.
const INTERVAL: Duration = Duration::from_millis(250);

/// Largest file that is compared; a larger one has changed.
const MAX_COMPARED: u64 = 1 << 29;

/// Handle of the watching thread, which ends with it.
#[derive(Debug)]
pub(super) struct Watcher(Sender<SourceFiles>);

impl Watcher {
    /// Starts the thread, which sends the event that `changed` makes when a file is no longer what it was.
    pub(super) fn start(events: Sender<Event>, changed: fn() -> Event) -> std::io::Result<Self> {
        let (files, incoming) = mpsc::channel();
        std::thread::Builder::new().name("file watcher".into()).spawn(move || watch(&incoming, &events, changed))?;
        Ok(Self(files))
    }

    /// Watches `files` in place of those before.
    pub(super) fn watch(&self, files: SourceFiles) {
        // The thread lives as long as this handle does.
        let _ = self.0.send(files);
    }
}

/// Length and time of the last change of a file.
type Stamp = (u64, Option<SystemTime>);

/// A watched file.
struct Watched {
    contents: Arc<[u8]>,
    /// Stamp at the latest look; `None` before the first.
    latest: Option<Stamp>,
    /// Stamp at which the contents were compared last.
    compared: Option<Stamp>,
}

fn watch(incoming: &Receiver<SourceFiles>, events: &Sender<Event>, changed: fn() -> Event) {
    let mut watched: BTreeMap<PathBuf, Watched> = BTreeMap::new();
    loop {
        let files = match watched.is_empty() {
            true => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => incoming.recv_timeout(INTERVAL),
        };
        match files {
            Ok(files) => {
                let fresh = |contents: Arc<[u8]>| Watched { contents, latest: None, compared: None };
                let unread = files.unread().map(|path| (path, Arc::default()));
                watched = unread.chain(files.contents()).map(|(path, contents)| (path.to_owned(), fresh(contents))).collect();
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                // Without short-circuit: each file is looked at.
                let number = watched.iter_mut().filter_map(|(path, file)| file.look(path).then_some(())).count();
                if number > 0 && events.send(changed()).is_err() {
                    return;
                }
            }
        }
    }
}

impl Watched {
    /// True if the contents have changed since the last time that this was true. A file that is missing is about to be replaced.
    fn look(&mut self, path: &Path) -> bool {
        let Ok(metadata) = path.metadata() else { return false };
        let stamp = Some((metadata.len(), metadata.modified().ok()));
        let is_settled = self.latest == stamp;
        self.latest = stamp;
        if !is_settled || self.compared == stamp || !metadata.is_file() {
            return false;
        }
        self.compared = stamp;
        if metadata.len() > MAX_COMPARED {
            return true;
        }
        match std::fs::read(path) {
            Ok(contents) if *contents != *self.contents => {
                self.contents = contents.into();
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str =
        "format = 1\ndimensions = 2\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.3, 0.3]\n";

    fn load(text: &'static str) -> Job {
        Job::Load(SceneSource::Text("test", text, Vec::new()))
    }

    fn restart() -> Job {
        let scene = Arc::new(sph_io::parse(SCENE, "test", &[]).expect("the scene is well-formed"));
        let parameters = scene.setup.parameters;
        Job::Restart(scene, parameters)
    }

    fn loaded(number: u64, result: Built) -> Loaded {
        Loaded { number, files: SourceFiles::default(), result }
    }

    /// Results of the thread for jobs that are pending when it starts: the number of each job, and true if it was built.
    fn built(waiting: impl IntoIterator<Item = Job>) -> Vec<(u64, bool)> {
        let (jobs, incoming) = mpsc::channel();
        let (events, results) = mpsc::channel();
        for (job, number) in waiting.into_iter().zip(1..) {
            jobs.send((number, job)).expect("the other end is here");
        }
        drop(jobs);
        run_jobs(engine::start, &incoming, &events);
        let built = |event| match event {
            Event::Loaded(Loaded { number, result, .. }) => Some((number, result.is_ok())),
            _ => None,
        };
        results.try_iter().filter_map(built).collect()
    }

    #[test]
    fn only_the_latest_of_a_kind_is_built() {
        assert_eq!(built((0..50).map(|_| restart())), [(50, true)]);
        assert_eq!(built((0..50).map(|_| load(SCENE))), [(50, true)]);
    }

    #[test]
    fn only_a_failed_load_keeps_a_restart() {
        assert_eq!(built([restart(), load("titel = 1")]), [(2, false), (1, true)]);
        assert_eq!(built([load(SCENE), restart()]), [(1, true)]);
    }

    #[test]
    fn a_reload_keeps_a_restart() {
        let Job::Load(source) = load(SCENE) else { panic!("it is a load") };
        assert_eq!(built([restart(), Job::Reload(source.clone())]), [(2, true), (1, true)]);
        let (jobs, _incoming) = mpsc::channel();
        let mut loader = Loader { jobs, submitted: 0, load: None, restart: None, is_reload: false };
        loader.submit(Job::Reload(source));
        loader.submit(restart());
        let result = load(SCENE).build(engine::start, &mut SourceFiles::default());
        assert!(matches!(loader.accept(loaded(1, result)), Some(Outcome::Reloaded(Ok(_), _))));
        let result = restart().build(engine::start, &mut SourceFiles::default());
        assert!(matches!(loader.accept(loaded(2, result)), Some(Outcome::Restarted(Ok(_)))));
    }

    #[test]
    fn a_load_and_a_restart_do_not_replace_each_other() {
        let (jobs, _incoming) = mpsc::channel();
        let mut loader = Loader { jobs, submitted: 0, load: None, restart: None, is_reload: false };
        let failure = || Err(Notice::info("no"));
        loader.submit(load(SCENE));
        loader.submit(restart());
        loader.submit(restart());
        assert!(loader.accept(loaded(2, failure())).is_none(), "another restart has been submitted");
        assert!(matches!(loader.accept(loaded(1, failure())), Some(Outcome::Loaded(..))));
        assert!(loader.is_busy());
        assert!(matches!(loader.accept(loaded(3, failure())), Some(Outcome::Restarted(_))));
        assert!(!loader.is_busy());
    }

    #[test]
    fn a_loaded_scene_cancels_the_restart_of_the_one_before() {
        let (jobs, _incoming) = mpsc::channel();
        let mut loader = Loader { jobs, submitted: 0, load: None, restart: None, is_reload: false };
        loader.submit(load(SCENE));
        loader.submit(restart());
        let result = load(SCENE).build(engine::start, &mut SourceFiles::default());
        assert!(matches!(loader.accept(loaded(1, result)), Some(Outcome::Loaded(Ok(_), _))));
        assert!(
            !loader.is_busy()
                && loader.accept(loaded(2, restart().build(engine::start, &mut SourceFiles::default()))).is_none()
        );
    }
}
