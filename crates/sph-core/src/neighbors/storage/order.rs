//! The canonical order of particles in memory.

use super::counting_sort::counting_sort;
use crate::neighbors::grid::Cells;
use crate::report::held;
use glam::{I64Vec3, IVec3, Vec3};
use rayon::prelude::*;

/// Orders points by their cell, z slowest and x fastest, and within a cell by their index.
///
/// The cells here have the side of the support radius whatever grid the user chose: the order decides in which sequence neighbours are
/// summed, and must not depend on the grid.
#[derive(Clone, Debug, Default)]
pub struct CellOrder {
    keys: Vec<u32>,
    /// `starts[c]..starts[c + 1]` is the range of the c-th cell of the box around the points in `order`; nothing where the box is too large.
    starts: Vec<u32>,
    order: Vec<u32>,
}

/// The most cells of a box around so many points whose points are counted cell by cell.
fn most_cells(points: usize) -> i64 {
    8 * points as i64 + 4096
}

impl CellOrder {
    /// The permutation: entry k is the index of the point that comes k-th.
    pub fn sort(&mut self, points: &[Vec3], cell_size: f32) -> &[u32] {
        let cells = Cells::new(cell_size);
        let (low, high) = cells.bounds(points);
        // In 64 bits, where the extent of any two i32 cells fits.
        let extent = (high.as_i64vec3() - low.as_i64vec3() + I64Vec3::ONE).max(I64Vec3::ONE);
        let boxes = extent.x.saturating_mul(extent.y).saturating_mul(extent.z);
        if boxes <= most_cells(points.len()) {
            // So few that their number fits.
            let (width, height) = (extent.x as u32, extent.y as u32);
            let row = |cell: IVec3| {
                let offset = (cell - low).as_uvec3();
                (offset.z * height + offset.y) * width + offset.x
            };
            cells.map_into(points, row, &mut self.keys);
            counting_sort(&self.keys, boxes as usize, &mut self.starts, &mut self.order);
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

    /// Bytes on the heap, room for more included.
    pub(crate) fn memory(&self) -> usize {
        held(&self.keys) + held(&self.starts) + held(&self.order)
    }

    /// Frees all but the ranges.
    pub(crate) fn drop_update_buffers(&mut self) {
        self.keys = Vec::new();
        self.order = Vec::new();
    }

    /// See the field.
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
    fn orders_nothing_and_the_extremes() {
        assert!(CellOrder::default().sort(&[], 1.0).is_empty());
        assert_eq!(CellOrder::default().sort(&[Vec3::MAX, Vec3::MIN], 1e-3), [1, 0]);
    }
}
