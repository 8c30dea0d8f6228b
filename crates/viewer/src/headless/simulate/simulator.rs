//! The loop shared by every command without a window: step until the goal, and call an observer with each state.

use super::interrupt::Interrupt;
use super::outcome::{Outcome, explain};
use crate::headless::Failure;
use crate::headless::arguments::ThreadArgs;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sph_core::neighbors::GridParameters;
use sph_core::{Parameters, Simulation, StepStats};
use sph_io::Scene;
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

/// A simulation and the threads that it runs on.
pub struct Simulator {
    pool: ThreadPool,
    simulation: Simulation,
}

impl Simulator {
    /// Creates the simulation of `scene`.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or the scene cannot be simulated.
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

    /// The simulation in its present state.
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

    /// Sets the neighbour search from the next step on.
    ///
    /// # Errors
    /// If a value is outside its range.
    pub fn set_grid(&mut self, grid: GridParameters) -> Result<(), Failure> {
        let parameters = Parameters { grid, ..*self.simulation.parameters() };
        self.simulation.set_parameters(parameters).map_err(|error| Failure::Input(error.to_string()))
    }

    /// Records the time span of each phase from the next step on; see [`Simulation::timeline`].
    pub fn record_timeline(&mut self) {
        self.simulation.set_timeline(true);
    }

    /// Makes one step.
    pub fn step(&mut self) -> StepStats {
        let Self { pool, simulation } = self;
        pool.install(|| simulation.step())
    }

    /// Steps until the goal, an interruption, or a failure of the simulation or of `observe`, which is called with the initial
    /// state, without statistics, and with the state after every step; the statistics of a refused step come with the state
    /// before it.
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
