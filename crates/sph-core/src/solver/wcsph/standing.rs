//! What is computed once a step of WCSPH: gradients and diffusion weights of all pairs, viscosity and other forces, and the sums at its
//! beginning.

use super::Wcsph;
use crate::boundary::{BoundaryParticles, SolidTerms};
use crate::forces::{Flow, ForceInput, ForceState, Pair, Viscosity};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::{DensityDiffusion, NegativePressure};
use crate::passes::{GatherBuffers, StepContext, sweep};
use crate::report::{Clock, Phase};
use crate::simd::{Indices, Lanes, Vec3Lanes};
use crate::solver::gradients::{Fill, FluidRowMut, WallRowMut};
use crate::solver::surface::surface_indicators;
use crate::space::lattice_neighbors;
use glam::{Mat3, Vec3, Vec4};

impl Wcsph {
    /// Computes what depends on where the particles of `flow` are, and on how they move now.
    pub(super) fn prepare(
        &mut self,
        ctx: &StepContext<'_>,
        (flow, spins): (Flow<'_>, &[Vec3]),
        walls: &mut BoundaryParticles,
        (forces, buffers): (&mut ForceState, &mut GatherBuffers),
        phases: &mut Clock,
    ) {
        let positions = flow.positions;
        with_kernel!(ctx.kernel, kernel => {
            phases.measure(Phase::Forces, || ForceState::prepare_walls(kernel, ctx, flow, walls));
            phases.measure(Phase::Density, || {
                self.compute_standing(kernel, ctx, flow, walls, buffers);
                if ctx.parameters.solver.wcsph.negative_pressure == NegativePressure::TensileControl {
                    surface_indicators(SolidTerms { kernel, ctx, walls }, &buffers.positions, &mut self.surface_indicators);
                }
            });
            phases.measure(Phase::Forces, || {
                let standing = &self.standing;
                sweep::map(positions.len(), &mut self.forces, |i| standing[i].viscous + ctx.external.at(positions[i]));
                forces.add_others(ForceInput { kernel, ctx, flow, walls, spins }, &mut self.forces);
                self.approach_speed = sweep::max(positions.len(), |i| standing[i].approach);
            });
            phases.measure(Phase::Walls, || self.wall_extrapolation.prepare(kernel, ctx, positions, walls, ctx.external));
        });
    }

    /// Caches the gradients and weights of all pairs, and computes the standing sums, with the form of density diffusion in the
    /// parameters.
    fn compute_standing<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        Flow { positions, velocities, densities }: Flow<'_>,
        walls: &BoundaryParticles,
        buffers: &mut GatherBuffers,
    ) {
        let Self { gradients, standing, slopes, .. } = self;
        let count = positions.len();
        let sound_speed = ctx.parameters.fluid.sound_speed;
        let compressibility = ctx.discretization.rest_density / (sound_speed * sound_speed);
        let hydrostatic = |position| compressibility * ctx.external.balanced_at(position);
        let uniform = match ctx.parameters.solver.wcsph.diffusion {
            DensityDiffusion::Molteni => Some(Vec3::ZERO),
            DensityDiffusion::Fourtakas if ctx.external.is_uniform() && ctx.mixture.is_none() => Some(hydrostatic(Vec3::ZERO)),
            DensityDiffusion::Fourtakas => {
                sweep::map(count, slopes, |i| (ctx.relative_rest_density(i) * hydrostatic(positions[i])).extend(0.0));
                None
            }
            DensityDiffusion::Antuono => {
                compute_slopes(kernel, ctx, (positions, densities), slopes);
                None
            }
        };
        buffers.fill(positions, velocities, |i| (ctx.lightness(i) * densities[i]).recip());
        let GatherBuffers { positions, vectors: motions } = &*buffers;
        let solids = SolidTerms { kernel, ctx, walls };
        let (viscosity, full_support) = (Viscosity::of(ctx), lattice_neighbors(ctx.discretization) as f32);
        let (kernel, positions) = ((kernel, ctx), (positions.as_slice(), [].as_slice()));
        match uniform {
            Some(slope) => {
                let pass = StandingPass { solids, motions, viscosity, slope: Uniform(slope), full_support };
                gradients.fill(kernel, positions, walls, (standing, &pass));
            }
            None => {
                let pass = StandingPass { solids, motions, viscosity, slope: Mean(slopes), full_support };
                gradients.fill(kernel, positions, walls, (standing, &pass));
            }
        }
    }
}

