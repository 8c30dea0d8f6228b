//! Terms of everything solid in the equations of the fluid, one after the other: what boundary particles and analytic planes add
//! to a sum over the neighbours of a fluid particle.

use super::{BoundaryParticles, Cause, Planes, Reactions, WallIntegral};
use crate::forces::{ExternalForces, Flow, Laminar, implicit_weight};
use crate::kernel::SmoothingKernel;
use crate::parameters::WallPressure;
use crate::passes::{Mixture, StepContext};
use glam::{Mat3, Vec3};

// The solids that a pass sees, and the walk over those near a particle that every term shares.

/// Everything solid that the fluid feels: boundary particles of containers and bodies, and analytic planes. Passes do not know
/// the two apart.
#[derive(Clone, Copy)]
pub(crate) struct SolidTerms<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    pub walls: &'a BoundaryParticles,
}

impl<'a, K> SolidTerms<'a, K> {
    /// Boundary particles b near fluid particle i at `position` (m), with `x_i − x_b`, m.
    #[inline(always)]
    pub fn near(&self, i: usize, position: Vec3) -> impl Iterator<Item = (usize, Vec3)> + use<'a, K> {
        let (ctx, walls) = (self.ctx, self.walls);
        ctx.walls.of(i).iter().map(move |&b| (b as usize, ctx.minimum_image(position, walls.positions[b as usize])))
    }

    /// Those of no-slip walls.
    #[inline(always)]
    fn near_no_slip(&self, i: usize, position: Vec3) -> impl Iterator<Item = (usize, Vec3)> + use<'a, K> {
        let (ctx, walls) = (self.ctx, self.walls);
        let no_slip = ctx.walls.of(i).iter().map(|&b| b as usize).filter(|&b| walls.no_slip[b]);
        no_slip.map(move |b| (b, ctx.minimum_image(position, walls.positions[b])))
    }
}

// Relative density of solids, `Σ_b V_b W + λ`, and how full a support is with them.

impl<K: SmoothingKernel> SolidTerms<'_, K> {
    /// True if particle i has at least `least` neighbours, fluid or solid. The part of the support behind planes holds no
    /// particles, and needs none.
    pub fn has_neighbors(&self, i: usize, least: f32) -> bool {
        let ctx = self.ctx;
        let neighbors = ctx.fluid.of(i).len() + ctx.walls.of(i).len();
        let open_share = ctx.wall_integrals.get(i).map_or(1.0, |planes| 1.0 - planes.density);
        neighbors as f32 >= open_share * least
    }

    /// Fill of the support of particle i: its neighbours, fluid and solid, over the number `full` in a full support, and the
    /// share of planes.
    #[inline(always)]
    pub fn fill(&self, i: usize, full: f32) -> f32 {
        let ctx = self.ctx;
        let neighbors = ctx.fluid.of(i).len() + ctx.walls.of(i).len();
        neighbors as f32 / full + ctx.wall_integrals.get(i).map_or(0.0, |planes| planes.density)
    }

    /// Adds to `sum` the relative density of the solids near particle i at `position` (m).
    #[inline(always)]
    pub fn add_density(&self, sum: f32, i: usize, position: Vec3) -> f32 {
        let mut solid = 0.0;
        for (b, x_ib) in self.near(i, position) {
            solid += self.walls.volumes[b] * self.kernel.w(x_ib.length());
        }
        sum + solid + self.ctx.wall_integral(position).density
    }
}

// Speed at which fluid approaches solids.

impl<K> SolidTerms<'_, K> {
    /// Approach speed over h of particle i, at `position` (m) with `velocity` (m/s): max |v_ib·x_ib / (r² + η²)|, 1/s.
    #[inline(always)]
    pub fn approach(&self, i: usize, position: Vec3, velocity: Vec3) -> f32 {
        let eta_squared = self.ctx.eta_squared();
        self.near(i, position).fold(0.0f32, |approach, (b, x_ib)| {
            let v_x = (velocity - self.walls.velocity(b)).dot(x_ib);
            approach.max((v_x / (x_ib.length_squared() + eta_squared)).abs())
        })
    }
}

