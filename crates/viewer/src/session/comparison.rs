//! Comparison of two motions: grid B, a second simulation of the same scene with another grid of one search, is stepped beside the
//! simulation and compared with it bit by bit.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Audits, Inspection, StepCosts};
use sph_core::neighbors::{GridParameters, SearchStats};
use sph_core::point_sets::{ColumnValues, PointId, PointSet, SetSearch};
use sph_core::{Attribute, Engine, Input, ParameterError, Parameters, Particles, StepStats, Values, View};
use sph_render::ShownSets;

/// Grid of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchGrid {
    /// First set of a search of point sets; `None` for the search of the fluid.
    pub set: Option<usize>,
    /// The grid.
    pub grid: GridParameters,
}

/// Bitwise comparison of two motions that should be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Steps after which particles and points were compared.
    pub steps: u64,
    /// Number of bits that differed in all attributes of particles and points, summed over all those steps.
    pub bits: u64,
    /// The first difference found, if any.
    pub first: Option<Difference>,
}

/// A particle or point that differs between the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Step after which the difference was found.
    pub step: u64,
    /// What differs.
    pub of: Differs,
    /// Difference of the two.
    pub by: Differing,
}

/// What differs between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differs {
    /// The particle with this stable id.
    Particle(u32),
    /// A point of a set.
    Point(PointId),
    /// A set as a whole, by its index.
    Set(usize),
}

/// Difference of two particles or points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Differing {
    /// Order in memory, which is the same for any grid. Nothing else is compared then.
    Order,
    /// An attribute that only one of the two has.
    Presence(&'static Attribute),
    /// Value of an attribute, and magnitude of the difference in its unit.
    Value(&'static Attribute, f32),
    /// Value of a point.
    PointValue(&'static str),
    /// Values of a set that its points do not have one by one, or that only one of the two has.
    SetValues,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, of, by } = self;
        match of {
            Differs::Particle(id) => write!(f, "particle {id} differs since step {step}, in its ")?,
            Differs::Point(PointId { set, id }) => write!(f, "point {id} of set {set} differs since step {step}, in its ")?,
            Differs::Set(set) => write!(f, "set {set} differs since step {step}, in its ")?,
        }
        match by {
            Differing::PointValue(name) => write!(f, "{name}"),
            Differing::SetValues => write!(f, "columns"),
            Differing::Order => write!(f, "order in memory"),
            Differing::Presence(attribute) => write!(f, "{}, which only one of the two has", attribute.name),
            Differing::Value(attribute, by) => write!(f, "{} by {by:.1e} {}", attribute.name, attribute.unit),
        }
    }
}

impl Comparison {
    /// Compares the particles `a` and `b` after `step`.
    pub(super) fn add(&mut self, step: u64, a: &Particles, b: &Particles) {
        self.steps += 1;
        let first =
            if a.ids == b.ids { self.add_values(a, b) } else { Some((first_reordered(&a.ids, &b.ids), Differing::Order)) };
        if let Some((index, by)) = first {
            let id = a.ids.get(index).copied().unwrap_or_default();
            self.first.get_or_insert(Difference { step, of: Differs::Particle(id), by });
        }
    }

    /// Compares the points of sets as well.
    pub(super) fn add_sets(&mut self, step: u64, a: &[PointSet], b: &[PointSet]) {
        for (set, (a, b)) in a.iter().zip(b).enumerate() {
            if let Some((index, by)) = self.add_points(a, b) {
                let of = match (by, a.ids.get(index)) {
                    (Differing::SetValues, _) | (_, None) => Differs::Set(set),
                    (_, Some(&id)) => Differs::Point(PointId { set, id }),
                };
                self.first.get_or_insert(Difference { step, of, by });
            }
        }
    }

