//! The solve for the pressure that the incompressible solvers share: what precedes it, the operator, the iterations.

mod gradients;
mod jacobi;
mod prediction;
mod pressure_operator;
mod relaxation;
mod target_density_fade;

pub(super) use jacobi::{Jacobi, Problem};
pub(super) use prediction::{Prediction, WARMEST, WARMTH};
pub(super) use pressure_operator::{
    DensityAndAlpha, acceleration, add_planes, compression_rates, density_and_alpha, relative_density,
};
pub(super) use relaxation::relaxation;

#[cfg(test)]
pub(crate) use pressure_operator::tests::Strewn;
