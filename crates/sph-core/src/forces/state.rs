//! All forces but pressure, one after the other, and what they keep from step to step.

use super::flow::Flow;
use super::implicit_viscosity::{Friction, ImplicitViscosity};
use super::micropolar::Spin;
use super::viscosity::{Accelerate, Viscosity};
use super::{adhesion, surface_tension};
use crate::boundary::{BoundaryParticles, mirror};
use crate::kernel::SmoothingKernel;
use crate::parameters::ViscosityModel;
use crate::passes::{GatherBuffers, StepContext, gather, sweep};
use crate::report::{ViscositySolve, held};
use glam::Vec3;

/// What forces keep from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceState {
    viscosity: ImplicitViscosity,
    /// The latest solve.
    pub solve: ViscositySolve,
    spin: Spin,
    /// Workspace of surface tension.
    normals: Vec<Vec3>,
}

impl ForceState {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { viscosity, solve: _, spin, normals } = self;
        viscosity.memory() + spin.memory() + held(normals)
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.viscosity.reorder(order);
        self.spin.reorder(order);
    }

    /// `accelerations[i]`, m/s², from all forces between particles but pressure and what is implicit; those from outside are not among
    /// them. Walls that drag are given the velocities with which they do. `buffers` is workspace.
    pub fn accelerate<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        flow: Flow<'_>,
        walls: &mut BoundaryParticles,
        (buffers, accelerations): (&mut GatherBuffers, &mut Vec<Vec3>),
    ) {
        let Flow { positions, velocities, densities } = flow;
        Self::prepare_walls(kernel, ctx, flow, walls);
        match Viscosity::of(ctx) {
            Some(viscosity) => {
                buffers.fill((positions, |_| 0.0), (velocities, |i| densities[i].recip()));
                let pass = Accelerate { kernel, ctx, viscosity, walls, buffers };
                gather(positions.len(), accelerations, &pass);
            }
            None => sweep::map(positions.len(), accelerations, |_| Vec3::ZERO),
        }
        self.add_others(kernel, ctx, flow, walls, accelerations);
    }

    /// Gives walls that drag the velocities with which they do.
    pub fn prepare_walls<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>, flow: Flow<'_>, walls: &mut BoundaryParticles) {
        if walls.has_no_slip() && ctx.parameters.fluid.kinematic_viscosity > 0.0 {
            mirror(kernel, ctx, (flow.positions, flow.velocities), walls);
        } else {
            walls.mirrored.clear();
        }
    }

    /// Adds to `accelerations`, m/s², all forces of [`ForceState::accelerate`] but viscosity.
    pub fn add_others<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        flow: Flow<'_>,
        walls: &BoundaryParticles,
        accelerations: &mut [Vec3],
    ) {
        let forces = ctx.parameters.forces;
        if forces.surface_tension > 0.0 {
            surface_tension::add(kernel, ctx, flow, &mut self.normals, accelerations);
        }
        if forces.adhesion > 0.0 {
            adhesion::add(ctx, flow, walls, accelerations);
        }
        if forces.vorticity_transfer > 0.0 {
            self.spin.add(kernel, ctx, flow, accelerations);
        }
    }

    /// Lets implicit viscosity, where it is chosen, act for `dt` (s) on the velocities (m/s) that everything else but pressure has made;
    /// what it did to each, m/s.
    pub fn solve_implicit_viscosity(
        &mut self,
        ctx: &StepContext<'_>,
        (positions, walls): (&[Vec3], &BoundaryParticles),
        dt: f32,
        velocities: &mut [Vec3],
    ) -> Option<&[Vec3]> {
        let fluid = ctx.parameters.fluid;
        if fluid.viscosity_model != ViscosityModel::Implicit || fluid.kinematic_viscosity == 0.0 {
            self.viscosity = ImplicitViscosity::default();
            self.solve = ViscositySolve::default();
            return None;
        }
        self.solve = self.viscosity.solve(Friction { ctx, positions, walls, dt }, velocities);
        Some(&self.viscosity.change)
    }

    /// Works out the spin after a step of `dt` (s) from `flow`; [`ForceState::commit`] makes it so.
    pub fn advance_spin(&mut self, ctx: &StepContext<'_>, flow: Flow<'_>, dt: f32) {
        if ctx.parameters.forces.vorticity_transfer > 0.0 {
            self.spin.advance(ctx, flow, dt);
        } else {
            self.spin = Spin::default();
        }
    }

    /// The step is kept.
    pub fn commit(&mut self) {
        self.spin.commit();
    }

    #[cfg(test)]
    pub fn set_spin(&mut self, rates: Vec<Vec3>) {
        self.spin.rates = rates;
    }

    /// Angular velocity of every particle, 1/s; empty where nothing spins.
    pub fn spin(&self) -> &[Vec3] {
        &self.spin.rates
    }
}
