//! Boxes that show the grid's cells, with their colours. Plain data, for the window and for `sph render`.

use super::{CellBox, Slab};
use glam::{I64Vec3, IVec3, Vec3};
use sph_color::{ColorMap, category};
use sph_core::Dimensions;
use sph_core::neighbors::{Contents, OccupiedCell};
use std::collections::HashSet;

/// Opacity of the faces and of the edges.
const OPACITY: [f32; 2] = [0.48, 0.90];
/// Opacity of the faces and of the edges of cells without a collision, under [`CellColoring::Collision`].
const QUIET: [f32; 2] = [0.05, 0.30];
/// Colours of cells whose bucket contains 1, 2, 3, 4, and 5 or more cells.
const SHARING: [[u8; 3]; 5] = [[150, 164, 180], [250, 204, 80], [247, 144, 61], [232, 78, 70], [214, 62, 160]];
/// Position of the first colour of occupancy in its map: the darkest part would not stand out from the backdrop.
const FIRST_COLOR: f32 = 0.12;

/// Quantity that the colours of the cells show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellColoring {
    /// Number of points in the cell.
    #[default]
    Occupancy,
    /// Bucket of the cell: cells of the same bucket have the same colour.
    Bucket,
    /// Number of cells that share the cell's bucket.
    Collision,
}

/// A layer of cells: those with one coordinate in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// The cell coordinate along the axis.
    pub layer: i32,
}

impl Slice {
    /// True if `cell` is in the slice; always false for an axis above 2.
    pub fn contains(self, cell: IVec3) -> bool {
        cell.to_array().get(self.axis) == Some(&self.layer)
    }

    /// The slab that the slice occupies for cells of side `cell_size`, m.
    pub fn slab(self, cell_size: f32) -> Slab {
        Slab { axis: self.axis, low: self.layer as f32 * cell_size, high: (self.layer as f32 + 1.0) * cell_size }
    }
}

/// Lowest and highest corner of a cell of side `cell_size`, m. In two dimensions a rectangle in the plane of the particles.
pub fn cell_bounds(cell: IVec3, cell_size: f32, dimensions: Dimensions) -> (Vec3, Vec3) {
    let (min, max) = (cell.as_vec3() * cell_size, (cell.as_vec3() + 1.0) * cell_size);
    match dimensions {
        Dimensions::Two => (min.with_z(0.0), max.with_z(0.0)),
        Dimensions::Three => (min, max),
    }
}

/// Number of points that gets the last colour of [`occupancy_color`]: the maximum over all cells, rounded up so that it does
/// not change from step to step.
pub fn occupancy_top(contents: &Contents) -> u32 {
    let most = contents.cells.iter().map(|cell| cell.points).max().unwrap_or(0).max(2);
    let power = 10u64.pow(most.ilog10().saturating_sub(1));
    let round = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80].map(|mantissa| mantissa * power);
    let top = round.into_iter().find(|&top| top >= u64::from(most)).unwrap_or(100 * power);
    u32::try_from(top).unwrap_or(u32::MAX)
}

/// The colour of a cell with `points` points, from 1 to `top`.
pub fn occupancy_color(points: u32, top: u32) -> [u8; 3] {
    let fraction = points.saturating_sub(1) as f32 / (top.max(2) - 1) as f32;
    ColorMap::Ember.sample(FIRST_COLOR + (1.0 - FIRST_COLOR) * fraction)
}

/// The colour of the cells in `bucket`.
pub fn bucket_color(bucket: u32) -> [u8; 3] {
    category(bucket)
}

/// The colour of a cell whose bucket contains `sharing` cells, itself included.
pub fn collision_color(sharing: u32) -> [u8; 3] {
    SHARING[(sharing.max(1) as usize - 1).min(SHARING.len() - 1)]
}

/// Appends the boxes of the occupied cells (in `slice` if given) and returns [`occupancy_top`]. Cells whose six neighbours are
/// all shown are invisible and left out, except for collisions under [`CellColoring::Collision`]. A structure without cells has
/// no boxes.
/// without cells has no boxes.
pub fn boxes(
    contents: &Contents,
    coloring: CellColoring,
    slice: Option<Slice>,
    dimensions: Dimensions,
    out: &mut Vec<CellBox>,
) -> u32 {
    let top = occupancy_top(contents);
    boxes_up_to(top, contents, coloring, slice, dimensions, out);
    top
}

