//! Reading of recordings: whatever can be known before the replay is checked, and faults have their line and key.

use std::path::Path;

use super::file::{self, Head, Line, REFUSED, VERSION};
use super::{Fingerprints, Recording, RecordingError, Row};
use crate::Scene;
use crate::input_files::read_at_most;
use serde::Deserialize;
use serde_json::error::Category;
use serde_json::{Map, Value as Json};
use sph_core::{DroppedBody, Hand, HandError, Input, Parameters, Setup};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 26;

/// Reason for a text in the place of the fluid's hash at the start.
const HASH_EXPECTED: &str = "fluid: expected the hash of the initial particles, 16 digits from 0 to 9 and a to f";

impl Recording {
    /// Reads the recording at `path`, and checks it against the scene that it is for; see [`Recording::parse`].
    ///
    /// # Errors
    /// The file cannot be read, or the place and the reason of what is wrong in it.
    pub fn load(path: &Path, scene: &Scene, dropped: usize) -> Result<Self, RecordingError> {
        let bytes = read_at_most(path, MAX_BYTES)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(RecordingError::TooLarge { limit: MAX_BYTES });
        }
        let (text, is_text) = match std::str::from_utf8(&bytes) {
            Ok(text) => (text, true),
            // A file that has been cut off may end within a character.
            Err(error) => (std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(), error.error_len().is_none()),
        };
        if is_text {
            let recording = Self::parse(text, scene, dropped)?;
            // What precedes the broken character may be whole.
            let is_whole = text.len() == bytes.len();
            return if is_whole { Ok(recording) } else { Err(RecordingError::CutOff { line: text.lines().count() + 1 }) };
        }
        let is_recording = text.lines().find(|line| !line.trim().is_empty()).is_some_and(is_head);
        Err(match is_recording {
            true => RecordingError::at(text.matches('\n').count() + 1, "it is not text"),
            false => RecordingError::NoRecording,
        })
    }

    /// Reads the text of a file for the fluid of `scene`, into which `dropped` bodies have been dropped before: whatever can be known
    /// before the replay is checked. Parameters that the file does not name, of a program with more of them, are those of the scene.
    ///
    /// # Errors
    /// The line and the reason of what is wrong.
    pub fn parse(text: &str, scene: &Scene, dropped: usize) -> Result<Self, RecordingError> {
        let setup = &scene.setup;
        let count = text.lines().count();
        let is_cut = |number: usize| number == count && !text.ends_with('\n');
        let mut lines =
            text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.trim().is_empty());
        let (number, first) = lines.next().ok_or_else(|| RecordingError::at(1, "the file is empty"))?;
        if !is_head(first) {
            return Err(RecordingError::NoRecording);
        }
        let head: Head = object(number, first, is_cut(number))?;
        if head.sph_recording != VERSION {
            let version = head.sph_recording;
            return Err(RecordingError::at(number, format!("sph_recording: version {version}; this program reads {VERSION}")));
        }
        // What this scene cannot do, another one may: its name says more than the first thing that differs.
        let differs = |number: usize, difference: &dyn ToString| {
            let difference = RecordingError::at(number, difference.to_string());
            let (recorded, scene) = (head.scene.clone(), scene.name.clone());
            match recorded == scene {
                true => difference,
                false => RecordingError::OtherScene { recorded, scene, difference: difference.to_string() },
            }
        };
        let checked = |number, values: &Map<String, Json>, before| {
            let parameters = file::read_parameters(values, before).map_err(|reason| RecordingError::at(number, reason))?;
            parameters.validate(&setup.discretization).map_err(|error| differs(number, &error))?;
            Ok::<_, RecordingError>(parameters)
        };
        let parameters = checked(number, &head.parameters, setup.parameters)?;
        let fluid = parsed_fingerprint(&head.fluid).ok_or_else(|| RecordingError::at(number, HASH_EXPECTED))?;
        let (mut rows, mut end) = (Vec::new(), None);
        let (mut present, mut last) = (parameters, head.start);
        let mut inventory = Inventory::new(setup, dropped);
        for (number, text) in lines {
            let wrong = |reason: &str| RecordingError::at(number, reason);
            let line: Line = object(number, text, is_cut(number))?;
            if end.is_some() {
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
            if line.end.is_none() && line.bodies.is_some() {
                return Err(wrong("bodies: expected only with end"));
            }
            if line.end.is_none() && line.points.is_some() {
                return Err(wrong("points: expected only with end"));
            }
            let input = if let Some(fluid) = line.end {
                end = Some((last, end_state(&fluid, line.bodies.as_deref(), line.points.as_deref()).map_err(wrong)?));
                continue;
            } else if let Some(hand) = line.hand {
                let hand = Hand::from(hand);
                inventory.check_hand(&hand).map_err(|reason| differs(number, &reason))?;
                Input::Hand(Some(hand))
            } else if let Some(row) = line.drop {
                let dropped = DroppedBody::try_from(row).map_err(|reason| RecordingError::at(number, reason))?;
                inventory.drop_body(&dropped).map_err(|reason| differs(number, &reason))?;
                Input::Drop(dropped)
            } else if let Some(values) = line.parameters {
                present = checked(number, &values, present)?;
                Input::Parameters(Box::new(present))
            } else if let Some(keys) = line.off_curve {
                let known = |key: &String| Parameters::table().iter().map(|known| known.key).find(|known| known == key);
                let keys: Option<_> = keys.iter().map(known).collect();
                Input::OffCurve(keys.ok_or_else(|| wrong("off_curve: there is no such parameter"))?)
            } else {
                Input::Hand(None)
            };
            if rows.len() == Self::MAX_ROWS {
                return Err(RecordingError::at(number, format!("there are more than {} rows", Self::MAX_ROWS)));
            }
            rows.push(Row { step: last, time, input });
        }
        if end.is_none() {
            return Err(RecordingError::at(count, "the end is missing: the file is truncated"));
        }
        Ok(Self { scene: head.scene, start: head.start, fluid, parameters, rows, end })
    }
}

