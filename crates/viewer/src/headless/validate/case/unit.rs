//! Units of measured values.

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
