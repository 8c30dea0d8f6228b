//! Recordings: a user's hands and changes of parameters, step by step, from which a session is replayed to the same bits.
//!
//! A file has one JSON object a line: the head with the start, a row for each change, and the end. See `docs/guide/hands.md`.

mod changes;
mod error;
mod fault;
mod file;
mod fingerprint;
mod hand;
mod inventory;
mod parameters;
mod reader;

pub use changes::{Change, Recording, Row};
pub use error::RecordingError;
pub use fingerprint::{Fingerprints, fingerprint};
