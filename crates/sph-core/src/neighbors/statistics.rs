//! Statistics of a search: its cost in one step, the contents and occupancy of the structure, the quality of the hash.

pub use super::audit::{Audit, AuditPlan};
pub use super::trace::{Lookup, Trace, Verdict, VisitedPoint};

pub(super) use super::trace::{Entry, TracedQuery, compared};

use std::cell::Cell;
use std::ops::Range;
use std::time::Duration;

use super::Tally;
use super::grid::Cells;
use crate::parameters::GridParameters;
use crate::passes::with_kept;
use glam::{IVec3, Vec3};
use rayon::prelude::*;

/// Statistics of the neighbour search in one step: that of the fluid particles, without the search among boundary particles, or that of a
/// point set.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStats {
    /// The parameters in force during the step.
    pub parameters: GridParameters,
    /// Occupancy of the structure.
    pub occupancy: Occupancy,
    /// Numbers of distances tested and neighbours found. The block map walked block by block tests a pair of points once; all
    /// other structures test it from both sides, and each point against itself. Among spheres of many radii neighbours are pairs, each
    /// counted once, and a pair is mostly tested from its larger sphere ([`SphereSearch`](super::SphereSearch)).
    pub tally: Tally,
    /// Wall-clock time of registering the points.
    pub build: Duration,
    /// Wall-clock time of filling the neighbour lists. The phase of a step includes the search among the walls; this
    /// does not.
    pub query: Duration,
}

impl SearchStats {
    /// Distances tested per neighbour found; 0 without neighbours.
    pub fn candidates_per_neighbor(&self) -> f64 {
        self.tally.candidates_per_neighbor()
    }
}

// Occupancy: numbers of points per cell and per bucket, defined alike for every structure.

/// Number of bins in a histogram of bucket lengths: lengths 0 to 30, and one bin for all longer buckets.
pub const HISTOGRAM_BINS: usize = 32;

/// Occupancy of a structure.
///
/// Periodic images count as points. Cells and buckets are those in which points are *registered*: in the block map, and in the
/// bucket hash that registers points everywhere, a point counts in every cell that it covers, and once in each bucket of these
/// cells. The buckets of the uniform grid are the cells of its box; brute force has one cell in one bucket.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Occupancy {
    /// Number of buckets.
    pub table_size: usize,
    /// Number of cells in which a point is registered.
    pub occupied_cells: usize,
    /// Number of buckets that hold a point.
    pub occupied_buckets: usize,
    /// Number of occupied cells that share their bucket with another occupied cell.
    pub cells_in_collision: usize,
    /// Number of pairs of occupied cells in the same bucket: three cells in one bucket are three pairs.
    pub cell_pairs: u64,
    /// Number of points in the fullest bucket.
    pub longest_bucket: usize,
    /// Entry k: number of buckets with k points; last entry: with that many or more.
    pub bucket_histogram: [usize; HISTOGRAM_BINS],
    /// Entry k: number of occupied cells with k points, 0 for k = 0; last entry: with that many or more.
    pub points_per_cell: [usize; HISTOGRAM_BINS],
    /// Number of spills: points in the overflow list of a bucket, counted once per bucket; 0 unless buckets have a fixed
    /// capacity.
    pub spills: usize,
    /// Memory of the structure's contents, bytes.
    pub bytes: usize,
}

impl Occupancy {
    /// Adds a bucket of `length` ≥ 1 points, with its occupied cells and their numbers of points.
    pub(crate) fn add_bucket(&mut self, length: usize, cells: &[(IVec3, u32)]) {
        self.bucket_histogram[length.min(HISTOGRAM_BINS - 1)] += 1;
        self.occupied_buckets += 1;
        self.occupied_cells += cells.len();
        if cells.len() > 1 {
            self.cells_in_collision += cells.len();
            self.cell_pairs += (cells.len() * (cells.len() - 1) / 2) as u64;
        }
        for &(_, points) in cells {
            self.points_per_cell[(points as usize).min(HISTOGRAM_BINS - 1)] += 1;
        }
        self.longest_bucket = self.longest_bucket.max(length);
    }

