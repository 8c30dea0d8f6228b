//! Implicit viscosity (Weiler2018): viscous forces of the velocities at the end of the step, by conjugate gradients.
//!
//! The equation is `(1 − dt ν L) v = v*` with the central form of the laminar viscosity,
//! `(Lv)_i = 2(d + 2) Σ_j V (v_ij·x)/(r² + η²) W′/r x`. With the same rest volume V of all particles the matrix is symmetric
//! with eigenvalues of at least 1, so that any dt is stable. It is never stored. With several fluids each row is multiplied with
//! the rest density of its particle over the reference one, which makes the matrix symmetric again.
//!
//! No-slip walls add their drag, whose part with the velocity of the wall is on the right-hand side.

use super::viscosity::implicit_weight;
use crate::boundary::{BoundaryParticles, Reactions, SolidTerms};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::passes::{StepContext, sum_cells, sweep};
use crate::report::{ViscositySolve, held};
use glam::{Mat3, Vec3};

/// Rounding error of the residual in f32, relative to the velocities: a lower bound on the tolerance.
const ROUNDING: f64 = 3e-7;

/// Workspace of the solve.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImplicitViscosity {
    /// Inverses of the d×d blocks on the diagonal of the matrix: the preconditioner.
    inverses: Vec<Mat3>,
    solution: Vec<Vec3>,
    /// Right-hand side: velocities without viscosity, plus the part of the walls, m/s.
    right: Vec<Vec3>,
    residual: Vec<Vec3>,
    /// Residual times the preconditioner.
    preconditioned: Vec<Vec3>,
    direction: Vec<Vec3>,
    /// Product of the matrix with a vector.
    product: Vec<Vec3>,
}

/// Input of one solve.
#[derive(Clone, Copy)]
pub(crate) struct ViscosityProblem<'a> {
    pub ctx: &'a StepContext<'a>,
    pub positions: &'a [Vec3],
    pub walls: &'a BoundaryParticles,
    /// Length of the step, s.
    pub dt: f32,
}

impl ImplicitViscosity {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { inverses, solution, right, residual, preconditioned, direction, product } = self;
        let vectors = [solution, right, residual, preconditioned, direction, product];
        held(inverses) + vectors.map(held).iter().sum::<usize>()
    }

    /// Applies implicit viscosity to `velocities`, m/s. `changes` are the changes of the velocities by the last solve, m/s, from
    /// which the iteration starts, or empty; afterwards those by this solve.
    ///
    /// Iterates until the norm of the residual is within tolerance, relative to the change of velocity by viscosity in the step
    /// or to the velocities, whichever is smaller. Then adds the remaining residual: `v* + dt ν L v` has the momentum and
    /// angular momentum of v*, to rounding.
    pub fn solve(
        &mut self,
        problem: ViscosityProblem<'_>,
        (velocities, changes): (&mut [Vec3], &mut Vec<Vec3>),
    ) -> ViscositySolve {
        with_kernel!(problem.ctx.kernel, kernel => {
            self.begin(kernel, problem, velocities, changes);
            let solve = self.iterate(kernel, problem, velocities);
            self.finish(kernel, problem, velocities, changes);
            solve
        })
    }

    /// Adds the reactions to the drag of no-slip walls on the solution.
    pub fn react(&self, problem: ViscosityProblem<'_>, reactions: &mut Reactions) {
        with_kernel!(problem.ctx.kernel, kernel => {
            problem.solids(kernel).react_to_implicit_drag(problem.dt, (problem.positions, &self.solution), reactions);
        });
    }

    /// Prepares preconditioner, right-hand side and initial guess: v* plus the change of the last solve.
    fn begin<K: SmoothingKernel>(&mut self, kernel: K, problem: ViscosityProblem<'_>, velocities: &[Vec3], changes: &[Vec3]) {
        let count = velocities.len();
        sweep::map(count, &mut self.inverses, |i| problem.block(kernel, i).inverse());
        sweep::map(count, &mut self.right, |i| {
            problem.ctx.relative_rest_density(i) * velocities[i] + problem.wall_drag(kernel, Vec3::ZERO, i)
        });
        sweep::map(count, &mut self.solution, |i| velocities[i] + changes.get(i).copied().unwrap_or(Vec3::ZERO));
    }

    /// Preconditioned conjugate gradients.
    fn iterate<K: SmoothingKernel>(&mut self, kernel: K, problem: ViscosityProblem<'_>, velocities: &[Vec3]) -> ViscositySolve {
        let count = velocities.len();
        let Self { inverses, solution, right, residual, preconditioned, direction, product, .. } = self;
        problem.multiply(kernel, velocities, product);
        let dot = |a: &[Vec3], b: &[Vec3]| {
            let [product] = sum_cells(problem.ctx.cells, |i| [a[i].as_dvec3().dot(b[i].as_dvec3())]);
            product
        };
        let [effect] = sum_cells(problem.ctx.cells, |i| [f64::from((product[i] - right[i]).length_squared())]).map(f64::sqrt);
        let size = dot(right, right).sqrt();
        let scale = effect.min(size);
        let tolerance = (f64::from(problem.ctx.parameters.forces.viscosity_tolerance) * scale).max(ROUNDING * size);

        problem.multiply(kernel, solution, product);
        sweep::map(count, residual, |i| right[i] - product[i]);
        sweep::map(count, direction, |i| inverses[i] * residual[i]);
        let mut slope = dot(residual, direction);
        let (mut iterations, mut error) = (0, dot(residual, residual).sqrt());
        // NaN ends the loop.
        while !problem.ctx.is_cancelled()
            && error > tolerance
            && iterations < problem.ctx.parameters.forces.max_viscosity_iterations
        {
            problem.multiply(kernel, direction, product);
            let step_length = (slope / dot(direction, product)) as f32;
            sweep::update(solution, |i, v| *v += step_length * direction[i]);
            sweep::update(residual, |i, r| *r -= step_length * product[i]);
            sweep::map(count, preconditioned, |i| inverses[i] * residual[i]);
            let next = dot(residual, preconditioned);
            let beta = (next / slope) as f32;
            slope = next;
            sweep::update(direction, |i, d| *d = preconditioned[i] + beta * *d);
            error = dot(residual, residual).sqrt();
            iterations += 1;
        }
        ViscositySolve { iterations, error: if scale > 0.0 { (error / scale) as f32 } else { 0.0 } }
    }

    /// Sets `v = v* + dt ν L v` from the solution.
    fn finish<K: SmoothingKernel>(
        &self,
        kernel: K,
        problem: ViscosityProblem<'_>,
        velocities: &mut [Vec3],
        changes: &mut Vec<Vec3>,
    ) {
        let solution = &self.solution;
        sweep::map(velocities.len(), changes, |i| {
            problem.ctx.lightness(i) * (problem.drag(kernel, solution, i) + problem.wall_drag(kernel, solution[i], i))
        });
        sweep::update(velocities, |i, velocity| *velocity += changes[i]);
    }
}

