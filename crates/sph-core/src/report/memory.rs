//! Memory of a simulation, by purpose.

/// Heap memory of a simulation, bytes, spare capacity included. All parts but `walls` grow with the number of fluid particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// State of the particles, and the buffers for the next state.
    pub particles: usize,
    /// Search structures of fluid and walls, and the cell order of the particles.
    pub search: usize,
    /// Neighbour lists of fluid and walls.
    pub lists: usize,
    /// Data of solvers for each pair, kept for their iterations.
    pub pairs: usize,
    /// Data of solvers and forces for each particle.
    pub solver: usize,
    /// Boundary particles and bodies.
    pub walls: usize,
}

impl Memory {
    /// Name and bytes of each part.
    pub fn parts(&self) -> [(&'static str, usize); 6] {
        let Self { particles, search, lists, pairs, solver, walls } = *self;
        [("particles", particles), ("search", search), ("lists", lists), ("pairs", pairs), ("solver", solver), ("walls", walls)]
    }

    /// Sum of all parts, bytes.
    pub fn total(&self) -> usize {
        self.parts().iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Heap memory of a vector, bytes: its capacity, without the heap memory of its entries.
pub(crate) fn held<T>(values: &Vec<T>) -> usize {
    values.capacity() * size_of::<T>()
}