/// True if `line` can be the first one of a recording, whole or not.
fn is_head(line: &str) -> bool {
    line.trim_start().starts_with('{') && line.contains("\"sph_recording\"")
}

/// The object of a line, which may be the last one of a file that has been cut off in its middle.
fn object<'a, T: Deserialize<'a>>(number: usize, line: &'a str, is_cut: bool) -> Result<T, RecordingError> {
    serde_json::from_str(line).map_err(|error| match error.is_eof() && is_cut {
        true => RecordingError::CutOff { line: number },
        false => RecordingError::at(number, reason(line, &error)),
    })
}

/// Fingerprints at the end; `None` if the next step was refused there.
fn end_state(fluid: &str, bodies: Option<&str>, points: Option<&str>) -> Result<Option<Fingerprints>, &'static str> {
    let hash_of_bodies = "bodies: expected the hash of the final bodies, 16 digits from 0 to 9 and a to f";
    let hash_of_points = "points: expected the hash of the final cloths and balls, 16 digits from 0 to 9 and a to f";
    match (fluid, bodies, points) {
        (REFUSED, None, None) => Ok(None),
        (REFUSED, Some(_), _) => Err("bodies: expected none at a refused step"),
        (REFUSED, None, Some(_)) => Err("points: expected none at a refused step"),
        (fluid, bodies, points) => {
            let fluid = parsed_fingerprint(fluid)
                .ok_or("end: expected the hash of the final particles, 16 digits from 0 to 9 and a to f, or refused")?;
            let parsed = |digits: Option<&str>, expected| digits.map(|it| parsed_fingerprint(it).ok_or(expected)).transpose();
            let (bodies, points) = (parsed(bodies, hash_of_bodies)?, parsed(points, hash_of_points)?);
            Ok(Some(Fingerprints { fluid, bodies, points }))
        }
    }
}

fn parsed_fingerprint(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16)
}

// Bodies and fluids that the rows of a recording may name, row by row.

/// Bodies and fluids that are there before a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inventory<'a> {
    setup: &'a Setup,
    /// Number of bodies that have been dropped.
    dropped: usize,
}

impl<'a> Inventory<'a> {
    /// Those of a fluid with this `setup`, into which `dropped` bodies have been dropped before the recording.
    pub fn new(setup: &'a Setup, dropped: usize) -> Self {
        Self { setup, dropped }
    }

