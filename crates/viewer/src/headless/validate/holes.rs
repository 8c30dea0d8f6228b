//! Holes in a fluid of the plane: empty discs that are shut in.

use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Points of the raster along a particle spacing.
const FINENESS: usize = 6;
/// Distances are not measured beyond this many spacings.
const FAR: usize = 3;
/// A disc that would get out if it were smaller by this many spacings is not shut in; the raster is that coarse.
const SLACK: f64 = 0.1;
/// Most points of the raster.
const MOST_POINTS: usize = 50_000_000;

/// Radius, in particle spacings, of the largest disc that fits between the particles and cannot leave the fluid without touching one; 0 without
/// any, NaN of particles that are scattered too far. A square lattice leaves room for 0.71, a particle missing from it for 1.
pub fn widest_hole(places: &[DVec3], spacing: f64) -> f64 {
    let Some(raster) = Raster::new(places, spacing) else { return f64::NAN };
    let exits = raster.exits();
    let shut_in = raster.clearance.iter().zip(exits).filter(|&(&clearance, exit)| clearance > exit + SLACK);
    shut_in.map(|(&clearance, _)| clearance).fold(0.0, f64::max)
}

/// Points around the particles, row by row.
struct Raster {
    columns: usize,
    rows: usize,
    /// Distance from each point to the nearest particle, in spacings, up to [`FAR`].
    clearance: Vec<f64>,
}

/// A point that has been reached, and the largest disc that gets there from outside.
struct Reached {
    exit: f64,
    point: usize,
}

impl Raster {
    fn new(places: &[DVec3], spacing: f64) -> Option<Self> {
        let low = places.iter().copied().reduce(DVec3::min)?;
        let high = places.iter().copied().reduce(DVec3::max)?;
        let step = spacing / FINENESS as f64;
        let margin = (FAR + 1) * FINENESS;
        let cells = ((high - low) / step).ceil();
        // False for NaN as well.
        let fits = cells.x * cells.y < MOST_POINTS as f64;
        if !fits {
            return None;
        }
        let (columns, rows) = (cells.x as usize + 2 * margin + 1, cells.y as usize + 2 * margin + 1);
        let mut clearance = vec![FAR as f64; columns * rows];
        let reach = FAR * FINENESS;
        for place in places {
            let at = (*place - low) / step + margin as f64;
            let (column, row) = (at.x as usize, at.y as usize);
            for y in row - reach..=row + reach {
                for x in column - reach..=column + reach {
                    let distance = (at.x - x as f64).hypot(at.y - y as f64) / FINENESS as f64;
                    let clearance = &mut clearance[y * columns + x];
                    *clearance = clearance.min(distance);
                }
            }
        }
        Some(Self { columns, rows, clearance })
    }

    /// For each point the radius of the largest disc that gets from there to the outside: the widest way, and the narrowest place on it.
    fn exits(&self) -> Vec<f64> {
        let mut exits = vec![-1.0; self.clearance.len()];
        let mut open = BinaryHeap::from([Reached { exit: FAR as f64, point: 0 }]);
        while let Some(Reached { exit, point }) = open.pop() {
            if exits[point] >= exit {
                continue;
            }
            exits[point] = exit;
            for next in self.around(point) {
                let exit = exit.min(self.clearance[next]);
                if exit > exits[next] {
                    open.push(Reached { exit, point: next });
                }
            }
        }
        exits
    }

    fn around(&self, point: usize) -> impl Iterator<Item = usize> {
        let (x, y) = (point % self.columns, point / self.columns);
        let left = (x > 0).then(|| point - 1);
        let right = (x + 1 < self.columns).then_some(point + 1);
        let below = (y > 0).then(|| point - self.columns);
        let above = (y + 1 < self.rows).then_some(point + self.columns);
        [left, right, below, above].into_iter().flatten()
    }
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        self.exit.total_cmp(&other.exit).then(self.point.cmp(&other.point))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Reached {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lattice of 12 × 12 particles, 0.1 apart, of which those stay that `keep`s.
    fn lattice(keep: impl Fn(i32, i32) -> bool) -> Vec<DVec3> {
        let all = (0..12).flat_map(|y| (0..12).map(move |x| (x, y)));
        all.filter(|&(x, y)| keep(x, y)).map(|(x, y)| 0.1 * DVec3::new(x.into(), y.into(), 0.0)).collect()
    }

    #[test]
    fn holes_are_as_wide_as_they_are() {
        let near = |radius: f64, expected: f64| assert!((radius - expected).abs() < 0.12, "{radius}, expected {expected}");
        near(widest_hole(&lattice(|_, _| true), 0.1), std::f64::consts::FRAC_1_SQRT_2);
        near(widest_hole(&lattice(|x, y| (x, y) != (5, 6)), 0.1), 1.0);
        // Three by three of them: the nearest is two spacings away.
        near(widest_hole(&lattice(|x, y| (x - 5).abs() > 1 || (y - 6).abs() > 1), 0.1), 2.0);
        // A bay as wide is open.
        near(widest_hole(&lattice(|x, y| x > 2 || (y - 6).abs() > 1), 0.1), std::f64::consts::FRAC_1_SQRT_2);
    }

    #[test]
    fn without_a_fluid_there_is_no_number() {
        assert!(widest_hole(&[], 0.1).is_nan());
        assert!(widest_hole(&[DVec3::ZERO, DVec3::splat(1e9)], 0.1).is_nan());
    }
}
