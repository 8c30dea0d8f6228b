//! The loop that every command without a window shares: step until the goal, and let an observer look at each state.

use super::interrupt::Interrupt;
use super::outcome::{Outcome, explain};
use crate::headless::Failure;
use crate::headless::arguments::ThreadArgs;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sph_core::neighbors::GridParameters;
use sph_core::{Parameters, Simulation, StepStats};
use sph_io::Scene;
use std::time::Instant;

/// How far to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// To the end of the first step at or after this time, s.
    Time(f64),
    /// For this many steps.
    Steps(u64),
}

impl Goal {
    /// How much of the way is done, 0 to 1.
    pub fn fraction(self, time: f64, steps: u64) -> f64 {
        let done = match self {
            Self::Time(until) => time / until,
            Self::Steps(count) => steps as f64 / count as f64,
        };
        done.min(1.0)
    }
}

/// A simulation and the threads it runs on.
pub struct Simulator {
    pool: ThreadPool,
    simulation: Simulation,
}

impl Simulator {
    /// Fills the scene with particles.
    ///
    /// # Errors
    /// The operating system gives no threads, or the scene cannot be simulated.
    pub fn new(scene: &Scene, threads: ThreadArgs) -> Result<Self, Failure> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads.threads.map_or(0, usize::from))
            .thread_name(|index| format!("sph {index}"))
            .build()
            .map_err(|error| Failure::Run(format!("cannot start the simulation's threads: {error}")))?;
        let simulation = pool
            .install(|| Simulation::new(&scene.setup))
            .map_err(|error| Failure::Input(format!("scene {}: {error}", scene.name)))?;
        Ok(Self { pool, simulation })
    }

    /// The simulation as it stands.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `work` on the simulation's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Chooses another neighbour search for the next step.
    ///
    /// # Errors
    /// A value is outside its range.
    pub fn set_grid(&mut self, grid: GridParameters) -> Result<(), Failure> {
        let parameters = Parameters { grid, ..*self.simulation.parameters() };
        self.simulation.set_parameters(parameters).map_err(|error| Failure::Input(error.to_string()))
    }

    /// Records when the phases of every step from now on run; see [`Simulation::timeline`].
    pub fn record_timeline(&mut self) {
        self.simulation.set_timeline(true);
    }

    /// One step.
    pub fn step(&mut self) -> StepStats {
        let Self { pool, simulation } = self;
        pool.install(|| simulation.step())
    }

    /// Steps until the goal, an interruption, or a failure of the fluid or of `observe`, which sees the initial state, without
    /// statistics, and the state after every step; the statistics of a step that was refused come with the state before it.
    pub fn run(
        &mut self,
        goal: Goal,
        interrupt: Interrupt,
        mut observe: impl FnMut(&Simulation, Option<&StepStats>) -> Result<(), Failure>,
    ) -> Outcome {
        let started = Instant::now();
        let mut outcome = Outcome::default();
        if let Err(failure) = observe(&self.simulation, None) {
            outcome.fail(failure);
        }
        while !outcome.is_ended() && goal.fraction(self.simulation.time(), self.simulation.steps()) < 1.0 {
            if interrupt.requested() {
                outcome.interrupt();
                break;
            }
            let stats = self.step();
            outcome.add(&stats);
            if let Some(error) = stats.error {
                outcome.fail(explain(error, &stats, self.simulation.parameters()));
            }
            if let Err(failure) = observe(&self.simulation, Some(&stats)) {
                outcome.fail(failure);
            }
        }
        outcome.wall = started.elapsed();
        outcome
    }
}
