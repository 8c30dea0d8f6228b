//! Inspections of the grid, the simulation's own and the rival's.

use crate::color::FieldReader;
use crate::present_search::{PresentSearch, Registered};
use crate::session::{Inspect, Inspection};
use sph_core::View;
use sph_core::probes::Vicinity;
use std::sync::Arc;
use std::time::Instant;

/// Inspects the grids of the simulation and of its rival; an inspection is kept until something changes.
#[derive(Debug, Default)]
pub(super) struct Inspectors {
    asked: Inspect,
    own: Inspector,
    rival: Inspector,
    /// Serial number of the latest inspection of either: the window switches between the two, and distinguishes them by it.
    serial: u64,
}

impl Inspectors {
    /// Sets the parts to inspect.
    pub fn set_parts(&mut self, asked: Inspect) {
        if asked.field != self.asked.field {
            // What the other field was read from may be large.
            (self.own.reader, self.rival.reader) = Default::default();
        }
        self.asked = asked;
        if !asked.ellipsoids {
            (self.own.vicinity, self.rival.vicinity) = Default::default();
        }
        if asked.is_nothing() {
            *self = Self { serial: self.serial, ..Self::default() };
        }
    }

    /// Discards the inspections: particles have moved or changed their order in memory, or the rival is another.
    pub fn invalidate(&mut self) {
        self.own.latest = None;
        self.rival.latest = None;
    }

    /// The inspections of `fluid` as it is now and of its rival, if there is one; `None` if nothing is asked for.
    pub fn inspect(&mut self, fluid: &View<'_>, rival: Option<&View<'_>>) -> [Option<Arc<Inspection>>; 2] {
        let Self { asked, serial, own, .. } = self;
        if asked.is_nothing() {
            return [None, None];
        }
        let own = own.inspect(*asked, fluid, serial);
        let Some(rival) = rival else {
            // A rival that has ended needs no search structure.
            self.rival = Inspector::default();
            return [Some(own), None];
        };
        [Some(own), Some(self.rival.inspect(*asked, rival, serial))]
    }
}

/// State of the inspections of one fluid.
#[derive(Debug, Default)]
struct Inspector {
    search: PresentSearch,
    reader: FieldReader,
    /// Neighbourhoods that the ellipsoids follow from.
    vicinity: Vicinity,
    latest: Option<Arc<Inspection>>,
}

impl Inspector {
    /// The latest inspection if it is still valid, else a new one, which raises `serial`.
    fn inspect(&mut self, asked: Inspect, fluid: &View<'_>, serial: &mut u64) -> Arc<Inspection> {
        let grid = fluid.parameters.grid;
        let current = self.latest.take().filter(|latest| latest.grid == grid && latest.asked == asked);
        let latest = current.unwrap_or_else(|| {
            *serial += 1;
            Arc::new(self.make(asked, fluid, *serial))
        });
        self.latest.insert(latest).clone()
    }

    /// A new inspection.
    fn make(&mut self, asked: Inspect, fluid: &View<'_>, serial: u64) -> Inspection {
        let start = Instant::now();
        let (grid, particles) = (fluid.parameters.grid, fluid.particles);
        let mut values = Vec::new();
        if let Some(field) = asked.field {
            self.reader.read(field, fluid, &mut values);
        }
        let mut ellipsoids = Vec::new();
        if asked.ellipsoids {
            self.vicinity.read_ellipsoids(fluid, &mut ellipsoids);
        }
        let (registered, refusal) = match asked.is_of_grid().then(|| self.search.update(fluid)).transpose() {
            Ok(search) => (search, None),
            Err(refusal) => (None, Some(refusal)),
        };
        let contents = registered.filter(|_| asked.contents).map(Registered::contents);
        let index = asked.particle.and_then(|id| particles.ids.iter().position(|&other| other == id));
        let query = registered.zip(index).map(|(search, index)| search.trace(index));
        Inspection { asked, grid, serial, contents, query, values, ellipsoids, refusal, cost: start.elapsed() }
    }
}
