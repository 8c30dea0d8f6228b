//! Number of cells that a query visits.

use sph_core::Dimensions;

/// Maximum number of cells that overlap the bounding cube of a support sphere; in two dimensions, the bounding square.
pub fn cells_per_query(support_radius: f32, cell_size: f32, dimensions: Dimensions) -> u64 {
    // The tolerance makes a ratio that is an integer up to rounding count as an integer.
    let along_axis = (2.0 * support_radius / cell_size - 1e-3).ceil() as u64 + 1;
    along_axis.pow(dimensions.count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_visits_as_many_cells_as_its_cube_touches() {
        assert_eq!(cells_per_query(0.1, 0.1, Dimensions::Three), 27);
        assert_eq!(cells_per_query(0.1, 0.2, Dimensions::Three), 8);
        assert_eq!(cells_per_query(0.1, 0.4, Dimensions::Two), 4);
        assert_eq!(cells_per_query(0.1, 0.025, Dimensions::Two), 81);
    }
}
