//! Files of recordings: one JSON object a line.

use super::hand::{DropRow, HandRow};
use super::inventory::Inventory;
use super::{Change, Recording, RecordingError, Row, parameters};
use crate::bounded_read::read_at_most;
use crate::write_atomically;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use sph_core::{DroppedBody, Hand, Parameters, Setup};
use std::path::Path;

/// Version of the format.
const VERSION: u32 = 1;

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 26;

/// End of a recording whose next step was refused.
const REFUSED: &str = "refused";

/// Reason for a text in the place of the fluid's hash at the start.
const HASH_EXPECTED: &str =
    "fluid: expected the hash of the particles at the start as the recording wrote it, 16 digits of 0 to 9 and a to f";

/// First line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Head {
    sph_recording: u32,
    scene: String,
    start: u64,
    fluid: String,
    parameters: Map<String, Json>,
}

/// Any other line: a change, or the end.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Line {
    step: u64,
    /// Simulated time of a change, s; the end has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hand: Option<HandRow>,
    /// True if the hand lets go.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    release: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drop: Option<DropRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Map<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    off_curve: Option<Vec<String>>,
    /// Fingerprint of the fluid at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<String>,
}

impl Recording {
    /// Writes the recording to `path`; the file is complete or absent.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RecordingError> {
        Ok(write_atomically(path, |file| file.write_all(self.text().as_bytes()))?)
    }

    /// Reads the recording at `path`, and checks it against the fluid that it is for; see [`Recording::parse`].
    ///
    /// # Errors
    /// The file cannot be read, or the place and the reason of what is wrong in it.
    pub fn load(path: &Path, setup: &Setup, dropped: usize) -> Result<Self, RecordingError> {
        let bytes = read_at_most(path, MAX_BYTES)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(RecordingError::TooLarge { limit: MAX_BYTES });
        }
        let text = String::from_utf8(bytes).map_err(|_| RecordingError::at(1, "it is not text"))?;
        Self::parse(&text, setup, dropped)
    }

    /// Text of the file.
    pub fn text(&self) -> String {
        let Self { scene, start, fluid, parameters, rows, end } = self;
        let head = Head {
            sph_recording: VERSION,
            scene: scene.clone(),
            start: *start,
            fluid: format!("{fluid:016x}"),
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
        let ending = end.map(|(step, fluid)| Line {
            step,
            end: Some(fluid.map_or_else(|| REFUSED.to_owned(), |fluid| format!("{fluid:016x}"))),
            ..Line::default()
        });
        lines.extend(ending.iter().map(json));
        lines.join("\n") + "\n"
    }

    /// Reads the text of a file for a fluid with this `setup`, into which `dropped` bodies have been dropped before: whatever can be known
    /// before the replay is checked. Parameters that the file does not name, of a program with more of them, are those of `setup`.
    ///
    /// # Errors
    /// The line and the reason of what is wrong.
    pub fn parse(text: &str, setup: &Setup, dropped: usize) -> Result<Self, RecordingError> {
        let mut lines =
            text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.trim().is_empty());
        let (number, first) = lines.next().ok_or_else(|| RecordingError::at(1, "the file is empty"))?;
        let head: Head = serde_json::from_str(first).map_err(|error| RecordingError::at(number, reason(&error)))?;
        if head.sph_recording != VERSION {
            let version = head.sph_recording;
            return Err(RecordingError::at(number, format!("sph_recording: version {version}; this program reads {VERSION}")));
        }
        let checked = |number, values: &Map<String, Json>, before| {
            let parameters = parameters::read(values, before).map_err(|reason| RecordingError::at(number, reason))?;
            parameters.validate(&setup.discretization).map_err(|error| RecordingError::at(number, error))?;
            Ok::<_, RecordingError>(parameters)
        };
        let parameters = checked(number, &head.parameters, setup.parameters)?;
        let fluid = fingerprint(&head.fluid).ok_or_else(|| RecordingError::at(number, HASH_EXPECTED))?;
        let mut recording = Self { scene: head.scene, start: head.start, fluid, parameters, rows: Vec::new(), end: None };
        let (mut present, mut last) = (parameters, head.start);
        let mut inventory = Inventory::new(setup, dropped);
        for (number, text) in lines {
            let wrong = |reason: &str| RecordingError::at(number, reason);
            let line: Line = serde_json::from_str(text).map_err(|error| RecordingError::at(number, reason(&error)))?;
            if recording.end.is_some() {
                return Err(wrong("there is a row after the end"));
            }
            if line.step < last {
                return Err(RecordingError::at(number, format!("step: {} comes after {last}", line.step)));
            }
            // Ends of older files have one too, always 0.
            let time = line.time.unwrap_or_default();
            if !time.is_finite() || time < 0.0 {
                return Err(wrong("time: expected at least 0 s"));
            }
            last = line.step;
            let kinds = [line.hand.is_some(), line.release, line.drop.is_some(), line.parameters.is_some()];
            let kinds = kinds.into_iter().chain([line.off_curve.is_some(), line.end.is_some()]);
            if kinds.filter(|&is_there| is_there).count() != 1 {
                return Err(wrong("expected one of hand, release, drop, parameters, off_curve and end"));
            }
            let change = if let Some(end) = line.end {
                let fluid = fingerprint(&end);
                if fluid.is_none() && end != REFUSED {
                    return Err(wrong(
                        "end: expected the hash of the particles at the end, 16 digits of 0 to 9 and a to f, or refused",
                    ));
                }
                recording.end = Some((last, fluid));
                continue;
            } else if let Some(hand) = line.hand {
                let hand = Hand::from(hand);
                inventory.check_hand(&hand).map_err(|reason| RecordingError::at(number, reason))?;
                Change::Hand(Some(hand))
            } else if let Some(row) = line.drop {
                let dropped = DroppedBody::try_from(row).map_err(|reason| RecordingError::at(number, reason))?;
                inventory.drop_body(&dropped).map_err(|reason| RecordingError::at(number, reason))?;
                Change::Drop(dropped)
            } else if let Some(values) = line.parameters {
                present = checked(number, &values, present)?;
                Change::Parameters(Box::new(present))
            } else if let Some(keys) = line.off_curve {
                let known = |key: &String| Parameters::table().iter().map(|known| known.key).find(|known| known == key);
                let keys: Option<_> = keys.iter().map(known).collect();
                Change::OffCurve(keys.ok_or_else(|| wrong("off_curve: there is no such parameter"))?)
            } else {
                Change::Hand(None)
            };
            if recording.rows.len() == Self::MAX_ROWS {
                return Err(RecordingError::at(number, format!("there are more than {} rows", Self::MAX_ROWS)));
            }
            recording.rows.push(Row { step: last, time, change });
        }
        if recording.end.is_none() {
            let number = text.lines().count();
            return Err(RecordingError::at(number, "the end does not follow: the file has been cut off"));
        }
        Ok(recording)
    }
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("keys are texts")
}

fn fingerprint(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16)
}

/// Reason of a fault in a line, with its column; the line that the reader counts is always 1.
fn reason(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", ", at column ")
}
