//! Implicit viscosity (Weiler2018): velocities that already feel the friction of the end of the step, by conjugate gradients.
//!
//! The equation is `(1 − dt ν L) v = v*` with the central form of the laminar viscosity,
//! `(Lv)_i = 2(d + 2) Σ_j V (v_ij·x)/(r² + η²) W′/r x`. With one and the same rest volume V of all particles the matrix is symmetric and
//! positive, and at least 1: no dt is too long. It is never stored.
//!
//! Walls that drag add `2(d + 2) Σ_b V_b 2(v_i − v_wall)·x/(r² + η²) W′/r x`: the velocity that the explicit forms mirror at the wall is as far
//! from the wall's as the fluid's, on the other side, and this is how it stays implicit. The wall's share is on the right-hand side.

use crate::boundary::BoundaryParticles;
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::passes::{StepContext, sweep};
use crate::report::{ViscositySolve, held};
use glam::{Mat3, Vec3};

/// Rounding of the residual in f32, relative to the velocities: no solve gets below.
const ROUNDING: f64 = 3e-7;

/// The last solution, and the workspace for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImplicitViscosity {
    /// What the last solve did to the velocities, m/s: what the next one is expected to do.
    pub change: Vec<Vec3>,
    /// Inverses of the d×d blocks on the matrix' diagonal.
    inverses: Vec<Mat3>,
    solution: Vec<Vec3>,
    /// The velocities without viscosity, and what walls drag them along by.
    right: Vec<Vec3>,
    residual: Vec<Vec3>,
    /// Residual times the inverses.
    preconditioned: Vec<Vec3>,
    direction: Vec<Vec3>,
    /// The matrix times the direction, or whatever it is asked for.
    product: Vec<Vec3>,
}

/// What one solve is about.
#[derive(Clone, Copy)]
pub(crate) struct Friction<'a> {
    pub ctx: &'a StepContext<'a>,
    pub positions: &'a [Vec3],
    pub walls: &'a BoundaryParticles,
    /// Length of the step, s.
    pub dt: f32,
}

impl ImplicitViscosity {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { change, inverses, solution, right, residual, preconditioned, direction, product } = self;
        let vectors = [change, solution, right, residual, preconditioned, direction, product];
        held(inverses) + vectors.map(held).iter().sum::<usize>()
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        if self.change.len() == order.len() {
            sweep::permute(order, &mut self.change, &mut self.product);
        }
    }

    /// Turns velocities without viscosity, m/s, into those with it.
    ///
    /// Iterates until the residual is within tolerance of what viscosity does in a step, or of the velocities where that is less. The
    /// residual that is left is added to the solution: `v* + dt ν L v` has the momentum of v*, and its angular momentum, to rounding.
    pub fn solve(&mut self, friction: Friction<'_>, velocities: &mut [Vec3]) -> ViscositySolve {
        with_kernel!(friction.ctx.kernel, kernel => {
            self.begin(kernel, friction, velocities);
            let solve = self.iterate(kernel, friction, velocities);
            self.finish(kernel, friction, velocities);
            solve
        })
    }

    /// The preconditioner, and the first guess: what viscosity did last time it does again.
    fn begin<K: SmoothingKernel>(&mut self, kernel: K, friction: Friction<'_>, velocities: &[Vec3]) {
        let count = velocities.len();
        sweep::map(count, &mut self.inverses, |i| friction.block(kernel, i).inverse());
        sweep::map(count, &mut self.right, |i| velocities[i] + friction.wall_drag(kernel, Vec3::ZERO, i));
        if self.change.len() != count {
            self.change.clear();
            self.change.resize(count, Vec3::ZERO);
        }
        sweep::map(count, &mut self.solution, |i| velocities[i] + self.change[i]);
    }

    /// Preconditioned conjugate gradients.
    fn iterate<K: SmoothingKernel>(&mut self, kernel: K, friction: Friction<'_>, velocities: &[Vec3]) -> ViscositySolve {
        let count = velocities.len();
        let Self { inverses, solution, right, residual, preconditioned, direction, product, .. } = self;
        friction.multiply(kernel, velocities, product);
        let effect = sweep::sum(count, |i| f64::from((product[i] - right[i]).length_squared())).sqrt();
        let size = dot(right, right).sqrt();
        let scale = effect.min(size);
        let enough = (f64::from(friction.ctx.parameters.forces.viscosity_tolerance) * scale).max(ROUNDING * size);

        friction.multiply(kernel, solution, product);
        sweep::map(count, residual, |i| right[i] - product[i]);
        sweep::map(count, direction, |i| inverses[i] * residual[i]);
        let mut slope = dot(residual, direction);
        let (mut iterations, mut error) = (0, dot(residual, residual).sqrt());
        // Written so that NaN ends it.
        while error > enough && iterations < friction.ctx.parameters.forces.max_viscosity_iterations {
            friction.multiply(kernel, direction, product);
            let step = (slope / dot(direction, product)) as f32;
            sweep::update(solution, |i, v| *v += step * direction[i]);
            sweep::update(residual, |i, r| *r -= step * product[i]);
            sweep::map(count, preconditioned, |i| inverses[i] * residual[i]);
            let next = dot(residual, preconditioned);
            let turn = (next / slope) as f32;
            slope = next;
            sweep::update(direction, |i, d| *d = preconditioned[i] + turn * *d);
            error = dot(residual, residual).sqrt();
            iterations += 1;
        }
        ViscositySolve { iterations, error: if scale > 0.0 { (error / scale) as f32 } else { 0.0 } }
    }

    /// `v = v* + dt ν L v` of the solution.
    fn finish<K: SmoothingKernel>(&mut self, kernel: K, friction: Friction<'_>, velocities: &mut [Vec3]) {
        let Self { change, solution, .. } = self;
        sweep::map(velocities.len(), change, |i| {
            friction.drag(kernel, solution, i) + friction.wall_drag(kernel, solution[i], i)
        });
        sweep::update(velocities, |i, velocity| *velocity += change[i]);
    }
}

