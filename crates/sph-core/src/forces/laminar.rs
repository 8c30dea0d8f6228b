//! Coefficients of laminar viscosity.

use crate::kernel::SmoothingKernel;
use crate::parameters::ViscosityModel;
use crate::passes::StepContext;

/// Coefficients of laminar viscosity in the acceleration `Σ_j m/ρ̄_ij [across v + along (v·x) x/(r² + η²)] W′/r`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Laminar {
    /// Coefficient of Morris1997, 2ν, along the velocity difference, m²/s.
    pub across: f32,
    /// Coefficient of Monaghan2005, 2(d + 2)ν, along the line between the particles, m²/s.
    pub along: f32,
}

impl Laminar {
    /// Coefficients of the explicit models; zero with implicit viscosity, which acts later, on the velocities after all other
    /// forces. With several fluids they are over the viscosity of a pair.
    pub fn explicit(ctx: &StepContext<'_>) -> Self {
        let viscosity = unit_viscosity(ctx);
        match ctx.parameters.fluid.viscosity_model {
            ViscosityModel::Morris => Self { across: 2.0 * viscosity, along: 0.0 },
            ViscosityModel::Central => Self { across: 0.0, along: central(ctx) },
            ViscosityModel::Implicit => Self::default(),
        }
    }

    /// Coefficients between particle i and walls.
    #[inline(always)]
    pub fn of_particle(self, ctx: &StepContext<'_>, i: usize) -> Self {
        let factor = ctx.mixture.map_or(1.0, |mixture| mixture.viscosity[i]);
        Self { across: factor * self.across, along: factor * self.along }
    }

    /// True if both coefficients are zero.
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }
}

/// Weight of a pair in the equation of implicit viscosity, `2(d + 2) dt ν V W′/r / (r² + η²)`; negative.
pub(crate) fn implicit_weight<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    dt: f32,
    (volume, r_squared): (f32, f32),
) -> f32 {
    let weight = central(ctx) * dt * volume;
    weight * kernel.dw_over_r(r_squared.sqrt()) / (r_squared + ctx.eta_squared())
}

/// 2(d + 2)ν, m²/s.
fn central(ctx: &StepContext<'_>) -> f32 {
    2.0 * (ctx.discretization.dimensions.count() + 2) as f32 * unit_viscosity(ctx)
}

/// Kinematic viscosity ν, m²/s; with several fluids 1, to be multiplied with the viscosity of each pair, or 0 if none has any.
fn unit_viscosity(ctx: &StepContext<'_>) -> f32 {
    match ctx.mixture {
        None => ctx.parameters.fluid.kinematic_viscosity,
        Some(_) => f32::from(u8::from(ctx.is_viscous())),
    }
}