    /// Adds the number of differing bits of the points of a set; returns the index of the first point that differs, and in what.
    fn add_points(&mut self, a: &PointSet, b: &PointSet) -> Option<(usize, Differing)> {
        if a.ids != b.ids {
            return Some((first_reordered(&a.ids, &b.ids), Differing::Order));
        }
        let vectors = |a, b| (Values::Vectors(a), Values::Vectors(b));
        let values = [
            ("position", vectors(&a.positions, &b.positions)),
            ("rounding error", vectors(&a.rounding_errors, &b.rounding_errors)),
            ("velocity", vectors(&a.velocities, &b.velocities)),
        ];
        let mut first: Option<(usize, Differing)> = None;
        for (name, (a, b)) in values {
            let Some((bits, index, _)) = (if a.len() == b.len() { compare(a, b) } else { Some((0, 0, 0.0)) }) else { continue };
            self.bits += bits;
            if first.is_none_or(|(earlier, _)| index < earlier) {
                first = Some((index, Differing::PointValue(name)));
            }
        }
        let mut columns_differ = a.columns.len() != b.columns.len();
        for (a, b) in a.columns.iter().zip(&b.columns).map(|(a, b)| (column_values(a), column_values(b))) {
            columns_differ |= a.len() != b.len();
            if let Some((bits, ..)) = (a.len() == b.len()).then(|| compare(a, b)).flatten() {
                self.bits += bits;
                columns_differ = true;
            }
        }
        first.or(columns_differ.then_some((0, Differing::SetValues)))
    }

    /// Adds the number of differing bits; returns the index of the first particle that differs, and the difference.
    fn add_values(&mut self, a: &Particles, b: &Particles) -> Option<(usize, Differing)> {
        let mut first = None;
        for ((attribute, a), (_, b)) in a.attributes().zip(b.attributes()) {
            let found = if a.len() == b.len() {
                let Some((bits, index, by)) = compare(a, b) else { continue };
                self.bits += bits;
                (index, Differing::Value(attribute, by))
            } else {
                (0, Differing::Presence(attribute))
            };
            if first.is_none_or(|(earlier, _)| found.0 < earlier) {
                first = Some(found);
            }
        }
        first
    }
}

fn column_values(column: &sph_core::point_sets::Column) -> Values<'_> {
    match &column.values {
        ColumnValues::Vectors(values) => Values::Vectors(values),
        ColumnValues::Scalars(values) => Values::Scalars(values),
        ColumnValues::Integers(values) => Values::Integers(values),
    }
}

/// The first index at which the ids differ.
fn first_reordered(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).position(|(a, b)| a != b).unwrap_or_default()
}

/// Number of bits that differ between two arrays of equal length, index of the first value that differs, and magnitude of its
/// difference; `None` if the arrays are equal.
fn compare(a: Values<'_>, b: Values<'_>) -> Option<(u64, usize, f32)> {
    match (a, b) {
        (Values::Vectors(a), Values::Vectors(b)) => {
            let (bits, k) = count_differing_bits(a, b, |vector| vector.to_array().map(f32::to_bits))?;
            Some((bits, k, a[k].distance(b[k])))
        }
        (Values::Scalars(a), Values::Scalars(b)) => {
            let (bits, k) = count_differing_bits(a, b, |scalar| [scalar.to_bits()])?;
            Some((bits, k, (a[k] - b[k]).abs()))
        }
        (Values::Integers(a), Values::Integers(b)) => {
            let (bits, k) = count_differing_bits(a, b, |integer| [integer])?;
            Some((bits, k, a[k].abs_diff(b[k]) as f32))
        }
        (Values::Bytes(a), Values::Bytes(b)) => {
            let (bits, k) = count_differing_bits(a, b, |byte| [byte.into()])?;
            Some((bits, k, a[k].abs_diff(b[k]).into()))
        }
        _ => unreachable!("an attribute has values of one type"),
    }
}

