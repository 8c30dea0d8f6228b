//! Parts of a validation case: the plan of its runs, its measures, and the sources of what they are compared with.

use std::fmt;

use crate::figure::Figure;
use crate::runs::RunRecord;

// A validation case as data.

/// A file in `scenes/validation/`.
macro_rules! scene {
    ($name:literal) => {
        $crate::case::SceneFile {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/validation/", $name, ".toml")),
        }
    };
}

pub(super) use scene;

/// A validation case: scene, runs, measures and plots.
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// Name in the report.
    pub title: &'static str,
    /// Description of the comparison, in a few sentences of Markdown. Its figures are those of the set-up.
    pub about: &'static str,
    /// Explanation of results that fail or surprise; may be empty. States no figures: those are measures.
    pub remarks: &'static str,
    /// Scene that is run, with probes.
    pub scene: SceneFile,
    /// Simulated time between two readings of the probes, s.
    pub interval: f64,
    /// Runs of the scene.
    pub plan: Plan,
    /// Computes the measures of a run.
    pub measure: fn(&RunRecord) -> Vec<Measure>,
    /// Plots the runs at the resolutions, the coarsest first.
    pub draw: fn(&[&RunRecord]) -> Vec<Figure>,
}

/// A scene file.
#[derive(Clone, Copy, Debug)]
pub struct SceneFile {
    /// Name of the file without its extension.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

// The runs of a case: resolutions and variants, a matrix of settings, or a list.

/// The plan of a case's runs. Each run is the case's scene with other values.
#[derive(Clone, Copy, Debug)]
pub enum Plan {
    /// Resolutions, judged, and variants, which are shown beside them.
    Resolutions {
        /// Resolutions, the coarsest first; several series of them may follow each other.
        resolutions: &'static [Resolution],
        /// The resolutions at which the criteria must be met.
        judged: Judged,
        /// Runs that the remarks refer to. They are not judged.
        variants: &'static [Setting],
    },
    /// Every combination of a row's settings with a column's, all judged.
    Matrix {
        /// Name of what the rows are.
        corner: &'static str,
        /// Overrides of all runs.
        common: &'static [&'static str],
        rows: &'static [Setting],
        columns: &'static [Setting],
    },
    /// Runs of a list, all judged: their labels and overrides.
    List(fn() -> Vec<(String, Vec<String>)>),
}

/// A resolution of a case.
#[derive(Clone, Copy, Debug)]
pub struct Resolution {
    /// Label in tables, such as `a/40`.
    pub label: &'static str,
    /// Overrides of the scene's values.
    pub set: &'static [&'static str],
    /// True if `--quick` runs it.
    pub quick: bool,
}

/// Other values of a scene, and their name.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Label in tables.
    pub label: &'static str,
    /// Overrides of the scene's values.
    pub set: &'static [&'static str],
}

/// The resolutions at which a case must meet its criteria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// Every resolution.
    Each,
    /// The finest resolution that is run, by particle spacing; the others show the convergence.
    Finest,
}

/// Place of a run in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanSlot {
    Resolution,
    Variant,
    /// Cell of a matrix.
    Cell {
        row: usize,
        column: usize,
    },
    /// Item of a list.
    Item,
}

/// A run of a plan.
#[derive(Clone, Debug)]
pub struct PlannedRun {
    /// Label in tables, unique within the case.
    pub label: String,
    /// Overrides of the scene's values.
    pub set: Vec<String>,
    /// Its place in the plan.
    pub place: PlanSlot,
    /// True if `--quick` runs it.
    pub quick: bool,
}

impl Plan {
    /// All runs, in the order of the report.
    pub fn runs(&self) -> Vec<PlannedRun> {
        match *self {
            Self::Resolutions { resolutions, variants, .. } => {
                let resolutions = resolutions.iter().map(|resolution| PlannedRun {
                    label: resolution.label.to_owned(),
                    set: owned(resolution.set),
                    place: PlanSlot::Resolution,
                    quick: resolution.quick,
                });
                let variants = variants.iter().map(|variant| PlannedRun {
                    label: variant.label.to_owned(),
                    set: owned(variant.set),
                    place: PlanSlot::Variant,
                    quick: false,
                });
                resolutions.chain(variants).collect()
            }
            Self::Matrix { common, rows, columns, .. } => {
                let cells = rows.iter().enumerate().flat_map(|row| columns.iter().enumerate().map(move |column| (row, column)));
                let cell = |((row, of_row), (column, of_column)): ((usize, &Setting), (usize, &Setting))| PlannedRun {
                    label: format!("{}, {}", of_row.label, of_column.label),
                    set: owned(&[common, of_row.set, of_column.set].concat()),
                    place: PlanSlot::Cell { row, column },
                    quick: false,
                };
                cells.map(cell).collect()
            }
            Self::List(items) => {
                items().into_iter().map(|(label, set)| PlannedRun { label, set, place: PlanSlot::Item, quick: false }).collect()
            }
        }
    }
}

