//! The rival's engine: stepped beside the simulation, from the same state, and compared with it.

use crate::session::{Comparison, History, Rival};
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::{DroppedBody, Engine, Hand, ParameterError, Parameters, Particles, StepStats, View};
use std::time::Duration;

/// A rival and its engine.
pub(super) struct Contest {
    engine: Box<dyn Engine>,
    /// The rival as a snapshot shows it, except for its particles, which are in `engine`.
    rival: Rival,
    /// True if the rival was stepped first in the latest step.
    rival_first: bool,
}

impl Contest {
    /// Starts a rival of `original` with `grid`, from its present state.
    ///
    /// # Errors
    /// A value of `grid` outside its range.
    pub(super) fn start(original: &dyn Engine, grid: GridParameters) -> Result<Self, ParameterError> {
        let rival = Rival {
            grid,
            particles: Particles::default(),
            stats: None,
            history: History::default(),
            audit: Audit::default(),
            comparison: Comparison::default(),
            inspection: None,
            failure: None,
        };
        Ok(Self { engine: fork_with(original, grid)?, rival, rival_first: false })
    }

    /// Restarts the rival from the state of `original`; the comparison so far is discarded.
    pub(super) fn restart(self, original: &dyn Engine) -> Result<Self, ParameterError> {
        let mut fresh = Self::start(original, self.rival.grid)?;
        fresh.rival.history = self.rival.history;
        Ok(fresh)
    }

    /// Gives the rival another grid; a rival that stands still restarts from the state of `original`.
    ///
    /// # Errors
    /// A value of `grid` outside its range; nothing has changed then.
    pub(super) fn set_grid(&mut self, original: &dyn Engine, grid: GridParameters) -> Result<(), ParameterError> {
        if self.rival.failure.is_some() {
            *self = Self { rival_first: self.rival_first, ..Self::start(original, grid)? };
        } else {
            self.engine.set_parameters(Parameters { grid, ..*original.parameters() })?;
            self.rival.grid = grid;
        }
        Ok(())
    }

    /// Copies all parameters but the grid.
    pub(super) fn set_shared_parameters(&mut self, parameters: &Parameters) {
        // Both halves are in force already, so that nothing is refused.
        let _ = self.engine.set_parameters(Parameters { grid: self.rival.grid, ..*parameters });
    }

    /// Takes the parameters with these keys off their curves, and puts all others on theirs.
    pub(super) fn set_off_curve(&mut self, keys: &[&'static str]) {
        self.engine.set_off_curve(keys);
    }

    /// Lets the simulation's hand act on the rival too.
    pub(super) fn apply_hand(&mut self, hand: &Hand) {
        if self.rival.failure.is_none() {
            // It has acted on the same fluid already, so that nothing is refused.
            let _ = self.engine.apply_hand(hand);
        }
    }

    /// Drops the simulation's new body into the rival too.
    pub(super) fn drop_body(&mut self, dropped: &DroppedBody) {
        if self.rival.failure.is_none() {
            // The same fluid has had room for it already, so that nothing is refused.
            let _ = self.engine.drop_body(dropped);
        }
    }

    /// Steps both engines and compares them; returns the report of `original`.
    pub(super) fn step(&mut self, original: &mut dyn Engine) -> StepStats {
        if self.rival.failure.is_some() {
            return original.step();
        }
        // The second to step may find more, or less, of its data in the processor's caches: the order alternates to be fair.
        self.rival_first = !self.rival_first;
        let (stats, own) = if self.rival_first {
            let own = self.engine.step();
            (original.step(), own)
        } else {
            let stats = original.step();
            (stats, self.engine.step())
        };
        match (&stats.error, &own.error) {
            (None, None) => {
                self.rival.audit = self.rival.audit.join(own.audit);
                self.rival.comparison.add(original.steps(), original.view().particles, self.engine.view().particles);
            }
            // An error of the fluid occurs in both: the simulation reports it, and neither has moved.
            (Some(_), Some(_)) => {}
            (None, Some(error)) => self.rival.failure = Some(error.to_string()),
            // The rival is a step ahead: it goes back to the simulation's state.
            (Some(_), None) => {
                if let Ok(back) = fork_with(original, self.rival.grid) {
                    self.engine = back;
                }
            }
        }
        self.rival.stats = Some(own);
        stats
    }

    /// Adds the latest step to the history; it ended `elapsed` of running time after the one before.
    pub(super) fn add_to_history(&mut self, elapsed: Duration) {
        if let Some(stats) = self.rival.stats.as_ref().filter(|stats| stats.error.is_none()) {
            self.rival.history.add(stats, elapsed);
        }
    }

    /// The rival's fluid.
    pub(super) fn view(&self) -> View<'_> {
        self.engine.view()
    }

    /// Writes the rival into a snapshot, reusing the memory of the previous one.
    pub(super) fn write_to(&self, shown: &mut Option<Rival>) {
        let mut particles = shown.take().map(|rival| rival.particles).unwrap_or_default();
        particles.copy_shown(self.engine.view().particles);
        *shown = Some(Rival { particles, ..self.rival.clone() });
    }
}

/// Forks `original` with another grid.
fn fork_with(original: &dyn Engine, grid: GridParameters) -> Result<Box<dyn Engine>, ParameterError> {
    let mut fork = original.fork();
    fork.set_parameters(Parameters { grid, ..*original.parameters() })?;
    Ok(fork)
}
