//! Requirements of a lesson: its texts are true only for such a grid.

use super::reading::Reading;
use sph_core::neighbors::{GridParameters, MAX_TABLE_SIZE, Structure};

/// Cell spacings that count as one support radius, in support radii.
const ABOUT_ONE: std::ops::RangeInclusive<f32> = 0.9..=1.1;

/// Requirements on the grid throughout a lesson.
#[derive(Clone, Copy, Debug)]
pub struct Requirements {
    /// True if the structure must be the spatial hash.
    pub spatial_hash: bool,
    /// True if cells must be about as wide as the support radius.
    pub usual_cells: bool,
    /// True if there must be at least as many buckets as particles, so that collisions are few.
    pub large_table: bool,
}

impl Requirements {
    /// Descriptions of the requirements that are not met.
    pub fn missing(self, grid: &GridParameters, reading: &Reading) -> Vec<String> {
        let mut missing = Vec::new();
        if self.spatial_hash && grid.structure != Structure::SpatialHash {
            missing.push("the spatial hash as structure".to_owned());
        }
        if self.usual_cells && !has_usual_cells(grid, reading) {
            missing.push("a cell spacing of 1 support radius".to_owned());
        }
        if self.large_table && !has_large_table(grid, reading) {
            missing.push("at least as many buckets as particles".to_owned());
        }
        missing
    }

    /// Changes the parameters whose requirements are not met, and no others.
    pub fn restore(self, grid: &mut GridParameters, reading: &Reading) {
        if self.spatial_hash {
            grid.structure = Structure::SpatialHash;
        }
        if self.usual_cells && !has_usual_cells(grid, reading) {
            grid.cell_size = reading.support_radius;
        }
        if self.large_table && !has_large_table(grid, reading) {
            grid.table_size = large_table(reading);
        }
    }
}

/// True if cells are about as wide as the support radius.
pub fn has_usual_cells(grid: &GridParameters, reading: &Reading) -> bool {
    ABOUT_ONE.contains(&(grid.cell_size / reading.support_radius))
}

/// True if there are at least as many buckets as particles.
pub fn has_large_table(grid: &GridParameters, reading: &Reading) -> bool {
    u64::from(grid.table_size) >= (reading.particles as u64).min(MAX_TABLE_SIZE.into())
}

/// Table size of two buckets per particle, the default of scenes.
pub fn large_table(reading: &Reading) -> u32 {
    u32::try_from(2 * reading.particles as u64).unwrap_or(u32::MAX).clamp(1, MAX_TABLE_SIZE)
}
