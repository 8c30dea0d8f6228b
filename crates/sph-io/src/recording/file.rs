//! Files of recordings: one JSON object a line.

use std::fmt;
use std::path::Path;

use super::{Fingerprints, Recording, RecordingError, Row};
use crate::write_atomically;
use glam::Vec3;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use sph_core::parameters::{Kind, UnknownChoice, Value};
use sph_core::point_sets::PointId;
use sph_core::{BallPour, DroppedBody, Grab, Hand, Input, Parameters, PointGrab, Pour, Push};

/// Version of the format.
pub(super) const VERSION: u32 = 1;

/// End of a recording whose next step was refused.
pub(super) const REFUSED: &str = "refused";

/// First line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub sph_recording: u32,
    pub scene: String,
    pub start: u64,
    pub fluid: String,
    pub parameters: Map<String, Json>,
}

/// Any other line: an input, or the end.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub step: u64,
    /// Simulated time of an input, s; the end has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<HandRow>,
    /// True if the hand lets go.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub release: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<DropRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Map<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_curve: Option<Vec<String>>,
    /// Fingerprint of the fluid at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Fingerprint of the bodies at the end, which older files lack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<String>,
    /// Fingerprint of cloths and balls at the end, which older files lack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
}

impl Recording {
    /// Writes the recording to `path`; the file is complete or absent.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RecordingError> {
        Ok(write_atomically(path, |file| file.write_all(self.text().as_bytes()))?)
    }

    /// Text of the file.
    pub fn text(&self) -> String {
        let Self { scene, start, fluid, parameters, rows, end } = self;
        let head = Head {
            sph_recording: VERSION,
            scene: scene.clone(),
            start: *start,
            fluid: digits(*fluid),
            parameters: written_parameters(parameters, None),
        };
        let mut present: &Parameters = parameters;
        let mut lines = vec![json_line(&head)];
        for Row { step, time, input } in rows {
            let mut line = Line { step: *step, time: Some(*time), ..Line::default() };
            match input {
                Input::Hand(hand) => (line.hand, line.release) = (hand.map(HandRow::from), hand.is_none()),
                Input::Drop(dropped) => line.drop = Some((*dropped).into()),
                Input::Parameters(now) => {
                    line.parameters = Some(written_parameters(now, Some(present)));
                    present = now;
                }
                Input::OffCurve(keys) => line.off_curve = Some(keys.iter().map(|&key| key.to_owned()).collect()),
            }
            lines.push(json_line(&line));
        }
        lines.extend(end.iter().map(|(step, state)| {
            let (end, bodies, points) = match state {
                Some(Fingerprints { fluid, bodies, points }) => (digits(*fluid), bodies.map(digits), points.map(digits)),
                None => (REFUSED.to_owned(), None, None),
            };
            json_line(&Line { step: *step, end: Some(end), bodies, points, ..Line::default() })
        }));
        lines.join("\n") + "\n"
    }
}

fn json_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("keys are texts")
}

fn digits(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

// Hands and dropped bodies as they are written.

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
        /// Older files have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rate: Option<f32>,
    },
    PourBalls {
        set: usize,
        #[serde(deserialize_with = "three_numbers")]
        center: [f32; 3],
        radius: f32,
        #[serde(deserialize_with = "three_numbers")]
        velocity: [f32; 3],
        rate: f32,
    },
    Grab {
        body: usize,
        #[serde(deserialize_with = "three_numbers")]
        point: [f32; 3],
        time: f32,
        top_speed: f32,
    },
    GrabPoint {
        set: usize,
        id: u32,
        #[serde(deserialize_with = "three_numbers")]
        target: [f32; 3],
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
            Hand::Pour(Pour { center, radius, velocity, fluid, rate }) => {
                Self::Pour { center: center.to_array(), radius, velocity: velocity.to_array(), fluid, rate }
            }
            Hand::PourBalls(BallPour { set, center, radius, velocity, rate }) => {
                Self::PourBalls { set, center: center.to_array(), radius, velocity: velocity.to_array(), rate }
            }
            Hand::Grab(Grab { body, point, time, top_speed }) => Self::Grab { body, point: point.to_array(), time, top_speed },
            Hand::GrabPoint(PointGrab { point: PointId { set, id }, target, time, top_speed }) => {
                Self::GrabPoint { set, id, target: target.to_array(), time, top_speed }
            }
        }
    }
}

