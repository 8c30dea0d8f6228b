//! Relaxed Jacobi iterations with momentum for the pressure equation `τ Ak = s`, k ≥ 0 or of either sign (Ihmsen2014, Bender2017);
//! relaxation factors.

use std::f32::consts::PI;
use std::time::Instant;

use super::coarse_grid::{CoarseGrid, CoarseProblem};
use super::momentum::HeavyBall;
use super::pressure_operator::{DensityAndAlpha, acceleration, compression_rates};
use crate::boundary::{BoundaryParticles, PlanePressures, Pressures, WallPressureExtrapolation};
use crate::forces::ExternalForces;
use crate::kernel::SmoothingKernel;
use crate::parameters::{Dimensions, Discretization, Iterations};
use crate::passes::{StepContext, sum_cells, sweep};
use crate::report::{Clock, Phase, PressureSolve, held};
use crate::solver::StepState;
use crate::solver::gradients::Gradients;
use crate::space::lattice_points;
use glam::{Vec3, Vec4};

/// The equation `τ (Ak)_i = s_i`, with a lowest k for every particle, and the workspace to solve it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jacobi {
    /// k = p/(ρ₀R²) of every particle, m²/s²: before a solve the initial guess, after it the solution.
    pub k: Vec<f32>,
    /// α of every particle, m², as [`super::DensityAndAlpha::damped_alpha`] gives it; where α = 0, k stays 0.
    pub alphas: Vec<f32>,
    /// s of every particle, in the unit of τ Ak; negative where the fluid is, or is being, compressed.
    pub source: Vec<f32>,
    /// Lowest k of every particle: 0, or −∞ where pressure has either sign, walls included. Empty if it is 0 everywhere.
    pub floors: Vec<f32>,
    /// s − τ Ak.
    residuals: Vec<f32>,
    /// s − τ Ak of the iteration before.
    last_residuals: Vec<f32>,
    heavy_ball: HeavyBall,
    coarse_grid: CoarseGrid,
    wall_extrapolation: WallPressureExtrapolation,
    /// Relaxation ω; `None` before the first solve.
    relaxation: Option<f32>,
}

/// Input of one solve.
pub(crate) struct Problem<'a> {
    pub ctx: &'a StepContext<'a>,
    /// V∇W of the pairs at `positions`.
    pub gradients: &'a Gradients,
    pub positions: &'a [Vec3],
    /// τ: dt for a source in 1/s, dt² for a source without unit.
    pub tau: f32,
    /// Forces that raise the wall pressure hydrostatically; `None` in the divergence solve, whose k does not balance them.
    pub external: Option<ExternalForces<'a>>,
    /// Convergence, the tolerance in the unit of the source.
    pub iterations: Iterations,
    /// Input of a coarse-grid correction; `None` without one.
    pub coarse: Option<Coarse<'a>>,
    /// Output: a(k) of the solution, m/s²; w is unused.
    pub accelerations: &'a mut Vec<Vec4>,
}

/// Input of a coarse-grid correction besides the [`Problem`].
pub(crate) struct Coarse<'a> {
    pub density_and_alpha: &'a [DensityAndAlpha],
    /// Workspace.
    pub set: &'a mut Vec<Vec4>,
}

/// Least iterations after a coarse-grid correction: they smooth what it leaves between its nodes. With one the pressure at the bed of
/// still water of 50 rows fluctuates by 1.6 % from step to step, with three by 0.01 %.
const SMOOTHING: u32 = 3;