// Part of solids in the surface indicator: position divergence `−Σ_b V_b r·∇W`, and concentration gradient `Σ_b V_b ∇W + ∇λ`.

impl<K: SmoothingKernel> SolidTerms<'_, K> {
    /// Adds to a position divergence, and to a concentration gradient (1/m), the parts of the solids near particle i at
    /// `position` (m).
    #[inline(always)]
    pub fn add_position_divergence(
        &self,
        (mut divergence, mut gradient): (f32, Vec3),
        i: usize,
        position: Vec3,
    ) -> (f32, Vec3) {
        for (b, x_ib) in self.near(i, position) {
            let dw = self.walls.volumes[b] * self.kernel.dw_over_r(x_ib.length());
            divergence -= dw * x_ib.length_squared();
            gradient += dw * x_ib;
        }
        let planes = self.ctx.wall_integral(position);
        (divergence + planes.filling, gradient + planes.gradient)
    }
}

// Reaction to the pressure of solids: `−Σ_b V_b (k + k_b) ∇W`, and the push of planes.

impl<K: SmoothingKernel> SolidTerms<'_, K> {
    /// Adds the reaction to accelerations `−Σ_b V_b (k_i + k_b) ∇W`, m/s², and to the push of planes on fluid at
    /// `positions` (m), for `duration`, s. The gradients are those of the cached pairs, at the exact positions.
    pub fn react_to_solve(&self, positions: &[Vec3], pressures: Pressures<'_>, duration: f32, reactions: &mut Reactions) {
        self.react_to_pressure((positions, |_| 1.0), pressures, duration, reactions);
    }

    /// The same for accelerations times the relative density R of the particle, `relative_density(i)`.
    pub fn react_to_pressure(
        &self,
        (positions, relative_density): (&[Vec3], impl Fn(usize) -> f32 + Sync),
        pressures: Pressures<'_>,
        duration: f32,
        reactions: &mut Reactions,
    ) {
        let Self { ctx, walls, .. } = *self;
        reactions.add(Cause::Pressure, (ctx, walls), duration, |f, b| {
            let x_fb = ctx.minimum_image(positions[f], walls.positions[b]) + ctx.rounding_errors[f];
            -relative_density(f) * self.pressure_gradient(b, x_fb, pressures.fluid[f] + pressures.walls[b])
        });
        let push = |f: usize| relative_density(f) * pressures.planes.push(f, pressures.fluid[f]);
        reactions.add_planes(Cause::Pressure, (ctx, positions), duration, push);
    }

    /// Returns `V_b p ∇W` of boundary particle b for fluid at `x_ib` = x_i − x_b (m), with the sum p of both pressures.
    #[inline(always)]
    fn pressure_gradient(&self, b: usize, x_ib: Vec3, both: f32) -> Vec3 {
        self.walls.volumes[b] * both * self.kernel.grad_w(x_ib)
    }
}

// Pressures of a solve on the fluid by everything solid.

/// Pressures k = p/(ρ₀R²), m²/s², of fluid and solids.
#[derive(Clone, Copy)]
pub(crate) struct Pressures<'a> {
    /// k of the fluid.
    pub fluid: &'a [f32],
    /// k_b of the boundary particles.
    pub walls: &'a [f32],
    pub planes: PlanePressures<'a>,
}

/// Push of planes on the fluid by the pressures k of a solve.
#[derive(Clone, Copy)]
pub(crate) struct PlanePressures<'a> {
    model: WallPressure,
    integrals: Integrals<'a>,
    /// k in the planes, continued to each fluid particle, m²/s².
    continued: &'a [f32],
    /// True if the pressure in the planes rises with the external forces.
    is_hydrostatic: bool,
    /// Unknown of the solve over k: 1, or −dt² for λ = −dt² k.
    unit: f32,
    mixture: Option<&'a Mixture>,
}