/// Number of bits that differ between two arrays, and index of the first value that differs; `None` if the arrays are equal.
fn count_differing_bits<T: Copy, const N: usize>(a: &[T], b: &[T], bits: impl Fn(T) -> [u32; N]) -> Option<(u64, usize)> {
    let differing = |(&a, &b): (&T, &T)| {
        let (a, b) = (bits(a), bits(b));
        std::array::from_fn::<u32, N, _>(|k| a[k] ^ b[k])
    };
    // The arrays are almost always equal, and the OR of all differences shows that without counting bits.
    let any = |all, words: [u32; N]| words.into_iter().fold(all, |all, word| all | word);
    if a.iter().zip(b).map(differing).fold(0, any) == 0 {
        return None;
    }
    let index = a.iter().zip(b).map(differing).position(|words| words != [0; N])?;
    Some((a.iter().zip(b).flat_map(differing).map(|word| u64::from(word.count_ones())).sum(), index))
}

/// A second simulation of the same scene, with another grid of one search, and its comparison with the first.
#[derive(Clone, Debug)]
pub struct ComparisonSnapshot {
    /// First set of the search that is compared; `None` for that of the fluid.
    pub set: Option<usize>,
    /// Grid of this search; every other parameter is the simulation's own.
    pub grid: GridParameters,
    /// Its particles, with the attributes that can be [shown](Particles::copy_shown).
    pub particles: Particles,
    /// Its cloths and balls.
    pub sets: ShownSets,
    /// The report of its latest step, if there was one.
    pub stats: Option<StepStats>,
    /// The latest search that is compared, if it is one of point sets.
    pub set_search: Option<SetSearch>,
    /// Cost of its last steps, with the search that is compared.
    pub step_costs: StepCosts,
    /// Spot checks of its neighbour searches, over the same steps as the comparison.
    pub audits: Audits,
    /// Comparison of its motion with the simulation's, since both last started from the same state.
    pub comparison: Comparison,
    /// The inspection of its grid, if asked for.
    pub inspection: Option<Arc<Inspection>>,
    /// Reason why it stands still, if a step of its own was refused. Another grid restarts it, from the simulation's state.
    pub failure: Option<String>,
}

impl ComparisonSnapshot {
    /// Statistics of the search that is compared, in the latest step that made one.
    pub fn search(&self) -> Option<&SearchStats> {
        match self.set {
            Some(_) => self.set_search.as_ref().map(|search| &search.stats),
            None => self.stats.as_ref().map(|stats| &stats.search),
        }
    }
}

// The engine of the second simulation: stepped beside the first, from the same state, and compared with it.

/// A simulation with another grid that is compared with the original, and its engine.
pub(in crate::session) struct ComparedSimulation {
    engine: Box<dyn Engine>,
    /// What a snapshot shows of it, except for its particles and points, which are in `engine`.
    shown: ComparisonSnapshot,
    /// True if it was stepped before the original in the latest step.
    steps_first: bool,
}

impl ComparedSimulation {
    /// Starts a simulation with `grid` from the present state of `original`.
    ///
    /// # Errors
    /// A value of `grid` outside its range.
    pub(in crate::session) fn start(original: &dyn Engine, grid: SearchGrid) -> Result<Self, ParameterError> {
        let shown = ComparisonSnapshot {
            set: grid.set,
            grid: grid.grid,
            particles: Particles::default(),
            sets: ShownSets::default(),
            stats: None,
            set_search: None,
            step_costs: StepCosts::default(),
            audits: Audits::default(),
            comparison: Comparison::default(),
            inspection: None,
            failure: None,
        };
        Ok(Self { engine: fork_with(original, grid)?, shown, steps_first: false })
    }

    /// Restarts from the state of `original`; the comparison so far is discarded.
    pub(in crate::session) fn restart(self, original: &dyn Engine) -> Result<Self, ParameterError> {
        let mut fresh = Self::start(original, self.grid())?;
        fresh.shown.step_costs = self.shown.step_costs;
        Ok(fresh)
    }

    /// Uses another grid; for another search, and while it stands still, it restarts from the state of `original`.
    ///
    /// # Errors
    /// A value of `grid` outside its range; nothing has changed then.
    pub(in crate::session) fn set_grid(&mut self, original: &dyn Engine, grid: SearchGrid) -> Result<(), ParameterError> {
        if self.shown.failure.is_some() || self.shown.set != grid.set {
            *self = Self { steps_first: self.steps_first, ..Self::start(original, grid)? };
        } else {
            search_with(&mut *self.engine, original, grid)?;
            self.shown.grid = grid.grid;
        }
        Ok(())
    }

