//! Pressure solve of the incompressible solvers: prediction, operator, iterations.
//!
//! The unknown is k = p/(ρ₀R²), m²/s², with the relative density R = ρ/ρ₀. With the rest volume V = m/ρ₀ of a particle and V_b
//! of a wall's,
//!
//! - `a_i(k) = −Σ_j V (k_i + k_j) ∇W − Σ_b V_b (k_i + k_b) ∇W` is the acceleration by pressure,
//! - `(Ak)_i = Σ_j V (a_i − a_j)·∇W + Σ_b V_b a_i·∇W` the rate of dR/dt that it causes,
//! - `D_i = |Σ_j V∇W + Σ_b V_b∇W|² + Σ_j |V∇W|²` the negated diagonal of A, and α = 1/D,
//! - `τ Ak = s` with k ≥ 0 the equation, and `k ← max(0, k − ω α (s − τ Ak)/τ)` its relaxed Jacobi iteration (Ihmsen2014,
//!   Bender2017).

mod gradients;
mod jacobi;
mod prediction;
mod pressure_operator;
mod relaxation;
mod target_density_fade;

pub(super) use jacobi::{Jacobi, Problem};
pub(super) use prediction::{MAX_WARM_START, Prediction, WARM_START_FACTOR};
pub(super) use pressure_operator::{DensityAndAlpha, acceleration, compression_rates, density_and_alpha, relative_density};
pub(super) use relaxation::relaxation;
pub(super) use target_density_fade::target_density;

#[cfg(test)]
pub(crate) use pressure_operator::tests::Strewn;
