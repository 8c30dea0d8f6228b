//! Pairs of points found by a structure, and counts of candidates and neighbours.

/// Counts of candidates and neighbours over all queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of distances tested.
    pub candidates: u64,
    /// Number of points found closer than the radius.
    pub neighbors: u64,
}

/// Pairs of points found by a structure, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Indices of the points of each touching pair, the lower first.
    pub touching: Vec<(u32, u32)>,
    /// Number of pairs whose distance was tested.
    pub tested: u64,
}

impl Pairs {
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.touching.extend(other.touching);
        self.tested += other.tested;
        self
    }
}
