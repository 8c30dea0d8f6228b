//! Hands as they are written.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use sph_core::{Grab, Hand, Pour, Push};

/// A [`Hand`] in a file, under the name of its kind.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum HandRow {
    Push { center: [f32; 3], radius: f32, strength: f32, drag: f32, velocity: [f32; 3] },
    Pour { center: [f32; 3], radius: f32, velocity: [f32; 3], fluid: usize },
    Grab { body: usize, point: [f32; 3], time: f32, top_speed: f32 },
}

impl From<Hand> for HandRow {
    fn from(hand: Hand) -> Self {
        match hand {
            Hand::Push(Push { center, radius, strength, drag, velocity }) => {
                Self::Push { center: center.to_array(), radius, strength, drag, velocity: velocity.to_array() }
            }
            Hand::Pour(Pour { center, radius, velocity, fluid }) => {
                Self::Pour { center: center.to_array(), radius, velocity: velocity.to_array(), fluid }
            }
            Hand::Grab(Grab { body, point, time, top_speed }) => Self::Grab { body, point: point.to_array(), time, top_speed },
        }
    }
}

impl From<HandRow> for Hand {
    fn from(row: HandRow) -> Self {
        match row {
            HandRow::Push { center, radius, strength, drag, velocity } => {
                Self::Push(Push { center: Vec3::from(center), radius, strength, drag, velocity: Vec3::from(velocity) })
            }
            HandRow::Pour { center, radius, velocity, fluid } => {
                Self::Pour(Pour { center: Vec3::from(center), radius, velocity: Vec3::from(velocity), fluid })
            }
            HandRow::Grab { body, point, time, top_speed } => {
                Self::Grab(Grab { body, point: Vec3::from(point), time, top_speed })
            }
        }
    }
}
