//! The runs of a case: resolutions and variants, a matrix of settings, or a list.

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
pub enum Place {
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
    pub place: Place,
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
                    place: Place::Resolution,
                    quick: resolution.quick,
                });
                let variants = variants.iter().map(|variant| PlannedRun {
                    label: variant.label.to_owned(),
                    set: owned(variant.set),
                    place: Place::Variant,
                    quick: false,
                });
                resolutions.chain(variants).collect()
            }
            Self::Matrix { common, rows, columns, .. } => {
                let cells = rows.iter().enumerate().flat_map(|row| columns.iter().enumerate().map(move |column| (row, column)));
                let cell = |((row, of_row), (column, of_column)): ((usize, &Setting), (usize, &Setting))| PlannedRun {
                    label: format!("{}, {}", of_row.label, of_column.label),
                    set: owned(&[common, of_row.set, of_column.set].concat()),
                    place: Place::Cell { row, column },
                    quick: false,
                };
                cells.map(cell).collect()
            }
            Self::List(items) => {
                items().into_iter().map(|(label, set)| PlannedRun { label, set, place: Place::Item, quick: false }).collect()
            }
        }
    }
}

fn owned(set: &[&str]) -> Vec<String> {
    set.iter().map(|&text| text.to_owned()).collect()
}

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
        assert_eq!(runs[2].place, Place::Cell { row: 1, column: 0 });
    }
}
