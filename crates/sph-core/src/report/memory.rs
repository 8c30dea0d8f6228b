//! How much memory a simulation holds, and for what.

/// Bytes on the heap that a simulation holds, room that it keeps for more included. All but the walls' share grows with the particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The particles' state, and the arrays in which the next one is written.
    pub particles: usize,
    /// The structures that find neighbours, those of the walls included, and the order of the particles.
    pub search: usize,
    /// The neighbour lists of the fluid and of the walls.
    pub lists: usize,
    /// What solvers store of every pair for their iterations.
    pub pairs: usize,
    /// What solvers and forces keep of every particle between their passes.
    pub solver: usize,
    /// The walls as particles, and the bodies.
    pub walls: usize,
}

impl Memory {
    /// All parts with their names.
    pub fn parts(&self) -> [(&'static str, usize); 6] {
        let Self { particles, search, lists, pairs, solver, walls } = *self;
        [("particles", particles), ("search", search), ("lists", lists), ("pairs", pairs), ("solver", solver), ("walls", walls)]
    }

    /// All parts together, bytes.
    pub fn total(&self) -> usize {
        self.parts().iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Bytes that a vector holds, those for entries to come included; not what its entries hold themselves.
pub(crate) fn held<T>(values: &Vec<T>) -> usize {
    values.capacity() * size_of::<T>()
}
