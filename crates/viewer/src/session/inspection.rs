//! What the window wants to see of the grid: which cells hold what, and how one particle's query goes.

use crate::present_search::{PresentSearch, Registered};
use sph_core::Simulation;
use sph_core::neighbors::{Contents, GridParameters, TooManyCells, Trace};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to look into. Nothing by default, which costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspect {
    /// Whether to list cells and buckets.
    pub contents: bool,
    /// The particle whose query is traced, by its stable id.
    pub particle: Option<u32>,
}

impl Inspect {
    fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// The inside of the grid over the positions of one snapshot: what the next step will search in.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// What was asked for.
    pub asked: Inspect,
    /// The grid in force.
    pub grid: GridParameters,
    /// Rises from inspection to inspection, the rival's included: two with the same number are the same.
    pub serial: u64,
    /// Cells and buckets, if asked for.
    pub contents: Option<Contents>,
    /// The query of the particle asked for; none when there is no such particle. Indices are those of the snapshot's particles.
    pub query: Option<Trace>,
    /// Why there is neither: the structure cannot cover the particles.
    pub refusal: Option<TooManyCells>,
    /// What making it took of the simulation's time.
    pub cost: Duration,
}

impl Inspection {
    /// The query of `particle`, if that is the one that was traced: another one may have been asked for since.
    pub fn query_of(&self, particle: Option<u32>) -> Option<&Trace> {
        self.query.as_ref().filter(|_| particle.is_some() && self.asked.particle == particle)
    }
}

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
