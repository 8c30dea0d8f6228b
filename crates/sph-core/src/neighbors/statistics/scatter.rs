//! Quality of a hash function, compared with cells that fall into buckets at random.

use super::occupancy::{HISTOGRAM_BINS, Occupancy};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::statistics::{Census, FilledCells};
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
}