impl Friction<'_> {
    /// Of a pair `2(d + 2) dt ν V W′/r / (r² + η²)`: negative.
    fn weight<K: SmoothingKernel>(&self, kernel: K, volume: f32, r_squared: f32) -> f32 {
        let ctx = self.ctx;
        let strength = 2.0 * (ctx.discretization.dimensions.count() + 2) as f32 * ctx.parameters.fluid.kinematic_viscosity;
        let weight = strength * self.dt * volume;
        weight * kernel.dw_over_r(r_squared.sqrt()) / (r_squared + ctx.eta_squared())
    }

    /// `dt ν (Lv)_i`, m/s.
    fn drag<K: SmoothingKernel>(&self, kernel: K, velocities: &[Vec3], i: usize) -> Vec3 {
        let volume = self.ctx.rest_volume();
        let mut sum = Vec3::ZERO;
        for &j in self.ctx.fluid.of(i) {
            let j = j as usize;
            let x_ij = self.ctx.minimum_image(self.positions[i], self.positions[j]);
            sum += self.weight(kernel, volume, x_ij.length_squared()) * (velocities[i] - velocities[j]).dot(x_ij) * x_ij;
        }
        sum
    }

    /// What walls do to particle i of `velocity` (m/s), m/s.
    fn wall_drag<K: SmoothingKernel>(&self, kernel: K, velocity: Vec3, i: usize) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (x_ib, weight, own) in self.dragging(kernel, i) {
            sum += weight * (velocity - own).dot(x_ib) * x_ib;
        }
        sum
    }

    /// The boundary particles that drag particle i: `x_i − x_b` (m), weight, and velocity of the wall (m/s).
    fn dragging<K: SmoothingKernel>(&self, kernel: K, i: usize) -> impl Iterator<Item = (Vec3, f32, Vec3)> {
        let walls = self.walls;
        self.ctx.walls.of(i).iter().map(|&b| b as usize).filter(|&b| walls.no_slip[b]).map(move |b| {
            let x_ib = self.ctx.minimum_image(self.positions[i], walls.positions[b]);
            (x_ib, 2.0 * self.weight(kernel, walls.volumes[b], x_ib.length_squared()), walls.velocity(b))
        })
    }

    /// `(1 − dt ν L) v`, walls at rest.
    fn multiply<K: SmoothingKernel>(&self, kernel: K, velocities: &[Vec3], product: &mut Vec<Vec3>) {
        sweep::map(velocities.len(), product, |i| {
            let walls: Vec3 = self.dragging(kernel, i).map(|(x_ib, weight, _)| weight * velocities[i].dot(x_ib) * x_ib).sum();
            velocities[i] - self.drag(kernel, velocities, i) - walls
        });
    }

    /// The matrix' block of particle i and itself: `1 − Σ_j w_ij x xᵀ`. In the plane its z part is 1.
    fn block<K: SmoothingKernel>(&self, kernel: K, i: usize) -> Mat3 {
        let volume = self.ctx.rest_volume();
        let fluid = self.ctx.fluid.of(i).iter().map(|&j| {
            let x_ij = self.ctx.minimum_image(self.positions[i], self.positions[j as usize]);
            (x_ij, self.weight(kernel, volume, x_ij.length_squared()))
        });
        let walls = self.dragging(kernel, i).map(|(x_ib, weight, _)| (x_ib, weight));
        fluid.chain(walls).fold(Mat3::IDENTITY, |block, (x, weight)| {
            let along = weight * x;
            block - Mat3::from_cols(along * x.x, along * x.y, along * x.z)
        })
    }
}

/// Σ a·b.
fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    sweep::sum(a.len(), |i| a[i].as_dvec3().dot(b[i].as_dvec3()))
}

#[cfg(test)]
mod tests;