    /// Counts the buckets that were not added: those without points.
    pub(crate) fn add_empty_buckets(&mut self) {
        self.bucket_histogram[0] = self.table_size - self.occupied_buckets;
    }

    /// Joins the occupancies of two disjoint sets of buckets.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.occupied_cells += other.occupied_cells;
        self.occupied_buckets += other.occupied_buckets;
        self.cells_in_collision += other.cells_in_collision;
        self.longest_bucket = self.longest_bucket.max(other.longest_bucket);
        self.cell_pairs += other.cell_pairs;
        for (sums, counts) in
            [(&mut self.bucket_histogram, other.bucket_histogram), (&mut self.points_per_cell, other.points_per_cell)]
        {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self
    }

    /// Load factor: occupied cells / table size.
    pub fn load_factor(&self) -> f64 {
        self.occupied_cells as f64 / self.table_size.max(1) as f64
    }
}

// Quality of a hash function, compared with cells that fall into buckets at random.

impl Occupancy {
    /// Hash quality: the comparisons that find every occupied cell once by a linear search of its bucket, Σ b(b + 1)/2 over
    /// buckets of b cells, divided by their expected number if the n cells fell into the m buckets at random, n + n(n − 1)/2m
    /// (Aho1986, §7.6).
    ///
    /// 1 is as good as random, below 1 is better, 2 is twice the work; 1 without occupied cells.
    pub fn hash_quality(&self) -> f64 {
        let (n, m) = (self.occupied_cells as f64, self.table_size as f64);
        if self.occupied_cells == 0 { 1.0 } else { (n + self.cell_pairs as f64) / (n + n * (n - 1.0) / (2.0 * m)) }
    }

    /// Expected [`bucket_histogram`](Self::bucket_histogram) if the occupied cells, each with its points, fell into the buckets
    /// at random.
    ///
    /// The number of cells in a bucket is then nearly Poisson with mean λ = n/m, and the number of points compound Poisson, by
    /// the recursion `g₀ = exp(−λ)`, `g_k = λ/k Σ_j j f_j g_(k−j)` (Panjer1981), where f_j is the share of cells with j points.
    /// With one point per cell it is the Poisson distribution itself.
    ///
    /// A point registered in several cells of one bucket counts once per cell here, but once in the bucket itself.
    pub fn ideal_histogram(&self) -> [f64; HISTOGRAM_BINS] {
        const LAST: usize = HISTOGRAM_BINS - 1;
        let buckets = self.table_size as f64;
        // n/m · f_j = cells with j points / m. A cell with LAST points or more puts its bucket into the last entry by itself.
        let cells = self.points_per_cell.map(|cells| cells as f64 / buckets.max(1.0));
        let mut expected = [0.0; HISTOGRAM_BINS];
        expected[0] = (-self.load_factor()).exp();
        for k in 1..LAST {
            let sum: f64 = (1..=k).map(|j| j as f64 * cells[j] * expected[k - j]).sum();
            expected[k] = sum / k as f64;
        }
        expected[LAST] = (1.0 - expected.iter().sum::<f64>()).max(0.0);
        expected.map(|share| share * buckets)
    }
}

// Contents of a structure: the occupied cells, and the lengths of the buckets.

/// A cell that holds points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OccupiedCell {
    /// Coordinates of the cell.
    pub cell: IVec3,
    /// Bucket of the cell: slot of the table; in the uniform grid, index of the cell.
    pub bucket: u32,
    /// Number of points registered in the cell.
    pub points: u32,
    /// Number of occupied cells in the bucket, this one included.
    pub sharing: u32,
}

/// Contents of a structure. A point that is registered in several cells counts once in each of these cells, and once in each of
/// their buckets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Side of a cell, m; 0 for a structure without cells, whose points are all in the one cell (0, 0, 0).
    pub cell_size: f32,
    /// The occupied cells, sorted by bucket and then by coordinates z, y, x.
    pub cells: Vec<OccupiedCell>,
    /// Number of points in each bucket.
    pub bucket_lengths: Vec<u32>,
}

