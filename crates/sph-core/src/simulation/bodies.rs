//! Bodies of a simulation: their positions, and the forces of the fluid on them.

use crate::boundary::{Body, BoundaryParticles, Solids};
use crate::forces::Laminar;
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
    /// Body as it was at time 0.
    pub body: Body,
    /// Displacement since time 0, m.
    pub displacement: Vec3,
    /// Force of the fluid in the last step.
    pub force: BodyForce,
    /// Indices of its boundary particles.
    particles: Range<usize>,
    /// Positions of the particles at time 0, m; empty for a body that never moves.
    initial: Vec<Vec3>,
}

/// Force of the fluid on a body, N (N/m in two dimensions): the reaction to the force of the body's particles on the fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyForce {
    /// Force by pressure; with DFSPH that of both solves.
    pub pressure: DVec3,
    /// Force by laminar viscosity; zero for a body with free slip.
    pub viscous: DVec3,
}

/// All bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub placed: Vec<PlacedBody>,
    scratch: Vec<[Vec3; 2]>,
}

impl Bodies {
    /// Appends the particles of the bodies of `setup`, at `time` (s), to `walls`, bodies that never move first. `volume` (m³) is the volume of
    /// a particle at distances of one spacing.
    pub fn new(setup: &Setup, (domain, time): (&Domain, f64), volume: f32, walls: &mut BoundaryParticles) -> Self {
        let Setup { bodies, discretization, wall_sampling, .. } = setup;
        let mut placed: Vec<Option<PlacedBody>> = vec![None; bodies.len()];
        for moving in [false, true] {
            walls.moving_from = walls.len();
            for (slot, body) in placed.iter_mut().zip(bodies).filter(|(_, body)| body.motion.moves() == moving) {
                let first = walls.len();
                body.sample(discretization, *wall_sampling, volume, walls);
                walls.positions[first..].iter_mut().for_each(|position| *position = domain.wrap(*position));
                let initial = if moving { walls.positions[first..].to_vec() } else { Vec::new() };
                let (particles, force) = (first..walls.len(), BodyForce::default());
                *slot = Some(PlacedBody { body: body.clone(), displacement: Vec3::ZERO, force, particles, initial });
            }
        }
        let mut placed = Self { placed: placed.into_iter().flatten().collect(), scratch: Vec::new() };
        placed.place(time, domain, walls);
        placed
    }

    /// True if any body ever moves.
    pub fn move_at_all(&self) -> bool {
        self.placed.iter().any(|body| !body.initial.is_empty())
    }

    /// Sets positions, velocities and accelerations of the bodies' particles to those at `time`, s.
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

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m) enters no body between `times[0]` and
    /// `times[1]`, s.
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
            let body_velocity = if initial.is_empty() {
                Vec3::ZERO
            } else {
                ((body.motion.displacement(times[1]) - body.motion.displacement(times[0])) / dt).as_vec3()
            };
            let from_middle = wrap.minimum_image(position, domain.wrap(body.middle() + *displacement));
            body.confine(dimensions, clearance, dt as f32, (from_middle, body_velocity), velocity)
        })
    }

    /// Bytes on the heap, without the tables of the motions.
    pub fn memory(&self) -> usize {
        held(&self.placed) + self.placed.iter().map(|body| held(&body.initial)).sum::<usize>() + held(&self.scratch)
    }

    /// Computes the forces on the bodies from the present pressures and velocities.
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
                sweep::map(rows.len(), scratch, |index| {
                    force_on_wall(kernel, ctx, (fluid, divergence_pressure), walls, rows.start + index)
                });
            });
            let total = |part: usize| scratch.iter().map(|parts| parts[part].as_dvec3()).sum::<DVec3>();
            *force = BodyForce { pressure: total(0), viscous: total(1) };
        }
    }
}

/// Force on the boundary particle of a row of [`StepContext::wall_neighbors`] by pressure and by viscosity, N: −m times the
/// accelerations that it causes in its fluid neighbours.
fn force_on_wall<K: SmoothingKernel>(
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
        // (p_f + p_b)/ρ_f for WCSPH, k_f + k_b for the solvers with the unknown k, plus that of a divergence solve.
        let divergence =
            divergence_pressure.map_or(0.0, |DivergencePressure { k, wall_k, dt_ratio, .. }| dt_ratio * (k[f] + wall_k[b]));
        let sum = if iterative {
            fluid.pressures[f] * rest_density / (density * density) + walls.pressures[b] / rest_density
        } else {
            (fluid.pressures[f] + walls.pressures[b]) / density
        };
        pressure += walls.volumes[b] * (sum + divergence) * kernel.grad_w(x_fb);
        if walls.no_slip[b] && !walls.mirrored.is_empty() {
            // Viscosity has acted on the velocity after the divergence solve.
            let change = divergence_pressure
                .map_or(Vec3::ZERO, |DivergencePressure { dt, accelerations, .. }| dt * accelerations[f].truncate());
            let solids = Solids { kernel, ctx, walls };
            viscous -= solids.drag_by(b, Laminar::of(ctx), x_fb, fluid.velocities[f] + change, density);
        }
    }
    [ctx.mass * pressure, ctx.mass * viscous]
}
