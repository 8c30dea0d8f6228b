//! Inspections for the window, of what follows from the particles but is computed only while it is shown: contents of the grid's cells,
//! the trace of one particle's query, values for colours, ellipsoids.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sph_color::FieldReader;
use sph_core::View;
use sph_core::neighbors::{Contents, GridParameters, Occupancy, TooManyCells, Trace};
use sph_core::point_sets::{PointId, PointSet, PointSetup};
use sph_core::probes::{Ellipsoid, Vicinity};
use sph_core::probes::{PresentSearch, Registered};
use sph_io::ColorField;

/// The parts of the grid to inspect. By default none, at no cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspect {
    /// True if cells and buckets are listed.
    pub contents: bool,
    /// First point set of the search whose cells and buckets are listed; `None` for that of the fluid.
    pub set: Option<usize>,
    /// Particle, ball or vertex whose query is traced. Of a point, [`Inspect::set`] is the first set of its search.
    pub queried: Option<Queried>,
    /// Quantity of which a value is computed for each particle.
    pub field: Option<ColorField>,
    /// True if the ellipsoid of each particle is computed.
    pub ellipsoids: bool,
}

/// What a query is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queried {
    /// Particle of fluid with this stable id.
    Particle(u32),
    /// A ball, or a vertex of cloth.
    Point(PointId),
}

impl Inspect {
    pub(super) fn is_nothing(self) -> bool {
        self == Self::default()
    }

    /// True if a part of the grid is asked for.
    pub fn is_of_grid(self) -> bool {
        self.contents || self.queried.is_some()
    }
}

/// The contents of the grid, of the fluid or of point sets, for the positions of one snapshot: those that the next step will search.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The parts that were asked for.
    pub asked: Inspect,
    /// The grid in force.
    pub grid: GridParameters,
    /// Serial number, increasing over all inspections, those of grid B included: equal numbers mean the same inspection.
    pub serial: u64,
    /// Cells and buckets, if asked for.
    pub contents: Option<Contents>,
    /// Their occupancy, with them.
    pub occupancy: Option<Occupancy>,
    /// The query asked for; `None` if there is no such particle or point. Indices are those of the snapshot's particles, or of the points of all sets
    /// that are searched together, one set after the other.
    pub query: Option<Trace>,
    /// Values of the quantity asked for, one for each particle, or none if the fluid has no such values.
    pub values: Vec<f32>,
    /// Ellipsoid of each particle, if asked for.
    pub ellipsoids: Vec<Ellipsoid>,
    /// Reason why there is no part of the grid: the structure cannot cover the particles.
    pub refusal: Option<TooManyCells>,
    /// Time that the inspection took of the simulation's thread.
    pub cost: Duration,
}

impl Inspection {
    /// The values of `field`, if it is the one that was asked for.
    pub fn values_of(&self, field: ColorField) -> Option<&[f32]> {
        (self.asked.field == Some(field)).then_some(&self.values)
    }

    /// The query of `queried`, if it is the one that was traced: another one may have been asked for since.
    pub fn query_of(&self, queried: Option<Queried>) -> Option<&Trace> {
        self.query.as_ref().filter(|_| queried.is_some() && self.asked.queried == queried)
    }
}

// Inspections of the grid, the simulation's own and grid B's.

/// Longest time for the ellipsoids of moving fluid: above it, spheres that move smoothly look better than ellipsoids that jerk.
const LONGEST_TIME: Duration = Duration::from_millis(12);

/// Longest time for which ellipsoids return after they have taken longer: less, so that the picture does not swing between the two.
const LONGEST_TIME_TO_RETURN: Duration = Duration::from_millis(8);

/// Inspections of moving fluid without ellipsoids between two attempts to return to them: about two seconds.
const WAIT: u32 = 120;

/// Inspects the grids of the simulation and of grid B; an inspection is kept until something changes.
#[derive(Debug, Default)]
pub(in crate::session) struct Inspectors {
    asked: Inspect,
    own: Inspector,
    grid_b: Inspector,
    /// Serial number of the latest inspection of either: the window switches between the two, and distinguishes them by it.
    serial: u64,
}

impl Inspectors {
    /// Sets the parts to inspect.
    pub fn set_parts(&mut self, asked: Inspect) {
        if asked.field != self.asked.field {
            // What the other field was read from may be large.
            (self.own.reader, self.grid_b.reader) = Default::default();
        }
        self.asked = asked;
        if !asked.ellipsoids {
            (self.own.vicinity, self.grid_b.vicinity) = Default::default();
        }
        if asked.is_nothing() {
            *self = Self { serial: self.serial, ..Self::default() };
        }
    }