impl From<HandRow> for Hand {
    fn from(row: HandRow) -> Self {
        match row {
            HandRow::Push { center, radius, strength, drag, velocity } => {
                Self::Push(Push { center: Vec3::from(center), radius, strength, drag, velocity: Vec3::from(velocity) })
            }
            HandRow::Pour { center, radius, velocity, fluid, rate } => {
                Self::Pour(Pour { center: Vec3::from(center), radius, velocity: Vec3::from(velocity), fluid, rate })
            }
            HandRow::PourBalls { set, center, radius, velocity, rate } => {
                let [center, velocity] = [center, velocity].map(Vec3::from);
                Self::PourBalls(BallPour { set, center, radius, velocity, rate })
            }
            HandRow::Grab { body, point, time, top_speed } => {
                Self::Grab(Grab { body, point: Vec3::from(point), time, top_speed })
            }
            HandRow::GrabPoint { set, id, target, time, top_speed } => {
                Self::GrabPoint(PointGrab { point: PointId { set, id }, target: Vec3::from(target), time, top_speed })
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

// Parameters as they are written: by key, those that have changed.

/// Values of the parameters of `now` that differ from `before`; of all if that is `None`.
pub(super) fn written_parameters(now: &Parameters, before: Option<&Parameters>) -> Map<String, Json> {
    let table = Parameters::table().iter();
    let changed = table.filter(|parameter| before.is_none_or(|before| parameter.get(before) != parameter.get(now)));
    changed.map(|parameter| (parameter.key.to_owned(), json_of(parameter.get(now)))).collect()
}

/// `before` with the `values` of a row.
///
/// # Errors
/// An unknown key, or a value of another type, in words.
pub(super) fn read_parameters(values: &Map<String, Json>, before: Parameters) -> Result<Parameters, String> {
    let mut parameters = before;
    for (key, json) in values {
        let Some(parameter) = Parameters::table().iter().find(|parameter| parameter.key == key) else {
            return Err(format!("parameters: {key} is not a parameter"));
        };
        let value = value_of(json, &parameter.kind);
        if !value.is_some_and(|value| parameter.set(&mut parameters, value)) {
            return Err(format!("parameters.{key}: {json} is not a valid value"));
        }
    }
    Ok(parameters)
}

/// A value of a parameter as JSON.
pub(crate) fn json_of(value: Value) -> Json {
    match value {
        Value::Number(number) => json!(shortest(number)),
        Value::Count(count) => json!(count),
        Value::Choice(name) => json!(name),
        Value::Vector(vector) => json!(vector.to_array().map(shortest)),
        Value::Absent => Json::Null,
    }
}

/// The number of 64 bits with the fewest digits that reads back as `number`.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

/// The value of this kind that `json` is; `None` if it is none.
pub(crate) fn value_of(json: &Json, kind: &Kind) -> Option<Value> {
    let number = |json: &Json| json.as_f64().map(|number| number as f32);
    match (kind, json) {
        (Kind::Number { optional: true }, Json::Null) => Some(Value::Absent),
        (Kind::Number { .. }, json) => number(json).map(Value::Number),
        (Kind::Count, json) => json.as_u64().and_then(|count| u32::try_from(count).ok()).map(Value::Count),
        (Kind::Choice(options), json) => {
            options.iter().map(|option| option.name).find(|name| Some(*name) == json.as_str()).map(Value::Choice)
        }
        (Kind::Vector, Json::Array(numbers)) => {
            let numbers: Vec<f32> = numbers.iter().map(number).collect::<Option<_>>()?;
            <[f32; 3]>::try_from(numbers).ok().map(|numbers| Value::Vector(numbers.into()))
        }
        (Kind::Vector, _) => None,
    }
}
