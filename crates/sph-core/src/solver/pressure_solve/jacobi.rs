//! The pressure that takes a rate of compression away, by relaxed Jacobi iterations (Ihmsen2014, Bender2017),
//! accelerated.

use super::gradients::Gradients;
use super::pressure_operator::{acceleration, add_planes, compression_rates};
use super::relaxation::accelerated;
use crate::boundary::{BoundaryParticles, WallPressureExtrapolation, extend_to_planes};
use crate::forces::ExternalForces;
use crate::kernel::SmoothingKernel;
use crate::parameters::Iterations;
use crate::passes::{StepContext, sweep};
use crate::report::{Clock, Phase, PressureSolve, held};
use glam::{DVec2, Vec3, Vec4};

/// The equation `τ (Ak)_i = s_i` for k ≥ 0, and the workspace to solve it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jacobi {
    /// k = p/(ρ₀R²) of every particle, m²/s². Before a solve the first guess, after it the solution.
    pub k: Vec<f32>,
    /// α of every particle, m²; where it is 0 there is no pressure.
    pub alphas: Vec<f32>,
    /// s of every particle, in the unit of τ (Ak): negative where there is, or will be, too much fluid.
    pub source: Vec<f32>,
    residuals: Vec<f32>,
    /// k after the iteration, before momentum.
    last: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
    /// ω, once it is known.
    relaxation: Option<f32>,
}

/// What one solve is about.
pub(crate) struct Problem<'a> {
    pub ctx: &'a StepContext<'a>,
    /// Of the pairs at these positions.
    pub gradients: &'a Gradients,
    pub positions: &'a [Vec3],
    /// dt for a source in 1/s, dt² for one without unit.
    pub tau: f32,
    /// Forces whose hydrostatic pressure continues into the walls; `None` where k is not the pressure that holds the fluid.
    pub external: Option<ExternalForces<'a>>,
    /// When it is good enough; the tolerance in the unit of the source.
    pub iterations: Iterations,
    /// What the solution does, m/s², and a number that means nothing; until then workspace.
    pub accelerations: &'a mut Vec<Vec4>,
}

impl Jacobi {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { k, alphas, source, residuals, last, wall_extrapolation, relaxation: _ } = self;
        held(k) + held(alphas) + held(source) + held(residuals) + held(last) + wall_extrapolation.memory()
    }

    /// Iterates `k ← max(0, y − ω α (s − τ Ay)/τ)` with y beyond the last k, as seen from the one before (Nesterov1983), until the mean of
    /// `max(0, −(s − τ Ay))` is within tolerance. The solution is y, whose accelerations are then known.
    ///
    /// How far beyond starts again from nothing whenever the last change leads uphill (ODonoghue2015). Each iteration is as many sweeps as
    /// one without, and it takes about the square root of their number.
    ///
    /// The walls' pressure follows the fluid's in every iteration; `walls.pressures` are k_b, m²/s², afterwards.
    pub fn solve<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        problem: Problem<'_>,
        walls: &mut BoundaryParticles,
        phases: &mut Clock,
    ) -> PressureSolve {
        let Problem { ctx, gradients, positions, tau, external, iterations, accelerations } = problem;
        let count = positions.len();
        let Self { k, alphas, source, residuals, last, wall_extrapolation, relaxation: known } = self;
        let omega = *known.get_or_insert_with(|| accelerated(kernel, ctx.discretization));
        phases.measure(Phase::Walls, || wall_extrapolation.prepare(kernel, ctx, positions, walls, external));
        let mut solve = PressureSolve::default();
        let mut momentum = Momentum::default();
        last.clone_from(k);
        loop {
            phases.measure(Phase::Walls, || {
                wall_extrapolation.extend(ctx, walls, 0.0, |f| (k[f], 1.0));
                extend_to_planes(kernel, ctx, positions, &mut walls.at_planes, external, 0.0, |f| (k[f], 1.0));
            });
            let start = std::time::Instant::now();
            acceleration(gradients, ctx, walls.pressures.as_slice(), k, accelerations);
            add_planes(ctx, walls, external.is_some(), k, accelerations);
            compression_rates(gradients, ctx, (accelerations, None), residuals, |i, rate| {
                if alphas[i] == 0.0 { 0.0 } else { source[i] - tau * rate }
            });
            let relaxed = |i: usize, k: f32| (k - omega * alphas[i] * residuals[i] / tau).max(0.0);
            let sums = sweep::sum(count, |i| {
                let next = relaxed(i, k[i]);
                let uphill = if alphas[i] > 0.0 { (k[i] - next) * (next - last[i]) / alphas[i] } else { 0.0 };
                DVec2::new(f64::from((-residuals[i]).max(0.0)), f64::from(uphill))
            });
            solve.error = (sums.x / count as f64) as f32;
            let wanted = solve.iterations < iterations.min_iterations || solve.error > iterations.tolerance;
            let another = wanted && solve.iterations < iterations.max_iterations;
            if another {
                let beyond = momentum.next(sums.y > 0.0);
                sweep::update_two((k, last), |i, k, last| {
                    let next = relaxed(i, *k);
                    *k = (next + beyond * (next - *last)).max(0.0);
                    *last = next;
                });
                solve.iterations += 1;
            }
            phases.add_since(Phase::Pressure, start);
            if !another {
                solve.max_error = sweep::max(count, |i| -residuals[i]);
                return solve;
            }
        }
    }
}

/// How far beyond the last k the next iteration looks, in changes.
struct Momentum {
    t: f32,
}

impl Default for Momentum {
    fn default() -> Self {
        Self { t: 1.0 }
    }
}

impl Momentum {
    /// `(t − 1)/t′` with `t′ = (1 + √(1 + 4t²))/2`: 0 at first and after every change that led uphill, then nearer and nearer to 1.
    fn next(&mut self, uphill: bool) -> f32 {
        if uphill {
            self.t = 1.0;
        }
        let before = self.t;
        self.t = 0.5 * (1.0 + (1.0 + 4.0 * before * before).sqrt());
        (before - 1.0) / self.t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_grows_until_it_leads_uphill() {
        let mut momentum = Momentum::default();
        let first: Vec<f32> = (0..4).map(|_| momentum.next(false)).collect();
        // t = 1, (1 + √5)/2, 2.1935, 2.7498, 3.2948.
        for (found, expected) in first.iter().zip([0.0, 0.281_75, 0.434_04, 0.531_06]) {
            assert!((found - expected).abs() < 1e-4, "{first:?}");
        }
        assert_eq!(momentum.next(true), 0.0);
        assert_eq!(momentum.next(false), first[1]);
    }
}
