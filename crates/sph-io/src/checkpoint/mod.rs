//! Checkpoints: a whole simulation in a file, from which it goes on to the bit.
//!
//! A file is a header with magic and version, an LZ4 frame, and a checksum of all bytes before it ([`container`]). In the frame
//! are named arrays ([`array`]): the files of the scene, its overrides, the parameters, the numbers of the state and every
//! attribute of the particles, each from its registry, so that the format carries on when attributes are added. [`packed`] keeps
//! a state alone, in memory.

mod array;
mod container;
mod error;
mod file;
mod packed;
mod planes;
mod state;

pub use error::CheckpointError;
pub use file::Checkpoint;
pub use packed::PackedState;
