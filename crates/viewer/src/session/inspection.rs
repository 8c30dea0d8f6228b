//! What the window wants to see of the grid: which cells hold what, and how one particle's query goes.

use sph_core::Simulation;
use sph_core::neighbors::{Contents, GridParameters, Search, TooManyCells, Trace};
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
    /// Rises from inspection to inspection: two with the same number are the same.
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

/// Makes inspections, and a new one only when something has changed.
#[derive(Debug, Default)]
pub(super) struct Inspector {
    asked: Inspect,
    search: Option<(GridParameters, Search)>,
    latest: Option<Arc<Inspection>>,
    serial: u64,
}

impl Inspector {
    /// Changes what to look into.
    pub fn ask(&mut self, asked: Inspect) {
        self.asked = asked;
        if asked.is_nothing() {
            *self = Self { serial: self.serial, ..Self::default() };
        }
    }

    /// Notes that particles have moved, or changed places in memory.
    pub fn invalidate(&mut self) {
        self.latest = None;
    }

    /// The inspection of `simulation` as it is now; none if nothing is asked for.
    pub fn inspect(&mut self, simulation: &Simulation) -> Option<Arc<Inspection>> {
        if self.asked.is_nothing() {
            return None;
        }
        let grid = simulation.parameters().grid;
        let current = self.latest.take().filter(|latest| latest.grid == grid && latest.asked == self.asked);
        self.latest = Some(current.unwrap_or_else(|| Arc::new(self.make(simulation, grid))));
        self.latest.clone()
    }

    /// Registers the particles in a structure of its own: the simulation's holds the places from before the latest step.
    fn make(&mut self, simulation: &Simulation, grid: GridParameters) -> Inspection {
        let start = Instant::now();
        self.serial += 1;
        let particles = simulation.particles();
        let kept = self.search.take().filter(|(made_for, _)| *made_for == grid).map(|(_, search)| search);
        let mut search = kept.unwrap_or_else(|| Search::new(&grid, simulation.discretization().support_radius));
        let refusal = search.update(&particles.positions, &particles.ids).err();
        let registered = refusal.is_none().then_some(&search);
        let contents = registered.filter(|_| self.asked.contents).map(Search::contents);
        let index = self.asked.particle.and_then(|id| particles.ids.iter().position(|&other| other == id));
        let query = registered.zip(index).map(|(search, index)| search.trace(particles.positions[index], Some(index as u32)));
        self.search = Some((grid, search));
        Inspection { asked: self.asked, grid, serial: self.serial, contents, query, refusal, cost: start.elapsed() }
    }
}