/// [`boxes`] with the last colour of occupancy for cells with `top` points or more.
pub fn boxes_up_to(
    top: u32,
    contents: &Contents,
    coloring: CellColoring,
    slice: Option<Slice>,
    dimensions: Dimensions,
    out: &mut Vec<CellBox>,
) {
    if contents.cell_size <= 0.0 {
        return;
    }
    let in_slice = |cell: &&OccupiedCell| slice.is_none_or(|slice| slice.contains(cell.cell));
    let inside = CellSet::new(contents.cells.iter().filter(in_slice).map(|cell| cell.cell));
    let shown = contents.cells.iter().filter(in_slice).filter(|cell| match coloring {
        CellColoring::Collision if cell.sharing > 1 => true,
        _ => !inside.surrounds(cell.cell),
    });
    out.extend(shown.map(|cell| {
        let (min, max) = cell_bounds(cell.cell, contents.cell_size, dimensions);
        let (color, [fill, edge]) = match coloring {
            CellColoring::Occupancy => (occupancy_color(cell.points, top), OPACITY),
            CellColoring::Bucket => (bucket_color(cell.bucket), OPACITY),
            CellColoring::Collision => (collision_color(cell.sharing), if cell.sharing > 1 { OPACITY } else { QUIET }),
        };
        let [red, green, blue] = color.map(|channel| f32::from(channel) / 255.0);
        CellBox { min, max, fill: [red, green, blue, fill], edge: [red, green, blue, edge] }
    }));
}

/// Largest number of cells in the bounding box of a set that is stored as a bit set.
const MAX_BITS: u64 = 1 << 26;
/// Offsets of the six face neighbours.
const FACE_NEIGHBORS: [IVec3; 6] = [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z, IVec3::NEG_Z];

/// A set of cells.
enum CellSet {
    /// A bit for each cell of the bounding box, which begins at `corner` and is `size` cells long.
    Bits { corner: I64Vec3, size: I64Vec3, bits: Vec<u64> },
    /// Cells too far apart for a bit set.
    Scattered(HashSet<IVec3>),
}

impl CellSet {
    fn new(cells: impl Iterator<Item = IVec3> + Clone) -> Self {
        let (low, high) = cells.clone().fold((IVec3::MAX, IVec3::MIN), |(low, high), cell| (low.min(cell), high.max(cell)));
        let (corner, size) = (low.as_i64vec3(), (high.as_i64vec3() - low.as_i64vec3() + 1).max(I64Vec3::ZERO));
        let count = size.to_array().iter().fold(1u64, |count, &length| count.saturating_mul(length as u64));
        if count > MAX_BITS {
            return Self::Scattered(cells.collect());
        }
        let mut bits = vec![0; count.div_ceil(64) as usize];
        for cell in cells {
            let index = bit(cell, corner, size);
            bits[index / 64] |= 1 << (index % 64);
        }
        Self::Bits { corner, size, bits }
    }

    fn contains(&self, cell: IVec3) -> bool {
        match self {
            Self::Scattered(cells) => cells.contains(&cell),
            Self::Bits { corner, size, bits } => {
                let offset = cell.as_i64vec3() - *corner;
                let inside = offset.cmpge(I64Vec3::ZERO).all() && offset.cmplt(*size).all();
                let index = bit(cell, *corner, *size);
                inside && bits[index / 64] >> (index % 64) & 1 == 1
            }
        }
    }

    /// True if the set contains all six face neighbours of `cell`.
    fn surrounds(&self, cell: IVec3) -> bool {
        FACE_NEIGHBORS.into_iter().all(|step| cell.checked_add(step).is_some_and(|neighbor| self.contains(neighbor)))
    }
}