impl Contents {
    /// The cell that contains `point`, m, with the rounding of the structure itself; (0, 0, 0) without cells.
    pub fn cell_of(&self, point: Vec3) -> IVec3 {
        if self.cell_size > 0.0 { Cells::new(self.cell_size).of(point) } else { IVec3::ZERO }
    }

    /// The occupied cells of a bucket.
    pub fn cells_of(&self, bucket: u32) -> &[OccupiedCell] {
        let start = self.cells.partition_point(|cell| cell.bucket < bucket);
        let length = self.cells[start..].partition_point(|cell| cell.bucket == bucket);
        &self.cells[start..start + length]
    }
}

// Counts over a structure, bucket by bucket.

/// Buckets per parallel task. Fixed, so that tasks are the same for any number of threads.
const BUCKETS_PER_CHUNK: usize = 4096;

/// Most buckets that are looked into one by one because one of them is occupied.
const BUCKETS_PER_LOOK: usize = 8;

/// Cells, each with its number of points.
pub(crate) type FilledCells = Vec<(IVec3, u32)>;

thread_local! {
    static CELLS: Cell<FilledCells> = const { Cell::new(FilledCells::new()) };
}

/// Access to the buckets of a structure, from which its statistics are counted.
#[derive(Debug)]
pub struct Census<F, E> {
    /// Number of buckets.
    pub(crate) table_size: usize,
    /// Side of a cell, m; 0 if the structure has no cells.
    pub(crate) cell_size: f32,
    /// Memory of the structure's contents, bytes.
    pub(crate) bytes: usize,
    /// Number of points that did not fit into their buckets.
    pub(crate) spills: usize,
    /// `bucket(b, cells)` appends the cells of bucket b with their numbers of points to `cells`, in any order, a cell in one
    /// entry or several, and returns the number of points in the bucket.
    pub(crate) bucket: F,
    /// `are_empty(buckets)` tells of one bucket or more whether none of them holds a point.
    pub(crate) are_empty: E,
}

impl<F: Fn(u32, &mut FilledCells) -> usize + Sync, E: Fn(Range<usize>) -> bool + Sync> Census<F, E> {
    /// Counts the occupancy.
    pub(crate) fn occupancy(&self) -> Occupancy {
        let empty = Occupancy { table_size: self.table_size, bytes: self.bytes, spills: self.spills, ..Occupancy::default() };
        let parts = self.chunks().map(|chunk| {
            let mut part = empty.clone();
            self.count(chunk, |_, length, cells| part.add_bucket(length, cells));
            part
        });
        let mut occupancy = parts.reduce(|| empty.clone(), Occupancy::merge);
        occupancy.add_empty_buckets();
        occupancy
    }

    /// Lists the occupied cells and the bucket lengths.
    pub(crate) fn contents(&self) -> Contents {
        let mut bucket_lengths = vec![0; self.table_size];
        let parts = self.chunks().zip(bucket_lengths.par_chunks_mut(BUCKETS_PER_CHUNK)).map(|(chunk, lengths)| {
            let mut occupied = Vec::new();
            let first = chunk.start;
            self.count(chunk, |bucket, length, cells| {
                let sharing = cells.len() as u32;
                occupied.extend(cells.iter().map(|&(cell, points)| OccupiedCell { cell, bucket, points, sharing }));
                lengths[bucket as usize - first] = length as u32;
            });
            occupied
        });
        let parts: Vec<_> = parts.collect();
        Contents { cell_size: self.cell_size, cells: parts.concat(), bucket_lengths }
    }

    fn chunks(&self) -> impl IndexedParallelIterator<Item = Range<usize>> {
        let end = self.table_size;
        let chunks = (0..end.div_ceil(BUCKETS_PER_CHUNK)).into_par_iter();
        chunks.map(move |chunk| chunk * BUCKETS_PER_CHUNK..end.min((chunk + 1) * BUCKETS_PER_CHUNK))
    }