fn owned(set: &[&str]) -> Vec<String> {
    set.iter().map(|&text| text.to_owned()).collect()
}

// A measured value: its unit, what is accepted, and what it is compared with.

/// A value computed from a run.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Name.
    pub name: String,
    /// Our value; NaN if it could not be computed.
    pub value: f64,
    /// Unit.
    pub unit: Unit,
    /// Acceptance criterion; `None` if the value is shown and not judged.
    pub criterion: Option<Criterion>,
    /// Value that a solution without error has, for the order of convergence.
    pub exact: Option<f64>,
    /// Values to compare ours with.
    pub comparisons: Vec<Comparison>,
    /// Reason, a short sentence, should the criterion be missed; empty if none is known.
    pub reason: &'static str,
}

/// Acceptance criterion of a value; the bounds are included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Criterion {
    AtMost(f64),
    AtLeast(f64),
    Between(f64, f64),
}

impl Measure {
    /// A value that is shown and not judged, until [`Measure::accept`] says more.
    pub fn new(name: impl Into<String>, value: f64, unit: Unit) -> Self {
        Self { name: name.into(), value, unit, criterion: None, exact: None, comparisons: Vec::new(), reason: "" }
    }

    /// Judges the value by `criterion`.
    pub fn accept(self, criterion: Criterion) -> Self {
        Self { criterion: Some(criterion), ..self }
    }

    /// Shows the order at which the value converges to `exact`.
    pub fn converges_to(self, exact: f64) -> Self {
        Self { exact: Some(exact), ..self }
    }

    /// Compares with a value from `source`.
    pub fn compare(self, source: Source, value: f64) -> Self {
        self.compare_range(source, [value; 2])
    }

    /// Compares with the values in a range from `source`.
    pub fn compare_range(mut self, source: Source, range: [f64; 2]) -> Self {
        self.comparisons.push(Comparison { range, source });
        self
    }

    /// States why the criterion is missed, should it be.
    pub fn if_missed(self, reason: &'static str) -> Self {
        Self { reason, ..self }
    }

    /// True if the value meets its criterion, false if it does not or is NaN; `None` without a criterion.
    pub fn passes(&self) -> Option<bool> {
        self.criterion.map(|criterion| criterion.accepts(self.value))
    }

    /// The value as text.
    pub fn ours(&self) -> String {
        if self.value.is_finite() { self.unit.write(self.value) } else { "no value".to_owned() }
    }

    /// The criterion as text.
    pub fn accepted(&self) -> String {
        let write = |value| self.unit.write(value);
        match self.criterion {
            Some(Criterion::AtMost(most)) => format!("≤ {}", write(most)),
            Some(Criterion::AtLeast(least)) => format!("≥ {}", write(least)),
            Some(Criterion::Between(least, most)) => format!("{} to {}", write(least), write(most)),
            None => "not judged".to_owned(),
        }
    }

    /// The values to compare ours with, as text.
    pub fn elsewhere(&self) -> String {
        let values: Vec<String> = self.comparisons.iter().map(|comparison| comparison.write(self.unit)).collect();
        values.join("; ")
    }
}

impl Criterion {
    fn accepts(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
            Self::Between(least, most) => (least..=most).contains(&value),
        }
    }
}

/// Unit in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// No unit; the number of decimals.
    Plain(usize),
    /// Percent.
    Percent,
}

impl Unit {
    /// The value with its unit.
    pub fn write(self, value: f64) -> String {
        match self {
            Self::Plain(decimals) => format!("{value:.decimals$}"),
            Self::Percent => format!("{:.1} %", 100.0 * value),
        }
    }
}

// Values that ours are compared with, and their sources.

/// A value, or a range of values, that one of ours is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Comparison {
    /// Lowest and highest value; the same if there is one.
    pub range: [f64; 2],
    /// Source of the values.
    pub source: Source,
}