/// Index of a cell's bit; any value for a cell outside.
fn bit(cell: IVec3, corner: I64Vec3, size: I64Vec3) -> usize {
    let offset = cell.as_i64vec3() - corner;
    offset.z.wrapping_mul(size.y).wrapping_add(offset.y).wrapping_mul(size.x).wrapping_add(offset.x) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents() -> Contents {
        let cell = |x, y, z, bucket, points, sharing| OccupiedCell { cell: IVec3::new(x, y, z), bucket, points, sharing };
        Contents {
            cell_size: 0.5,
            cells: vec![cell(0, 0, 0, 1, 9, 2), cell(-2, 1, 3, 1, 4, 2), cell(1, 1, 3, 5, 1, 1)],
            bucket_lengths: vec![0, 13, 0, 0, 0, 1],
        }
    }

    fn shown(coloring: CellColoring, slice: Option<Slice>) -> Vec<CellBox> {
        let mut out = Vec::new();
        boxes(&contents(), coloring, slice, Dimensions::Three, &mut out);
        out
    }

    #[test]
    fn boxes_have_the_bounds_of_their_cells() {
        let boxes = shown(CellColoring::Occupancy, None);
        assert_eq!(boxes.len(), 3);
        assert_eq!((boxes[1].min, boxes[1].max), (Vec3::new(-1.0, 0.5, 1.5), Vec3::new(-0.5, 1.0, 2.0)));
        let (min, max) = cell_bounds(IVec3::new(-1, 2, 0), 0.5, Dimensions::Two);
        assert_eq!((min, max), (Vec3::new(-0.5, 1.0, 0.0), Vec3::new(0.0, 1.5, 0.0)));
    }

    #[test]
    fn a_slice_has_the_cells_and_the_particles_of_its_layer() {
        let slice = Slice { axis: 2, layer: 3 };
        let boxes = shown(CellColoring::Bucket, Some(slice));
        assert_eq!(boxes.len(), 2);
        let slab = slice.slab(0.5);
        assert!(boxes.iter().all(|cell| slab.contains(0.5 * (cell.min + cell.max))));
        assert!(!slab.contains(Vec3::splat(1.4)) && !slab.contains(Vec3::splat(2.1)));
        assert!(shown(CellColoring::Bucket, Some(Slice { axis: 7, layer: 3 })).is_empty());
    }

    #[test]
    fn equal_colours_mean_equal_values() {
        let same = |coloring: CellColoring| {
            let boxes = shown(coloring, None);
            [boxes[0].fill == boxes[1].fill, boxes[1].fill == boxes[2].fill]
        };
        assert_eq!(same(CellColoring::Occupancy), [false, false]);
        assert_eq!(same(CellColoring::Bucket), [true, false]);
        assert_eq!(same(CellColoring::Collision), [true, false]);
        let quiet = shown(CellColoring::Collision, None)[2];
        assert!(quiet.fill[3] < 0.1 && quiet.edge[3] < 0.5);
    }

    #[test]
    fn the_top_is_a_round_number_at_or_above_the_maximum() {
        for (most, top) in
            [(0, 2), (1, 2), (2, 2), (7, 8), (9, 10), (13, 15), (81, 100), (101, 120), (810, 1000), (u32::MAX, u32::MAX)]
        {
            let mut contents = contents();
            contents.cells.iter_mut().for_each(|cell| cell.points = most);
            assert_eq!(occupancy_top(&contents), top, "{most}");
        }
        assert_eq!(occupancy_color(1, 10), ColorMap::Ember.sample(FIRST_COLOR));
        assert_eq!(occupancy_color(10, 10), ColorMap::Ember.sample(1.0));
        assert_eq!(occupancy_color(500, 10), ColorMap::Ember.sample(1.0));
        occupancy_color(0, 0);
    }

    #[test]
    fn invisible_cells_have_no_boxes() {
        let at = |step: IVec3| OccupiedCell { cell: IVec3::new(-3, 0, 7) + step, bucket: 0, points: 1, sharing: 1 };
        let mut contents = Contents { cell_size: 0.1, cells: FACE_NEIGHBORS.map(at).to_vec(), bucket_lengths: vec![] };
        contents.cells.push(at(IVec3::ZERO));
        let count = |contents: &Contents, coloring, slice| {
            let mut out = Vec::new();
            boxes(contents, coloring, slice, Dimensions::Three, &mut out);
            out.len()
        };
        assert_eq!(count(&contents, CellColoring::Occupancy, None), 6);
        assert_eq!(count(&contents, CellColoring::Occupancy, Some(Slice { axis: 0, layer: -3 })), 5);
        contents.cells[6].sharing = 2;
        assert_eq!(count(&contents, CellColoring::Collision, None), 7);
        contents.cells.remove(2);
        assert_eq!(count(&contents, CellColoring::Bucket, None), 6);
        // The largest possible distance between cells.
        contents.cells.extend([IVec3::MIN, IVec3::MAX].map(|cell| OccupiedCell { cell, ..at(IVec3::ZERO) }));
        contents.cells.push(at(IVec3::Y));
        assert_eq!(count(&contents, CellColoring::Bucket, None), 8);
    }

    #[test]
    fn a_structure_without_cells_has_no_boxes() {
        let brute = Contents { cell_size: 0.0, ..contents() };
        let mut out = Vec::new();
        boxes(&brute, CellColoring::Occupancy, None, Dimensions::Three, &mut out);
        assert!(out.is_empty());
    }
}
