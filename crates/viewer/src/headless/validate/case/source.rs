//! Values that ours are compared with, and their sources.

use super::unit::Unit;

/// A value, or a range of values, that one of ours is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
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
    fn each_value_is_written_with_its_source() {
        let write = |range, source| Comparison { range, source }.write(Unit::Plain(2));
        assert_eq!(write([1.36, 1.36], Source::Experiment("MartinMoyce1952")), "1.36 (experiment, MartinMoyce1952)");
        assert_eq!(write([1.0, 1.0], Source::Theory("")), "1.00 (theory)");
        let own = write([1.4, 1.46], Source::OwnPrototype("DFSPH"));
        assert_eq!(own, "1.40 to 1.46 (own prototype, DFSPH)");
        assert!(!Source::is_of_others(&own) && Source::is_of_others("1.00 (theory)"));
    }
}
