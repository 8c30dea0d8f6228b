//! Holes in a 2D fluid: enclosed empty discs.

use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Raster points per particle spacing.
const POINTS_PER_SPACING: usize = 6;
/// Largest clearance that is measured, in spacings.
const MAX_CLEARANCE: usize = 3;
/// Least difference between clearance and bottleneck of an enclosed disc, in spacings: the error of the raster.
const TOLERANCE: f64 = 0.1;
/// Largest number of raster points.
const MAX_POINTS: usize = 50_000_000;

/// Radius, in particle spacings, of the largest disc that fits between the particles and cannot leave the fluid without
/// touching one; 0 if there is none, NaN if the particles are scattered too far. The value is 0.71 for a square lattice, and 1
/// for a lattice with one vacancy.
pub fn widest_hole(positions: &[DVec3], spacing: f64) -> f64 {
    let Some(raster) = Raster::new(positions, spacing) else { return f64::NAN };
    let bottlenecks = raster.bottlenecks();
    let enclosed =
        raster.clearance.iter().zip(bottlenecks).filter(|&(&clearance, bottleneck)| clearance > bottleneck + TOLERANCE);
    enclosed.map(|(&clearance, _)| clearance).fold(0.0, f64::max)
}

/// Raster of points neighbors the particles, row by row.
struct Raster {
    columns: usize,
    rows: usize,
    /// Distance from each point to the nearest particle, in spacings, at most [`MAX_CLEARANCE`].
    clearance: Vec<f64>,
}

/// A raster point in the queue, with its bottleneck.
struct Candidate {
    bottleneck: f64,
    point: usize,
}

impl Raster {
    fn new(positions: &[DVec3], spacing: f64) -> Option<Self> {
        let low = positions.iter().copied().reduce(DVec3::min)?;
        let high = positions.iter().copied().reduce(DVec3::max)?;
        let step = spacing / POINTS_PER_SPACING as f64;
        let margin = (MAX_CLEARANCE + 1) * POINTS_PER_SPACING;
        let cells = ((high - low) / step).ceil();
        // False for NaN as well.
        let fits = cells.x * cells.y < MAX_POINTS as f64;
        if !fits {
            return None;
        }
        let (columns, rows) = (cells.x as usize + 2 * margin + 1, cells.y as usize + 2 * margin + 1);
        let mut clearance = vec![MAX_CLEARANCE as f64; columns * rows];
        let reach = MAX_CLEARANCE * POINTS_PER_SPACING;
        for position in positions {
            let at = (*position - low) / step + margin as f64;
            let (column, row) = (at.x as usize, at.y as usize);
            for y in row - reach..=row + reach {
                for x in column - reach..=column + reach {
                    let distance = (at.x - x as f64).hypot(at.y - y as f64) / POINTS_PER_SPACING as f64;
                    let clearance = &mut clearance[y * columns + x];
                    *clearance = clearance.min(distance);
                }
            }
        }
        Some(Self { columns, rows, clearance })
    }

    /// Bottleneck of each point: radius of the largest disc that can move from there to the outside (widest path, by Dijkstra's
    /// algorithm).
    fn bottlenecks(&self) -> Vec<f64> {
        let mut bottlenecks = vec![-1.0; self.clearance.len()];
        let mut open = BinaryHeap::from([Candidate { bottleneck: MAX_CLEARANCE as f64, point: 0 }]);
        while let Some(Candidate { bottleneck, point }) = open.pop() {
            if bottlenecks[point] >= bottleneck {
                continue;
            }
            bottlenecks[point] = bottleneck;
            for next in self.neighbors(point) {
                let bottleneck = bottleneck.min(self.clearance[next]);
                if bottleneck > bottlenecks[next] {
                    open.push(Candidate { bottleneck, point: next });
                }
            }
        }
        bottlenecks
    }

    fn neighbors(&self, point: usize) -> impl Iterator<Item = usize> {
        let (x, y) = (point % self.columns, point / self.columns);
        let left = (x > 0).then(|| point - 1);
        let right = (x + 1 < self.columns).then_some(point + 1);
        let below = (y > 0).then(|| point - self.columns);
        let above = (y + 1 < self.rows).then_some(point + self.columns);
        [left, right, below, above].into_iter().flatten()
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bottleneck.total_cmp(&other.bottleneck).then(self.point.cmp(&other.point))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lattice of 12 × 12 particles, 0.1 apart, without those for which `keep` is false.
    fn lattice(keep: impl Fn(i32, i32) -> bool) -> Vec<DVec3> {
        let all = (0..12).flat_map(|y| (0..12).map(move |x| (x, y)));
        all.filter(|&(x, y)| keep(x, y)).map(|(x, y)| 0.1 * DVec3::new(x.into(), y.into(), 0.0)).collect()
    }

    #[test]
    fn holes_have_their_radius() {
        let near = |radius: f64, expected: f64| assert!((radius - expected).abs() < 0.12, "{radius}, expected {expected}");
        near(widest_hole(&lattice(|_, _| true), 0.1), std::f64::consts::FRAC_1_SQRT_2);
        near(widest_hole(&lattice(|x, y| (x, y) != (5, 6)), 0.1), 1.0);
        // A vacancy of 3 × 3 particles: the nearest one is two spacings away.
        near(widest_hole(&lattice(|x, y| (x - 5).abs() > 1 || (y - 6).abs() > 1), 0.1), 2.0);
        // An equally wide bay is open to the outside.
        near(widest_hole(&lattice(|x, y| x > 2 || (y - 6).abs() > 1), 0.1), std::f64::consts::FRAC_1_SQRT_2);
    }

    #[test]
    fn no_particles_or_scattered_ones_give_nan() {
        assert!(widest_hole(&[], 0.1).is_nan());
        assert!(widest_hole(&[DVec3::ZERO, DVec3::splat(1e9)], 0.1).is_nan());
    }
}