/// Sums over the neighbours of a particle at the beginning of a step, the same in all its acoustic steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// Acceleration by viscosity, m/s².
    pub viscous: Vec3,
    /// Part of the diffusion of density by the gradient that it leaves alone, `Σ_j ω_ij G_ij·(x_i − x_j)`, kg/m⁵.
    pub diffusion: f32,
    /// 1 in spray, 0 where the support is filled.
    pub spray: f32,
    /// Stiffness `h² (|Σ V∇W|² + Σ_j |V∇W|² b_j/b_i)` with the lightness b: how strongly the pressure of a
    /// particle changes its own rate of compression.
    pub stiffness: f32,
    /// Approach speed max |h v_ij·x_ij / (r² + η²)| over the neighbours, m/s.
    pub approach: f32,
}

// The continuity equation sees no expansion of a particle that has no neighbours to move away from. A drop of one or two
// particles would keep the density with which it left a splash, bring its pressure along, and throw apart whatever it meets.
// So the density of spray relaxes to the rest density, in the time in which sound crosses the smoothing length.

/// Fill of the support below which a particle is spray. At a flat surface 0.57 to 0.63 of the lattice's neighbours are there, at a
/// right-angled corner in the plane 0.32 to 0.38. Nearer one half, the convex surface of a drop would be spray, and the drop too stiff.
const SPRAY_FILL: f32 = 0.35;

/// Pass that caches gradients and weights, and computes the standing sums.
struct StandingPass<'a, K, S> {
    solids: SolidTerms<'a, K>,
    /// Velocities with 1/ρ, m³/kg.
    motions: &'a [Vec4],
    viscosity: Option<Viscosity>,
    slope: S,
    /// Number of neighbours in a full support: those on the lattice.
    full_support: f32,
}

/// Density gradient of a pair that diffusion leaves alone, kg/m⁴.
trait Slope: Sync {
    /// Gradient between particle i and the particles of `indices`.
    fn of<L: Lanes>(&self, i: usize, indices: Indices<'_>) -> Vec3Lanes<L>;
}

/// One gradient for all pairs: zero (Molteni2009), or hydrostatic to first order in g Δy / c₀² (Fourtakas2019), which at c₀ =
/// 10 √(gH) neglects 3 % · Δy/H.
struct Uniform(pub Vec3);

impl Slope for Uniform {
    #[inline(always)]
    fn of<L: Lanes>(&self, _: usize, _: Indices<'_>) -> Vec3Lanes<L> {
        Vec3Lanes::splat(self.0)
    }
}

/// Mean of the gradients of the two particles (Antuono2010).
struct Mean<'a>(pub &'a [Vec4]);

impl Slope for Mean<'_> {
    #[inline(always)]
    fn of<L: Lanes>(&self, i: usize, indices: Indices<'_>) -> Vec3Lanes<L> {
        let [x, y, z, _] = L::gather(self.0, indices);
        (Vec3Lanes { x, y, z } + Vec3Lanes::splat(self.0[i].truncate())) * L::splat(0.5)
    }
}

