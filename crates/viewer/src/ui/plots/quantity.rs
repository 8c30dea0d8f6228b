//! Quantities of the grid that can be plotted over time.

use crate::session::Sample;
use crate::ui::widgets::format;

/// A quantity of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// Distance tests per neighbour found.
    #[default]
    Candidates,
    /// Occupied cells / table size.
    LoadFactor,
    /// Number of cells that contain particles.
    OccupiedCells,
    /// Number of occupied cells that share their bucket.
    Collisions,
    /// Number of particles in the fullest bucket.
    LongestBucket,
    /// Wall-clock time to build the structure, ms.
    Build,
    /// Wall-clock time to fill the neighbour lists, ms.
    Query,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 7] = [
        Self::Candidates,
        Self::LoadFactor,
        Self::OccupiedCells,
        Self::Collisions,
        Self::LongestBucket,
        Self::Build,
        Self::Query,
    ];

    /// Name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Candidates => "Candidates per neighbour",
            Self::LoadFactor => "Load factor",
            Self::OccupiedCells => "Occupied cells",
            Self::Collisions => "Cells in collision",
            Self::LongestBucket => "Longest bucket",
            Self::Build => "Build, ms",
            Self::Query => "Query, ms",
        }
    }

    /// Value in a sample.
    pub fn of(self, sample: &Sample) -> f32 {
        match self {
            Self::Candidates => sample.candidates_per_neighbor,
            Self::LoadFactor => sample.load_factor,
            Self::OccupiedCells => sample.occupied_cells,
            Self::Collisions => sample.cells_in_collision,
            Self::LongestBucket => sample.longest_bucket,
            Self::Build => sample.build_ms,
            Self::Query => sample.query_ms,
        }
    }

    /// Formats a value.
    pub fn format(self, value: f32) -> String {
        match self {
            Self::Candidates => format!("{value:.2}"),
            Self::LoadFactor | Self::Build | Self::Query => format!("{value:.3}"),
            Self::OccupiedCells | Self::Collisions | Self::LongestBucket => format::count(value.round() as u64),
        }
    }
}
