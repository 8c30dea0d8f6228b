//! What is tried.

use crate::parameters::{GridParameters, MAX_TABLE_SIZE, Registration, Structure};

/// Cell sizes that are tried, in support radii: finer near 1, where the best mostly lies.
const CELL_SIZES: [f64; 9] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0];

/// How many powers of two below and above the first that is not less than the number of points tables reach.
const POWERS: [u32; 2] = [4, 2];

/// Structures, and the table and cell sizes that each is tried with.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The structures.
    pub structures: Vec<Structure>,
    /// Numbers of buckets, ascending, for structures with a table.
    pub table_sizes: Vec<u32>,
    /// Sides of cells, m, ascending, for all but brute force, which has none.
    pub cell_sizes: Vec<f32>,
    /// The rest: hash function and bucket capacity of all trials; and the table and the cell size of structures that do not use one, so that
    /// taking such a structure over loses nothing that the next one needs.
    pub base: GridParameters,
}

impl Plan {
    /// Tables of powers of two from about a sixteenth of `points` to four times as many, and cells from half to twice `radius` (m). What is
    /// not tried is as in `present`.
    pub fn around(present: &GridParameters, structures: Vec<Structure>, points: usize, radius: f32) -> Self {
        let middle = points.clamp(1, MAX_TABLE_SIZE as usize).next_power_of_two().ilog2();
        let [below, above] = POWERS;
        let powers = middle.saturating_sub(below)..=(middle + above).min(MAX_TABLE_SIZE.ilog2());
        Self {
            structures,
            table_sizes: powers.map(|power| 1 << power).collect(),
            cell_sizes: CELL_SIZES.map(|ratio| neat(ratio, radius)).into(),
            base: *present,
        }
    }

    /// All structures and options that may come first: not brute force, and not those that register a point in every cell in reach, which
    /// write in each step what others only read.
    pub fn promising() -> Vec<Structure> {
        let hopeless = |structure: &Structure| {
            matches!(structure, Structure::BruteForce | Structure::BucketHash(_, _, Registration::Everywhere))
        };
        Structure::all().into_iter().filter(|structure| !hopeless(structure)).collect()
    }

    /// Every configuration, in the order in which they are tried: structure by structure, within one cell size by cell size, and table by
    /// table within that.
    pub fn grids(&self) -> Vec<GridParameters> {
        let mut grids = Vec::new();
        for &structure in &self.structures {
            for &cell_size in self.cell_sizes_of(structure) {
                let tables = self.table_sizes_of(structure).iter();
                grids.extend(tables.map(|&table_size| GridParameters { structure, table_size, cell_size, ..self.base }));
            }
        }
        grids
    }

    /// The table sizes that `structure` is tried with: the base's alone if it has no table.
    pub fn table_sizes_of(&self, structure: Structure) -> &[u32] {
        if structure.has_table() { &self.table_sizes } else { std::slice::from_ref(&self.base.table_size) }
    }

    /// The cell sizes that `structure` is tried with, m: the base's alone if it has no cells.
    pub fn cell_sizes_of(&self, structure: Structure) -> &[f32] {
        if structure == Structure::BruteForce { std::slice::from_ref(&self.base.cell_size) } else { &self.cell_sizes }
    }
}

/// `ratio` times `radius` with four significant digits, as a person would write it. Rounded up: a cell a hair smaller than the radius would
/// make queries look into one more layer of cells.
fn neat(ratio: f64, radius: f32) -> f32 {
    // The digits that are meant, without those that single precision adds.
    let exact = ratio * radius.to_string().parse::<f64>().unwrap_or_else(|_| f64::from(radius));
    let scale = 10f64.powi(3 - exact.log10().floor() as i32);
    ((exact * scale - 1e-6).ceil() / scale) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_sizes_are_neat_and_not_below_what_was_asked_for() {
        assert_eq!(
            [(1.0, 0.0325), (0.7, 0.08), (1.25, 0.08), (0.5, 0.03)].map(|(ratio, radius)| neat(ratio, radius)),
            [0.0325, 0.056, 0.1, 0.015]
        );
        assert_eq!([neat(1.0, 1.0 / 30.0), neat(2.0, 12_345.678)], [0.033_34, 24_700.0]);
    }
}
