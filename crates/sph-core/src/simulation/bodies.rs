//! The bodies of a simulation: where they are, and what the fluid does to them.

use crate::boundary::{Body, BoundaryParticles};
use crate::forces::wall_drag;
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::Dimensions;
use crate::particles::Particles;
use crate::passes::{StepContext, sweep};
use crate::report::held;
use crate::setup::Setup;
use crate::solver::DivergencePressure;
use crate::space::{Domain, Wrap};
use glam::{DVec3, Vec3};
use std::ops::Range;

/// A body at one moment.
#[derive(Clone, Debug)]
pub struct PlacedBody {
    /// What it is, as at time 0.
    pub body: Body,
    /// How far it has come since, m.
    pub displacement: Vec3,
    /// What the fluid did to it in the last step.
    pub force: BodyForce,
    /// Its particles.
    particles: Range<usize>,
    /// Where they were at time 0, m; empty for a body that never moves.
    initial: Vec<Vec3>,
}

/// The force of the fluid on a body, N (N/m in two dimensions): what the body's particles do to the fluid, turned around.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyForce {
    /// By pressure; with DFSPH that of both its solves.
    pub pressure: DVec3,
    /// By laminar viscosity; zero for a body that the fluid slips along.
    pub viscous: DVec3,
}

/// All bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub placed: Vec<PlacedBody>,
    scratch: Vec<[Vec3; 2]>,
}

impl Bodies {
    /// Appends the particles of the bodies of `setup` to `walls`, those that never move first; `volume` (m³) each where they are a spacing apart.
    pub fn new(setup: &Setup, domain: &Domain, volume: f32, walls: &mut BoundaryParticles) -> Self {
        let Setup { bodies, discretization, wall_sampling, .. } = setup;
        let mut placed: Vec<Option<PlacedBody>> = vec![None; bodies.len()];
        for moving in [false, true] {
            walls.moving_from = walls.len();
            for (place, body) in placed.iter_mut().zip(bodies).filter(|(_, body)| body.motion.moves() == moving) {
                let first = walls.len();
                body.sample(discretization, *wall_sampling, volume, walls);
                walls.positions[first..].iter_mut().for_each(|position| *position = domain.wrap(*position));
                let initial = if moving { walls.positions[first..].to_vec() } else { Vec::new() };
                let (particles, force) = (first..walls.len(), BodyForce::default());
                *place = Some(PlacedBody { body: body.clone(), displacement: Vec3::ZERO, force, particles, initial });
            }
        }
        let mut placed = Self { placed: placed.into_iter().flatten().collect(), scratch: Vec::new() };
        placed.place(0.0, domain, walls);
        placed
    }

    /// Whether any body ever moves.
    pub fn move_at_all(&self) -> bool {
        self.placed.iter().any(|body| !body.initial.is_empty())
    }

    /// Puts the bodies' particles where they are at `time` (s), with their velocities and accelerations.
    pub fn place(&mut self, time: f64, domain: &Domain, walls: &mut BoundaryParticles) {
        for PlacedBody { body, displacement, particles, initial, .. } in
            self.placed.iter_mut().filter(|body| !body.initial.is_empty())
        {
            *displacement = body.motion.displacement(time).as_vec3();
            walls.set_motion(particles.clone(), body.motion.velocity(time), body.motion.acceleration(time));
            for (position, start) in walls.positions[particles.clone()].iter_mut().zip(initial) {
                *position = domain.wrap(*start + *displacement);
            }
        }
    }

    /// The velocity (m/s) closest to `velocity` with which a particle at `position` (m) gets into no body while time goes from
    /// `times[0]` to `times[1]` (s).
    pub fn confine(
        &self,
        (dimensions, domain): (Dimensions, &Domain),
        clearance: f32,
        times: [f64; 2],
        position: Vec3,
        velocity: Vec3,
    ) -> Vec3 {
        let wrap = Wrap::new(domain);
        let dt = times[1] - times[0];
        self.placed.iter().fold(velocity, |velocity, PlacedBody { body, displacement, initial, .. }| {
            let own = if initial.is_empty() {
                Vec3::ZERO
            } else {
                ((body.motion.displacement(times[1]) - body.motion.displacement(times[0])) / dt).as_vec3()
            };
            let from_middle = wrap.minimum_image(position, domain.wrap(body.middle() + *displacement));
            body.confine(dimensions, clearance, dt as f32, (from_middle, own), velocity)
        })
    }

    /// Bytes on the heap, but for the tables of their motions.
    pub fn memory(&self) -> usize {
        held(&self.placed) + self.placed.iter().map(|body| held(&body.initial)).sum::<usize>() + held(&self.scratch)
    }

    /// Measures the forces that `fluid` and `walls` have just exchanged.
    pub fn measure(
        &mut self,
        ctx: &StepContext<'_>,
        fluid: &Particles,
        walls: &BoundaryParticles,
        divergence_pressure: Option<DivergencePressure<'_>>,
    ) {
        let Self { placed, scratch } = self;
        for PlacedBody { particles, force, .. } in placed {
            with_kernel!(ctx.kernel, kernel => {
                let rows = ctx.wall_neighbors.rows_of(particles.clone());
                sweep::map(rows.len(), scratch, |index| exchanged(kernel, ctx, (fluid, divergence_pressure), walls, rows.start + index));
            });
            let total = |part: usize| scratch.iter().map(|parts| parts[part].as_dvec3()).sum::<DVec3>();
            *force = BodyForce { pressure: total(0), viscous: total(1) };
        }
    }
}

/// Force on the boundary particle of a row of [`StepContext::wall_neighbors`] by pressure and by viscosity, N: −m times what it does to its fluid neighbours.
fn exchanged<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    (fluid, divergence_pressure): (&Particles, Option<DivergencePressure<'_>>),
    walls: &BoundaryParticles,
    row: usize,
) -> [Vec3; 2] {
    let rest_density = ctx.discretization.rest_density;
    let iterative = ctx.parameters.solver.method.is_iterative();
    let (mut pressure, mut viscous) = (Vec3::ZERO, Vec3::ZERO);
    let (b, near) = ctx.wall_neighbors.row(row);
    for &f in near {
        let f = f as usize;
        let x_fb = ctx.minimum_image(fluid.positions[f], walls.positions[b]);
        let density = fluid.densities[f];
        // (p_f + p_b)/ρ_f, or k_f + k_b of the solvers whose unknown that is.
        let also = divergence_pressure.map_or(0.0, |DivergencePressure { k, walls, share, .. }| share * (k[f] + walls[b]));
        let sum = if iterative {
            fluid.pressures[f] * rest_density / (density * density) + walls.pressures[b] / rest_density
        } else {
            (fluid.pressures[f] + walls.pressures[b]) / density
        };
        pressure += walls.volumes[b] * (sum + also) * kernel.grad_w(x_fb);
        if walls.no_slip[b] && !walls.mirrored.is_empty() {
            let before = divergence_pressure
                .map_or(Vec3::ZERO, |DivergencePressure { dt, accelerations, .. }| dt * accelerations[f].truncate());
            viscous -= wall_drag(kernel, ctx, walls, b, (x_fb, fluid.velocities[f] + before, density));
        }
    }
    [ctx.mass * pressure, ctx.mass * viscous]
}
