//! Why a step was refused.

use crate::neighbors::TooManyCells;
use glam::Vec3;

/// Why a step was refused: fluid that has gone wrong, with the particle and how; or a neighbour search that cannot do its work.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A position, velocity or density would stop being a finite number.
    #[error("particle {particle_id} at {position:.4} m would have a state that is no finite number")]
    NonFinite {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last good position, m.
        position: Vec3,
    },
    /// A density would not be positive.
    #[error("particle {particle_id} at {position:.4} m would have a density of {density:.4e} kg/m³")]
    Density {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last good position, m.
        position: Vec3,
        /// The density it would have had, kg/m³.
        density: f32,
    },
    /// A particle would cross more than half a support radius in one step.
    #[error(
        "particle {particle_id} at {position:.4} m would reach {speed:.3e} m/s and cross more than half a support radius in one step"
    )]
    Runaway {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last good position, m.
        position: Vec3,
        /// The speed it would have reached, m/s.
        speed: f32,
    },
    /// The limits on dt leave no time step to speak of.
    #[error("the time step would be {dt:.3e} s: accelerations or speeds are beyond all bounds")]
    Stalled {
        /// The step that the limits allow, s.
        dt: f32,
    },
    /// The neighbour search cannot cover the fluid or its walls.
    #[error(transparent)]
    Search(#[from] TooManyCells),
}

impl StepError {
    /// Stable id and last good position (m) of the particle that went wrong, where it was one.
    pub fn particle(&self) -> Option<(u32, Vec3)> {
        match *self {
            Self::NonFinite { particle_id, position }
            | Self::Density { particle_id, position, .. }
            | Self::Runaway { particle_id, position, .. } => Some((particle_id, position)),
            Self::Stalled { .. } | Self::Search(_) => None,
        }
    }
}