impl ViscosityProblem<'_> {
    /// Returns `dt ν (Lv)_i` over fluid neighbours, m/s.
    fn drag<K: SmoothingKernel>(&self, kernel: K, velocities: &[Vec3], i: usize) -> Vec3 {
        let volume = self.ctx.rest_volume();
        let mut sum = Vec3::ZERO;
        for &j in self.ctx.fluid.of(i) {
            let j = j as usize;
            let x_ij = self.ctx.minimum_image(self.positions[i], self.positions[j]);
            let weight =
                self.pair_viscosity(i, j) * implicit_weight(kernel, self.ctx, self.dt, (volume, x_ij.length_squared()));
            sum += weight * (velocities[i] - velocities[j]).dot(x_ij) * x_ij;
        }
        sum
    }

    /// Change of the velocity of particle i, of `velocity` (m/s), by no-slip walls, m/s.
    fn wall_drag<K: SmoothingKernel>(&self, kernel: K, velocity: Vec3, i: usize) -> Vec3 {
        self.solids(kernel).implicit_drag(self.dt, (i, self.positions[i]), velocity)
    }

    /// Viscosity of a pair, in the unit of [`implicit_weight`]'s.
    fn pair_viscosity(&self, i: usize, j: usize) -> f32 {
        self.ctx.mixture.map_or(1.0, |mixture| mixture.viscosity_between(i, j))
    }

    fn solids<K: SmoothingKernel>(&self, kernel: K) -> SolidTerms<'_, K> {
        SolidTerms { kernel, ctx: self.ctx, walls: self.walls }
    }

    /// Computes `(1 − dt ν L) v`, with walls at rest.
    fn multiply<K: SmoothingKernel>(&self, kernel: K, velocities: &[Vec3], product: &mut Vec<Vec3>) {
        sweep::map(velocities.len(), product, |i| {
            let walls = self.solids(kernel).implicit_drag_at_rest(self.dt, (i, self.positions[i]), velocities[i]);
            self.ctx.relative_rest_density(i) * velocities[i] - self.drag(kernel, velocities, i) - walls
        });
    }

    /// Diagonal block of the matrix for particle i: `1 − Σ_j w_ij x xᵀ`. In two dimensions its z component is 1.
    fn block<K: SmoothingKernel>(&self, kernel: K, i: usize) -> Mat3 {
        let volume = self.ctx.rest_volume();
        let identity = Mat3::IDENTITY * self.ctx.relative_rest_density(i);
        let fluid = self.ctx.fluid.of(i).iter().fold(identity, |block, &j| {
            let x_ij = self.ctx.minimum_image(self.positions[i], self.positions[j as usize]);
            let weight = implicit_weight(kernel, self.ctx, self.dt, (volume, x_ij.length_squared()));
            let along = self.pair_viscosity(i, j as usize) * weight * x_ij;
            block - Mat3::from_cols(along * x_ij.x, along * x_ij.y, along * x_ij.z)
        });
        self.solids(kernel).subtract_implicit_drag(self.dt, fluid, (i, self.positions[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::Faces;
    use crate::parameters::{Dimensions, KernelKind};
    use crate::solver::Strewn;
    use glam::DVec3;

    // The equation on irregular particles: its matrix, its solution, and the conserved quantities.

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
}