    /// Checks a hand's numbers, and that its body or its fluid is there.
    ///
    /// # Errors
    /// What is wrong, with the key.
    pub fn check_hand(&self, hand: &Hand) -> Result<(), String> {
        hand.validate(&self.setup.discretization).map_err(|error| format!("hand.{error}"))?;
        match hand {
            Hand::Push(_) => Ok(()),
            Hand::Pour(pour) => {
                let fluids = self.setup.fluids.len().max(1);
                let reason = format!("there is no fluid {} of {fluids}, counted from 0", pour.fluid);
                if pour.fluid < fluids { Ok(()) } else { Err(format!("hand.pour.fluid: {reason}")) }
            }
            Hand::PourBalls(pour) => {
                let source = self.setup.points.as_ref().map(|points| points.source());
                let reason = || format!("hand.pour_balls.set: set {} has no balls to pour", pour.set);
                source.and_then(|source| source.balls(pour.set)).map(drop).ok_or_else(reason)
            }
            Hand::Grab(grab) => self.check_grabbed(grab.body).map_err(|reason| format!("hand.grab.body: {reason}")),
            // Which points there are at the step, only the run knows: balls are poured.
            Hand::GrabPoint(grab) => {
                let sets = self.setup.points.as_ref().map_or(0, |points| points.source().grids().len());
                let set = grab.point.set;
                let reason = format!("there is no set {set} of {sets}, counted from 0");
                if set < sets { Ok(()) } else { Err(format!("hand.grab_point.set: {reason}")) }
            }
        }
    }

    /// Checks that there is a body with this index. Those that are dropped come after those of the setup.
    fn check_grabbed(&self, index: usize) -> Result<(), String> {
        let count = self.setup.bodies.len() + self.dropped;
        let reason = || format!("there is no body {index} at this step, of {count} counted from 0");
        if index < count { Ok(()) } else { Err(reason()) }
    }

    /// Checks a dropped body's numbers, and adds it.
    ///
    /// # Errors
    /// What is wrong, with the key.
    pub fn drop_body(&mut self, dropped: &DroppedBody) -> Result<(), String> {
        let domain = self.setup.domain.flat(self.setup.discretization.dimensions);
        dropped.validate(&self.setup.discretization, &domain).map_err(|error| error.to_string())?;
        if self.dropped >= DroppedBody::MAX {
            return Err(format!("drop: {}", HandError::TooManyBodies { limit: DroppedBody::MAX }));
        }
        self.dropped += 1;
        Ok(())
    }
}

// Faults of a line in words, with the key that the parser of JSON does not name.

/// Reason why `error` has refused `line`: with the key if a value is wrong, with the column if it is no JSON.
pub(super) fn reason(line: &str, error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The parser counts lines from the start of this one.
    let words = text.rsplit_once(" at line ").map_or(text.as_str(), |(words, _)| words);
    match error.classify() {
        Category::Data => match key_before(line, error.column()) {
            key if key.is_empty() => words.to_owned(),
            key => format!("{key}: {words}"),
        },
        Category::Eof => "it ends before its object does".to_owned(),
        Category::Syntax | Category::Io => format!("{words} at column {}", error.column()),
    }
}

/// Key of the value that ends in the first `length` bytes of the JSON `line`, or of a longer text, with those of the objects around it: `hand.push.center`.
pub(crate) fn key_before(line: &str, length: usize) -> String {
    // The last key of each open object; `None` for an array.
    let mut open: Vec<Option<&str>> = Vec::new();
    let (mut is_key, mut at) = (false, 0);
    while let Some(byte) = line.as_bytes().get(at).filter(|_| at < length) {
        at += 1;
        match byte {
            b'{' => {
                open.push(Some(""));
                is_key = true;
            }
            b'[' => {
                open.push(None);
                is_key = false;
            }
            b'}' | b']' => {
                open.pop();
                is_key = false;
            }
            b',' => is_key = matches!(open.last(), Some(Some(_))),
            b'"' => {
                let start = at;
                while let Some(byte) = line.as_bytes().get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                if let (true, Some(last)) = (is_key, open.last_mut()) {
                    *last = line.get(start..at);
                }
                (is_key, at) = (false, at + 1);
            }
            _ => {}
        }
    }
    let keys: Vec<&str> = open.into_iter().flatten().filter(|key| !key.is_empty()).collect();
    keys.join(".")
}

#[cfg(test)]
mod tests {
    use super::key_before;

    #[test]
    fn the_key_is_that_of_the_value_which_ends_there() {
        let line = r#"{"a\"}": 1, "hand": {"push": {"center": [0, {"x": "]"}], "radius": 2}}, "b": 3}"#;
        for (end, key) in [
            ("\": 1", "a\\\"}"),
            ("[0", "hand.push.center"),
            ("\"]\"", "hand.push.center.x"),
            ("}]", "hand.push.center"),
            ("\": 2", "hand.push.radius"),
            (": 2}", "hand.push"),
            (": 2}}", "hand"),
            ("3", "b"),
            ("3}", ""),
        ] {
            let length = line.find(end).unwrap() + end.len();
            assert_eq!(key_before(line, length), key, "{}", &line[..length]);
        }
        assert_eq!(key_before("{\"cut", 99), "cut");
        assert_eq!(key_before("\\\"\\", 99), "");
    }
}