impl Jacobi {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self {
            k,
            alphas,
            source,
            floors,
            residuals,
            last_residuals,
            heavy_ball,
            coarse_grid,
            wall_extrapolation,
            relaxation: _,
        } = self;
        let vectors = [k, residuals, last_residuals, alphas, source, floors].into_iter().map(held).sum::<usize>();
        vectors + heavy_ball.memory() + coarse_grid.memory() + wall_extrapolation.memory()
    }

    /// Prepares the extrapolation of wall pressures in all solves of a step, whose positions (m) are the same.
    pub fn prepare_walls<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        StepState { particles, walls, phases, .. }: &mut StepState<'_>,
    ) {
        let Self { wall_extrapolation, .. } = self;
        phases.measure(Phase::Walls, || wall_extrapolation.prepare(kernel, ctx, &particles.positions, walls, ctx.external));
    }

    /// Corrects the guess on a coarse grid, if the problem asks for it, which counts as an iteration. Then iterates `k ← max(0, k − ω α
    /// (s − τ Ak)/τ)` with the momentum of a [`HeavyBall`], and the floors in place of 0, until the mean of `max(0, −(s − τ Ak))`, or of
    /// `|s − τ Ak|` where pressure has either sign, is within tolerance.
    ///
    /// With a correction the error counts on both sides where k > 0, as k may be above the solution. Without one k rises from below,
    /// and the solution is the k between the last two iterations whose error is near the tolerance, and within it.
    /// What a solve leaves of a long wave, the next has to make up for by a pressure of its own, and an error that jumped from step to
    /// step, with the number of iterations, would be noise of the pressure, ρL²/dt² times as large in water of depth L.
    ///
    /// Where particles are pressed into a corner, the operator may be stiffer than on any lattice: when the error has grown, the
    /// momentum starts again with shorter steps.
    ///
    /// Wall pressures are extrapolated anew in every iteration, after [`Jacobi::prepare_walls`]; afterwards `walls.pressures` holds
    /// k_b, m²/s².
    pub fn solve<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        mut problem: Problem<'_>,
        walls: &mut BoundaryParticles,
        phases: &mut Clock,
    ) -> PressureSolve {
        let Problem { ctx, tau, mut iterations, .. } = problem;
        let omega = *self.relaxation.get_or_insert_with(|| relaxation(kernel, ctx.discretization));
        let mut solve = PressureSolve::default();
        if self.correct(kernel, &mut problem, walls, phases) {
            solve.iterations = 1;
            iterations.min_iterations = iterations.min_iterations.max(1 + SMOOTHING);
        } else if problem.coarse.take().is_some() {
            // A guess for no correction is 0 where nothing is compressed.
            let Self { k, source, .. } = self;
            sweep::update(k, |i, k| *k = if source[i] < 0.0 { *k } else { 0.0 });
        }
        self.heavy_ball.begin(&self.k);
        loop {
            self.accelerate(kernel, &mut problem, walls, phases);
            let start = Instant::now();
            self.compute_residuals(&problem);
            solve.error = self.mean_error(&problem);
            if ctx.is_cancelled() || !iterations.needs_another(solve.iterations, solve.error) {
                phases.add_since(Phase::Pressure, start);
                break;
            }
            let Self { k, alphas, floors, residuals, last_residuals, heavy_ball, .. } = self;
            std::mem::swap(last_residuals, residuals);
            let change = |i: usize, step: f32| -(step * omega / tau) * alphas[i] * last_residuals[i];
            heavy_ball.advance(k, solve.error, change, |i| floor(floors, i));
            solve.iterations += 1;
            phases.add_since(Phase::Pressure, start);
        }
        let start = Instant::now();
        let rises = !ctx.is_cancelled() && problem.coarse.is_none();
        let share = if rises { self.heavy_ball.end_at_tolerance(iterations, &solve, &mut self.k) } else { None };
        if let Some(share) = share {
            let Self { residuals, last_residuals, .. } = self;
            sweep::update(residuals, |i, residual| *residual = last_residuals[i] + share * (*residual - last_residuals[i]));
            solve.error = self.mean_error(&problem);
        }
        solve.max_error = sweep::max(self.k.len(), |i| self.error(&problem, i));
        phases.add_since(Phase::Pressure, start);
        if share.is_some() {
            self.accelerate(kernel, &mut problem, walls, phases);
        }
        solve
    }

    /// Corrects k on a coarse grid, if there are iterations enough to smooth it. Returns false if it stays as it is.
    fn correct<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        problem: &mut Problem<'_>,
        walls: &mut BoundaryParticles,
        phases: &mut Clock,
    ) -> bool {
        if problem.coarse.is_none() || problem.iterations.max_iterations <= SMOOTHING || problem.ctx.is_cancelled() {
            return false;
        }
        self.accelerate(kernel, problem, walls, phases);
        let start = Instant::now();
        self.compute_residuals(problem);
        let Self { k, alphas, residuals, last_residuals: corrections, coarse_grid, .. } = self;
        let &mut Problem { ctx, tau, positions, coarse: Some(Coarse { density_and_alpha, ref mut set }), .. } = problem else {
            return false;
        };
        sweep::map(k.len(), set, |i| {
            let can_change = alphas[i] > 0.0 && (k[i] > 0.0 || residuals[i] < 0.0);
            positions[i].extend(if can_change && density_and_alpha[i].is_inside() { 0.0 } else { 1.0 })
        });
        let corrected = coarse_grid.solve(kernel, CoarseProblem { ctx, tau, set, residuals }, corrections);
        if corrected {
            sweep::update(k, |i, k| *k = (*k + corrections[i]).max(0.0));
        }
        phases.add_since(Phase::Pressure, start);
        corrected
    }

    /// Computes the residuals s − τ Ak from accelerations a(k).
    fn compute_residuals(&mut self, &Problem { ctx, gradients, tau, ref accelerations, .. }: &Problem<'_>) {
        let Self { alphas, source, residuals, .. } = self;
        compression_rates(gradients, ctx, (accelerations, None), residuals, |i, rate| {
            if alphas[i] == 0.0 { 0.0 } else { source[i] - tau * rate }
        });
    }

    /// Error of particle i: `max(0, −(s − τ Ak))`, or `|s − τ Ak|` where it counts on both sides.
    fn error(&self, problem: &Problem<'_>, i: usize) -> f32 {
        let is_two_sided = floor(&self.floors, i) < 0.0 || problem.coarse.is_some() && self.k[i] > 0.0;
        if is_two_sided { self.residuals[i].abs() } else { (-self.residuals[i]).max(0.0) }
    }

    /// Mean error.
    fn mean_error(&self, problem: &Problem<'_>) -> f32 {
        let [sum] = sum_cells(problem.ctx.cells, |i| [f64::from(self.error(problem, i))]);
        (sum / self.residuals.len().max(1) as f64) as f32
    }

    /// Computes wall pressures k_b, extrapolated from k, and accelerations a(k).
    fn accelerate<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        Problem { ctx, gradients, positions, external, accelerations, .. }: &mut Problem<'_>,
        walls: &mut BoundaryParticles,
        phases: &mut Clock,
    ) {
        let Self { k, floors, wall_extrapolation, .. } = self;
        let floor = if floors.is_empty() { 0.0 } else { f32::NEG_INFINITY };
        phases.measure(Phase::Walls, || {
            wall_extrapolation
                .extend(kernel, ctx, (positions, walls), (*external, floor), |f| (k[f], ctx.relative_rest_density(f)));
        });
        phases.measure(Phase::Pressure, || {
            let planes = PlanePressures::new(ctx, walls, external.is_some());
            acceleration(gradients, ctx, Pressures { fluid: k, walls: &walls.pressures, planes }, accelerations);
        });
    }
}

