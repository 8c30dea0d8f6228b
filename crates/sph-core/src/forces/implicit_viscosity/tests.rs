//! The equation on irregular particles: its matrix, its solution, and the conserved quantities.

use super::*;
use crate::boundary::Faces;
use crate::parameters::{Dimensions, KernelKind};
use crate::solver::Strewn;
use glam::DVec3;

const DT: f32 = 0.01;

/// Irregular particles of a fluid of `viscosity` (m²/s), with irregular velocities.
fn strewn(dimensions: Dimensions, viscosity: f32) -> (Strewn, Vec<Vec3>) {
    let mut strewn = Strewn::new(dimensions, KernelKind::CubicSpline, Faces::NONE);
    strewn.parameters.fluid.kinematic_viscosity = viscosity;
    strewn.parameters.forces.viscosity_tolerance = 1e-5;
    let flat = if dimensions == Dimensions::Two { 0.0 } else { 1.0 };
    let velocity = |n: usize| {
        let n = n as f32;
        Vec3::new((1.7 * n).sin(), (2.3 * n).cos(), flat * (0.9 * n).sin())
    };
    let velocities = (0..strewn.positions.len()).map(velocity).collect();
    (strewn, velocities)
}

fn each_case() -> impl Iterator<Item = (Strewn, Vec<Vec3>)> {
    // The change of velocity by viscosity is about 1 % of it, about all of it, and far beyond the stability of the explicit
    // form.
    [Dimensions::Two, Dimensions::Three]
        .into_iter()
        .flat_map(|dimensions| [1e-3, 0.1, 10.0].map(|viscosity| strewn(dimensions, viscosity)))
}

fn multiplied(strewn: &Strewn, velocities: &[Vec3]) -> Vec<Vec3> {
    let ctx = strewn.ctx();
    let problem = ViscosityProblem { ctx: &ctx, positions: &strewn.positions, walls: &strewn.walls, dt: DT };
    let mut product = Vec::new();
    with_kernel!(ctx.kernel, kernel => problem.multiply(kernel, velocities, &mut product));
    product
}

/// Scalar product Σ a·b.
fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.as_dvec3().dot(b.as_dvec3())).sum()
}

#[test]
fn the_matrix_is_symmetric_with_eigenvalues_of_at_least_one() {
    for (strewn, a) in each_case() {
        let b: Vec<Vec3> = a.iter().rev().copied().collect();
        let (of_a, of_b) = (multiplied(&strewn, &a), multiplied(&strewn, &b));
        let (left, right) = (dot(&b, &of_a), dot(&a, &of_b));
        let scale = (dot(&of_a, &of_a) * dot(&b, &b)).sqrt();
        assert!((left - right).abs() < 1e-6 * scale, "{left} and {right}");
        assert!(dot(&a, &of_a) > dot(&a, &a));
    }
}

#[test]
fn the_blocks_are_those_of_the_matrix() {
    for (strewn, velocities) in each_case() {
        let ctx = strewn.ctx();
        let problem = ViscosityProblem { ctx: &ctx, positions: &strewn.positions, walls: &strewn.walls, dt: DT };
        for i in [0, velocities.len() / 2] {
            let mut unit = vec![Vec3::ZERO; velocities.len()];
            unit[i] = velocities[i];
            let expected = multiplied(&strewn, &unit)[i];
            let actual = with_kernel!(ctx.kernel, kernel => problem.block(kernel, i)) * velocities[i];
            assert!((actual - expected).length() < 1e-5 * expected.length(), "{actual} and {expected}");
        }
    }
}