    /// Discards the inspections: particles have moved or changed their order in memory, or grid B is another.
    pub fn invalidate(&mut self) {
        self.own.latest = None;
        self.grid_b.latest = None;
    }

    /// Discards the inspections and the times that they took: another scene begins.
    pub fn start_over(&mut self) {
        self.invalidate();
        (self.own.budget, self.grid_b.budget) = Default::default();
    }

    /// The inspections of `fluid` as it is now and of grid B, if there is one; `None` if nothing is asked for. Fluid that `moves` has no
    /// ellipsoids if they take long. `points` describes the point sets.
    pub fn inspect(
        &mut self,
        (fluid, points): (&View<'_>, Option<&PointSetup>),
        grid_b: Option<&View<'_>>,
        moves: bool,
    ) -> [Option<Arc<Inspection>>; 2] {
        let Self { asked, serial, own, .. } = self;
        if asked.is_nothing() {
            return [None, None];
        }
        let own = own.inspect(*asked, (fluid, points), moves, serial);
        let Some(grid_b) = grid_b else {
            // A comparison that has ended needs no search structure.
            self.grid_b = Inspector::default();
            return [Some(own), None];
        };
        [Some(own), Some(self.grid_b.inspect(*asked, (grid_b, points), moves, serial))]
    }
}

/// State of the inspections of one fluid.
#[derive(Debug, Default)]
struct Inspector {
    search: PresentSearch,
    /// Search of point sets.
    point_search: PresentSearch,
    reader: FieldReader,
    /// Neighbourhoods that the ellipsoids follow from.
    vicinity: Vicinity,
    /// Whether ellipsoids take long.
    budget: Budget,
    /// True if the latest inspection leaves nothing out.
    is_complete: bool,
    latest: Option<Arc<Inspection>>,
}

impl Inspector {
    /// The latest inspection if it is still valid, else a new one, which raises `serial`.
    fn inspect(
        &mut self,
        asked: Inspect,
        (fluid, points): (&View<'_>, Option<&PointSetup>),
        moves: bool,
        serial: &mut u64,
    ) -> Arc<Inspection> {
        let grid = grid_of(asked, fluid);
        let is_complete = moves || self.is_complete;
        let is_current = |latest: &Inspection| latest.grid == grid && latest.asked == asked && is_complete;
        let current = self.latest.take().filter(|latest| is_current(latest));
        let latest = current.unwrap_or_else(|| {
            *serial += 1;
            Arc::new(self.make(asked, (fluid, points), moves, *serial))
        });
        self.latest.insert(latest).clone()
    }

    /// A new inspection.
    fn make(
        &mut self,
        asked: Inspect,
        (fluid, points): (&View<'_>, Option<&PointSetup>),
        moves: bool,
        serial: u64,
    ) -> Inspection {
        let start = Instant::now();
        let (grid, particles) = (grid_of(asked, fluid), fluid.particles);
        let mut values = Vec::new();
        if let Some(field) = asked.field {
            self.reader.read(field, fluid, &mut values);
        }
        let mut ellipsoids = Vec::new();
        self.is_complete = !asked.ellipsoids || self.read_ellipsoids(fluid, moves, &mut ellipsoids);
        let (particle, point) = match asked.queried {
            None => (None, None),
            Some(Queried::Particle(id)) => (Some(id), None),
            Some(Queried::Point(point)) => (None, Some(point)),
        };
        let (of_sets, of_fluid) = (asked.contents && asked.set.is_some(), asked.contents && asked.set.is_none());
        let registered = (of_fluid || particle.is_some()).then(|| self.search.update(fluid)).transpose();
        let set = asked.set.filter(|&set| (of_sets || point.is_some()) && set < fluid.sets.len());
        let sets = set.zip(points).map(|(set, points)| points.source().searched_with(set));
        let index = match point {
            Some(point) => sets.clone().and_then(|sets| index_among(fluid, sets, point)),
            None => particle.and_then(|id| particles.ids.iter().position(|&other| other == id)),
        };
        let registered_sets = sets.map_or(Ok(None), |sets| self.point_search.update_sets(fluid, sets));
        let refusal = registered.err().or(registered_sets.err());
        let (registered, registered_sets) = (registered.unwrap_or_default(), registered_sets.unwrap_or_default());
        let shown = if of_sets { registered_sets } else { registered }.filter(|_| asked.contents);
        let (contents, occupancy) = (shown.map(Registered::contents), shown.map(Registered::occupancy));
        let asked_search = if point.is_some() { registered_sets } else { registered };
        let query = asked_search.zip(index).map(|(search, index)| search.trace(index));
        Inspection { asked, grid, serial, contents, occupancy, query, values, ellipsoids, refusal, cost: start.elapsed() }
    }

    /// Reads the ellipsoids, but those of fluid that `moves` only while they do not take long; true if they have been read.
    fn read_ellipsoids(&mut self, fluid: &View<'_>, moves: bool, ellipsoids: &mut Vec<Ellipsoid>) -> bool {
        if moves && !self.budget.attempts() {
            return false;
        }
        let start = Instant::now();
        self.vicinity.read_ellipsoids(fluid, ellipsoids);
        let are_affordable = self.budget.affords(start.elapsed());
        if moves && !are_affordable {
            ellipsoids.clear();
        }
        !moves || are_affordable
    }
}

/// Index of a point among those of `sets`, one set after the other; `None` if there is no such point.
fn index_among(fluid: &View<'_>, sets: Range<usize>, PointId { set, id }: PointId) -> Option<usize> {
    let before = fluid.sets.get(sets.start..set)?;
    let index = fluid.sets.get(set).filter(|_| sets.contains(&set))?.index_of(id)?;
    Some(before.iter().map(PointSet::len).sum::<usize>() + index)
}

/// Grid that is inspected.
fn grid_of(asked: Inspect, fluid: &View<'_>) -> GridParameters {
    asked.set.and_then(|set| fluid.set_grids.get(set)).copied().unwrap_or(fluid.parameters.grid)
}

/// Decision whether moving fluid has ellipsoids, from the times that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Budget {
    /// True if they are not shown because they take long.
    is_over: bool,
    /// True if the latest ones took long.
    was_long: bool,
    /// Inspections before they are attempted again; 0 if they do not take long.
    wait: u32,
}

impl Budget {
    /// Counts an inspection of moving fluid; true if it attempts ellipsoids.
    fn attempts(&mut self) -> bool {
        self.wait = self.wait.saturating_sub(1);
        self.wait == 0
    }

