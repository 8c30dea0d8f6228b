//! Hands and dropped bodies as they are written.

use glam::Vec3;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use sph_core::parameters::UnknownChoice;
use sph_core::{DroppedBody, Grab, Hand, Pour, Push};
use std::fmt;

/// A [`Hand`] in a file, under the name of its kind.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum HandRow {
    Push {
        #[serde(deserialize_with = "three_numbers")]
        center: [f32; 3],
        radius: f32,
        strength: f32,
        drag: f32,
        #[serde(deserialize_with = "three_numbers")]
        velocity: [f32; 3],
    },
    Pour {
        #[serde(deserialize_with = "three_numbers")]
        center: [f32; 3],
        radius: f32,
        #[serde(deserialize_with = "three_numbers")]
        velocity: [f32; 3],
        fluid: usize,
    },
    Grab {
        body: usize,
        #[serde(deserialize_with = "three_numbers")]
        point: [f32; 3],
        time: f32,
        top_speed: f32,
    },
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

/// A [`DroppedBody`] in a file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DropRow {
    #[serde(deserialize_with = "three_numbers")]
    center: [f32; 3],
    size: f32,
    shape: String,
    density: f32,
    #[serde(deserialize_with = "three_numbers")]
    velocity: [f32; 3],
}

impl From<DroppedBody> for DropRow {
    fn from(dropped: DroppedBody) -> Self {
        let DroppedBody { center, size, shape, density, velocity } = dropped;
        Self { center: center.to_array(), size, shape: shape.name().to_owned(), density, velocity: velocity.to_array() }
    }
}

impl TryFrom<DropRow> for DroppedBody {
    type Error = String;

    /// The body of a row, or what is wrong with its shape.
    fn try_from(row: DropRow) -> Result<Self, String> {
        let DropRow { center, size, shape, density, velocity } = row;
        let shape = shape.parse().map_err(|error: UnknownChoice| format!("drop.shape: {error}"))?;
        Ok(Self { center: Vec3::from(center), size, shape, density, velocity: Vec3::from(velocity) })
    }
}

/// Reads a vector. All numbers are read before they are counted, so that the error is at their end, whether they are too few or too many.
fn three_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f32; 3], D::Error> {
    struct ThreeNumbers;

    impl<'de> Visitor<'de> for ThreeNumbers {
        type Value = [f32; 3];

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("3 numbers")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<[f32; 3], A::Error> {
            let (mut numbers, mut count) = ([0.0; 3], 0);
            while let Some(number) = sequence.next_element()? {
                numbers.iter_mut().skip(count).take(1).for_each(|slot| *slot = number);
                count += 1;
            }
            if count == numbers.len() { Ok(numbers) } else { Err(A::Error::invalid_length(count, &self)) }
        }
    }

    deserializer.deserialize_seq(ThreeNumbers)
}
