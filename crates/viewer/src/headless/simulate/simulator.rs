//! The loop shared by every command without a window: step until the goal, and call an observer with each state.

use super::interrupt::Interrupt;
use super::outcome::{Outcome, explain};
use super::replay::Replay;
use crate::engine;
use crate::headless::Failure;
use crate::headless::arguments::ThreadArgs;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sph_core::neighbors::GridParameters;
use sph_core::{Engine, Parameters, State, StepError, StepStats};
use sph_io::Scene;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// End of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// The end of the first step at or after this time, s.
    Time(f64),
    /// This many steps.
    Steps(u64),
}

impl Goal {
    /// Completed fraction, 0 to 1.
    pub fn fraction(self, time: f64, steps: u64) -> f64 {
        let done = match self {
            Self::Time(until) => time / until,
            Self::Steps(count) => steps as f64 / count as f64,
        };
        done.min(1.0)
    }
}

/// Starts as many threads as `threads` says, one per core if it does not.
///
/// # Errors
/// If the operating system refuses them.
pub fn start_threads(threads: ThreadArgs) -> Result<ThreadPool, Failure> {
    let builder = ThreadPoolBuilder::new().num_threads(threads.threads.map_or(0, usize::from));
    let named = builder.thread_name(|index| format!("sph {index}"));
    named.build().map_err(|error| Failure::Run(format!("cannot start the threads: {error}")))
}

/// An engine and the threads that it runs on.
pub struct Simulator {
    pool: Arc<ThreadPool>,
    engine: Box<dyn Engine>,
    replay: Option<Replay>,
}

impl Simulator {
    /// Starts the engine of `scene`.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or the scene cannot be simulated.
    pub fn new(scene: &Scene, threads: ThreadArgs) -> Result<Self, Failure> {
        Self::start(scene, threads, || {
            engine::start(&scene.setup).map_err(|error| Failure::Input(format!("scene {}: {error}", scene.name)))
        })
    }

    /// Resumes the engine of `scene` from `state`, which was saved at `path`.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or the state cannot be resumed.
    pub fn resume(scene: &Scene, state: State, path: &Path, threads: ThreadArgs) -> Result<Self, Failure> {
        Self::start(scene, threads, || {
            engine::resume(&scene.setup, state)
                .map_err(|error| Failure::Input(format!("cannot resume {}: {error}", path.display())))
        })
    }

    fn start(
        scene: &Scene,
        threads: ThreadArgs,
        engine: impl FnOnce() -> Result<Box<dyn Engine>, Failure> + Send,
    ) -> Result<Self, Failure> {
        let pool = start_threads(threads)?;
        let mut engine = pool.install(engine)?;
        engine.set_wall_reaction(scene.measures_walls());
        Ok(Self { pool: Arc::new(pool), engine, replay: None })
    }

    /// The engine in its present state.
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// The engine's threads.
    pub fn pool(&self) -> Arc<ThreadPool> {
        Arc::clone(&self.pool)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `work` on the engine's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Sets the neighbour search from the next step on.
    ///
    /// # Errors
    /// If a value is outside its range.
    pub fn set_grid(&mut self, grid: GridParameters) -> Result<(), Failure> {
        let parameters = Parameters { grid, ..*self.engine.parameters() };
        self.engine.set_parameters(parameters).map_err(|error| Failure::Input(error.to_string()))
    }

    /// Records the time span of each phase from the next step on; see [`Engine::timeline`].
    pub fn record_timeline(&mut self) {
        self.engine.set_timeline(true);
    }

    /// Replays a recording from the next step on.
    ///
    /// # Errors
    /// If the recording is of another fluid.
    pub fn set_replay(&mut self, replay: Replay) -> Result<(), Failure> {
        replay.check_start(&*self.engine)?;
        self.replay = Some(replay);
        Ok(())
    }

    /// Result of the replay in words, if there is one and it has reached its end.
    ///
    /// # Errors
    /// If the fluid differs from that recorded.
    pub fn verdict(&self) -> Result<Option<String>, Failure> {
        self.replay.as_ref().map_or(Ok(None), |replay| replay.verdict(&*self.engine))
    }

    /// Makes one step.
    pub fn step(&mut self) -> StepStats {
        let Self { pool, engine, .. } = self;
        pool.install(|| engine.step())
    }

    /// Makes `steps` steps that are not measured.
    ///
    /// # Errors
    /// If the simulation fails.
    pub fn warm_up(&mut self, steps: u32) -> Result<(), Failure> {
        for _ in 0..steps {
            if let Some(error) = self.step().error {
                return Err(Failure::Run(format!("the simulation failed: {error}")));
            }
        }
        Ok(())
    }

    /// Steps until the goal, an interruption, or a failure of the simulation or of `observe`, which is called with the initial
    /// state, without statistics, and with the state after every step; the statistics of a refused step come with the state
    /// before it.
    pub fn run(
        &mut self,
        goal: Goal,
        interrupt: Interrupt,
        mut observe: impl FnMut(&dyn Engine, Option<&StepStats>) -> Result<(), Failure>,
    ) -> Outcome {
        let started = Instant::now();
        self.engine.set_cancel_flag(interrupt.cancel_flag());
        let mut outcome = Outcome::default();
        if let Err(failure) = observe(&*self.engine, None) {
            outcome.fail(failure);
        }
        while !outcome.is_ended() && goal.fraction(self.engine.time(), self.engine.steps()) < 1.0 {
            if interrupt.requested() {
                outcome.interrupt();
                break;
            }
            let Self { pool, engine, replay } = self;
            if let Some(replay) = replay
                && let Err(failure) = pool.install(|| replay.apply(&mut **engine))
            {
                outcome.fail(failure);
                break;
            }
            let stats = self.step();
            if stats.error == Some(StepError::Cancelled) {
                outcome.interrupt();
                break;
            }
            outcome.add(&stats);
            if let Some(error) = stats.error {
                outcome.fail(explain(error, &stats, self.engine.parameters()));
            }
            if let Err(failure) = observe(&*self.engine, Some(&stats)) {
                outcome.fail(failure);
            }
        }
        outcome.wall = started.elapsed();
        outcome
    }
}
