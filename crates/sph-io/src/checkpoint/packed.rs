//! A state packed in memory, for programs that keep many.

use super::array::Arrays;
use super::error::CheckpointError;
use super::planes::{Joined, Parted};
use super::state;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use sph_core::{Parameters, State};

/// A [`State`], compressed without loss: the arrays of a checkpoint, without the scene. The bytes of their numbers are parted into
/// planes, so that signs, exponents and leading digits, which neighbours in memory share, compress.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedState {
    frame: Box<[u8]>,
    unpacked: usize,
}

impl std::fmt::Debug for PackedState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackedState").field("bytes", &self.bytes()).field("unpacked", &self.unpacked).finish()
    }
}

impl PackedState {
    /// Packs `state`, on the thread that calls.
    pub fn new(state: &State) -> Self {
        let mut arrays = Arrays::default();
        state::put(state, &mut arrays);
        let mut parted = Parted::new(FrameEncoder::new(Vec::new()));
        let written = arrays.write(&mut parted).and_then(|()| parted.finish());
        let (frame, unpacked) = written.expect("a vector takes all bytes");
        let frame = frame.finish().expect("a vector takes all bytes").into_boxed_slice();
        Self { frame, unpacked }
    }

    /// The state. Its parameters without an entry in the table are those of `start`, the parameters of its setup.
    ///
    /// # Errors
    /// None for what [`PackedState::new`] has packed.
    pub fn unpack(&self, start: Parameters) -> Result<State, CheckpointError> {
        let mut arrays = Arrays::read(&mut Joined::new(FrameDecoder::new(&*self.frame)))?;
        let state = state::take(&mut arrays, start)?;
        arrays.finish()?;
        Ok(state)
    }

    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.frame.len()
    }

    /// Length of its arrays before the compression, bytes.
    pub fn unpacked_bytes(&self) -> usize {
        self.unpacked
    }
}
