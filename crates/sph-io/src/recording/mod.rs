//! Recordings: a user's inputs, step by step, from which a session is replayed to the same bits.
//!
//! A file has one JSON object a line: the head with the start, a row for each input, and the end. See `docs/guide/hands.md`.

mod file;
mod reader;

pub(crate) use file::{json_of, value_of};
pub(crate) use reader::key_before;

use std::io;

use glam::Vec3;
use sph_core::point_sets::PointSet;
use sph_core::{BodyState, Input, MovedBody, Parameters, Particles, State};
use twox_hash::XxHash64;

// The rows of a recording.

/// Recorded session from its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Name of the scene.
    pub scene: String,
    /// Completed steps at the start: 0, or those of the state that was opened.
    pub start: u64,
    /// [`fingerprint`](crate::fingerprint) of the fluid at the start.
    pub fluid: u64,
    /// Parameters that the fluid was started with.
    pub parameters: Parameters,
    /// Inputs, in the order in which they were made.
    pub rows: Vec<Row>,
    /// Completed steps at the end, and the fingerprints of the state there, which is unknown if the next step was refused; `None` while
    /// the session goes on.
    pub end: Option<(u64, Option<Fingerprints>)>,
}

/// An input between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Completed steps: the input acts from the next one on.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Input. A hand acts before every step until the next row of a hand.
    pub input: Input,
}

impl Recording {
    /// Largest number of rows: about 20 minutes of a hand that moves 60 times a second.
    pub const MAX_ROWS: usize = 72_000;
}

// Fingerprints of fluid, bodies and points, by which a replay knows that it starts and ends as the recorded session did.

/// Fingerprints of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// [`fingerprint`] of the fluid.
    pub fluid: u64,
    /// Hash of the poses and velocities of the bodies that move by forces, and of those that a user has moved, to the bit; `None` without
    /// any, and in recordings of older programs.
    pub bodies: Option<u64>,
    /// Hash of the ids, positions and velocities of all points of sets, to the bit; `None` without any, and in recordings of older programs.
    pub points: Option<u64>,
}

impl Fingerprints {
    /// Those of `state`.
    pub fn of(state: &State) -> Self {
        let State { particles, bodies, moved, sets, .. } = state;
        let is_any = !bodies.is_empty() || !moved.is_empty();
        let bodies = is_any.then(|| fingerprint_of_bodies(bodies, moved));
        let points = (!sets.is_empty()).then(|| fingerprint_of_points(sets));
        Self { fluid: fingerprint(particles), bodies, points }
    }
}

fn fingerprint_of_bodies(bodies: &[BodyState], moved: &[MovedBody]) -> u64 {
    let mut words = vec![bodies.len() as u64];
    for BodyState { position, rotation, velocity, angular_velocity, load: _, contact: _ } in bodies {
        let vectors = [position, velocity, angular_velocity].into_iter().flat_map(|vector| vector.to_array());
        words.extend(vectors.chain(rotation.to_array()).map(f64::to_bits));
    }
    for MovedBody { body, displacement, velocity } in moved {
        words.push(*body as u64);
        words.extend(displacement.to_array().into_iter().chain(velocity.to_array()).map(f64::to_bits));
    }
    let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    XxHash64::oneshot(0, &bytes)
}

fn fingerprint_of_points(sets: &[PointSet]) -> u64 {
    let each = sets.iter().map(|PointSet { ids, positions, velocities, .. }| sum_of_hashes(ids, positions, velocities));
    let bytes: Vec<u8> = each.flat_map(u64::to_le_bytes).collect();
    XxHash64::oneshot(0, &bytes)
}

/// Sum of the hashes of all particles' ids, positions and velocities, to the bit; their order in memory does not matter.
pub fn fingerprint(particles: &Particles) -> u64 {
    let Particles { ids, positions, velocities, .. } = particles;
    sum_of_hashes(ids, positions, velocities)
}

fn sum_of_hashes(ids: &[u32], positions: &[Vec3], velocities: &[Vec3]) -> u64 {
    let hash = |((id, position), velocity): ((&u32, &Vec3), &Vec3)| {
        let mut bytes = [0; 28];
        let numbers = position.to_array().into_iter().chain(velocity.to_array()).map(f32::to_bits);
        for (slot, word) in bytes.chunks_exact_mut(4).zip(std::iter::once(*id).chain(numbers)) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        XxHash64::oneshot(0, &bytes)
    };
    ids.iter().zip(positions).zip(velocities).map(hash).fold(0, u64::wrapping_add)
}

/// Reason why a file cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
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
        "it is not a recording: its first line must be a JSON object with the key sph_recording. The window saves one with \
         File › Save session recording…, or `sph SCENE --record FILE.jsonl` when it closes"
    )]
    NoRecording,
    /// The file ends within a line.
    #[error("it ends in the middle of line {line}: it is truncated")]
    CutOff {
        /// Number of the line, from 1.
        line: usize,
    },
    /// The recording is of another scene, and does not fit this one.
    #[error("it was recorded with “{recorded}”, but this scene is “{scene}”; {difference}")]
    OtherScene {
        /// Name of the recorded scene.
        recorded: String,
        /// Name of the scene that it is to be replayed in.
        scene: String,
        /// What does not fit.
        difference: String,
    },
    /// A line is not what is expected there.
    #[error("line {line}: {reason}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Reason, with the key or column.
        reason: String,
    },
}

impl RecordingError {
    fn at(line: usize, reason: impl ToString) -> Self {
        Self::Line { line, reason: reason.to_string() }
    }
}