impl<K: SmoothingKernel, S: Slope> Fill for StandingPass<'_, K, S> {
    type Value = Standing;

    #[inline(always)]
    fn value<L: Lanes>(&self, i: usize, mut fluid: FluidRowMut<'_>, solid: WallRowMut<'_>) -> Standing {
        let Self { solids, motions, viscosity, slope, full_support } = self;
        let SolidTerms { kernel, ctx, walls } = *solids;
        let (volume, eta_squared) = (ctx.rest_volume(), ctx.eta_squared());
        let (position, velocity, per_density) = (fluid.position(), motions[i].truncate(), motions[i].w);
        let (mut viscous, mut gradients) = (Vec3Lanes::<L>::zero(), Vec3Lanes::<L>::zero());
        let (mut diffusion, mut approach, mut squares) = (L::splat(0.0), L::splat(0.0), L::splat(0.0));
        for (n, (block, left)) in fluid.blocks().enumerate() {
            let x_ij = fluid.difference::<L>(block);
            let [x, y, z, other_per_density] = L::gather(motions, block);
            let v_ij = Vec3Lanes::splat(velocity) - Vec3Lanes { x, y, z };
            let r_squared = x_ij.length_squared();
            let inverse = L::splat(1.0) / (r_squared + eta_squared);
            let dw_over_r = kernel.dw_over_r(r_squared.sqrt()).keep(left);
            let volume_dw = dw_over_r * volume;
            let gradient = x_ij * volume_dw;
            let lightness = ctx.mixture.map_or(L::splat(1.0), |mixture| L::gather_numbers(&mixture.lightness, block));
            squares = squares + lightness * gradient.length_squared();
            gradients = gradients + gradient;
            let weights = fluid.store(n, gradient, L::splat(0.0) - volume_dw * r_squared * inverse);
            diffusion = diffusion + (weights * slope.of::<L>(i, block).dot(x_ij)).keep(left);
            approach = approach.max((v_ij.dot(x_ij) * inverse).abs().keep(left));
            if let Some(viscosity) = viscosity {
                let per_density = [L::splat(per_density), other_per_density];
                let pair = Pair { x_ij, v_ij, per_density, r_squared, dw_over_r };
                viscous = viscous
                    + match ctx.mixture {
                        None => viscosity.acceleration(pair),
                        Some(mixture) => viscosity.acceleration_in(mixture, i, block, pair),
                    };
            }
        }
        let (_, gradient) = solid.add_weights::<L, K>(kernel, walls.volumes.as_slice(), position, (0.0, gradients.sum()));
        let drag = viscosity
            .map_or(Vec3::ZERO, |viscosity| solids.drag(viscosity.laminar, (i, position), velocity, per_density.recip()));
        let (h, lightness) = (ctx.smoothing_length(), ctx.lightness(i));
        Standing {
            viscous: lightness * (viscous.sum() + drag),
            diffusion: diffusion.sum(),
            spray: (1.0 - solids.fill(i, *full_support) / SPRAY_FILL).max(0.0),
            stiffness: h * h * (gradient.length_squared() + squares.sum() / lightness),
            approach: h * approach.largest().max(solids.approach(i, position, velocity)),
        }
    }
}

// Density gradients for the density diffusion of Antuono2010.

/// Smallest determinant of L_i⁻¹, 1 inside the fluid: below it a particle has too few neighbours for a gradient.
const LEAST_DETERMINANT: f32 = 0.05;

/// Computes the density gradient of every particle, kg/m⁴: `G_i = L_i Σ_j V_j (ρ_j − ρ_i) ∇W` with
/// `L_i = [Σ_j V_j (x_j − x_i) ⊗ ∇W]⁻¹` (Antuono2010) and V_j = m/ρ_j. Zero with too few neighbours.
fn compute_slopes<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    (positions, densities): (&[Vec3], &[f32]),
    out: &mut Vec<Vec4>,
) {
    let planar = ctx.discretization.dimensions.count() == 2;
    let density = |i: usize| ctx.lightness(i) * densities[i];
    sweep::map(positions.len(), out, |i| {
        let (mut matrix, mut sum) = (Mat3::ZERO, Vec3::ZERO);
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            let x_ij = ctx.minimum_image(positions[i], positions[j]);
            let gradient = ctx.mass / density(j) * kernel.grad_w(x_ij);
            sum += (density(j) - density(i)) * gradient;
            // Columns of (x_j − x_i) ⊗ ∇W; the matrix is symmetric.
            matrix -= Mat3::from_cols(x_ij * gradient.x, x_ij * gradient.y, x_ij * gradient.z);
        }
        if planar {
            matrix.z_axis.z = 1.0;
        }
        // NaN fails the comparison: no gradient.
        let gradient = if matrix.determinant() > LEAST_DETERMINANT { matrix.inverse() * sum } else { Vec3::ZERO };
        gradient.extend(0.0)
    });
}