    /// Calls `add(bucket, length, cells)` for each occupied bucket of a chunk, in their order, with its occupied cells, each once, sorted
    /// by coordinates z, y, x.
    fn count(&self, chunk: Range<usize>, mut add: impl FnMut(u32, usize, &[(IVec3, u32)])) {
        with_kept(&CELLS, |cells| self.count_occupied(chunk, cells, &mut add));
    }

    /// Halves the range until what is left is empty or short: large tables are mostly empty, and cost by the occupied buckets.
    fn count_occupied(
        &self,
        buckets: Range<usize>,
        cells: &mut FilledCells,
        add: &mut impl FnMut(u32, usize, &[(IVec3, u32)]),
    ) {
        if (self.are_empty)(buckets.clone()) {
            return;
        }
        if buckets.len() > BUCKETS_PER_LOOK {
            let middle = buckets.start + buckets.len() / 2;
            self.count_occupied(buckets.start..middle, cells, add);
            self.count_occupied(middle..buckets.end, cells, add);
            return;
        }
        for bucket in buckets.map(|bucket| bucket as u32) {
            cells.clear();
            let length = (self.bucket)(bucket, cells);
            if length > 0 {
                if cells.len() > 1 {
                    // Points of a cell are mostly adjacent: joining them first leaves few entries to sort.
                    join_repeated(cells);
                    cells.sort_unstable_by_key(|(cell, _)| (cell.z, cell.y, cell.x));
                    join_repeated(cells);
                }
                add(bucket, length, cells);
            }
        }
    }
}

