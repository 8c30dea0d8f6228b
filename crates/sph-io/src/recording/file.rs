//! Files of recordings: one JSON object a line.

use super::hand::{DropRow, HandRow};
use super::{Change, Fingerprints, Recording, RecordingError, Row, parameters};
use crate::write_atomically;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use sph_core::Parameters;
use std::path::Path;

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

/// Any other line: a change, or the end.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub step: u64,
    /// Simulated time of a change, s; the end has none.
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
            parameters: parameters::written(parameters, None),
        };
        let mut present: &Parameters = parameters;
        let mut lines = vec![json(&head)];
        for Row { step, time, change } in rows {
            let mut line = Line { step: *step, time: Some(*time), ..Line::default() };
            match change {
                Change::Hand(hand) => (line.hand, line.release) = (hand.map(HandRow::from), hand.is_none()),
                Change::Drop(dropped) => line.drop = Some((*dropped).into()),
                Change::Parameters(now) => {
                    line.parameters = Some(parameters::written(now, Some(present)));
                    present = now;
                }
                Change::OffCurve(keys) => line.off_curve = Some(keys.iter().map(|&key| key.to_owned()).collect()),
            }
            lines.push(json(&line));
        }
        lines.extend(end.iter().map(|(step, state)| {
            let (end, bodies) = match state {
                Some(Fingerprints { fluid, bodies }) => (digits(*fluid), bodies.map(digits)),
                None => (REFUSED.to_owned(), None),
            };
            json(&Line { step: *step, end: Some(end), bodies, ..Line::default() })
        }));
        lines.join("\n") + "\n"
    }
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("keys are texts")
}

fn digits(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}
