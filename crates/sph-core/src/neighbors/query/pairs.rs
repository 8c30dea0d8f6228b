//! Pairs that are found together, and the count of what was tested and found.

/// What filling the lists took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Points whose distance was tested, over all queries.
    pub candidates: u64,
    /// Points found closer than the radius, over all queries.
    pub neighbors: u64,
}

/// Pairs of points that were found together, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Indices of the points of each pair that touches, the lower first.
    pub touching: Vec<(u32, u32)>,
    /// Pairs whose distance was tested.
    pub tested: u64,
}

impl Pairs {
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.touching.extend(other.touching);
        self.tested += other.tested;
        self
    }
}
