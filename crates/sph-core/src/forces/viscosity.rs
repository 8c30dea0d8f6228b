//! Explicit viscosity between particles, and between the fluid and no-slip walls; coefficients of laminar viscosity.

use crate::boundary::{BoundaryParticles, SolidTerms};
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::ViscosityModel;
use crate::passes::{Gather, GatherBuffers, Mixture, StepContext};
use crate::simd::{Indices, Lanes, Vec3Lanes};
use glam::Vec3;

/// Explicit viscosity `dv_i/dt = Σ_j m/ρ̄_ij [(α c₀ h min(v·x, 0) x + L)/(r² + η²) + M] W′/r`: artificial viscosity of
/// Monaghan1992, with the laminar one of Morris1997, `M = 2ν v`, or of Monaghan2005, `L = 2(d + 2)ν (v·x) x`.
///
/// Morris1997 has the factor `r²/(r² + η²)` in M as well. W′/r is finite without it, and it would reduce the viscosity by 1.2 %
/// (Wendland C2, 3 spacings).
///
/// No-slip walls act in the laminar viscosity with their mirrored velocities, as fluid of density ρ₀ and mass ρ₀V_b.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viscosity {
    /// Artificial viscosity α c₀ h, m²/s.
    artificial: f32,
    /// Coefficients of the laminar viscosity.
    pub laminar: Laminar,
    mass: f32,
    eta_squared: f32,
}

/// Pairs of a particle with sixteen others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<L> {
    /// x_i − x_j, m.
    pub x_ij: Vec3Lanes<L>,
    /// v_i − v_j, m/s.
    pub v_ij: Vec3Lanes<L>,
    /// 1/ρ_i and 1/ρ_j, m³/kg.
    pub per_density: [L; 2],
    /// Squared distance, m².
    pub r_squared: L,
    /// W′/r; 0 in unused lanes.
    pub dw_over_r: L,
}

impl Viscosity {
    /// Explicit viscosity of the present parameters; `None` if there is none.
    pub fn of(ctx: &StepContext<'_>) -> Option<Self> {
        let fluid = ctx.parameters.fluid;
        let artificial = fluid.artificial_viscosity * fluid.sound_speed * ctx.smoothing_length();
        let laminar = Laminar::explicit(ctx);
        let acts = artificial != 0.0 || !laminar.is_zero();
        acts.then(|| Self { artificial, laminar, mass: ctx.mass, eta_squared: ctx.eta_squared() })
    }

    /// Contributions of the pairs to dv_i/dt, m/s².
    #[inline(always)]
    pub fn acceleration<L: Lanes>(&self, pair: Pair<L>) -> Vec3Lanes<L> {
        self.scaled(pair, L::splat(1.0), L::splat(1.0))
    }

    /// [`Viscosity::acceleration`] of particle i by the particles `others` of several fluids, as if i were of the reference
    /// fluid.
    #[inline(always)]
    pub fn acceleration_in<L: Lanes>(&self, mixture: &Mixture, i: usize, others: Indices<'_>, pair: Pair<L>) -> Vec3Lanes<L> {
        self.scaled(pair, mixture.pair_viscosity(i, others), mixture.pair_impedance(i, others))
    }

    #[inline(always)]
    fn scaled<L: Lanes>(&self, pair: Pair<L>, viscosity: L, impedance: L) -> Vec3Lanes<L> {
        let Pair { x_ij, v_ij, per_density: [per_density_i, per_density_j], r_squared, dw_over_r } = pair;
        let (v_x, guarded) = (v_ij.dot(x_ij), r_squared + self.eta_squared);
        // m/ρ̄_ij = 2m/(ρ_i + ρ_j), times W′/r, over r² + η²: one division for both.
        let weight =
            dw_over_r * per_density_i * per_density_j * (2.0 * self.mass) / (guarded * (per_density_i + per_density_j));
        let approach = v_x.select_below(L::splat(0.0), v_x, L::splat(0.0));
        let Laminar { across, along } = self.laminar;
        let along = x_ij * (weight * (approach * self.artificial * impedance + v_x * along * viscosity));
        if across == 0.0 { along } else { along + v_ij * (weight * guarded * across * viscosity) }
    }
}

/// Pass for dv/dt by viscosity alone, m/s².
pub(super) struct ViscosityPass<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    pub viscosity: Viscosity,
    pub walls: &'a BoundaryParticles,
    /// Positions, and velocities with 1/ρ, m³/kg.
    pub buffers: &'a GatherBuffers,
}

impl<K: SmoothingKernel> Gather for ViscosityPass<'_, K> {
    type Value = Vec3;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec3 {
        let Self { kernel, ctx, viscosity, buffers: GatherBuffers { positions, vectors: motions }, .. } = *self;
        let (position, velocity, per_density) = (positions[i].truncate(), motions[i].truncate(), motions[i].w);
        let mut sum = Vec3Lanes::<L>::zero();
        for (block, left) in rows.blocks(i) {
            let [x, y, z, _] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let [x, y, z, other] = L::gather(motions, block);
            let v_ij = Vec3Lanes::splat(velocity) - Vec3Lanes { x, y, z };
            let r_squared = x_ij.length_squared();
            let dw_over_r = kernel.dw_over_r(r_squared.sqrt()).keep(left);
            let per_density = [L::splat(per_density), other];
            let pair = Pair { x_ij, v_ij, per_density, r_squared, dw_over_r };
            sum = sum
                + match ctx.mixture {
                    None => viscosity.acceleration(pair),
                    Some(mixture) => viscosity.acceleration_in(mixture, i, block, pair),
                };
        }
        let solids = SolidTerms { kernel, ctx, walls: self.walls };
        let drag = solids.drag(viscosity.laminar, (i, position), velocity, per_density.recip());
        ctx.lightness(i) * (sum.sum() + drag)
    }
}

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