    /// Searches point set `set` with the `grid` that the original has taken; the search that is compared keeps its own.
    pub(in crate::session) fn set_point_grid(&mut self, set: usize, grid: GridParameters) {
        // The original has taken the same.
        let _ = self.engine.set_point_grid(set, grid);
        if let Some(compared) = self.shown.set {
            // It may be searched together with that set.
            let _ = self.engine.set_point_grid(compared, self.shown.grid);
        }
    }

    fn grid(&self) -> SearchGrid {
        SearchGrid { set: self.shown.set, grid: self.shown.grid }
    }

    /// Applies an input that the original has taken. The grid of the search that is compared stays its own.
    pub(in crate::session) fn apply(&mut self, input: &Input) {
        // While it stands still its fluid is another, and it restarts from that of the original.
        if self.shown.failure.is_some() && matches!(input, Input::Hand(_) | Input::Drop(_)) {
            return;
        }
        let SearchGrid { set, grid } = self.grid();
        // The original has taken the same in the same state, so that nothing is refused.
        let _ = match input {
            Input::Parameters(shared) if set.is_none() => {
                Input::Parameters(Box::new(Parameters { grid, ..**shared })).apply(&mut *self.engine)
            }
            input => input.apply(&mut *self.engine),
        };
    }

    /// Steps both engines and compares them; returns the report of `original`.
    pub(in crate::session) fn step(&mut self, original: &mut dyn Engine) -> StepStats {
        if self.shown.failure.is_some() {
            return original.step();
        }
        // The second to step may find more, or less, of its data in the processor's caches: the order alternates to be fair.
        self.steps_first = !self.steps_first;
        let (stats, own) = if self.steps_first {
            let own = self.engine.step();
            (original.step(), own)
        } else {
            let stats = original.step();
            (stats, self.engine.step())
        };
        match (&stats.error, &own.error) {
            (None, None) => {
                let (a, b) = (original.view(), self.engine.view());
                self.shown.audits.add(&own, b.set_searches);
                self.shown.comparison.add(original.steps(), a.particles, b.particles);
                self.shown.comparison.add_sets(original.steps(), a.sets, b.sets);
            }
            // An error of the fluid occurs in both: the simulation reports it, and neither has moved.
            (Some(_), Some(_)) => {}
            (None, Some(error)) => self.shown.failure = Some(error.to_string()),
            // It is a step ahead: it goes back to the original's state.
            (Some(_), None) => {
                if let Ok(back) = fork_with(original, self.grid()) {
                    self.engine = back;
                }
            }
        }
        self.shown.stats = Some(own);
        stats
    }

    /// Adds the latest step to the history; it ended `elapsed` of running time after the one before.
    pub(in crate::session) fn add_step_cost(&mut self, elapsed: Duration) {
        let Some(stats) = self.shown.stats.as_ref().filter(|stats| stats.error.is_none()) else { return };
        match self.shown.set {
            None => self.shown.step_costs.add(stats, elapsed),
            Some(set) => {
                if let Some(search) = self.engine.view().set_searches.get(set) {
                    self.shown.step_costs.add_search(&search.stats, stats, elapsed);
                }
            }
        }
    }

    /// Its fluid.
    pub(in crate::session) fn view(&self) -> View<'_> {
        self.engine.view()
    }

    /// Writes what is shown of it into a snapshot, reusing the memory of the previous one.
    pub(in crate::session) fn write_to(&self, before: &mut Option<ComparisonSnapshot>) {
        let (mut particles, mut sets) = before.take().map(|before| (before.particles, before.sets)).unwrap_or_default();
        let view = self.engine.view();
        particles.copy_shown(view.particles);
        sets.copy(&view);
        let set_search = self.shown.set.and_then(|set| view.set_searches.get(set)).cloned();
        *before = Some(ComparisonSnapshot { particles, sets, set_search, ..self.shown.clone() });
    }
}

