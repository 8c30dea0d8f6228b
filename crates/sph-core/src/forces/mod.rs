//! Forces other than pressure, the same for every solver: a file each; here they are applied, and their state is kept from step to step.

mod adhesion;
mod external;
mod implicit_viscosity;
mod micropolar;
mod surface_tension;
mod viscosity;

pub use external::{CentralLaw, ExternalForce, ExternalForces, Keyframe};

pub(crate) use adhesion::Adhesion;
pub(crate) use viscosity::{Laminar, Pair, Viscosity, implicit_weight};

use crate::boundary::{BoundaryParticles, Reactions, Solids, mirror};
use crate::kernel::SmoothingKernel;
use crate::parameters::ViscosityModel;
use crate::passes::{GatherBuffers, StepContext, gather, sweep};
use crate::report::{ViscositySolve, held};
use glam::Vec3;
use implicit_viscosity::{ImplicitViscosity, ViscosityProblem};
use micropolar::Spin;
use viscosity::ViscosityPass;

/// State of the fluid that the forces read: one entry per particle in every array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a> {
    /// Positions, m.
    pub positions: &'a [Vec3],
    /// Velocities, m/s.
    pub velocities: &'a [Vec3],
    /// Densities, kg/m³.
    pub densities: &'a [f32],
}

/// State of the forces from step to step, and their workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceState {
    viscosity: ImplicitViscosity,
    /// Report of the latest viscosity solve.
    pub solve: ViscositySolve,
    spin: Spin,
    /// Normals, workspace of surface tension.
    normals: Vec<Vec3>,
}

