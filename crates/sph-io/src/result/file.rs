//! Files of results: writing, and reading with a place for every fault.

use std::io;
use std::path::Path;

use super::{BenchResult, Measured, StepTimes, VERSION, as_scene};
use crate::input_files::read_at_most;
use crate::recording::key_before;
use crate::write_atomically;
use serde::Deserialize;
use serde_json::error::Category;
use sph_core::Phase;

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 24;

/// Reason why a file is no result that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is too large.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// Largest size, bytes.
        limit: u64,
    },
    /// The file is another kind of file.
    #[error(
        "it is not a result: `sph bench SCENE --result FILE.json` writes one, and so does File › Save result… in the window"
    )]
    NoResult,
    /// The file ends before its object does.
    #[error("it ends in line {line}, before the result does: it is truncated")]
    CutOff {
        /// Number of the line, from 1.
        line: usize,
    },
    /// The file has another version of the format.
    #[error("it has version {found} of the format, but this program reads version {VERSION}")]
    Version {
        /// Version of the file.
        found: u64,
    },
    /// A value is not what is expected there.
    #[error("line {line}: {reason}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Reason, with the key.
        reason: String,
    },
    /// A value makes no sense.
    #[error("{key}: {reason}")]
    Value {
        /// Key.
        key: String,
        /// Reason.
        reason: String,
    },
}

impl ResultError {
    fn of(key: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Value { key: key.into(), reason: reason.into() }
    }
}

impl BenchResult {
    /// Text of the file.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("keys are texts");
        text.push('\n');
        text
    }

    /// Writes the result to `path`; the file is complete or as it was.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, |file| file.write_all(self.text().as_bytes()))
    }

    /// Reads the result at `path`.
    ///
    /// # Errors
    /// The file cannot be read, or the place and the reason of what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, ResultError> {
        if path.metadata()?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
        }
        let bytes = read_at_most(path, MAX_BYTES)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(ResultError::TooLarge { limit: MAX_BYTES });
        }
        Self::parse(std::str::from_utf8(&bytes).map_err(|_| ResultError::NoResult)?)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// The place and the reason of what is wrong in it.
    pub fn parse(text: &str) -> Result<Self, ResultError> {
        if !as_scene::is_result(text) {
            return Err(ResultError::NoResult);
        }
        let version: Version = serde_json::from_str(text).map_err(|error| fault(text, &error))?;
        if version.sph_result != u64::from(VERSION) {
            return Err(ResultError::Version { found: version.sph_result });
        }
        let result: Self = serde_json::from_str(text).map_err(|error| fault(text, &error))?;
        result.check()?;
        Ok(result)
    }

    /// Checks what its types allow and its meaning does not.
    fn check(&self) -> Result<(), ResultError> {
        as_scene::check_settings(&self.settings).map_err(|(key, reason)| ResultError::of(key, reason))?;
        let Measured { step, phases, search, steps, time, .. } = &self.measured;
        if *steps == 0 {
            return Err(ResultError::of("measured.steps", "expected at least 1"));
        }
        if let Some(name) = phases.keys().find(|name| Phase::ALL.iter().all(|phase| phase.name() != name.as_str())) {
            return Err(ResultError::of(format!("measured.phases.{name}"), "there is no such phase of a step"));
        }
        let named = phases.iter().map(|(name, times)| (format!("phases.{name}"), times));
        let times = named.chain([("step".to_owned(), step)]).flat_map(|(name, times)| {
            let StepTimes { median_ms, fastest_ms, p90_ms } = *times;
            [("median_ms", median_ms), ("fastest_ms", fastest_ms), ("p90_ms", p90_ms)]
                .map(|(key, value)| (format!("{name}.{key}"), value))
        });
        let others = [
            ("time", *time),
            ("search.load_factor", search.load_factor),
            ("search.hash_quality", search.hash_quality),
            ("search.build_ms", search.build_ms),
            ("search.query_ms", search.query_ms),
        ];
        let mut all = times.chain(others.map(|(key, value)| (key.to_owned(), value)));
        match all.find(|(_, value)| !(*value >= 0.0 && value.is_finite())) {
            Some((key, value)) => Err(ResultError::of(format!("measured.{key}"), format!("{value}: expected at least 0"))),
            None => Ok(()),
        }
    }
}

/// The version, whatever else a file of another version holds.
#[derive(Deserialize)]
struct Version {
    sph_result: u64,
}

/// The fault of `text` that `error` has found.
fn fault(text: &str, error: &serde_json::Error) -> ResultError {
    let line = error.line().max(1);
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let offset = before + error.column();
    // A number that is cut is refused for its form.
    let is_at_end = error.classify() == Category::Syntax && offset >= text.trim_end().len();
    if error.classify() == Category::Eof || is_at_end {
        return ResultError::CutOff { line };
    }
    let words = error.to_string();
    let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
    let reason = if error.classify() == Category::Data {
        match key_before(text, offset) {
            key if key.is_empty() => words.to_owned(),
            key => format!("{key}: {words}"),
        }
    } else {
        format!("{words} at column {}", error.column())
    };
    ResultError::Line { line, reason }
}