/// Joins adjacent entries of the same cell.
fn join_repeated(cells: &mut FilledCells) {
    cells.dedup_by(|(cell, points), (kept, sum)| {
        let same = cell == kept;
        *sum += if same { *points } else { 0 };
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::HashFunction;
    use glam::IVec3;

    /// Occupancy of a table in which the k-th cell has `points[k]` points and lies in bucket `bucket_of(k)`.
    fn occupancy(points: &[u32], table_size: usize, bucket_of: impl Fn(usize) -> usize) -> Occupancy {
        let mut buckets = vec![FilledCells::new(); table_size];
        for (k, &points) in points.iter().enumerate() {
            buckets[bucket_of(k)].push((IVec3::new(k as i32, 0, 0), points));
        }
        let bucket = |bucket: u32, cells: &mut FilledCells| {
            cells.extend(&buckets[bucket as usize]);
            cells.iter().map(|&(_, points)| points as usize).sum()
        };
        let are_empty = |range: std::ops::Range<usize>| buckets[range].iter().all(Vec::is_empty);
        Census { table_size, cell_size: 1.0, bytes: 0, spills: 0, bucket, are_empty }.occupancy()
    }

    fn assert_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
    }

    #[test]
    fn quality_of_best_worst_and_degenerate_tables() {
        let points = [1; 6];
        // Two cells a bucket: 3 pairs, against 6·5/(2·3) = 5.
        assert_near(occupancy(&points, 3, |k| k % 3).hash_quality(), (6.0 + 3.0) / (6.0 + 5.0), 1e-12);
        // All cells in one of three buckets: 15 pairs.
        assert_near(occupancy(&points, 3, |_| 1).hash_quality(), (6.0 + 15.0) / (6.0 + 5.0), 1e-12);
        // A single bucket: any hash is as good as random.
        assert_near(occupancy(&points, 1, |_| 0).hash_quality(), 1.0, 1e-12);
        assert_near(occupancy(&[], 5, |_| 0).hash_quality(), 1.0, 0.0);
        assert_near(Occupancy::default().hash_quality(), 1.0, 0.0);
    }

    #[test]
    fn mixing_is_as_good_as_random_and_one_bucket_is_not() {
        for (cells, table_size) in [(2000, 2000), (4000, 1000), (500, 4000)] {
            let cell = |k: usize| IVec3::new(k as i32 % 20 - 10, k as i32 / 20 % 20, k as i32 / 400);
            let mixed = |k| HashFunction::Mix.bucket(cell(k), table_size) as usize;
            let occupancy = occupancy(&vec![8; cells], table_size as usize, mixed);
            assert_near(occupancy.hash_quality(), 1.0, 0.05);
        }
        assert!(occupancy(&[8; 1000], 1000, |_| 0).hash_quality() > 300.0);
    }

    #[test]
    fn cells_of_one_point_are_poisson() {
        let ideal = occupancy(&[1; 300], 200, |k| k % 200).ideal_histogram();
        let mut expected = 200.0 * (-1.5f64).exp();
        for (k, &buckets) in ideal.iter().enumerate().take(20) {
            assert_near(buckets, expected, 1e-9);
            expected *= 1.5 / (k + 1) as f64;
        }
        assert_near(ideal.iter().sum(), 200.0, 1e-9);
    }

    /// Half of the cells with 2 points and half with 3: the sum of two independent Poisson numbers.
    #[test]
    fn cells_of_several_points_are_compound_poisson() {
        let points: Vec<u32> = (0..100).map(|k| 2 + k % 2).collect();
        let ideal = occupancy(&points, 50, |k| k % 50).ideal_histogram();
        let poisson = |k: usize| (-1.0f64).exp() / (1..=k).map(|j| j as f64).product::<f64>();
        for (k, &buckets) in ideal.iter().enumerate().take(HISTOGRAM_BINS - 1) {
            let ways =
                (0..=k / 2).filter(|twos| (k - 2 * twos) % 3 == 0).map(|twos| poisson(twos) * poisson((k - 2 * twos) / 3));
            assert_near(buckets, 50.0 * ways.sum::<f64>(), 1e-9);
        }
    }

    #[test]
    fn ideal_histogram_of_empty_and_overfull_tables() {
        assert_near(occupancy(&[], 7, |_| 0).ideal_histogram()[0], 7.0, 1e-12);
        assert_eq!(Occupancy::default().ideal_histogram(), [0.0; HISTOGRAM_BINS]);
        // exp(−5000) underflows to 0 in 64 bits, as it should.
        assert_near(occupancy(&[1; 5000], 1, |_| 0).ideal_histogram()[HISTOGRAM_BINS - 1], 1.0, 1e-12);
    }

    /// The mean histogram of random tables is the ideal one.
    #[test]
    fn mean_of_random_tables_is_ideal() {
        let points: Vec<u32> = (0..400).map(|k| 1 + k * 7 % 12).collect();
        let rounds = 200;
        let mut mean = [0.0; HISTOGRAM_BINS];
        let mut ideal = [0.0; HISTOGRAM_BINS];
        for round in 0..rounds {
            let random = |k: usize| HashFunction::Mix.bucket(IVec3::new(k as i32, round, 0), 300) as usize;
            let occupancy = occupancy(&points, 300, random);
            ideal = occupancy.ideal_histogram();
            for (sum, &buckets) in mean.iter_mut().zip(&occupancy.bucket_histogram) {
                *sum += buckets as f64 / f64::from(rounds);
            }
        }
        // A count of mean μ varies by about √μ between tables. The number of cells in a bucket is binomial, which is Poisson up
        // to 1/m.
        for (mean, ideal) in mean.into_iter().zip(ideal) {
            assert_near(mean, ideal, 4.0 * (ideal / f64::from(rounds)).sqrt() + 0.01 * ideal);
        }
    }

    #[test]
    fn cells_of_a_bucket_are_found() {
        let cell = |x: i32, bucket| OccupiedCell { cell: IVec3::new(x, 0, 0), bucket, points: 1, sharing: 1 };
        let contents = Contents { cell_size: 1.0, cells: vec![cell(0, 1), cell(1, 1), cell(2, 4)], bucket_lengths: vec![0; 6] };
        let cells = |bucket| contents.cells_of(bucket).iter().map(|cell| cell.cell.x).collect::<Vec<_>>();
        assert_eq!([0, 1, 3, 4, 5].map(cells), [vec![], vec![0, 1], vec![], vec![2], vec![]]);
    }
}
