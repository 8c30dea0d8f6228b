//! The equation of a cube against sums over its particles, conjugate gradients against a closed form, corrections of a column of
//! water against the closed form.

use super::*;
use crate::boundary::Faces;
use crate::parameters::KernelKind;
use crate::solver::Strewn;
use glam::DVec3;

/// Numbers between 0 and 1 without a pattern.
fn fraction(n: usize) -> f32 {
    (n as f32 * 0.754_877_7).fract()
}

#[test]
fn the_matrix_of_a_cube_is_the_sum_over_its_particles() {
    let slopes = |at: Vec3| {
        let (hats, rest) = ([Vec3::ONE - at, at], [-1.0, 1.0]);
        move |corner: usize| {
            let [x, y, z] = [corner & 1, corner >> 1 & 1, corner >> 2];
            let (h, d) = (|side: usize| hats[side], |side: usize| rest[side]);
            Vec3::new(d(x) * h(y).y * h(z).z, h(x).x * d(y) * h(z).z, h(x).x * h(y).y * d(z))
        }
    };
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let flat = if dimensions == Dimensions::Two { Vec3::new(1.0, 1.0, 0.0) } else { Vec3::ONE };
        let (mut of_slopes, mut of_pull) = (Products::default(), Products::default());
        let mut expected = [[0.0; CORNERS]; CORNERS];
        for n in 0..50 {
            let at = flat * Vec3::new(fraction(n), fraction(7 * n + 3), fraction(13 * n + 5));
            let [weight, pull] = [0.5 + fraction(3 * n), fraction(5 * n)];
            of_slopes.add(at, weight);
            of_pull.add(at, pull);
            let (slope, hat) = (slopes(at), hats(at));
            for (c, row) in expected.iter_mut().enumerate() {
                for (d, entry) in row.iter_mut().enumerate() {
                    *entry += weight * (flat * slope(c)).dot(flat * slope(d)) + pull * hat[c] * hat[d];
                }
            }
        }
        let found = matrix(&of_slopes, &of_pull, dimensions);
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{dimensions:?}: {found}, not {expected}");
        }
    }
}

/// A chain of nodes, fixed beyond both ends: `2 e_n − e_{n−1} − e_{n+1} = 1` has the solution `(n + 1) (count − n) / 2`. The last node
/// has no equation.
#[test]
fn conjugate_gradients_solve_a_chain() {
    const COUNT: usize = 40;
    let mut solver = ConjugateGradients::default();
    let at = |e: &[f32], n: Option<usize>| n.filter(|&n| n < COUNT).map_or(0.0, |n| e[n]);
    let product =
        |n: usize, e: &[f32]| if n == COUNT { 0.0 } else { 2.0 * e[n] - at(e, n.checked_sub(1)) - at(e, Some(n + 1)) };
    let inside = |n: usize, value: f32| if n == COUNT { 0.0 } else { value };
    assert!(solver.solve(COUNT + 1, || false, |n| inside(n, 1.0), |n| inside(n, 2.0), product));
    for (n, &found) in solver.solution.iter().enumerate() {
        let expected = inside(n, ((n + 1) * (COUNT - n.min(COUNT))) as f32 / 2.0);
        assert!((found - expected).abs() < 0.01, "{found}, not {expected}, at node {n}");
    }
    assert!(!solver.solve(COUNT + 1, || true, |n| inside(n, 1.0), |n| inside(n, 2.0), product), "cancelled");
}

/// Nodes in a ring, which hold each other only: a load on all of them has no solution.
#[test]
fn conjugate_gradients_do_not_solve_what_has_no_solution() {
    const COUNT: usize = 12;
    let product = |n: usize, e: &[f32]| 2.0 * e[n] - e[(n + 1) % COUNT] - e[(n + COUNT - 1) % COUNT];
    assert!(!ConjugateGradients::default().solve(COUNT, || false, |n| 1.0 + fraction(n), |_| 2.0, product));
}

/// A column of water whose upper rows are not in the set.
struct Column {
    strewn: Strewn,
    set: Vec<Vec4>,
    spacing: f32,
}

