//! Pressures of a solve on the fluid by everything solid.

use crate::boundary::{BoundaryParticles, Planes, WallIntegral};
use crate::forces::ExternalForces;
use crate::parameters::WallPressure;
use crate::passes::{Mixture, StepContext};
use glam::Vec3;

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
