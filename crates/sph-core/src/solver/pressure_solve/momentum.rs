//! Momentum of the pressure iterations: a heavy ball (Polyak1964).

use crate::parameters::Iterations;
use crate::passes::sweep;
use crate::report::{PressureSolve, held};

/// Heavy ball on the way to the solution of a pressure equation with k ≥ 0, or above another floor:
/// `k′ ← max(0, k′ + β (k′ − k′_before) + Δk)`, `k = max(0, k′ + γ (k′ − k′_before))`, where Δk is the change of an iteration without
/// momentum, times a step. The number of iterations is about the square root of that without momentum.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeavyBall {
    /// k′, before extrapolation, m²/s².
    relaxed: Vec<f32>,
    /// k′ of the iteration before.
    before: Vec<f32>,
    /// k of the iteration before.
    last_k: Vec<f32>,
    /// Its error.
    last_error: f32,
    momentum: Momentum,
}

impl HeavyBall {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { relaxed, before, last_k, last_error: _, momentum: _ } = self;
        [relaxed, before, last_k].into_iter().map(held).sum()
    }

    /// Begins a solve with the guess `k`, m²/s².
    pub fn begin(&mut self, k: &[f32]) {
        self.relaxed.clear();
        self.relaxed.extend_from_slice(k);
        self.before.clone_from(&self.relaxed);
        self.last_error = f32::INFINITY;
        self.momentum = Momentum::default();
    }

    /// Replaces `k`, which has this error, by that of the next iteration. `change` is Δk of a particle for a step, in units of ω; `floor` is
    /// its lowest k.
    pub fn advance(
        &mut self,
        k: &mut Vec<f32>,
        error: f32,
        change: impl Fn(usize, f32) -> f32 + Sync,
        floor: impl Fn(usize) -> f32 + Sync,
    ) {
        let Self { relaxed, before, last_k, last_error, momentum } = self;
        let (beta, step) = momentum.next(error);
        *last_error = error;
        std::mem::swap(last_k, k);
        k.resize(last_k.len(), 0.0);
        sweep::update_three((k, relaxed, before), |i, k, relaxed, before| {
            let floor = floor(i);
            let next = (*relaxed + beta * (*relaxed - *before) + change(i, step)).max(floor);
            *k = (next + LOOK_AHEAD * (next - *relaxed)).max(floor);
            (*relaxed, *before) = (next, *relaxed);
        });
    }

    /// Takes back so much of the last change of `k` that the error would be the tolerance, had it fallen evenly in the iteration. Returns
    /// the share of the change that is left; `None` if the solve ends with the iteration, as one of no more than the minimum does.
    pub fn end_at_tolerance(&self, iterations: Iterations, solve: &PressureSolve, k: &mut [f32]) -> Option<f32> {
        let share = share_at_tolerance(iterations, solve, self.last_error)?;
        sweep::update(k, |i, k| *k = self.last_k[i] + share * (*k - self.last_k[i]));
        Some(share)
    }
}

/// Share of the last change after which the error would be the tolerance.
fn share_at_tolerance(iterations: Iterations, solve: &PressureSolve, last_error: f32) -> Option<f32> {
    let target = 0.999 * iterations.tolerance;
    let is_between = solve.error < target && last_error > target;
    (solve.iterations > iterations.min_iterations && is_between).then(|| (last_error - target) / (last_error - solve.error))
}

/// Share γ of the last change of k′ by which k is ahead of it. It damps what is rough: without it the stiffest waves would lose
/// as little in each iteration as the longest ones.
const LOOK_AHEAD: f32 = 0.1;

/// Length of a step over the longest one that damps the stiffest wave on a lattice. Disorder makes the operator stiffer, at
/// corners most: with 0.9 waves there grow.
const STEP_SHARE: f32 = 0.85;

/// Growth of the error over the least one so far from which on steps are shortened.
const GROWTH: f32 = 2.0;

/// Factor by which a growing error shortens the steps.
const SHORTENING: f32 = 0.75;

/// Momentum whose factor rises: `β = (n − 1)/(n + 2)` in the nth iteration. Long waves overshoot by up
/// to 13 %; guesses of half the mean of two pressures keep that from growing from step to step (ADR 0041), and so does a guess of 0.
///
/// A step multiplies a wave by the roots z of `z² − (1 + β − q (1 + γ)) z + β − q γ`, where q = ω λ/D. They are inside the unit circle
/// up to `q = 2 (1 + β)/(1 + 2γ)`: 3.3 for β = 1, where Nesterov's momentum (γ = β) has 4/3 and plain Jacobi 2. Pressure travels with
/// the square root of q.
#[derive(Clone, Debug)]
struct Momentum {
    /// Number n of the next iteration since the momentum started.
    n: f32,
    /// Factor by which growing errors have shortened the steps.
    shortening: f32,
    /// Least error since the momentum started.
    least: f32,
}

