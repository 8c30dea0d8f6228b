//! Number of space dimensions.

/// Number of space dimensions. In two dimensions every `z` is 0 and the kernels are normalised for the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimensions {
    /// Motion in the x–y plane; masses are per metre of depth.
    Two,
    /// Motion in space.
    Three,
}

impl Dimensions {
    /// Number of dimensions: 2 or 3.
    pub fn count(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}
