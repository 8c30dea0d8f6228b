//! Velocities that a solver's step leads to: those after the step, and those with which the particles move, smoothed by XSPH and
//! shifted.

use super::surface::{SurfaceIndicator, surface_indicators, surface_normals, threshold};
use crate::boundary::{BoundaryParticles, SolidTerms};
use crate::forces::Flow;
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::Method;
use crate::particles::Particles;
use crate::passes::{Gather, StepContext, gather, sum_cells, sweep};
use crate::report::held;
use crate::simd::{Lanes, Vec3Lanes};
use glam::{DVec3, Vec3, Vec4};

/// Velocities that a step leads to, one entry per particle. The particles keep their state until the step is accepted.
#[derive(Clone, Debug, Default)]
pub(crate) struct VelocityUpdate {
    /// Velocities after the step, m/s, before they are confined by containers and bodies.
    pub velocities: Vec<Vec3>,
    /// Advection velocities, m/s, with which the positions change; empty if they are the velocities.
    pub advection_velocities: Vec<Vec3>,
    smoothed: Vec<Vec3>,
    shifting: Shifting,
}

impl VelocityUpdate {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { velocities, advection_velocities, smoothed, shifting } = self;
        held(velocities) + held(advection_velocities) + held(smoothed) + shifting.memory()
    }

    /// Velocities with which the positions change, as far as they are computed, m/s.
    pub fn of_positions(&self) -> &[Vec3] {
        let Self { velocities, advection_velocities, .. } = self;
        if advection_velocities.is_empty() { velocities } else { advection_velocities }
    }

    /// Smooths the advection velocities over the neighbours by XSPH; see [`smooth_by_xsph`].
    pub fn smooth(&mut self, ctx: &StepContext<'_>, particles: &Particles) {
        let Particles { positions, densities, .. } = particles;
        let mut smoothed = std::mem::take(&mut self.smoothed);
        smooth_by_xsph(ctx, Flow { positions, velocities: self.of_positions(), densities }, &mut smoothed);
        self.smoothed = std::mem::replace(&mut self.advection_velocities, smoothed);
    }

    /// Adds the shifting velocity to the advection velocities; see [`Shifting`].
    pub fn shift(&mut self, ctx: &StepContext<'_>, particles: &mut Particles, walls: &BoundaryParticles, dt: f32) {
        let Self { velocities, advection_velocities, shifting, .. } = self;
        if advection_velocities.is_empty() {
            advection_velocities.clone_from(velocities);
        }
        shifting.shift(ctx, particles, walls, dt, advection_velocities);
    }
}

// XSPH (Monaghan1989): advection with velocities smoothed over the neighbours, which keeps particles in order.

/// Computes the advection velocities `v_i − ε Σ_j 2m/(ρ_i + ρ_j) v_ij W_ij`, m/s.
///
/// The velocities themselves stay: smoothed, they would lose energy in every step, like a viscosity that depends on dt. Pairs
/// cancel, so that the momentum of the fluid is conserved.
pub(crate) fn smooth_by_xsph(ctx: &StepContext<'_>, flow: Flow<'_>, advection_velocities: &mut Vec<Vec3>) {
    with_kernel!(ctx.kernel, kernel => smooth_with(kernel, ctx, flow, advection_velocities));
}

fn smooth_with<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>, flow: Flow<'_>, advection_velocities: &mut Vec<Vec3>) {
    let Flow { positions, velocities, densities } = flow;
    let share = 2.0 * ctx.parameters.forces.xsph * ctx.mass;
    sweep::map(positions.len(), advection_velocities, |i| {
        let mut sum = Vec3::ZERO;
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            let w = kernel.w(ctx.minimum_image(positions[i], positions[j]).length());
            let density = |k: usize| ctx.lightness(k) * densities[k];
            let pair_density = ctx.mixture.map_or(1.0, |mixture| mixture.pair_density(i, j));
            sum += pair_density * w / (density(i) + density(j)) * (velocities[i] - velocities[j]);
        }
        velocities[i] - share * ctx.lightness(i) * sum
    });
}

// Particle shifting (Lind2012, Sun2017): particles are displaced a little down the gradient of their concentration.
//
// Without it, particles in vortices line up along the streamlines, with gaps between the lines, and under negative pressure they
// clump.

/// Largest shift in a step, in particle spacings.
const MAX_SHIFT: f32 = 0.1;

/// Workspace of particle shifting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shifting {
    /// Positions, m, in the layout for gathering, with D as w.
    places: Vec<Vec4>,
    surface_indicators: Vec<SurfaceIndicator>,
    /// Normals of the free surface, inwards; zero away from it, and no entries without one.
    normals: Vec<Vec3>,
    /// Shifting velocities δv, m/s, in the layout for gathering; w is unused.
    shifts: Vec<Vec4>,
    /// Σ_j V δv_j·∇W, 1/s.
    divergences: Vec<f32>,
}

