//! The visible grid: which boxes a structure's cells are drawn as, in which colours. Plain data, for the window and for `sph render`.

/// What the colours of the cells say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellColoring {
    /// How many points a cell holds.
    #[default]
    Occupancy,
    /// In which bucket of the table it is kept: cells of a bucket have the same colour.
    Bucket,
    /// Whether it shares its bucket with other cells.
    Collision,
}

/// A layer of cells: those with one coordinate in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// The coordinate of the cells along it.
    pub layer: i32,
}
