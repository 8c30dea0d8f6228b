//! Implicit viscosity (Weiler2018): viscous forces of the velocities at the end of the step, by conjugate gradients.
//!
//! The equation is `(1 − dt ν L) v = v*` with the central form of the laminar viscosity,
//! `(Lv)_i = 2(d + 2) Σ_j V (v_ij·x)/(r² + η²) W′/r x`. With the same rest volume V of all particles the matrix is symmetric
//! with eigenvalues of at least 1, so that any dt is stable. It is never stored. With several fluids each row is multiplied with
//! the rest density of its particle over the reference one, which makes the matrix symmetric again.
//!
//! No-slip walls add their drag, whose part with the velocity of the wall is on the right-hand side.

use super::laminar::implicit_weight;
use crate::boundary::{BoundaryParticles, Reactions, Solids};
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

    fn solids<K: SmoothingKernel>(&self, kernel: K) -> Solids<'_, K> {
        Solids { kernel, ctx: self.ctx, walls: self.walls }
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
mod tests;