/// Forks `original` with another grid.
fn fork_with(original: &dyn Engine, grid: SearchGrid) -> Result<Box<dyn Engine>, ParameterError> {
    let mut fork = original.fork();
    search_with(&mut *fork, original, grid)?;
    Ok(fork)
}

/// Searches in `engine` with `grid`; for the fluid, every other parameter becomes that of `original`.
fn search_with(
    engine: &mut dyn Engine,
    original: &dyn Engine,
    SearchGrid { set, grid }: SearchGrid,
) -> Result<(), ParameterError> {
    match set {
        None => engine.set_parameters(Parameters { grid, ..*original.parameters() }),
        Some(set) => engine.set_point_grid(set, grid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sph_core::point_sets::Column;

    fn attribute(name: &str) -> &'static Attribute {
        Particles::ATTRIBUTES.iter().find(|attribute| attribute.name == name).expect("an attribute of particles")
    }

    fn particles() -> Particles {
        let place = |k: u32| Vec3::new(k as f32, 0.5, -1.0);
        Particles {
            positions: (0..9).map(place).collect(),
            rounding_errors: vec![Vec3::ZERO; 9],
            velocities: (0..9).map(place).collect(),
            densities: vec![1000.0; 9],
            pressures: vec![0.0; 9],
            ids: (0..9).rev().collect(),
            ..Particles::default()
        }
    }

    fn changed(change: impl FnOnce(&mut Particles)) -> Particles {
        let mut particles = particles();
        change(&mut particles);
        particles
    }

    #[test]
    fn equal_particles_compare_equal() {
        let mut comparison = Comparison::default();
        comparison.add(1, &particles(), &particles());
        comparison.add(2, &particles(), &particles());
        assert_eq!(comparison, Comparison { steps: 2, bits: 0, first: None });
    }

    #[test]
    fn a_difference_of_one_bit_is_found_and_named() {
        let mut comparison = Comparison::default();
        comparison.add(5, &particles(), &changed(|other| other.densities[4] = 1000.0_f32.next_up()));
        comparison.add(6, &particles(), &changed(|other| other.positions[2].y = -0.5));
        // One bit of the density, one of the sign; the first difference is kept.
        let first = Difference {
            step: 5,
            of: Differs::Particle(4),
            by: Differing::Value(attribute("densities"), 1000.0_f32.next_up() - 1000.0),
        };
        assert_eq!(comparison, Comparison { steps: 2, bits: 2, first: Some(first) });
        assert_eq!(first.to_string(), "particle 4 differs since step 5, in its densities by 6.1e-5 kg/m³");
    }

    #[test]
    fn equal_numbers_with_other_bits_are_different() {
        let (zero, negative) = (changed(|one| one.velocities[8].z = 0.0), changed(|other| other.velocities[8].z = -0.0));
        let mut comparison = Comparison::default();
        comparison.add(1, &zero, &negative);
        assert_eq!(
            comparison.first.map(|first| (first.of, first.by)),
            Some((Differs::Particle(0), Differing::Value(attribute("velocities"), 0.0)))
        );
    }

    /// Whatever the attribute, a difference in the last particle is found, and so is an attribute that one of the two lacks.
    #[test]
    fn every_attribute_is_compared() {
        let mut all = particles();
        for vectors in [&mut all.rounding_errors, &mut all.spins, &mut all.viscosity_changes] {
            *vectors = vec![Vec3::ONE; 9];
        }
        for numbers in [&mut all.earlier_k, &mut all.divergence_k, &mut all.density_offsets, &mut all.births] {
            *numbers = vec![1.0; 9];
        }
        all.fluids = vec![1; 9];
        assert!(all.attributes().all(|(_, values)| values.len() == 9));
        let difference = |change: fn(&mut Particles)| {
            let mut other = all.clone();
            change(&mut other);
            let mut comparison = Comparison::default();
            comparison.add(1, &all, &other);
            comparison.first.map(|first| (first.of, first.by))
        };
        let last = Differs::Particle(0);
        let by_a_half = |name| Some((last, Differing::Value(attribute(name), 0.5)));
        assert_eq!(difference(|other| other.positions[8].y = 1.0), by_a_half("positions"));
        assert_eq!(difference(|other| other.rounding_errors[8].y = 0.5), by_a_half("rounding_errors"));
        assert_eq!(difference(|other| other.velocities[8].y = 1.0), by_a_half("velocities"));
        assert_eq!(difference(|other| other.densities[8] = 1000.5), by_a_half("densities"));
        assert_eq!(difference(|other| other.pressures[8] = -0.5), by_a_half("pressures"));
        assert_eq!(difference(|other| other.spins[8].y = 0.5), by_a_half("spins"));
        assert_eq!(difference(|other| other.viscosity_changes[8].y = 0.5), by_a_half("viscosity_changes"));
        assert_eq!(difference(|other| other.earlier_k[8] = 0.5), by_a_half("earlier_k"));
        assert_eq!(difference(|other| other.divergence_k[8] = 0.5), by_a_half("divergence_k"));
        assert_eq!(difference(|other| other.density_offsets[8] = 0.5), by_a_half("density_offsets"));
        assert_eq!(difference(|other| other.births[8] = 0.5), by_a_half("births"));
        assert_eq!(difference(|other| other.fluids[8] = 0), Some((last, Differing::Value(attribute("fluids"), 1.0))));
        assert_eq!(
            difference(|other| other.spins.clear()),
            Some((Differs::Particle(8), Differing::Presence(attribute("spins"))))
        );
    }

    #[test]
    fn another_order_is_a_difference() {
        let mut comparison = Comparison::default();
        comparison.add(3, &particles(), &changed(|other| other.ids.swap(1, 2)));
        assert_eq!(comparison.first, Some(Difference { step: 3, of: Differs::Particle(7), by: Differing::Order }));
    }

    /// Whatever the value, a difference in the last point is found, and counted after those of the particles.
    #[test]
    fn every_value_of_a_point_is_compared() {
        let column = |name: &str, values| Column { name: name.to_owned(), unit: String::new(), values };
        let points = PointSet {
            positions: vec![Vec3::ONE; 3],
            rounding_errors: vec![Vec3::ZERO; 3],
            velocities: vec![Vec3::X; 3],
            ids: vec![2, 5, 7],
            columns: vec![
                column("spin", ColumnValues::Vectors(vec![Vec3::Y; 3])),
                column("torn", ColumnValues::Integers(vec![1])),
            ],
            ..PointSet::default()
        };
        let difference = |change: fn(&mut PointSet)| {
            let mut other = points.clone();
            change(&mut other);
            let mut comparison = Comparison::default();
            comparison.add(4, &particles(), &particles());
            comparison.add_sets(4, &[PointSet::default(), points.clone()], &[PointSet::default(), other]);
            assert_eq!(comparison.bits > 0, comparison.first.is_some_and(|first| first.by != Differing::Order));
            comparison.first.map(|first| first.to_string())
        };
        let names = |value: &str| Some(format!("point 7 of set 1 differs since step 4, in its {value}"));
        assert_eq!(difference(|_| {}), None);
        assert_eq!(difference(|other| other.positions[2].y = 1.5), names("position"));
        assert_eq!(difference(|other| other.rounding_errors[2].y = -0.0), names("rounding error"));
        assert_eq!(difference(|other| other.velocities[2].x = 1.5), names("velocity"));
        let columns = Some("set 1 differs since step 4, in its columns".to_owned());
        let spins = |other: &mut PointSet| other.columns[0].values = ColumnValues::Vectors(vec![Vec3::Y, Vec3::Y, Vec3::X]);
        assert_eq!(difference(spins), columns);
        assert_eq!(difference(|other| other.columns[1].values = ColumnValues::Integers(vec![3])), columns);
        let order = "point 5 of set 1 differs since step 4, in its order in memory".to_owned();
        assert_eq!(difference(|other| other.ids.swap(1, 2)), Some(order));
    }
}
