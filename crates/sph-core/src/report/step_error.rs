//! Errors of a step.

use super::{Place, Rounded};
use crate::neighbors::TooManyCells;
use glam::Vec3;

/// Error of a step, which then is refused: an invalid state, with the first particle that has it, a failed neighbour search, or a request.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A position, velocity or density would not be finite.
    #[error("particle {particle_id} at {} m would have a state that is not finite", Place(*position))]
    NonFinite {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last valid position, m.
        position: Vec3,
    },
    /// A density would not be positive.
    #[error("particle {particle_id} at {} m would have a density of {} kg/m³", Place(*position), Rounded(*density))]
    Density {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last valid position, m.
        position: Vec3,
        /// Density that it would have, kg/m³.
        density: f32,
    },
    /// A particle would cross more than half a support radius in one step.
    #[error(
        "particle {particle_id} at {} m would reach {} m/s and cross more than half a support radius in one step",
        Place(*position),
        Rounded(*speed)
    )]
    Runaway {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last valid position, m.
        position: Vec3,
        /// Speed that it would reach, m/s.
        speed: f32,
    },
    /// The time step that the limits on dt allow is too small.
    #[error("the time step would be {} s: accelerations or speeds have grown without bound", Rounded(*dt))]
    Stalled {
        /// Time step that the limits allow, s.
        dt: f32,
    },
    /// The state of a body would not be finite.
    #[error("body {body} would have a state that is not finite")]
    Body {
        /// Index of the body.
        body: usize,
    },
    /// The neighbour search cannot cover the fluid or its walls.
    #[error(transparent)]
    Search(#[from] TooManyCells),
    /// The step was cancelled by its [`CancelFlag`](crate::CancelFlag).
    #[error("the step was cancelled")]
    Cancelled,
}

impl StepError {
    /// Stable id and last valid position (m) of the particle with the invalid state; `None` for errors that are not of a
    /// particle.
    pub fn particle(&self) -> Option<(u32, Vec3)> {
        match *self {
            Self::NonFinite { particle_id, position }
            | Self::Density { particle_id, position, .. }
            | Self::Runaway { particle_id, position, .. } => Some((particle_id, position)),
            Self::Stalled { .. } | Self::Body { .. } | Self::Search(_) | Self::Cancelled => None,
        }
    }
}