/// Lowest k of particle i.
fn floor(floors: &[f32], i: usize) -> f32 {
    floors.get(i).copied().unwrap_or(0.0)
}

// Relaxation factors ω of the pressure iterations, from the stiffest wave on a lattice.

/// Relaxation ω of Bender2017 and most others.
const USUAL: f32 = 0.5;

/// Number of wave vectors sampled along an axis or diagonal.
const WAVES: usize = 32;

/// λ/D of the stiffest wave on the lattice.
fn stiffest<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> f32 {
    let Discretization { dimensions, particle_spacing, .. } = *discretization;
    let lattice = Lattice::new(kernel, discretization);
    let diagonals: &[Vec3] = match dimensions {
        Dimensions::Two => &[Vec3::X, Vec3::new(1.0, 1.0, 0.0)],
        Dimensions::Three => &[Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::ONE],
    };
    let waves = diagonals
        .iter()
        .flat_map(|&direction| (1..=WAVES).map(move |n| n as f32 / WAVES as f32 * PI / particle_spacing * direction));
    waves.map(|wave| lattice.stiffness(wave)).fold(0.0, f32::max)
}

/// Relaxation ω of iterations with momentum, before the step of [`HeavyBall::advance`]: at most 1/(λ/D), that of gradient descent,
/// with λ of the stiffest wave on the lattice.
///
/// On a full lattice the operator multiplies the wave `exp(iκ·x)` by `−|G|²`, `G(κ) = Σ_j V∇W sin(κ·x_ij)`, and Jacobi divides
/// by `D = Σ_j |V∇W|²`. With many neighbours |G|²/D exceeds 4: 4.2 for Wendland C2 at 2.6 spacings in three dimensions, 6.2 at
/// 3.
pub(crate) fn relaxation<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> f32 {
    USUAL.min(stiffest(kernel, discretization).recip())
}

