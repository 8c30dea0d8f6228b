//! Viscosity between particles, and between the fluid and walls that drag it.

use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::ViscosityModel;
use crate::passes::{Gather, GatherBuffers, StepContext};
use crate::simd::{Lanes, Vec3Lanes};
use glam::Vec3;

/// `dv_i/dt = Σ_j m/ρ̄_ij [(α c₀ h min(v·x, 0) x + L)/(r² + η²) + M] W′/r`: artificial viscosity after Monaghan1992, laminar either after
/// Morris1997, `M = 2ν v`, or after Monaghan2005, `L = 2(d + 2)ν (v·x) x`.
///
/// Morris1997 has `r²/(r² + η²)` in M as well. W′/r needs no such guard, and it would cost 1.2 % of the viscosity (Wendland C2, 3 spacings).
///
/// Walls that drag take part in the laminar one with their mirrored velocities, as fluid of rest density ρ₀ and of the mass ρ₀V_b.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viscosity {
    /// α c₀ h, m²/s.
    artificial: f32,
    /// Factors of the laminar one along the velocities' difference and along the line between the particles, m²/s.
    across: f32,
    along: f32,
    mass: f32,
    eta_squared: f32,
}

/// A particle and sixteen others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<L> {
    /// m.
    pub x_ij: Vec3Lanes<L>,
    /// m/s.
    pub v_ij: Vec3Lanes<L>,
    /// 1/ρ_i and 1/ρ_j, m³/kg.
    pub per_density: [L; 2],
    /// m².
    pub r_squared: L,
    /// W′/r; 0 where there is no pair.
    pub dw_over_r: L,
}

impl Viscosity {
    /// That of the parameters in force; `None` where none acts between particles.
    pub fn of(ctx: &StepContext<'_>) -> Option<Self> {
        let fluid = ctx.parameters.fluid;
        let artificial = fluid.artificial_viscosity * fluid.sound_speed * ctx.smoothing_length();
        // The implicit one acts on the velocities that all other forces have made.
        let is_implicit = fluid.viscosity_model == ViscosityModel::Implicit;
        let (across, along) = if is_implicit { (0.0, 0.0) } else { laminar(ctx) };
        let acts = artificial != 0.0 || across != 0.0 || along != 0.0;
        acts.then(|| Self { artificial, across, along, mass: ctx.mass, eta_squared: ctx.eta_squared() })
    }

    /// The pairs' shares of dv_i/dt, m/s².
    #[inline(always)]
    pub fn acceleration<L: Lanes>(&self, pair: Pair<L>) -> Vec3Lanes<L> {
        let Pair { x_ij, v_ij, per_density: [own, other], r_squared, dw_over_r } = pair;
        let (v_x, guarded) = (v_ij.dot(x_ij), r_squared + self.eta_squared);
        // 2m/(ρ_i + ρ_j), the mass over the mean density, times W′/r, over r² + η²: one division for both.
        let weight = dw_over_r * own * other * (2.0 * self.mass) / (guarded * (own + other));
        let approach = v_x.select_below(L::splat(0.0), v_x, L::splat(0.0));
        let along = x_ij * (weight * (approach * self.artificial + v_x * self.along));
        if self.across == 0.0 { along } else { along + v_ij * (weight * guarded * self.across) }
    }

    /// What walls that drag do to particle i, of `velocity` (m/s) and `density` (kg/m³) at `position` (m), m/s².
    pub fn at_walls<K: SmoothingKernel>(
        &self,
        kernel: K,
        ctx: &StepContext<'_>,
        walls: &BoundaryParticles,
        (i, position, velocity, density): (usize, Vec3, Vec3, f32),
    ) -> Vec3 {
        let mut sum = Vec3::ZERO;
        if walls.mirrored.is_empty() || (self.across == 0.0 && self.along == 0.0) {
            return sum;
        }
        for &b in ctx.walls.of(i) {
            let b = b as usize;
            if walls.no_slip[b] {
                let x_ib = ctx.minimum_image(position, walls.positions[b]);
                sum += wall_drag(kernel, ctx, walls, b, (x_ib, velocity, density));
            }
        }
        sum
    }
}

/// The pass: dv/dt of every particle from viscosity alone, m/s².
pub(super) struct Accelerate<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    pub viscosity: Viscosity,
    pub walls: &'a BoundaryParticles,
    /// With 1/ρ, m³/kg, beside the velocities.
    pub buffers: &'a GatherBuffers,
}

impl<K: SmoothingKernel> Gather for Accelerate<'_, K> {
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
            sum = sum + viscosity.acceleration(Pair { x_ij, v_ij, per_density, r_squared, dw_over_r });
        }
        sum.sum() + viscosity.at_walls(kernel, ctx, self.walls, (i, position, velocity, per_density.recip()))
    }
}

/// What boundary particle b, whose wall drags, does to fluid of `velocity` (m/s) and `density` (kg/m³) at `x_ib` (m) from it, m/s².
#[inline]
pub(crate) fn wall_drag<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    walls: &BoundaryParticles,
    b: usize,
    (x_ib, velocity, density): (Vec3, Vec3, f32),
) -> Vec3 {
    let (across, along) = laminar(ctx);
    let rest_density = ctx.discretization.rest_density;
    let v_ib = velocity - walls.mirrored[b];
    let r_squared = x_ib.length_squared();
    let dw = kernel.dw_over_r(r_squared.sqrt());
    let weight = 2.0 * rest_density * walls.volumes[b] / (density + rest_density) * dw;
    weight * (along * v_ib.dot(x_ib) / (r_squared + ctx.eta_squared()) * x_ib + across * v_ib)
}

/// Coefficients of the laminar viscosity across and along the line between two particles, m²/s.
fn laminar(ctx: &StepContext<'_>) -> (f32, f32) {
    let viscosity = ctx.parameters.fluid.kinematic_viscosity;
    match ctx.parameters.fluid.viscosity_model {
        ViscosityModel::Morris => (2.0 * viscosity, 0.0),
        ViscosityModel::Central | ViscosityModel::Implicit => {
            (0.0, 2.0 * (ctx.discretization.dimensions.count() + 2) as f32 * viscosity)
        }
    }
}
