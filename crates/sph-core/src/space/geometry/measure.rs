//! Volumes of solids and of layers at their surfaces, as sums over cells.

use super::cells::centred_cells;
use crate::parameters::Dimensions;
use crate::passes::sweep;
use glam::{DMat3, DVec3, I64Vec3};

/// Number of cells of a sum, about.
const CELLS: f64 = 250_000.0;

/// Volume integrals of a solid of density 1 (areas in two dimensions).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    /// Volume, m³ (m²).
    pub volume: f64,
    /// Centre of volume, m.
    pub center: DVec3,
    /// Moments of inertia about the centre, m⁵ (m⁴).
    pub inertia: DMat3,
}

impl Moments {
    /// Integrals of the solid in the box `bounds` (m) with the signed distance `distance`, m.
    pub fn new(bounds: [DVec3; 2], dimensions: Dimensions, distance: impl Fn(DVec3) -> f64 + Sync) -> Self {
        let cells = Cells::new(bounds, dimensions);
        let mut parts = Vec::new();
        sweep::map(cells.count(), &mut parts, |cell| cells.volume() * cells.part_behind(-distance(cells.center(cell))));
        let sum =
            |value: &(dyn Fn(DVec3) -> f64 + Sync)| sweep::sum(parts.len(), |cell| parts[cell] * value(cells.center(cell)));
        let volume = sum(&|_| 1.0);
        let center = DVec3::from_array([0, 1, 2].map(|axis| sum(&|at| at[axis]))) / volume.max(f64::MIN_POSITIVE);
        let second = |a: usize, b: usize| sum(&|at| (at - center)[a] * (at - center)[b]);
        let [xx, yy, zz, xy, xz, yz] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(a, b)| second(a, b));
        let inertia = DMat3::from_cols_array_2d(&[[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]]);
        Self { volume, center, inertia }
    }
}

/// Volume (m³; m² in two dimensions) between the depths `from` and `to` (m) behind a surface in the box `bounds` (m), where
/// `depth` is the depth of a point, m.
pub(super) fn layer_volume(
    bounds: [DVec3; 2],
    dimensions: Dimensions,
    [from, to]: [f64; 2],
    depth: impl Fn(DVec3) -> f64 + Sync,
) -> f64 {
    let cells = Cells::new(bounds, dimensions);
    let part = |cell| {
        let depth = depth(cells.center(cell));
        cells.part_behind(depth - from) - cells.part_behind(depth - to)
    };
    cells.volume() * sweep::sum(cells.count(), part)
}

/// Cubic cells over a box; one layer at z = 0 in two dimensions.
struct Cells {
    min: DVec3,
    counts: I64Vec3,
    pitch: f64,
    dimensions: Dimensions,
}

impl Cells {
    fn new([min, max]: [DVec3; 2], dimensions: Dimensions) -> Self {
        let extent = max - min;
        let pitch = match dimensions {
            Dimensions::Two => (extent.x * extent.y / CELLS).sqrt(),
            Dimensions::Three => (extent.element_product() / CELLS).cbrt(),
        };
        // In a thin box the cells are as large as it is thick; they are many enough along the other axes.
        let (counts, min) = centred_cells(min, max, pitch, dimensions);
        Self { min, counts, pitch, dimensions }
    }

    fn count(&self) -> usize {
        self.counts.element_product() as usize
    }

    /// Volume of a cell, m³ (m²).
    fn volume(&self) -> f64 {
        self.pitch.powi(self.dimensions.count() as i32)
    }

    fn center(&self, cell: usize) -> DVec3 {
        let (cell, row) = (cell as i64, self.counts.x);
        let cell = I64Vec3::new(cell % row, cell / row % self.counts.y, cell / (row * self.counts.y));
        self.min + self.pitch * (cell.as_dvec3() + 0.5)
    }

    /// Part of a cell behind a surface, whose centre is `depth` (m) behind it: exact for a plane normal to an axis.
    fn part_behind(&self, depth: f64) -> f64 {
        (0.5 + depth / self.pitch).clamp(0.0, 1.0)
    }
}
