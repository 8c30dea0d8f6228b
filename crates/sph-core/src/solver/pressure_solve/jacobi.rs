//! Relaxed Jacobi iterations for the pressure equation `τ Ak = s`, k ≥ 0 or of either sign (Ihmsen2014, Bender2017), with
//! Nesterov's acceleration (Nesterov1983) and adaptive restart (ODonoghue2015); their relaxation factors.

use std::f32::consts::PI;

use super::gradients::Gradients;
use super::pressure_operator::{acceleration, compression_rates};
use crate::boundary::{BoundaryParticles, PlanePressures, Pressures, WallPressureExtrapolation};
use crate::forces::ExternalForces;
use crate::kernel::SmoothingKernel;
use crate::parameters::{Dimensions, Discretization, Iterations};
use crate::passes::{StepContext, sum_cells, sweep};
use crate::report::{Clock, Phase, PressureSolve, held};
use crate::solver::StepState;
use crate::space::lattice_points;
use glam::{Vec3, Vec4};

/// Ratio of the error to that before the first iteration from which on iterations diverge. Accelerated iterations that converge swing by
/// less.
const DIVERGENCE: f32 = 10.0;

/// The equation `τ (Ak)_i = s_i`, with a lowest k for every particle, and the workspace to solve it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jacobi {
    /// k = p/(ρ₀R²) of every particle, m²/s²: before a solve the initial guess, after it the solution.
    pub k: Vec<f32>,
    /// α of every particle, m²; where α = 0, k stays 0.
    pub alphas: Vec<f32>,
    /// s of every particle, in the unit of τ Ak; negative where the fluid is, or is being, compressed.
    pub source: Vec<f32>,
    /// Lowest k of every particle: 0, or −∞ where pressure has either sign, walls included. Empty if it is 0 everywhere.
    pub floors: Vec<f32>,
    /// s − τ Ak.
    residuals: Vec<f32>,
    /// k of the previous iteration before extrapolation, m²/s².
    previous: Vec<f32>,
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
    /// Output: a(k) of the solution, m/s²; w is unused.
    pub accelerations: &'a mut Vec<Vec4>,
}

impl Jacobi {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { k, alphas, source, floors, residuals, previous, wall_extrapolation, relaxation: _ } = self;
        held(k) + held(alphas) + held(source) + held(floors) + held(residuals) + held(previous) + wall_extrapolation.memory()
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

    /// Iterates `k′ = max(0, k − ω α (s − τ Ak)/τ)`, `k ← max(0, k′ + β (k′ − k′_previous))` (Nesterov1983), with the floors in
    /// place of 0, until the mean of `max(0, −(s − τ Ak))`, or of `|s − τ Ak|` where pressure has either sign, is within tolerance.
    /// The solution is k, whose accelerations are then known; `previous` holds k′.
    ///
    /// β restarts at 0 whenever the last change of k points uphill (ODonoghue2015). An iteration costs as many sweeps as plain
    /// Jacobi, and the number of iterations is about the square root of plain Jacobi's.
    ///
    /// Where particles are pressed into a corner, the operator may be stiffer than on any lattice: iterations that diverge start again
    /// from k = 0 with half of ω.
    ///
    /// Wall pressures are extrapolated anew in every iteration, after [`Jacobi::prepare_walls`]; afterwards `walls.pressures` holds
    /// k_b, m²/s².
    pub fn solve<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        problem: Problem<'_>,
        walls: &mut BoundaryParticles,
        phases: &mut Clock,
    ) -> PressureSolve {
        let Problem { ctx, gradients, positions, tau, external, iterations, accelerations } = problem;
        let count = positions.len();
        let Self { k, alphas, source, floors, residuals, previous, wall_extrapolation, relaxation } = self;
        let floor = |i: usize| floors.get(i).copied().unwrap_or(0.0);
        let wall_floor = if floors.is_empty() { 0.0 } else { f32::NEG_INFINITY };
        let mut omega = *relaxation.get_or_insert_with(|| accelerated(kernel, ctx.discretization));
        let mut solve = PressureSolve::default();
        let mut momentum = NesterovMomentum::default();
        let mut first_error = None;
        previous.clone_from(k);
        loop {
            // Wall pressures: k_b extrapolated from k.
            phases.measure(Phase::Walls, || {
                wall_extrapolation
                    .extend(kernel, ctx, (positions, walls), (external, wall_floor), |f| (k[f], ctx.relative_rest_density(f)));
            });
            let start = std::time::Instant::now();
            // Acceleration a(k), and residual s − τ Ak.
            let planes = PlanePressures::new(ctx, walls, external.is_some());
            acceleration(gradients, ctx, Pressures { fluid: k, walls: &walls.pressures, planes }, accelerations);
            compression_rates(gradients, ctx, (accelerations, None), residuals, |i, rate| {
                if alphas[i] == 0.0 { 0.0 } else { source[i] - tau * rate }
            });
            // Jacobi update: k′ = max(0, k − ω α (s − τ Ak)/τ).
            let relaxed = |i: usize, k: f32| (k - omega * alphas[i] * residuals[i] / tau).max(floor(i));
            // Error: the mean of max(0, −(s − τ Ak)), or of |s − τ Ak| where pressure has either sign, on which convergence is
            // tested below. Slope along the last change of k′.
            let error_of = |i: usize| if floor(i) < 0.0 { residuals[i].abs() } else { (-residuals[i]).max(0.0) };
            let [error, slope] = sum_cells(ctx.cells, |i| {
                let next = relaxed(i, k[i]);
                let uphill = if alphas[i] > 0.0 { (k[i] - next) * (next - previous[i]) / alphas[i] } else { 0.0 };
                [f64::from(error_of(i)), f64::from(uphill)]
            });
            solve.error = (error / count.max(1) as f64) as f32;
            let another = !ctx.is_cancelled() && iterations.needs_another(solve.iterations, solve.error);
            let diverges = solve.error > DIVERGENCE * first_error.get_or_insert(solve.error).max(iterations.tolerance);
            if another && diverges {
                omega *= 0.5;
                k.fill(0.0);
                previous.fill(0.0);
                (momentum, first_error) = (NesterovMomentum::default(), None);
                solve.iterations += 1;
            } else if another {
                // Extrapolation: k ← k′ + β (k′ − k′_previous).
                let beta = momentum.next(slope > 0.0);
                sweep::update_two((k, previous), |i, k, previous| {
                    let next = relaxed(i, *k);
                    *k = (next + beta * (next - *previous)).max(floor(i));
                    *previous = next;
                });
                solve.iterations += 1;
            }
            phases.add_since(Phase::Pressure, start);
            if !another {
                solve.max_error = sweep::max(count, error_of);
                return solve;
            }
        }
    }
}