/// Compared with Gaussian elimination in f64 on the full matrix.
#[test]
fn the_solution_is_that_of_elimination() {
    let (strewn, velocities) = strewn(Dimensions::Two, 0.1);
    let size = 2 * velocities.len();
    let mut rows = vec![vec![0.0; size + 1]; size];
    for column in 0..size {
        let mut unit = vec![Vec3::ZERO; velocities.len()];
        unit[column / 2][column % 2] = 1.0;
        for (j, product) in multiplied(&strewn, &unit).iter().enumerate() {
            rows[2 * j][column] = f64::from(product.x);
            rows[2 * j + 1][column] = f64::from(product.y);
        }
    }
    for (row, entries) in rows.iter_mut().enumerate() {
        entries[size] = f64::from(velocities[row / 2][row % 2]);
    }
    let expected = eliminate(rows);
    let mut actual = velocities.clone();
    let ctx = strewn.ctx();
    let problem = ViscosityProblem { ctx: &ctx, positions: &strewn.positions, walls: &strewn.walls, dt: DT };
    let solve = ImplicitViscosity::default().solve(problem, (&mut actual, &mut Vec::new()));
    assert!(solve.iterations > 3 && solve.error <= 1e-5, "{solve:?}");
    for (row, expected) in expected.iter().enumerate() {
        let actual = f64::from(actual[row / 2][row % 2]);
        assert!((actual - expected).abs() < 1e-4, "{actual} and {expected}");
    }
}

/// Solves linear equations with the right-hand side as last column. The matrix is positive definite, so no pivoting is needed.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let size = rows.len();
    for pivot in 0..size {
        let (top, bottom) = rows.split_at_mut(pivot + 1);
        for row in bottom {
            let factor = row[pivot] / top[pivot][pivot];
            row.iter_mut().zip(&top[pivot]).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| rows[row][column] * solution[column]).sum();
        solution[row] = (rows[row][size] - known) / rows[row][row];
    }
    solution
}

/// After a long time, fluid between no-slip walls has the velocity of the walls.
#[test]
fn no_slip_walls_impose_their_velocity() {
    let (open, mut fluid) = strewn(Dimensions::Two, 10.0);
    let mut strewn = Strewn::new(Dimensions::Two, KernelKind::CubicSpline, Faces::ALL);
    strewn.parameters = open.parameters;
    let wall = Vec3::new(0.3, -0.2, 0.0);
    strewn.walls.no_slip.fill(true);
    strewn.walls.velocities.fill(wall);
    assert!(fluid.iter().any(|&v| (v - wall).length() > 0.5));
    let ctx = strewn.ctx();
    let problem = ViscosityProblem { ctx: &ctx, positions: &strewn.positions, walls: &strewn.walls, dt: 10.0 * DT };
    let mut viscosity = ImplicitViscosity::default();
    for _ in 0..10 {
        viscosity.solve(problem, (&mut fluid, &mut Vec::new()));
    }
    assert!(fluid.iter().all(|&v| (v - wall).length() < 0.01), "{fluid:?}");
}

/// With any number of iterations momentum and angular momentum are conserved, and energy decreases.
#[test]
fn a_rough_solution_conserves_momentum() {
    for (mut strewn, before) in each_case() {
        strewn.parameters.forces.viscosity_tolerance = 0.1;
        let ctx = strewn.ctx();
        let problem = ViscosityProblem { ctx: &ctx, positions: &strewn.positions, walls: &strewn.walls, dt: DT };
        let mut after = before.clone();
        let solve = ImplicitViscosity::default().solve(problem, (&mut after, &mut Vec::new()));
        assert!(solve.error <= 0.1, "{solve:?}");
        let momentum = |v: &[Vec3]| v.iter().map(|v| v.as_dvec3()).sum::<DVec3>();
        let angular_momentum =
            |v: &[Vec3]| v.iter().zip(&strewn.positions).map(|(v, x)| x.as_dvec3().cross(v.as_dvec3())).sum::<DVec3>();
        let scale = 2e-5 * before.len() as f64;
        assert!((momentum(&after) - momentum(&before)).length() < scale);
        assert!((angular_momentum(&after) - angular_momentum(&before)).length() < scale);
        assert!(dot(&after, &after) < dot(&before, &before));
    }
}

#[test]
fn the_last_change_is_the_next_initial_guess() {
    let (strewn, velocities) = strewn(Dimensions::Three, 0.1);
    let ctx = strewn.ctx();
    let problem = ViscosityProblem { ctx: &ctx, positions: &strewn.positions, walls: &strewn.walls, dt: DT };
    let mut viscosity = ImplicitViscosity::default();
    let mut changes = Vec::new();
    let first = viscosity.solve(problem, (&mut velocities.clone(), &mut changes));
    let again = viscosity.solve(problem, (&mut velocities.clone(), &mut changes));
    assert!(first.iterations > 3 && again.iterations <= 1, "{first:?}, {again:?}");
}
