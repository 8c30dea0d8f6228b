//! Forces other than pressure, the same for every solver: a file each; here they are applied, and their state is kept from step to step.

mod adhesion;
mod external;
mod implicit_viscosity;
mod list;
mod micropolar;
mod particle_force;
mod surface_tension;
mod viscosity;
#[cfg(test)]
mod wall_friction;

pub use external::{CentralLaw, ExternalForce, ExternalForces, Keyframe};
pub use list::Force;

pub(crate) use particle_force::{Flow, ForceInput};
pub(crate) use viscosity::{Laminar, Pair, Viscosity, implicit_weight};

use crate::boundary::{BoundaryParticles, Reactions, SolidTerms, mirror};
use crate::kernel::SmoothingKernel;
use crate::parameters::ViscosityModel;
use crate::passes::{GatherBuffers, StepContext, gather, sweep};
use crate::report::ViscositySolve;
use glam::Vec3;
use implicit_viscosity::{ImplicitViscosity, ViscosityProblem};
use list::with_forces;
use particle_force::ParticleForce;
use viscosity::ViscosityPass;

/// State of the forces from step to step, and their workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceState {
    viscosity: ImplicitViscosity,
    /// Report of the latest viscosity solve.
    pub solve: ViscositySolve,
    /// Forces other than viscosity.
    others: Forces,
}

impl ForceState {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { viscosity, solve: _, others } = self;
        viscosity.memory() + others.memory()
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
        self.add_others(ForceInput { kernel, ctx, flow, walls, spins }, accelerations);
    }

    /// Accelerations, m/s², by explicit viscosity, and by each of the other forces of [`ForceState::accelerate`] in the order of
    /// [`Force::ALL`]. `buffers` is workspace.
    pub fn accelerations_by_cause<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        flow: Flow<'_>,
        walls: &mut BoundaryParticles,
        spins: &[Vec3],
        buffers: &mut GatherBuffers,
    ) -> (Vec<Vec3>, [Vec<Vec3>; Force::COUNT]) {
        let mut viscosity = Vec::new();
        Self::prepare_walls(kernel, ctx, flow, walls);
        set_viscous(kernel, ctx, flow, walls, (buffers, &mut viscosity));
        (viscosity, self.others.by_cause(ForceInput { kernel, ctx, flow, walls, spins }))
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
    pub fn add_others<K: SmoothingKernel>(&mut self, input: ForceInput<'_, K>, accelerations: &mut [Vec3]) {
        self.others.add(input, accelerations);
    }

    /// Adds the reactions to the drag and the other forces of [`ForceState::accelerate`] for `duration`, s.
    pub fn react<K: SmoothingKernel>(input: ForceInput<'_, K>, duration: f32, reactions: &mut Reactions) {
        let ForceInput { kernel, ctx, flow, walls, .. } = input;
        SolidTerms { kernel, ctx, walls }.react_to_drag(Laminar::explicit(ctx), flow, duration, reactions);
        Forces::react(input, duration, reactions);
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
        if micropolar::Spin::acts(ctx) {
            self.others.micropolar.advance(ctx, flow, spins, dt);
        } else {
            self.others.micropolar = micropolar::Spin::default();
        }
    }

    /// Accepts the spin of the last step.
    pub fn commit(&mut self, spins: &mut Vec<Vec3>) {
        self.others.micropolar.commit(spins);
    }
}

// The forces of the list, each called in turn.

macro_rules! define_forces {
    ($($(#[$cfg:meta])? $force:ident in $module:ident, $name:literal;)+) => {
        /// Workspace of the forces of the list, and what they keep from step to step.
        #[derive(Clone, Debug, Default)]
        struct Forces {
            $($(#[$cfg])? $module: $module::$force,)+
        }

        impl Forces {
            /// Bytes on the heap.
            fn memory(&self) -> usize {
                [$($(#[$cfg])? self.$module.memory(),)+].into_iter().sum()
            }

            /// Adds the accelerations by all forces that act, m/s².
            fn add<K: SmoothingKernel>(&mut self, input: ForceInput<'_, K>, accelerations: &mut [Vec3]) {
                $($(#[$cfg])? {
                    if $module::$force::acts(input.ctx) {
                        self.$module.add(input, accelerations);
                    }
                })+
            }

            /// Accelerations by each force, m/s².
            fn by_cause<K: SmoothingKernel>(&mut self, input: ForceInput<'_, K>) -> [Vec<Vec3>; Force::COUNT] {
                let mut causes = [(); Force::COUNT].map(|()| vec![Vec3::ZERO; input.flow.positions.len()]);
                $($(#[$cfg])? {
                    if $module::$force::acts(input.ctx) {
                        self.$module.add(input, &mut causes[Force::$force as usize]);
                    }
                })+
                causes
            }

            /// Adds the reactions on solids to all forces that act for `duration`, s.
            fn react<K: SmoothingKernel>(input: ForceInput<'_, K>, duration: f32, reactions: &mut Reactions) {
                $($(#[$cfg])? {
                    if $module::$force::acts(input.ctx) {
                        $module::$force::react(input, duration, reactions);
                    }
                })+
            }
        }

        impl Force {
            /// True if the force acts between fluid and solids, so that solids feel a reaction.
            pub fn reacts(self) -> bool {
                match self { $($(#[$cfg])? Self::$force => $module::$force::REACTS,)+ }
            }
        }
    };
}

with_forces!(define_forces);

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
            buffers.fill(positions, velocities, |i| (ctx.lightness(i) * densities[i]).recip());
            let pass = ViscosityPass { kernel, ctx, viscosity, walls, buffers };
            gather(positions.len(), accelerations, &pass);
        }
        None => sweep::map(positions.len(), accelerations, |_| Vec3::ZERO),
    }
}