impl Column {
    /// So many particles along the axes, not in the set from `rows` up.
    fn new(dimensions: Dimensions, counts: [u32; 3], rows: u32) -> Self {
        let mut strewn = Strewn::new(dimensions, KernelKind::WendlandC2, Faces::NONE);
        let (spacing, size) = (strewn.discretization.particle_spacing, strewn.discretization.support_radius);
        // Neither the floor nor a side is at the face of a cube.
        let flat = if dimensions == Dimensions::Two { 0.0 } else { 1.0 };
        let place = |x: u32, y: u32, z: u32| {
            spacing * (Vec3::new(x as f32, y as f32, flat * z as f32) + Vec3::new(0.3, 0.7, flat * 0.4))
        };
        let [x, y, z] = counts;
        let lattice: Vec<Vec3> = (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| place(x, y, z)))).collect();
        let mut order = CellOrder::default();
        let sorted: Vec<Vec3> = order.sort(&lattice, size).iter().map(|&i| lattice[i as usize]).collect();
        order.find_cells(&lattice, size);
        strewn.place(&sorted.iter().map(|position| position.as_dvec3()).collect::<Vec<DVec3>>());
        strewn.cells = order.cells().to_vec();
        let is_outside = |position: &Vec3| position.y > spacing * (rows as f32 + 0.2);
        let set = sorted.iter().map(|position| position.extend(if is_outside(position) { 1.0 } else { 0.0 })).collect();
        Self { strewn, set, spacing }
    }

    /// Σ g over the rows, away from the sides, 1/m², and the mean height of this pull, m.
    fn pull_in_the_middle(&self) -> (f32, f32) {
        let (ctx, mut pulls) = (self.strewn.ctx(), Vec::new());
        let problem = CoarseProblem { ctx: &ctx, tau: 1.0, set: &self.set, residuals: &[] };
        gather(self.set.len(), &mut pulls, &EdgePull { kernel: ctx.kernel, problem });
        let (mut sum, mut moment) = (0.0, 0.0);
        for row in 0..50u16 {
            let height = self.spacing * (f32::from(row) + 0.7);
            let in_row = self.set.iter().zip(&pulls).filter(|(at, _)| (at.y - height).abs() < 0.1 * self.spacing);
            let pull = in_row.map(|(_, pull)| *pull).fold(0.0, f32::max);
            (sum, moment) = (sum + pull, moment + pull * height);
        }
        (sum, moment / sum)
    }

    /// Corrections of a uniform residual, if there are any.
    fn correct(&self, tau: f32, residual: f32) -> Option<Vec<f32>> {
        let (ctx, residuals, mut corrections) = (self.strewn.ctx(), vec![residual; self.set.len()], Vec::new());
        let problem = CoarseProblem { ctx: &ctx, tau, set: &self.set, residuals: &residuals };
        let corrected = CoarseGrid::default().solve(ctx.kernel, problem, &mut corrections);
        corrected.then_some(corrections)
    }
}

/// `τ e″ = r` with e′ = 0 at the floor. The pull of all rows, at the mean height P, bears the slope that there is at the edge of the set,
/// at height H: `e(P)/δ = −r/τ H` with `1/δ = κ dx Σ g`, and so `e = −r/2τ (P² − y² + 2 H δ)`.
#[test]
fn corrections_of_a_column_are_those_of_the_closed_form() {
    for (dimensions, counts) in [(Dimensions::Two, [12, 44, 1]), (Dimensions::Three, [10, 30, 10])] {
        let rows = counts[1] - 4;
        let column = Column::new(dimensions, counts, rows);
        let (tau, residual) = (1e-3, -0.01);
        let corrections = column.correct(tau, residual).expect("the set has an edge");
        let (floor, height) = (0.2 * column.spacing, column.spacing * rows as f32);
        let (pull, at_height) = column.pull_in_the_middle();
        let reach = (EDGE_PULL * column.spacing * pull).recip();
        let scale = -residual / (2.0 * tau);
        for (at, correction) in column.set.iter().zip(&corrections) {
            let square = (at_height - floor).powi(2) - (at.y - floor).powi(2) + 2.0 * height * reach;
            let expected = if at.w == 0.0 { scale * square } else { 0.0 };
            let off = (correction - expected).abs() / (scale * height * height);
            assert!(off < 0.04, "{dimensions:?}: {correction}, not {expected}, at {at}");
        }
    }
}

#[test]
fn without_an_edge_there_are_no_corrections() {
    assert_eq!(Column::new(Dimensions::Two, [10, 10, 1], 10).correct(1e-3, -0.01), None);
    assert_eq!(Column::new(Dimensions::Two, [10, 10, 1], 0).correct(1e-3, -0.01), None);
}