impl Shifting {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { places, surface_indicators, normals, shifts, divergences } = self;
        held(places) + held(surface_indicators) + held(normals) + held(shifts) + held(divergences)
    }

    /// Adds the shifting velocity `δv = −A h U ∇C` to the advection velocities, m/s, with the concentration gradient
    /// `∇C = Σ_j V_j ∇W` and the speed of the flow `U = max |v_i − v̄|`, where v̄ is the mean velocity: one speed for all
    /// particles (Sun2017), the same in every frame that moves evenly. The shift dt δv is at most a tenth of a spacing. The
    /// velocities themselves stay.
    ///
    /// Near a free surface ∇C points inwards, as there is no fluid outside, and δv would widen the fluid: its angular momentum
    /// would grow, and suction then does work on it. So δv is tangential there, `(1 − n ⊗ n) δv` with the normal n (Sun2017), and
    /// fades to 0 at the surface: it is multiplied by `(D − F)/(d − F)` with `D = −Σ_j V_j r·∇W` and F, the threshold of D at a
    /// surface.
    ///
    /// The densities of WCSPH change with the shift as with any motion: `dρ_i = dt ρ_i Σ_j V_j (δv_i − δv_j)·∇W` (after
    /// Sun2019, who also exchanges mass and momentum between particles). Without this term they drift away from the summed
    /// densities, by 1 % in the time in which the lid of the driven cavity travels its length.
    pub fn shift(
        &mut self,
        ctx: &StepContext<'_>,
        particles: &mut Particles,
        walls: &BoundaryParticles,
        dt: f32,
        advection_velocities: &mut [Vec3],
    ) {
        let Self { places, surface_indicators: indicators, normals, shifts, divergences } = self;
        let Particles { positions, velocities, densities, .. } = particles;
        let dimensions = ctx.discretization.dimensions;
        let surface = threshold(dimensions);
        let range = dimensions.count() as f32 - surface;
        let factor = ctx.parameters.solver.shifting * ctx.smoothing_length() * flow_speed(ctx, velocities);
        let max_speed = MAX_SHIFT * ctx.discretization.particle_spacing / dt;
        sweep::map(positions.len(), places, |i| positions[i].extend(0.0));
        with_kernel!(ctx.kernel, kernel => {
            surface_indicators(SolidTerms { kernel, ctx, walls }, places, indicators);
            sweep::update(places, |i, place| place.w = indicators[i].divergence);
            normals.clear();
            if sweep::max(positions.len(), |i| surface - indicators[i].divergence) > 0.0 {
                surface_normals(kernel, ctx, places, normals);
            }
            sweep::map(positions.len(), shifts, |i| {
                let SurfaceIndicator { divergence, gradient } = indicators[i];
                let normal = normals.get(i).copied().unwrap_or_default();
                let share = ((divergence - surface) / range).clamp(0.0, 1.0);
                let shift = -factor * share * (gradient - gradient.dot(normal) * normal);
                // With dt = 0 the bound is infinite. A velocity that is NaN stays NaN, and the step is refused for it.
                shift.clamp_length_max(max_speed).extend(0.0)
            });
            if ctx.parameters.solver.method == Method::Wcsph {
                gather(places.len(), divergences, &ShiftDivergencePass { kernel, ctx, places, shifts });
                sweep::update(densities, |i, density| {
                    *density *= 1.0 + dt * (shifts[i].truncate().dot(indicators[i].gradient) - divergences[i]);
                });
            }
        });
        sweep::update(advection_velocities, |i, velocity| *velocity += shifts[i].truncate());
    }
}

/// Speed of the flow, m/s: the largest difference of a velocity from the mean velocity.
fn flow_speed(ctx: &StepContext<'_>, velocities: &[Vec3]) -> f32 {
    let sum: DVec3 = sum_cells(ctx.cells, |i| velocities[i].as_dvec3().to_array()).into();
    let mean = (sum / velocities.len().max(1) as f64).as_vec3();
    sweep::max(velocities.len(), |i| (velocities[i] - mean).length())
}

/// Pass for `Σ_j V δv_j·∇W`, the neighbours' part of the density change by shifting.
struct ShiftDivergencePass<'a, K> {
    kernel: K,
    ctx: &'a StepContext<'a>,
    places: &'a [Vec4],
    shifts: &'a [Vec4],
}

impl<K: SmoothingKernel> Gather for ShiftDivergencePass<'_, K> {
    type Value = f32;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> f32 {
        let Self { kernel, ctx, places, shifts } = *self;
        let place = places[i].truncate();
        let mut sum = L::splat(0.0);
        for (block, left) in rows.blocks(i) {
            let [x, y, z, _] = L::gather(places, block);
            let x_ij = ctx.minimum_image_lanes(place, Vec3Lanes { x, y, z });
            let [x, y, z, _] = L::gather(shifts, block);
            let dw = kernel.dw_over_r(x_ij.length_squared().sqrt());
            sum = sum + (Vec3Lanes { x, y, z }.dot(x_ij) * dw).keep(left);
        }
        ctx.rest_volume() * sum.sum()
    }
}