impl ForceState {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { viscosity, solve: _, spin, normals } = self;
        viscosity.memory() + spin.memory() + held(normals)
    }

    /// Computes the accelerations, m/s², by all explicit forces between particles other than pressure; external forces are not
    /// included. Updates the mirrored velocities of no-slip walls. `buffers` is workspace.
    pub fn accelerate<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        flow: Flow<'_>,
        walls: &mut BoundaryParticles,
        spins: &[Vec3],
        (buffers, accelerations): (&mut GatherBuffers, &mut Vec<Vec3>),
    ) {
        Self::prepare_walls(kernel, ctx, flow, walls);
        set_viscous(kernel, ctx, flow, walls, (buffers, accelerations));
        self.add_others(kernel, ctx, flow, walls, spins, accelerations);
    }

    /// Accelerations, m/s², by each of the forces of [`ForceState::accelerate`]: explicit viscosity, surface tension, adhesion and
    /// transfer of spin. `buffers` is workspace.
    pub fn accelerations_by_cause<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        flow: Flow<'_>,
        walls: &mut BoundaryParticles,
        spins: &[Vec3],
        buffers: &mut GatherBuffers,
    ) -> [Vec<Vec3>; 4] {
        let mut causes = [(); 4].map(|()| vec![Vec3::ZERO; flow.positions.len()]);
        let [viscosity, tension, adhesion, spin] = &mut causes;
        Self::prepare_walls(kernel, ctx, flow, walls);
        set_viscous(kernel, ctx, flow, walls, (buffers, viscosity));
        if ctx.has_surface_tension() {
            surface_tension::add(kernel, ctx, flow, &mut self.normals, tension);
        }
        if let Some(by_walls) = Adhesion::of(ctx) {
            adhesion::add((kernel, by_walls), ctx, flow, walls, adhesion);
        }
        if ctx.parameters.forces.vorticity_transfer > 0.0 {
            micropolar::add(kernel, ctx, flow, spins, spin);
        }
        causes
    }

    /// Updates the mirrored velocities of no-slip walls.
    pub fn prepare_walls<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>, flow: Flow<'_>, walls: &mut BoundaryParticles) {
        if walls.has_no_slip() && ctx.is_viscous() {
            mirror(kernel, ctx, (flow.positions, flow.velocities), walls);
        } else {
            walls.mirrored.clear();
        }
    }

    /// Adds to `accelerations`, m/s², the forces of [`ForceState::accelerate`] other than viscosity.
    pub fn add_others<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        flow: Flow<'_>,
        walls: &BoundaryParticles,
        spins: &[Vec3],
        accelerations: &mut [Vec3],
    ) {
        let forces = ctx.parameters.forces;
        if ctx.has_surface_tension() {
            surface_tension::add(kernel, ctx, flow, &mut self.normals, accelerations);
        }
        if let Some(adhesion) = Adhesion::of(ctx) {
            adhesion::add((kernel, adhesion), ctx, flow, walls, accelerations);
        }
        if forces.vorticity_transfer > 0.0 {
            micropolar::add(kernel, ctx, flow, spins, accelerations);
        }
    }

    /// Adds the reactions to the drag and adhesion of [`ForceState::accelerate`] for `duration`, s.
    pub fn react<K: SmoothingKernel>(
        kernel: K,
        ctx: &StepContext<'_>,
        flow: Flow<'_>,
        walls: &BoundaryParticles,
        (duration, reactions): (f32, &mut Reactions),
    ) {
        let solids = Solids { kernel, ctx, walls };
        solids.react_to_drag(Laminar::explicit(ctx), flow, duration, reactions);
        if let Some(adhesion) = Adhesion::of(ctx) {
            solids.react_to_adhesion(adhesion, flow.positions, duration, reactions);
        }
    }

    /// Applies implicit viscosity, if chosen, for `dt` (s) to `velocities` (m/s), after all other forces but pressure, and adds
    /// the reactions. Returns the changes, m/s; `changes` are those of the last solve before, and these afterwards.
    pub fn solve_implicit_viscosity<'a>(
        &mut self,
        ctx: &StepContext<'_>,
        (positions, walls): (&[Vec3], &BoundaryParticles),
        dt: f32,
        (velocities, changes): (&mut [Vec3], &'a mut Vec<Vec3>),
        reactions: &mut Reactions,
    ) -> Option<&'a [Vec3]> {
        let fluid = ctx.parameters.fluid;
        if fluid.viscosity_model != ViscosityModel::Implicit || !ctx.is_viscous() {
            self.viscosity = ImplicitViscosity::default();
            *changes = Vec::new();
            self.solve = ViscositySolve::default();
            return None;
        }
        let problem = ViscosityProblem { ctx, positions, walls, dt };
        self.solve = self.viscosity.solve(problem, (velocities, &mut *changes));
        self.viscosity.react(problem, reactions);
        Some(changes)
    }

    /// Computes the spin after a step of `dt` (s) from `flow`; [`ForceState::commit`] accepts it.
    pub fn advance_spin(&mut self, ctx: &StepContext<'_>, flow: Flow<'_>, spins: &[Vec3], dt: f32) {
        if ctx.parameters.forces.vorticity_transfer > 0.0 {
            self.spin.advance(ctx, flow, spins, dt);
        } else {
            self.spin = Spin::default();
        }
    }

    /// Accepts the spin of the last step.
    pub fn commit(&mut self, spins: &mut Vec<Vec3>) {
        self.spin.commit(spins);
    }
}

/// Sets `accelerations`, m/s², to those by explicit viscosity. `buffers` is workspace.
fn set_viscous<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    Flow { positions, velocities, densities }: Flow<'_>,
    walls: &BoundaryParticles,
    (buffers, accelerations): (&mut GatherBuffers, &mut Vec<Vec3>),
) {
    match Viscosity::of(ctx) {
        Some(viscosity) => {
            buffers.fill((positions, |_| 0.0), (velocities, |i| (ctx.lightness(i) * densities[i]).recip()));
            let pass = ViscosityPass { kernel, ctx, viscosity, walls, buffers };
            gather(positions.len(), accelerations, &pass);
        }
        None => sweep::map(positions.len(), accelerations, |_| Vec3::ZERO),
    }
}
