//! Validation cases.

use super::figure::Figure;
use super::record::RunRecord;
use std::fmt;

/// The text of a file in `scenes/validation/`.
macro_rules! scene {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/validation/", $name, ".toml"))
    };
}
pub(super) use scene;

/// A validation case: scene, resolutions, measures and plots.
pub struct Case {
    /// Name on the command line, and of the scene's file.
    pub name: &'static str,
    /// Name in the report.
    pub title: &'static str,
    /// Description of the comparison, in a few sentences of Markdown.
    pub about: &'static str,
    /// Explanation of results that fail or surprise; may be empty.
    pub remarks: &'static str,
    /// Text of the scene file, with probes.
    pub scene: &'static str,
    /// Simulated time between two readings of the probes, s.
    pub interval: f64,
    /// Resolutions, the coarsest first.
    pub resolutions: &'static [Resolution],
    /// The resolutions at which the criteria must be met.
    pub judged: Judged,
    /// Computes the measures of a run.
    pub measure: fn(&RunRecord) -> Vec<Measure>,
    /// Plots all runs of the case, the coarsest first.
    pub draw: fn(&[&RunRecord]) -> Vec<Figure>,
}

/// A resolution of a case.
pub struct Resolution {
    /// Label in tables, such as `a/40`.
    pub label: &'static str,
    /// Overrides of the scene's values.
    pub set: &'static [&'static str],
    /// True if `--quick` runs it.
    pub quick: bool,
}

/// The resolutions at which a case must meet its criteria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// Every resolution.
    Each,
    /// The finest resolution that is run; the others show the convergence.
    Finest,
}

/// A measured value with its acceptance criterion.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Name.
    pub name: String,
    /// Our value; NaN if it could not be computed.
    pub value: f64,
    /// Acceptance criterion.
    pub criterion: Criterion,
    /// Unit.
    pub unit: Unit,
    /// Values in the literature; may be empty.
    pub literature: &'static str,
}

/// Acceptance criterion of a value; the bounds are included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Criterion {
    AtMost(f64),
    AtLeast(f64),
    Between(f64, f64),
}

/// Unit in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// No unit; the number of decimals.
    Plain(usize),
    /// Percent.
    Percent,
}

impl Measure {
    /// True if the value meets its criterion; false for NaN.
    pub fn passes(&self) -> bool {
        match self.criterion {
            Criterion::AtMost(most) => self.value <= most,
            Criterion::AtLeast(least) => self.value >= least,
            Criterion::Between(least, most) => (least..=most).contains(&self.value),
        }
    }

    /// The value as text.
    pub fn ours(&self) -> String {
        if self.value.is_finite() { self.unit.write(self.value) } else { "no value".to_owned() }
    }

    /// The criterion as text.
    pub fn accepted(&self) -> String {
        let write = |value| self.unit.write(value);
        match self.criterion {
            Criterion::AtMost(most) => format!("≤ {}", write(most)),
            Criterion::AtLeast(least) => format!("≥ {}", write(least)),
            Criterion::Between(least, most) => format!("{} to {}", write(least), write(most)),
        }
    }
}

impl Unit {
    fn write(self, value: f64) -> String {
        match self {
            Self::Plain(decimals) => format!("{value:.decimals$}"),
            Self::Percent => format!("{:.1} %", 100.0 * value),
        }
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(value: f64, criterion: Criterion) -> Measure {
        Measure { name: String::new(), value, criterion, unit: Unit::Percent, literature: "" }
    }

    #[test]
    fn criteria_include_their_bounds_and_reject_nan() {
        for criterion in
            [Criterion::AtMost(0.03), Criterion::AtLeast(0.03), Criterion::Between(0.03, 0.05), Criterion::Between(0.01, 0.03)]
        {
            assert!(measure(0.03, criterion).passes(), "{criterion:?}");
            assert!(!measure(f64::NAN, criterion).passes(), "{criterion:?}");
        }
        assert!(!measure(0.031, Criterion::AtMost(0.03)).passes());
        assert!(!measure(0.029, Criterion::AtLeast(0.03)).passes());
    }

    #[test]
    fn values_and_criteria_are_written_with_their_unit() {
        let measure = measure(0.0123, Criterion::Between(0.01, 0.03));
        assert_eq!((measure.ours(), measure.accepted()), ("1.2 %".to_owned(), "1.0 % to 3.0 %".to_owned()));
    }
}