/// Source of a value that is not computed by the run. Keys are those of `docs/bibliography.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Computation in the publication with this key.
    Publication(&'static str),
    /// Experiment in the publication with this key.
    Experiment(&'static str),
    /// Closed form or series, with the key of its publication, or an empty one.
    Theory(&'static str),
    /// Prototype of this method, written for this project before the program.
    OwnPrototype(&'static str),
}

impl Comparison {
    /// Values and source as text.
    pub fn write(&self, unit: Unit) -> String {
        let [low, high] = self.range.map(|value| unit.write(value));
        let values = if low == high { low } else { format!("{low} to {high}") };
        format!("{values} ({})", self.source.name())
    }
}

impl Source {
    /// Kind of the source, and its key.
    fn name(self) -> String {
        let (kind, detail) = match self {
            Self::Publication(key) => ("publication", key),
            Self::Experiment(key) => ("experiment", key),
            Self::Theory(key) => ("theory", key),
            Self::OwnPrototype(method) => (OWN, method),
        };
        if detail.is_empty() { kind.to_owned() } else { format!("{kind}, {detail}") }
    }

    /// Key in the bibliography, if the source is a publication.
    #[cfg(test)]
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::Publication(key) | Self::Experiment(key) | Self::Theory(key) => Some(key).filter(|key| !key.is_empty()),
            Self::OwnPrototype(_) => None,
        }
    }

    /// True if a comparison, as written by [`Comparison::write`], is with a value of others.
    pub fn is_of_others(text: &str) -> bool {
        !text.is_empty() && !text.contains(&format!("({OWN}"))
    }
}

/// Name of [`Source::OwnPrototype`] in the report.
const OWN: &str = "own prototype";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_has_a_run_for_every_cell() {
        const ROWS: [Setting; 2] = [Setting { label: "a", set: &["x=1"] }, Setting { label: "b", set: &["x=2"] }];
        const COLUMNS: [Setting; 2] = [Setting { label: "c", set: &[] }, Setting { label: "d", set: &["y=1", "z=2"] }];
        let runs = Plan::Matrix { corner: "", common: &["w=0"], rows: &ROWS, columns: &COLUMNS }.runs();
        let labels: Vec<&str> = runs.iter().map(|run| run.label.as_str()).collect();
        assert_eq!(labels, ["a, c", "a, d", "b, c", "b, d"]);
        assert_eq!(runs[3].set, ["w=0", "x=2", "y=1", "z=2"]);
        assert_eq!(runs[2].place, PlanSlot::Cell { row: 1, column: 0 });
    }

    fn measure(value: f64, criterion: Criterion) -> Measure {
        Measure::new("", value, Unit::Percent).accept(criterion)
    }

    #[test]
    fn criteria_include_their_bounds_and_reject_nan() {
        for criterion in
            [Criterion::AtMost(0.03), Criterion::AtLeast(0.03), Criterion::Between(0.03, 0.05), Criterion::Between(0.01, 0.03)]
        {
            assert_eq!(measure(0.03, criterion).passes(), Some(true), "{criterion:?}");
            assert_eq!(measure(f64::NAN, criterion).passes(), Some(false), "{criterion:?}");
        }
        assert_eq!(measure(0.031, Criterion::AtMost(0.03)).passes(), Some(false));
        assert_eq!(measure(0.029, Criterion::AtLeast(0.03)).passes(), Some(false));
        assert_eq!(Measure::new("", 0.029, Unit::Percent).passes(), None);
    }

    #[test]
    fn values_and_criteria_are_written_with_their_unit() {
        let measure = measure(0.0123, Criterion::Between(0.01, 0.03))
            .compare(Source::Theory(""), 0.02)
            .compare_range(Source::OwnPrototype("PBF"), [0.01, 0.015]);
        assert_eq!((measure.ours(), measure.accepted()), ("1.2 %".to_owned(), "1.0 % to 3.0 %".to_owned()));
        assert_eq!(measure.elsewhere(), "2.0 % (theory); 1.0 % to 1.5 % (own prototype, PBF)");
    }

    #[test]
    fn each_value_is_written_with_its_source() {
        let write = |range, source| Comparison { range, source }.write(Unit::Plain(2));
        assert_eq!(write([1.36, 1.36], Source::Experiment("MartinMoyce1952")), "1.36 (experiment, MartinMoyce1952)");
        assert_eq!(write([1.0, 1.0], Source::Theory("")), "1.00 (theory)");
        let own = write([1.4, 1.46], Source::OwnPrototype("DFSPH"));
        assert_eq!(own, "1.40 to 1.46 (own prototype, DFSPH)");
        assert!(!Source::is_of_others(&own) && Source::is_of_others("1.00 (theory)"));
    }
}
