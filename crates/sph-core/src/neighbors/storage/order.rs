//! The canonical order of particles in memory.

use super::counting_sort::counting_sort;
use crate::neighbors::grid::Cells;
use crate::report::held;
use glam::{I64Vec3, IVec3, Vec3};
use rayon::prelude::*;

/// Order of points by cell, z slowest and x fastest, and by index within a cell.
///
/// For particles in memory the cells have the side of the support radius, whatever the grid parameters: the order decides in
/// which sequence neighbours are summed, and must not depend on the grid.
#[derive(Clone, Debug, Default)]
pub struct CellOrder {
    keys: Vec<u32>,
    /// `starts[c]..starts[c + 1]` is the range in `order` of the c-th cell of the bounding box; empty if the box is too large.
    starts: Vec<u32>,
    order: Vec<u32>,
}

/// Largest number of cells in the bounding box of so many points for which points are counted cell by cell.
fn most_cells(points: usize) -> i64 {
    8 * points as i64 + 4096
}

impl CellOrder {
    /// Sorts `points` (m) by cells of side `cell_size`, m. Returns the permutation: entry k is the index of the k-th point.
    pub fn sort(&mut self, points: &[Vec3], cell_size: f32) -> &[u32] {
        let cells = Cells::new(cell_size);
        let (low, high) = cells.bounds(points);
        // In 64 bits, so that the extent between any two i32 cells fits.
        let extent = (high.as_i64vec3() - low.as_i64vec3() + I64Vec3::ONE).max(I64Vec3::ONE);
        let cell_count = extent.x.saturating_mul(extent.y).saturating_mul(extent.z);
        if cell_count <= most_cells(points.len()) {
            // Few enough cells for keys of 32 bits.
            let (width, height) = (extent.x as u32, extent.y as u32);
            let key = |cell: IVec3| {
                let offset = (cell - low).as_uvec3();
                (offset.z * height + offset.y) * width + offset.x
            };
            cells.map_into(points, key, &mut self.keys);
            counting_sort(&self.keys, cell_count as usize, &mut self.starts, &mut self.order);
        } else {
            // A few points far away make the box too large to count; comparing gives the same order.
            self.starts.clear();
            self.order.clear();
            self.order.extend(0..points.len() as u32);
            self.order.par_sort_by_key(|&index| {
                let cell = cells.of(points[index as usize]);
                (cell.z, cell.y, cell.x)
            });
        }
        &self.order
    }

    /// Heap memory, bytes, including spare capacity.
    pub(crate) fn memory(&self) -> usize {
        held(&self.keys) + held(&self.starts) + held(&self.order)
    }

    /// Frees everything but `starts`.
    pub(crate) fn drop_update_buffers(&mut self) {
        self.keys = Vec::new();
        self.order = Vec::new();
    }

    /// Start of each cell's range in the order; empty if the bounding box is too large.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_comparing_give_one_order() {
        let near: Vec<Vec3> =
            (0..200).map(|k| Vec3::new((k * 37 % 11) as f32, (k * 53 % 7) as f32, (k * 29 % 5) as f32) - 3.0).collect();
        let mut far = near.clone();
        far.push(Vec3::splat(1e6));
        let (mut counted, mut compared) = (CellOrder::default(), CellOrder::default());
        let counted = counted.sort(&near, 2.0);
        let compared = compared.sort(&far, 2.0);
        assert_eq!(counted, &compared[..200]);
        assert_eq!(compared[200], 200);
    }

    #[test]
    fn sorts_no_points_and_extreme_points() {
        assert!(CellOrder::default().sort(&[], 1.0).is_empty());
        assert_eq!(CellOrder::default().sort(&[Vec3::MAX, Vec3::MIN], 1e-3), [1, 0]);
    }
}