/// Extrapolation factor β of Nesterov1983, from the sequence t.
struct NesterovMomentum {
    t: f32,
}

impl Default for NesterovMomentum {
    fn default() -> Self {
        Self { t: 1.0 }
    }
}

impl NesterovMomentum {
    /// Returns `β = (t − 1)/t′` with `t′ = (1 + √(1 + 4t²))/2`: 0 at first and after an uphill change, then rising towards 1.
    fn next(&mut self, uphill: bool) -> f32 {
        if uphill {
            self.t = 1.0;
        }
        let t = self.t;
        self.t = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
        (t - 1.0) / self.t
    }
}

// Relaxation factors ω of the pressure iterations, from the stiffest wave on a lattice.

/// Relaxation ω of Bender2017 and most others.
const USUAL: f32 = 0.5;

/// Largest ω λ/D of the stiffest wave; from 2 on it grows.
const MAX_STEP: f32 = 1.8;

/// Number of wave vectors sampled along an axis or diagonal.
const WAVES: usize = 32;

/// Relaxation ω of Jacobi iterations on the pressure operator: ½, or less where the stiffest wave on the lattice would grow.
///
/// On a full lattice the operator multiplies the wave `exp(iκ·x)` by `−|G|²`, `G(κ) = Σ_j V∇W sin(κ·x_ij)`, and Jacobi divides
/// by `D = Σ_j |V∇W|²`. With many neighbours |G|²/D exceeds 4: 4.2 for Wendland C2 at 2.6 spacings in three dimensions, 6.2 at
/// 3.
pub(crate) fn relaxation<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> f32 {
    USUAL.min(MAX_STEP / stiffest(kernel, discretization))
}

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

/// Relaxation ω of accelerated iterations: at most 1/(λ/D), the step of gradient descent. They diverge from ω λ/D = 4/3 on,
/// plain ones from 2.
pub(crate) fn accelerated<K: SmoothingKernel>(kernel: K, discretization: &Discretization) -> f32 {
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

    #[test]
    fn momentum_grows_until_an_uphill_change() {
        let mut momentum = NesterovMomentum::default();
        let first: Vec<f32> = (0..4).map(|_| momentum.next(false)).collect();
        // t = 1, (1 + √5)/2, 2.1935, 2.7498, 3.2948.
        for (found, expected) in first.iter().zip([0.0, 0.281_75, 0.434_04, 0.531_06]) {
            assert!((found - expected).abs() < 1e-4, "{first:?}");
        }
        assert_eq!(momentum.next(true), 0.0);
        assert_eq!(momentum.next(false), first[1]);
    }

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
            assert!(omega * stiffest < 1.05 * MAX_STEP, "{kind:?} {ratio}: {stiffest} of {omega}");
            assert!(accelerated(kernel, &discretization) * stiffest < 1.05, "{kind:?} {ratio}: {stiffest}");
            assert!(omega == USUAL || omega * stiffest > 0.9 * MAX_STEP, "{kind:?} {ratio}: {stiffest} of {omega}");
        }
    }

    #[test]
    fn few_neighbors_allow_the_usual_relaxation() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let (kernel, discretization) = lattice(KernelKind::CubicSpline, dimensions, 2.0);
            assert_eq!(relaxation(kernel, &discretization), USUAL);
        }
    }
}
