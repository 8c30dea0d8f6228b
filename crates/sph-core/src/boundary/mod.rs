//! Everything solid around and in the fluid, and its openings. Containers and bodies, with their motion and their dynamics; the walls made
//! of them, as layers of boundary particles or as analytic planes; their part in the equations of the fluid (terms, wall pressure, no-slip
//! velocities), and the reactions to it; emitters and drains.

mod ball;
mod body;
mod container;
mod dynamics;
mod motion;
mod openings;
mod particles;
mod planes;
mod reactions;
mod sheet;
mod smeared_layers;
mod terms;
mod wall_neighbor_lists;
mod wall_pressure;

pub(crate) use ball::{BallShells, MovingBall};
pub use body::Body;
pub(crate) use body::Support;
pub use container::{Container, Face, Faces};
pub use dynamics::{BodyState, Dynamics, FreeAxis, Freedom, Joint, JointEnd, JointError, JointKind, Load, Motor};
pub(crate) use dynamics::{StepInterval, World};
pub use motion::{AngleLaw, Motion, MotionError, MovedBody, Pose, Rotation};
pub(crate) use motion::{RigidState, StepFrame};
pub use openings::{Aperture, Drain, Emitter, Exchange, OpeningError, Openings, Rate, Schedule};
pub(crate) use openings::{Inflow, Inlet, plane_axes};
pub use particles::BoundaryParticles;
pub use reactions::Reaction;

use crate::parameters::{Discretization, WallSampling};
use crate::space::geometry::{Layers, Side};

impl Layers {
    /// The layers of a solid on one side of its surface.
    fn of(discretization: &Discretization, sampling: WallSampling, side: Side) -> Self {
        let Discretization { dimensions, particle_spacing: spacing, .. } = *discretization;
        let (count, shift) = (sampling.layers(discretization), sampling.shift(discretization));
        Self { dimensions, spacing, count, shift, side }
    }
}

impl WallSampling {
    /// Layers of boundary particles behind a surface. Bodies have as many with [`WallSampling::Analytic`], which is for
    /// containers only.
    pub(crate) fn layers(self, discretization: &Discretization) -> u32 {
        let Discretization { particle_spacing, support_radius, .. } = *discretization;
        match self {
            // Bounded, so that sums of counts do not overflow for a discretisation that has not been validated yet.
            Self::Layers | Self::Analytic => ((support_radius / particle_spacing - 1e-3).ceil() as u32).min(1 << 10),
            Self::SingleLayer => 1,
        }
    }

    /// Additional depth of the layers, m, which without it lie half a spacing behind a surface, one and a half, and so on.
    fn shift(self, discretization: &Discretization) -> f32 {
        match self {
            Self::Layers | Self::Analytic => 0.0,
            Self::SingleLayer => particles::shift(discretization),
        }
    }
}

pub(crate) use particles::calibrate;
pub use planes::Planes;
pub(crate) use planes::WallIntegral;
pub(crate) use reactions::{Cause, Center, PointContact, Reactions, Solid};
pub(crate) use sheet::{MovingTriangle, count_on_triangle, on_triangle, volumes_of_sheet, weights_at};
pub(crate) use terms::{PlanePressures, Pressures, SolidTerms};
pub(crate) use wall_pressure::mirror;

pub(crate) use wall_neighbor_lists::WallNeighborLists;
pub(crate) use wall_pressure::WallPressureExtrapolation;
