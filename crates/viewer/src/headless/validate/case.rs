//! What a validation case is.

use super::evidence::Evidence;
use super::figure::Figure;
use std::fmt;

/// The text of a file in `scenes/validation/`.
macro_rules! scene {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/validation/", $name, ".toml"))
    };
}
pub(super) use scene;

/// A case: everything that is known before it is run.
pub struct Case {
    /// Name on the command line, and of its scene's file.
    pub name: &'static str,
    /// Name in the report.
    pub title: &'static str,
    /// What is compared with what, in a few sentences of Markdown.
    pub about: &'static str,
    /// What there is to say about a result that is not as it should be, or surprises; may be empty.
    pub remarks: &'static str,
    /// Text of the scene file, with probes.
    pub scene: &'static str,
    /// Simulated time between two readings of the probes, s.
    pub interval: f64,
    /// Resolutions, the coarsest first.
    pub resolutions: &'static [Resolution],
    /// At which of them the bars have to be met.
    pub judged: Judged,
    /// What is read off a run.
    pub measure: fn(&Evidence) -> Vec<Measure>,
    /// What is drawn of all runs of the case, the coarsest first.
    pub draw: fn(&[&Evidence]) -> Vec<Figure>,
}

/// A way to run a case.
pub struct Resolution {
    /// Its name in tables, such as `a/40`.
    pub label: &'static str,
    /// Values laid over the scene's.
    pub set: &'static [&'static str],
    /// Whether `--quick` runs it.
    pub quick: bool,
}

/// At which resolutions a case has to meet its bars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// At each.
    Each,
    /// At the finest that is run; the others show how it converges.
    Finest,
}

/// A number read off a run, and what it has to be.
#[derive(Clone, Debug)]
pub struct Measure {
    /// What it is.
    pub name: String,
    /// Our value; NaN when it could not be read.
    pub value: f64,
    /// What is accepted.
    pub bar: Bar,
    /// How it is written.
    pub unit: Unit,
    /// What others got for the same; may be empty.
    pub elsewhere: &'static str,
}

/// What is accepted of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    AtMost(f64),
    AtLeast(f64),
    Between(f64, f64),
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// As it is, with so many decimals.
    Plain(usize),
    /// In percent.
    Percent,
}

impl Measure {
    /// Whether the value is accepted. One that could not be read is not.
    pub fn passes(&self) -> bool {
        match self.bar {
            Bar::AtMost(most) => self.value <= most,
            Bar::AtLeast(least) => self.value >= least,
            Bar::Between(least, most) => (least..=most).contains(&self.value),
        }
    }

    /// The value in words.
    pub fn ours(&self) -> String {
        if self.value.is_finite() { self.unit.write(self.value) } else { "no value".to_owned() }
    }

    /// What is accepted, in words.
    pub fn accepted(&self) -> String {
        let write = |value| self.unit.write(value);
        match self.bar {
            Bar::AtMost(most) => format!("≤ {}", write(most)),
            Bar::AtLeast(least) => format!("≥ {}", write(least)),
            Bar::Between(least, most) => format!("{} to {}", write(least), write(most)),
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

    fn measure(value: f64, bar: Bar) -> Measure {
        Measure { name: String::new(), value, bar, unit: Unit::Percent, elsewhere: "" }
    }

    #[test]
    fn bars_include_their_ends_and_refuse_what_is_no_number() {
        for bar in [Bar::AtMost(0.03), Bar::AtLeast(0.03), Bar::Between(0.03, 0.05), Bar::Between(0.01, 0.03)] {
            assert!(measure(0.03, bar).passes(), "{bar:?}");
            assert!(!measure(f64::NAN, bar).passes(), "{bar:?}");
        }
        assert!(!measure(0.031, Bar::AtMost(0.03)).passes());
        assert!(!measure(0.029, Bar::AtLeast(0.03)).passes());
    }

    #[test]
    fn numbers_are_written_with_their_bars() {
        let measure = measure(0.0123, Bar::Between(0.01, 0.03));
        assert_eq!((measure.ours(), measure.accepted()), ("1.2 %".to_owned(), "1.0 % to 3.0 %".to_owned()));
    }
}