    /// True if ellipsoids that took `time` may be shown. The first of a scene find cold memory, and any may be interrupted: only two long
    /// times in a row end them.
    fn affords(&mut self, time: Duration) -> bool {
        let is_long = time > if self.is_over { LONGEST_TIME_TO_RETURN } else { LONGEST_TIME };
        self.is_over = is_long && self.was_long;
        self.was_long = is_long;
        self.wait = if self.is_over { WAIT } else { 0 };
        !self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_commands::engine;

    #[test]
    fn fluid_whose_ellipsoids_take_long_has_them_in_a_pause() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n";
        let scene = sph_io::parse(text, "block", &[]).expect("the scene is sound");
        let engine = engine::start(&scene.setup).expect("the scene can be simulated");
        let view = engine.view();
        let asked = Inspect { ellipsoids: true, ..Inspect::default() };
        let (mut inspector, mut serial) =
            (Inspector { budget: Budget { is_over: true, was_long: true, wait: 3 }, ..Inspector::default() }, 0);
        let mut count = |inspector: &mut Inspector, moves: bool| {
            if moves {
                inspector.latest = None;
            }
            inspector.inspect(asked, (&view, None), moves, &mut serial).ellipsoids.len()
        };
        assert_eq!((count(&mut inspector, true), inspector.budget.wait), (0, 2));
        // A pause completes the latest inspection, and keeps it then.
        assert_eq!(count(&mut inspector, false), view.particles.len());
        assert_eq!(count(&mut inspector, false), view.particles.len());
        assert_eq!(serial, 2);
    }

    #[test]
    fn two_long_times_in_a_row_end_ellipsoids_until_a_shorter_one() {
        let [short, between, long] = [7, 10, 13].map(Duration::from_millis);
        let mut budget = Budget::default();
        for (time, is_shown) in [(long, true), (between, true), (long, true), (long, false)] {
            assert!(budget.attempts());
            assert_eq!(budget.affords(time), is_shown, "{time:?}");
        }
        let waits = |budget: &mut Budget| (1..).find(|_| budget.attempts()).expect("an attempt");
        assert_eq!(waits(&mut budget), WAIT);
        assert!(!budget.affords(between), "longer than the time to return");
        assert_eq!(waits(&mut budget), WAIT);
        assert!(budget.affords(short) && budget.attempts());
    }
}
