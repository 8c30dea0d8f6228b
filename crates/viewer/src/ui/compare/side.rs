//! The two grids of a comparison, and what of a snapshot is about which.

use crate::session::{Inspection, Snapshot};
use sph_core::Particles;

/// One of two grids that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The simulation's own, on the left.
    #[default]
    A,
    /// The rival's, on the right.
    B,
}

impl Side {
    /// Both, from left to right.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// The inside of its grid, if it is looked into.
    pub fn inspection(self, snapshot: &Snapshot) -> Option<&Inspection> {
        match self {
            Self::A => snapshot.inspection.as_deref(),
            Self::B => snapshot.rival.as_ref()?.inspection.as_deref(),
        }
    }

    /// The particles in its picture.
    pub fn particles(self, snapshot: &Snapshot) -> &Particles {
        match (self, &snapshot.rival) {
            (Self::B, Some(rival)) => &rival.particles,
            _ => &snapshot.particles,
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}