/// Source of the integrals over planes.
#[derive(Clone, Copy)]
enum Integrals<'a> {
    /// Those of the positions at the beginning of the step; empty without planes.
    Kept(&'a [WallIntegral]),
    /// Those of other positions, m.
    At(&'a Planes, ExternalForces<'a>, &'a [Vec3]),
}

impl<'a> PlanePressures<'a> {
    /// Pressures k in the planes, for fluid where it is at the beginning of the step.
    pub fn new(ctx: &StepContext<'a>, walls: &'a BoundaryParticles, is_hydrostatic: bool) -> Self {
        let integrals = Integrals::Kept(ctx.wall_integrals);
        Self {
            model: ctx.parameters.solver.walls,
            integrals,
            continued: &walls.at_planes,
            is_hydrostatic,
            unit: 1.0,
            mixture: ctx.mixture,
        }
    }

    /// The same for fluid at other `positions`, m, and an unknown that is `unit` times k.
    pub fn at(self, ctx: &StepContext<'a>, positions: &'a [Vec3], unit: f32) -> Self {
        if ctx.wall_integrals.is_empty() {
            return self;
        }
        Self { integrals: Integrals::At(ctx.planes, ctx.external, positions), unit, ..self }
    }

    /// Push on particle i with the unknown `own`, in the unit of the unknown over a length.
    #[inline(always)]
    pub fn push(&self, i: usize, own: f32) -> Vec3 {
        let integral = match self.integrals {
            Integrals::Kept(integrals) => integrals[i],
            Integrals::At(planes, external, positions) => planes.wall_integral(positions[i], external),
        };
        let pressures = (own / self.unit, self.continued[i]);
        let density = self.mixture.map_or(1.0, |mixture| mixture.lightness[i].recip());
        self.unit * integral.push(self.model, pressures, density, self.is_hydrostatic)
    }
}

// Explicit viscosity between fluid and no-slip walls, which act with mirrored velocities, as fluid of density ρ₀ and mass
// ρ₀V_b.

impl<K: SmoothingKernel> SolidTerms<'_, K> {
    /// Acceleration by no-slip walls of particle i, of `velocity` (m/s) and `density` (kg/m³) at `position` (m), m/s²; as if it
    /// were of the reference fluid, with its own dynamic viscosity.
    #[inline(always)]
    pub fn drag(&self, laminar: Laminar, (i, position): (usize, Vec3), velocity: Vec3, density: f32) -> Vec3 {
        let mut sum = Vec3::ZERO;
        if self.have_drag(laminar) {
            let laminar = laminar.of_particle(self.ctx, i);
            for (b, x_ib) in self.near_no_slip(i, position) {
                sum += self.drag_by(b, laminar, x_ib, velocity, density);
            }
        }
        sum
    }

    /// Adds the reaction to the drag on `flow` for `duration`, s.
    pub fn react_to_drag(&self, laminar: Laminar, flow: Flow<'_>, duration: f32, reactions: &mut Reactions) {
        let (Self { ctx, walls, .. }, Flow { positions, velocities, densities }) = (*self, flow);
        if self.have_drag(laminar) {
            reactions.add(Cause::Viscosity, (ctx, walls), duration, |f, b| {
                if !walls.no_slip[b] {
                    return Vec3::ZERO;
                }
                let x_fb = ctx.minimum_image(positions[f], walls.positions[b]);
                self.drag_by(b, laminar.of_particle(ctx, f), x_fb, velocities[f], ctx.lightness(f) * densities[f])
            });
        }
    }

    fn have_drag(&self, laminar: Laminar) -> bool {
        !self.walls.mirrored.is_empty() && !laminar.is_zero()
    }

    /// Acceleration by no-slip boundary particle b of fluid of `velocity` (m/s) and `density` (kg/m³) at `x_ib` = x_i − x_b
    /// (m), m/s².
    #[inline(always)]
    fn drag_by(&self, b: usize, laminar: Laminar, x_ib: Vec3, velocity: Vec3, density: f32) -> Vec3 {
        let Laminar { across, along } = laminar;
        let rest_density = self.ctx.discretization.rest_density;
        let v_ib = velocity - self.walls.mirrored[b];
        let r_squared = x_ib.length_squared();
        let dw = self.kernel.dw_over_r(r_squared.sqrt());
        let weight = 2.0 * rest_density * self.walls.volumes[b] / (density + rest_density) * dw;
        weight * (along * v_ib.dot(x_ib) / (r_squared + self.ctx.eta_squared()) * x_ib + across * v_ib)
    }
}

