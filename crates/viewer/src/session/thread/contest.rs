//! The rival at work: stepped beside the simulation, from the same state, and compared with it.

use crate::session::snapshot::copy_particles;
use crate::session::{Comparison, History, Rival};
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::{ParameterError, Parameters, Particles, Simulation, StepStats};
use std::time::Duration;

/// A rival and the simulation that it is.
pub(super) struct Contest {
    simulation: Box<Simulation>,
    /// All but the particles, which the simulation has.
    rival: Rival,
    /// Whether the rival went first in the latest step.
    rival_first: bool,
}

impl Contest {
    /// Starts a rival of `simulation` with `grid`, from the state that there is.
    ///
    /// # Errors
    /// A value of `grid` outside its range.
    pub(super) fn start(simulation: &Simulation, grid: GridParameters) -> Result<Self, ParameterError> {
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
        Ok(Self { simulation: clone_with(simulation, grid)?, rival, rival_first: false })
    }

    /// Goes on from the state of `simulation`; what was found about the motion before is forgotten.
    pub(super) fn restart(self, simulation: &Simulation) -> Result<Self, ParameterError> {
        let mut fresh = Self::start(simulation, self.rival.grid)?;
        fresh.rival.history = self.rival.history;
        Ok(fresh)
    }

    /// Gives the rival another grid; one that stands still goes on, from the state of `simulation`.
    ///
    /// # Errors
    /// A value of `grid` outside its range; nothing has changed then.
    pub(super) fn set_grid(&mut self, simulation: &Simulation, grid: GridParameters) -> Result<(), ParameterError> {
        if self.rival.failure.is_some() {
            *self = Self { rival_first: self.rival_first, ..Self::start(simulation, grid)? };
        } else {
            self.simulation.set_parameters(Parameters { grid, ..*simulation.parameters() })?;
            self.rival.grid = grid;
        }
        Ok(())
    }

    /// Takes over what the simulation's parameters say of anything but the grid.
    pub(super) fn follow(&mut self, parameters: &Parameters) {
        // Both halves are in force already, so that there is nothing to refuse.
        let _ = self.simulation.set_parameters(Parameters { grid: self.rival.grid, ..*parameters });
    }

    /// Steps both, and compares them; the report of `simulation`.
    pub(super) fn step(&mut self, simulation: &mut Simulation) -> StepStats {
        if self.rival.failure.is_some() {
            return simulation.step();
        }
        // Who goes second may find more, or less, of its data in the processor's caches: taking turns is fair.
        self.rival_first = !self.rival_first;
        let (stats, own) = if self.rival_first {
            let own = self.simulation.step();
            (simulation.step(), own)
        } else {
            let stats = simulation.step();
            (stats, self.simulation.step())
        };
        match (&stats.error, &own.error) {
            (None, None) => {
                self.rival.audit = self.rival.audit.join(own.audit);
                self.rival.comparison.add(simulation.steps(), simulation.particles(), self.simulation.particles());
            }
            // Fluid that has gone wrong goes wrong in both: the simulation says how, and neither has moved.
            (Some(_), Some(_)) => {}
            (None, Some(error)) => self.rival.failure = Some(error.to_string()),
            // A step ahead: back to where the simulation stays.
            (Some(_), None) => {
                if let Ok(back) = clone_with(simulation, self.rival.grid) {
                    self.simulation = back;
                }
            }
        }
        self.rival.stats = Some(own);
        stats
    }

    /// Adds the latest step to the history; it ended `elapsed` of running time after the one before.
    pub(super) fn note(&mut self, elapsed: Duration) {
        if let Some(stats) = self.rival.stats.as_ref().filter(|stats| stats.error.is_none()) {
            self.rival.history.add(stats, elapsed);
        }
    }

    /// The rival itself.
    pub(super) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Puts the rival into a snapshot, reusing the memory of the one that is there.
    pub(super) fn show(&self, shown: &mut Option<Rival>) {
        let mut particles = shown.take().map(|rival| rival.particles).unwrap_or_default();
        copy_particles(self.simulation.particles(), &mut particles);
        *shown = Some(Rival { particles, ..self.rival.clone() });
    }
}

/// A clone that goes on with `grid`.
fn clone_with(simulation: &Simulation, grid: GridParameters) -> Result<Box<Simulation>, ParameterError> {
    let mut clone = Box::new(simulation.clone());
    clone.set_parameters(Parameters { grid, ..*simulation.parameters() })?;
    Ok(clone)
}
