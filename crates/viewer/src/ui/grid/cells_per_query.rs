//! How many cells a query visits.

use sph_core::Dimensions;

/// Most cells that the cube around a support sphere touches; in two dimensions there is one layer of them.
pub fn cells_per_query(support_radius: f32, cell_size: f32, dimensions: Dimensions) -> u64 {
    // A hair less, so that a ratio that is whole but for rounding counts as whole.
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