// Implicit viscosity between fluid and no-slip walls: `2(d + 2) dt ν Σ_b V_b 2(v_i − v_b)·x/(r² + η²) W′/r x`.
//
// The factor 2 stands for the mirrored wall velocity of the explicit forms, `2 v_b − v_i`, which keeps the term implicit in
// v_i.

impl<K: SmoothingKernel> SolidTerms<'_, K> {
    /// Change of the velocity of particle i, of `velocity` (m/s) at `position` (m), by no-slip walls in `dt` (s), m/s.
    pub fn implicit_drag(&self, dt: f32, (i, position): (usize, Vec3), velocity: Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (b, x_ib) in self.near_no_slip(i, position) {
            sum += self.implicit_drag_by((i, b), dt, x_ib, velocity - self.walls.velocity(b));
        }
        sum
    }

    /// Adds the reaction to [`SolidTerms::implicit_drag`] on fluid of `velocities` (m/s) at `positions` (m).
    pub fn react_to_implicit_drag(&self, dt: f32, (positions, velocities): (&[Vec3], &[Vec3]), reactions: &mut Reactions) {
        let Self { ctx, walls, .. } = *self;
        // Changes of velocity: accelerations that act for a second.
        reactions.add(Cause::Viscosity, (ctx, walls), 1.0, |f, b| {
            if !walls.no_slip[b] {
                return Vec3::ZERO;
            }
            let x_fb = ctx.minimum_image(positions[f], walls.positions[b]);
            self.implicit_drag_by((f, b), dt, x_fb, velocities[f] - walls.velocity(b))
        });
    }

    /// [`SolidTerms::implicit_drag`] with all walls at rest.
    pub fn implicit_drag_at_rest(&self, dt: f32, (i, position): (usize, Vec3), velocity: Vec3) -> Vec3 {
        self.near_no_slip(i, position).map(|(b, x_ib)| self.implicit_drag_by((i, b), dt, x_ib, velocity)).sum()
    }

    /// Subtracts from `block`, the diagonal block of the matrix for particle i, the part of no-slip walls.
    pub fn subtract_implicit_drag(&self, dt: f32, block: Mat3, (i, position): (usize, Vec3)) -> Mat3 {
        self.near_no_slip(i, position).fold(block, |block, (b, x_ib)| {
            let along = self.weight((i, b), dt, x_ib) * x_ib;
            block - Mat3::from_cols(along * x_ib.x, along * x_ib.y, along * x_ib.z)
        })
    }

    /// Change of velocity by no-slip boundary particle b of fluid particle i with the relative velocity `v_ib` (m/s) at `x_ib` (m), m/s.
    fn implicit_drag_by(&self, (i, b): (usize, usize), dt: f32, x_ib: Vec3, v_ib: Vec3) -> Vec3 {
        self.weight((i, b), dt, x_ib) * v_ib.dot(x_ib) * x_ib
    }

    fn weight(&self, (i, b): (usize, usize), dt: f32, x_ib: Vec3) -> f32 {
        let viscosity = self.ctx.mixture.map_or(1.0, |mixture| mixture.viscosity[i]);
        2.0 * viscosity * implicit_weight(self.kernel, self.ctx, dt, (self.walls.volumes[b], x_ib.length_squared()))
    }
}