impl Default for Momentum {
    fn default() -> Self {
        Self { n: 1.0, shortening: 1.0, least: f32::INFINITY }
    }
}

impl Momentum {
    /// Returns β, 0 at first and then rising towards 1, and the factor of ω, for the iteration after one with this error.
    fn next(&mut self, error: f32) -> (f32, f32) {
        self.least = self.least.min(error);
        if error > GROWTH * self.least {
            *self = Self { n: 1.0, shortening: SHORTENING * self.shortening, least: error };
        }
        let beta = (self.n - 1.0) / (self.n + 2.0);
        // The first step takes out the stiffest wave on a lattice, as it may be the only one.
        let step = if self.n == 1.0 { 1.0 / (1.0 + LOOK_AHEAD) } else { STEP_SHARE * longest_step(beta) };
        self.n += 1.0;
        (beta, self.shortening * step)
    }
}

/// Longest q = ω λ/D of a stable step with momentum β.
fn longest_step(beta: f32) -> f32 {
    2.0 * (1.0 + beta) / (1.0 + 2.0 * LOOK_AHEAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_grows_until_the_error_does() {
        let mut momentum = Momentum::default();
        let first: Vec<_> = [1.0, 0.5, 0.9, 0.2].map(|error| momentum.next(error)).into();
        assert_eq!(first.iter().map(|(beta, _)| *beta).collect::<Vec<_>>(), [0.0, 0.25, 0.4, 0.5]);
        // 1/1.1, then 0.85 (1 + β) 2/1.2.
        assert!((first[0].1 - 0.9091).abs() < 1e-4 && (first[1].1 - 1.7708).abs() < 1e-4, "{first:?}");
        let again = [momentum.next(0.41), momentum.next(0.5)];
        assert_eq!(again, [(0.0, 0.75 * first[0].1), (0.25, 0.75 * first[1].1)]);
    }

    /// Largest |z| of the roots of `z² − (1 + β − q (1 + γ)) z + β − q γ`.
    fn growth(beta: f32, q: f32) -> f32 {
        let (half, product) = (0.5 * (1.0 + beta - q * (1.0 + LOOK_AHEAD)), beta - q * LOOK_AHEAD);
        let square = half * half - product;
        if square < 0.0 { product.sqrt() } else { half.abs() + square.sqrt() }
    }

    #[test]
    fn no_wave_grows_up_to_the_longest_step() {
        for beta in [0.0, 0.25, 0.5, 0.9, 0.99] {
            let longest = longest_step(beta);
            for n in 1..100 {
                assert!(growth(beta, 0.01 * n as f32 * longest) < 1.0, "β {beta}, step {n} %");
            }
            assert!(growth(beta, 1.01 * longest) > 1.0, "β {beta}");
        }
    }

    #[test]
    fn a_solve_ends_between_iterations_on_either_side_of_the_tolerance() {
        let iterations = Iterations { tolerance: 1.0, min_iterations: 2, max_iterations: 9 };
        let share = |count, error, last_error| {
            share_at_tolerance(iterations, &PressureSolve { iterations: count, error, ..PressureSolve::default() }, last_error)
        };
        let between = share(3, 0.5, 2.0).expect("the tolerance is between");
        assert!((2.0 + between * (0.5 - 2.0) - 0.999).abs() < 1e-6, "{between}");
        assert_eq!(share(2, 0.5, 2.0), None, "no more than the minimum");
        assert_eq!(share(3, 0.5, 0.7), None, "within it before");
        assert_eq!(share(9, 1.5, 2.0), None, "not within it");
    }

    /// Two pressures of a stiff and of a soft equation, `k_i = 1` where nothing may be less than 0, and one that would be negative.
    #[test]
    fn a_heavy_ball_comes_to_rest_at_the_solution() {
        let (stiffness, solution) = ([1.0, 0.05, 1.0], [1.0, 1.0, -1.0f32]);
        let mut k = vec![0.0f32; 3];
        let mut heavy_ball = HeavyBall::default();
        heavy_ball.begin(&k);
        for _ in 0..200 {
            let before = k.clone();
            let residual = |i: usize| stiffness[i] * (solution[i] - before[i]);
            let error = (0..3).map(|i| residual(i).max(0.0)).sum();
            heavy_ball.advance(&mut k, error, |i, step| step * residual(i), |_| 0.0);
            assert!(k.iter().all(|&k| k >= 0.0), "{k:?}");
        }
        assert!((k[0] - 1.0).abs() < 1e-3 && (k[1] - 1.0).abs() < 1e-3 && k[2] == 0.0, "{k:?}");
    }
}
