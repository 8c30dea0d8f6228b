//! Sides of a comparison, and their parts of a snapshot.

use crate::session::{Inspection, Snapshot};
use sph_core::Particles;

/// One of the two compared grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Grid of the simulation, on the left.
    #[default]
    A,
    /// Grid of the second simulation (the "rival"), on the right.
    B,
}

impl Side {
    /// Both sides, from left to right.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// Name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// Inspection of its grid; `None` unless requested.
    pub fn inspection(self, snapshot: &Snapshot) -> Option<&Inspection> {
        match self {
            Self::A => snapshot.inspection.as_deref(),
            Self::B => snapshot.rival.as_ref()?.inspection.as_deref(),
        }
    }

    /// Particles in its picture.
    pub fn particles(self, snapshot: &Snapshot) -> &Particles {
        match (self, &snapshot.rival) {
            (Self::B, Some(rival)) => &rival.particles,
            _ => &snapshot.particles,
        }
    }

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}
