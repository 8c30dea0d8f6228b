//! Predictive–corrective incompressible SPH (Solenthaler2009): move by the pressure, see how dense it gets, correct the pressure.

use super::pressure_solve::{Prediction, acceleration, add_planes, relative_density, relaxation};
use super::{SolveReport, StepState};
use crate::boundary::{WallPressureExtrapolation, extend_to_planes};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::Iterations;
use crate::passes::{StepContext, sweep};
use crate::report::{Phase, PressureSolve, held};
use crate::space::lattice_points;
use glam::{Vec3, Vec4};
use std::time::Instant;

/// What the solver keeps between its passes.
#[derive(Clone, Debug)]
pub(crate) struct Pcisph {
    prediction: Prediction,
    /// k = p/ρ₀, m²/s². It begins at zero in every step.
    k: Vec<f32>,
    accelerations: Vec<Vec4>,
    /// Where the present pressure would lead, m.
    places: Vec<Vec3>,
    /// R there, less what it should be.
    excess: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
    /// ω, once it is known.
    relaxation: Option<f32>,
}

impl Pcisph {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        let prediction = Prediction::new(from_other);
        Self {
            prediction,
            k: Vec::new(),
            accelerations: Vec::new(),
            places: Vec::new(),
            excess: Vec::new(),
            wall_extrapolation: WallPressureExtrapolation::default(),
            relaxation: None,
        }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, k, accelerations, places, excess, wall_extrapolation, relaxation: _ } = self;
        let [pairs, particles] = prediction.memory();
        [pairs, particles + held(k) + held(accelerations) + held(places) + held(excess) + wall_extrapolation.memory()]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.prediction.reorder(order);
    }

    /// One step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let iterations = ctx.parameters.solver.pcisph;
        with_kernel!(ctx.kernel, kernel => {
            self.prediction.compute_density_and_alpha(kernel, ctx, step);
            let length = self.prediction.apply_non_pressure_forces(kernel, ctx, step);
            let density = self.correct(kernel, ctx, (length.dt, iterations), step);
            let start = Instant::now();
            self.prediction.write_pressures(ctx, &self.k, step);
            step.phases.add_since(Phase::Pressure, start);
            SolveReport { step: length, density_age: 0.0, density, divergence: PressureSolve::default() }
        })
    }

    /// Iterates `k ← max(0, k + ω (R* − R_wanted)/(dt² D))` with ω as of Jacobi iterations and D of a full lattice: one of a neighbourhood that is cut off at a
    /// surface would correct too much, and diverge. Afterwards `v = v* + dt a(k)`.
    fn correct<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        (dt, iterations): (f32, Iterations),
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        let StepState { particles, walls, velocity_update, phases, .. } = step;
        let positions = &particles.positions;
        let count = positions.len();
        let omega = *self.relaxation.get_or_insert_with(|| relaxation(kernel, ctx.discretization));
        let correction = omega / (dt * dt * lattice_stiffness(kernel, ctx));
        let Self { prediction, k, accelerations, places, excess, wall_extrapolation, .. } = self;
        sweep::map(count, k, |_| 0.0);
        let external = Some(ctx.external);
        phases.measure(Phase::Walls, || wall_extrapolation.prepare(kernel, ctx, positions, walls, external));
        let mut solve = PressureSolve::default();
        loop {
            phases.measure(Phase::Walls, || {
                wall_extrapolation.extend(ctx, walls, 0.0, |f| (k[f], 1.0));
                extend_to_planes(kernel, ctx, positions, &mut walls.at_planes, external, 0.0, |f| (k[f], 1.0));
            });
            let start = Instant::now();
            acceleration(&prediction.gradients, ctx, walls.pressures.as_slice(), k, accelerations);
            add_planes(ctx, walls, true, k, accelerations);
            sweep::map(count, places, |i| {
                positions[i] + dt * (velocity_update.velocities[i] + dt * accelerations[i].truncate())
            });
            walls.drift(dt);
            sweep::map(count, excess, |i| {
                relative_density(kernel, ctx, places, walls, i) - prediction.target_density.target(i)
            });
            walls.drift(-dt);
            solve.error = (sweep::sum(count, |i| f64::from(excess[i].max(0.0))) / count as f64) as f32;
            let wanted = solve.iterations < iterations.min_iterations || solve.error > iterations.tolerance;
            let another = wanted && solve.iterations < iterations.max_iterations;
            if another {
                sweep::update(k, |i, k| *k = (*k + correction * excess[i]).max(0.0));
                solve.iterations += 1;
            } else {
                solve.max_error = sweep::max(count, |i| excess[i]);
                sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * accelerations[i].truncate());
            }
            phases.add_since(Phase::Pressure, start);
            if !another {
                return solve;
            }
        }
    }
}

/// D inside a full lattice, where the gradients cancel: `Σ |V∇W|²`, 1/m².
fn lattice_stiffness<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>) -> f32 {
    let volume = ctx.rest_volume();
    lattice_points(ctx.discretization).map(|place| (volume * kernel.grad_w(place)).length_squared()).sum()
}
