//! Reads and builds scenes on a thread of its own, one after the other, so that the running one goes on.

use super::event::{Built, Event, Loaded};
use crate::session::{Notice, SceneSource, Subject};
use sph_core::{Parameters, Setup, Simulation};
use sph_io::Scene;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

/// Distances that a step may spend on checking neighbour lists against brute force: a few per cent of its time.
const AUDITED_DISTANCES: usize = 2_000_000;

/// What to build.
#[derive(Debug)]
pub(super) enum Job {
    /// Another scene.
    Load(SceneSource),
    /// The same scene from its start, with these parameters.
    Restart(Arc<Scene>, Parameters),
}

/// A result that still counts.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Of [`Job::Load`].
    Loaded(Built),
    /// Of [`Job::Restart`], for the scene that still runs.
    Restarted(Built),
}

/// The loading thread as the simulation's thread sees it. Of several jobs of a kind only the last counts, and the kinds do not disturb
/// each other: a restart leaves a load under way, and a load that fails leaves the restart.
#[derive(Debug)]
pub(super) struct Loader {
    jobs: Sender<(u64, Job)>,
    /// Jobs asked for.
    asked: u64,
    /// Numbers of the jobs of each kind that count, while they are under way.
    load: Option<u64>,
    restart: Option<u64>,
}

impl Loader {
    /// Starts the thread, which sends its results as events until the loader is gone.
    pub(super) fn start(events: Sender<Event>) -> std::io::Result<Self> {
        let (jobs, incoming) = mpsc::channel();
        std::thread::Builder::new().name("scene loader".into()).spawn(move || work(&incoming, &events))?;
        Ok(Self { jobs, asked: 0, load: None, restart: None })
    }

    /// Has `job` done instead of others of its kind.
    pub(super) fn ask(&mut self, job: Job) {
        self.asked += 1;
        match job {
            Job::Load(_) => self.load = Some(self.asked),
            Job::Restart(..) => self.restart = Some(self.asked),
        }
        // The thread lives as long as this end does: it catches panics.
        let _ = self.jobs.send((self.asked, job));
    }

    /// Whether a job that counts is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.load.is_some() || self.restart.is_some()
    }

    /// What becomes of a result; `None` when it no longer counts.
    pub(super) fn accept(&mut self, Loaded { number, result }: Loaded) -> Option<Outcome> {
        if self.load == Some(number) {
            self.load = None;
            if result.is_ok() {
                // It was for the scene before.
                self.restart = None;
            }
            Some(Outcome::Loaded(result))
        } else if self.restart == Some(number) {
            self.restart = None;
            Some(Outcome::Restarted(result))
        } else {
            None
        }
    }
}

/// The jobs that wait: one of each kind at most.
#[derive(Debug, Default)]
struct Waiting {
    load: Option<(u64, Job)>,
    restart: Option<(u64, Job)>,
}

impl Waiting {
    fn put(&mut self, job: (u64, Job)) {
        match job.1 {
            Job::Load(_) => self.load = Some(job),
            Job::Restart(..) => self.restart = Some(job),
        }
    }

    /// The next job. A load goes first: when it succeeds there is nothing left to restart.
    fn take(&mut self) -> Option<(u64, Job)> {
        self.load.take().or_else(|| self.restart.take())
    }
}

/// The loop of the loading thread.
fn work(jobs: &Receiver<(u64, Job)>, events: &Sender<Event>) {
    let mut waiting = Waiting::default();
    loop {
        // Whatever has been asked for while the last job was done; more than the latest would be built in vain.
        jobs.try_iter().for_each(|job| waiting.put(job));
        let Some((number, job)) = waiting.take() else {
            match jobs.recv() {
                Ok(job) => waiting.put(job),
                Err(_) => return,
            }
            continue;
        };
        let is_load = matches!(job, Job::Load(_));
        let result = job.build_or_survive();
        if is_load && result.is_ok() {
            waiting.restart = None;
        }
        if events.send(Event::Loaded(Loaded { number, result })).is_err() {
            return;
        }
    }
}

impl Job {
    /// Builds; a defect of the program must not cost more than this job.
    fn build_or_survive(self) -> Built {
        // The job is gone afterwards, and everything else it sees cannot change.
        catch_unwind(AssertUnwindSafe(|| self.build())).unwrap_or_else(|_| {
            Err(Notice::error(
                "The scene cannot be built",
                "This is a defect of the program. The running scene is not affected.",
            ))
        })
    }

    fn build(self) -> Built {
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
        let mut simulation = Simulation::new(&setup).map_err(|error| {
            Notice::error(format!("Cannot simulate {}", scene.name), error.to_string()).about(Subject::Scene)
        })?;
        let queries = AUDITED_DISTANCES / simulation.particles().len().max(1);
        simulation.set_audit(queries.clamp(8, 256));
        Ok((scene, Box::new(simulation)))
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

    /// What the thread builds of jobs that wait when it comes to them: the number of each, and whether it could be built.
    fn built(waiting: impl IntoIterator<Item = Job>) -> Vec<(u64, bool)> {
        let (jobs, incoming) = mpsc::channel();
        let (events, results) = mpsc::channel();
        for (job, number) in waiting.into_iter().zip(1..) {
            jobs.send((number, job)).expect("the other end is here");
        }
        drop(jobs);
        work(&incoming, &events);
        let built = |event| match event {
            Event::Loaded(Loaded { number, result }) => Some((number, result.is_ok())),
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
    fn a_restart_outlives_a_load_that_fails_only() {
        assert_eq!(built([restart(), load("titel = 1")]), [(2, false), (1, true)]);
        assert_eq!(built([load(SCENE), restart()]), [(1, true)]);
    }

    #[test]
    fn a_load_and_a_restart_do_not_replace_each_other() {
        let (jobs, _incoming) = mpsc::channel();
        let mut loader = Loader { jobs, asked: 0, load: None, restart: None };
        let failure = || Err(Notice::info("no"));
        loader.ask(load(SCENE));
        loader.ask(restart());
        loader.ask(restart());
        assert!(loader.accept(Loaded { number: 2, result: failure() }).is_none(), "another restart has been asked for");
        assert!(matches!(loader.accept(Loaded { number: 1, result: failure() }), Some(Outcome::Loaded(_))));
        assert!(loader.is_busy());
        assert!(matches!(loader.accept(Loaded { number: 3, result: failure() }), Some(Outcome::Restarted(_))));
        assert!(!loader.is_busy());
    }

    #[test]
    fn a_scene_that_is_loaded_is_not_restarted_for_the_one_before() {
        let (jobs, _incoming) = mpsc::channel();
        let mut loader = Loader { jobs, asked: 0, load: None, restart: None };
        loader.ask(load(SCENE));
        loader.ask(restart());
        let result = load(SCENE).build();
        assert!(matches!(loader.accept(Loaded { number: 1, result }), Some(Outcome::Loaded(Ok(_)))));
        assert!(!loader.is_busy() && loader.accept(Loaded { number: 2, result: restart().build() }).is_none());
    }
}