/// Neighbours of a particle inside a full lattice.
struct Lattice {
    /// Positions of the neighbours, m, and their ∇W, in any one unit.
    pairs: Vec<(Vec3, Vec3)>,
    /// Σ |∇W|².
    squares: f32,
}

impl Lattice {
    fn new<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> Self {
        let pairs: Vec<_> = lattice_points(discretization).map(|place| (place, kernel.grad_w(place))).collect();
        let squares = pairs.iter().map(|(_, gradient)| gradient.length_squared()).sum();
        Self { pairs, squares }
    }

    /// λ/D of the wave with wave vector `wave`, 1/m.
    fn stiffness(&self, wave: Vec3) -> f32 {
        let gradient: Vec3 = self.pairs.iter().map(|&(place, gradient)| gradient * wave.dot(place).sin()).sum();
        gradient.length_squared() / self.squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Kernel;
    use crate::parameters::KernelKind;

    fn lattice(kind: KernelKind, dimensions: Dimensions, ratio: f32) -> (Kernel, Discretization) {
        let (particle_spacing, support_radius) = (0.1, 0.1 * ratio);
        let discretization =
            Discretization { dimensions, particle_spacing, kernel: kind, support_radius, rest_density: 1000.0 };
        (Kernel::new(kind, dimensions, support_radius), discretization)
    }

    /// Power iteration on a periodic lattice of 8³ particles, from pseudo-random k: `−k·Ak / k·Dk`.
    #[test]
    fn no_field_is_stiffer_than_the_stiffest_wave() {
        const N: i32 = 8;
        for (kind, ratio) in [(KernelKind::CubicSpline, 2.0), (KernelKind::WendlandC2, 2.6), (KernelKind::WendlandC2, 3.0)] {
            let (kernel, discretization) = lattice(kind, Dimensions::Three, ratio);
            let lattice = Lattice::new(kernel, &discretization);
            let cell = |x: i32, y: i32, z: i32| (x.rem_euclid(N) + N * (y.rem_euclid(N) + N * z.rem_euclid(N))) as usize;
            let cells = || (0..N).flat_map(|z| (0..N).flat_map(move |y| (0..N).map(move |x| (x, y, z))));
            let mut k: Vec<f32> = (0..N * N * N).map(|n| (n as f32 * 12.9898).sin()).collect();
            let mut stiffest = 0.0;
            for _ in 0..60 {
                let neighbors = |(x, y, z): (i32, i32, i32)| {
                    lattice.pairs.iter().map(move |&(place, gradient)| {
                        let [i, j, l] = (place / 0.1).round().as_ivec3().to_array();
                        (cell(x - i, y - j, z - l), gradient)
                    })
                };
                let push: Vec<Vec3> = cells().map(|at| neighbors(at).map(|(j, gradient)| -k[j] * gradient).sum()).collect();
                let rate: Vec<f32> = cells().map(|at| neighbors(at).map(|(j, gradient)| push[j].dot(gradient)).sum()).collect();
                let size = k.iter().map(|k| k * k).sum::<f32>();
                stiffest = push.iter().map(|a| a.length_squared()).sum::<f32>() / (size * lattice.squares);
                let largest = rate.iter().fold(0.0f32, |most, rate| most.max(rate.abs()));
                k = rate.iter().map(|rate| rate / largest).collect();
            }
            let omega = relaxation(kernel, &discretization);
            assert!(omega * stiffest < 1.05, "{kind:?} {ratio}: {stiffest} of {omega}");
            assert!(omega == USUAL || omega * stiffest > 0.9, "{kind:?} {ratio}: {stiffest} of {omega}");
        }
    }
}
