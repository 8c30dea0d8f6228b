//! A measured value: its unit, what is accepted, and what it is compared with.

use super::source::{Comparison, Source};
use super::unit::Unit;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
