//! What a lesson rests on: its texts are true for such a grid only.

use super::reading::Reading;
use sph_core::neighbors::{GridParameters, MAX_TABLE_SIZE, Structure};

/// Cell spacings, in support radii, that count as about one.
const ABOUT_ONE: std::ops::RangeInclusive<f32> = 0.9..=1.1;

/// What has to hold all through a lesson.
#[derive(Clone, Copy, Debug)]
pub struct Basis {
    /// Whether the structure must be the spatial hash.
    pub spatial_hash: bool,
    /// Whether cells must be about as wide as the support radius.
    pub usual_cells: bool,
    /// Whether there must be as many buckets as particles, so that collisions play no great part.
    pub roomy_table: bool,
}

impl Basis {
    /// What is missing, each in a few words.
    pub fn missing(self, grid: &GridParameters, reading: &Reading) -> Vec<String> {
        let mut missing = Vec::new();
        if self.spatial_hash && grid.structure != Structure::SpatialHash {
            missing.push("the spatial hash as structure".to_owned());
        }
        if self.usual_cells && !has_usual_cells(grid, reading) {
            missing.push("a cell spacing of 1 support radius".to_owned());
        }
        if self.roomy_table && !has_roomy_table(grid, reading) {
            missing.push("at least as many buckets as particles".to_owned());
        }
        missing
    }

    /// Changes what is missing and nothing else.
    pub fn restore(self, grid: &mut GridParameters, reading: &Reading) {
        if self.spatial_hash {
            grid.structure = Structure::SpatialHash;
        }
        if self.usual_cells && !has_usual_cells(grid, reading) {
            grid.cell_size = reading.support_radius;
        }
        if self.roomy_table && !has_roomy_table(grid, reading) {
            grid.table_size = roomy_table(reading);
        }
    }
}

/// Whether cells are about as wide as the support radius.
pub fn has_usual_cells(grid: &GridParameters, reading: &Reading) -> bool {
    ABOUT_ONE.contains(&(grid.cell_size / reading.support_radius))
}

/// Whether there are as many buckets as particles.
pub fn has_roomy_table(grid: &GridParameters, reading: &Reading) -> bool {
    u64::from(grid.table_size) >= (reading.particles as u64).min(MAX_TABLE_SIZE.into())
}

/// Twice as many buckets as particles, which is also what scenes have unless they say otherwise.
pub fn roomy_table(reading: &Reading) -> u32 {
    u32::try_from(2 * reading.particles as u64).unwrap_or(u32::MAX).clamp(1, MAX_TABLE_SIZE)
}
