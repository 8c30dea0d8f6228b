//! Makes inspections of the grid, of the simulation's own and of the rival's.

use crate::present_search::{PresentSearch, Registered};
use crate::session::{Inspect, Inspection};
use sph_core::Simulation;
use std::sync::Arc;
use std::time::Instant;

/// Makes inspections of the simulation and of its rival, and new ones only when something has changed.
#[derive(Debug, Default)]
pub(super) struct Inspectors {
    asked: Inspect,
    own: Inspector,
    rival: Inspector,
    /// One count for both: the window switches between them, and tells them apart by it.
    serial: u64,
}

impl Inspectors {
    /// Changes what to look into.
    pub fn ask(&mut self, asked: Inspect) {
        self.asked = asked;
        if asked.is_nothing() {
            *self = Self { serial: self.serial, ..Self::default() };
        }
    }

    /// Notes that particles have moved, or changed places in memory, or that the rival is another.
    pub fn invalidate(&mut self) {
        self.own.latest = None;
        self.rival.latest = None;
    }

    /// The inspection of `simulation` as it is now, and that of its rival, if there is one; none if nothing is asked for.
    pub fn inspect(&mut self, simulation: &Simulation, rival: Option<&Simulation>) -> [Option<Arc<Inspection>>; 2] {
        let Self { asked, serial, own, .. } = self;
        if asked.is_nothing() {
            return [None, None];
        }
        let own = own.inspect(*asked, simulation, serial);
        let Some(rival) = rival else {
            // One that is gone needs no table.
            self.rival = Inspector::default();
            return [Some(own), None];
        };
        [Some(own), Some(self.rival.inspect(*asked, rival, serial))]
    }
}

/// What is kept for one of the two.
#[derive(Debug, Default)]
struct Inspector {
    search: PresentSearch,
    latest: Option<Arc<Inspection>>,
}

impl Inspector {
    /// The latest inspection while it holds, else a new one, which raises `serial`.
    fn inspect(&mut self, asked: Inspect, simulation: &Simulation, serial: &mut u64) -> Arc<Inspection> {
        let grid = simulation.parameters().grid;
        let current = self.latest.take().filter(|latest| latest.grid == grid && latest.asked == asked);
        let latest = current.unwrap_or_else(|| {
            *serial += 1;
            Arc::new(self.make(asked, simulation, *serial))
        });
        self.latest.insert(latest).clone()
    }

    /// A new inspection.
    fn make(&mut self, asked: Inspect, simulation: &Simulation, serial: u64) -> Inspection {
        let start = Instant::now();
        let (grid, particles) = (simulation.parameters().grid, simulation.particles());
        let (registered, refusal) = match self.search.update(simulation) {
            Ok(search) => (Some(search), None),
            Err(refusal) => (None, Some(refusal)),
        };
        let contents = registered.filter(|_| asked.contents).map(Registered::contents);
        let index = asked.particle.and_then(|id| particles.ids.iter().position(|&other| other == id));
        let query = registered.zip(index).map(|(search, index)| search.trace(index));
        Inspection { asked, grid, serial, contents, query, refusal, cost: start.elapsed() }
    }
}
