//! A state packed in memory, for programs that keep many.

use std::io::{self, Read, Write};

use super::{CheckpointError, container, state};
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use sph_core::State;

/// A [`State`], compressed without loss: as in a checkpoint, without the scene. The bytes of their numbers are parted into
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
        let mut parted = Parted::new(FrameEncoder::new(Vec::new()));
        let written = state::write(state, &mut parted).and_then(|()| parted.finish());
        let (frame, unpacked) = written.expect("a vector takes all bytes");
        let frame = frame.finish().expect("a vector takes all bytes").into_boxed_slice();
        Self { frame, unpacked }
    }

    /// The state.
    ///
    /// # Errors
    /// None for what [`PackedState::new`] has packed.
    pub fn unpack(&self) -> Result<State, CheckpointError> {
        let mut joined = Joined::new(FrameDecoder::new(&*self.frame));
        let state = state::read(&mut joined)?;
        container::at_end(&mut joined)?;
        Ok(state)
    }

    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.frame.len()
    }

    /// Its length before the compression, bytes.
    pub fn unpacked_bytes(&self) -> usize {
        self.unpacked
    }
}

// Bytes of numbers parted into planes: the first bytes of all numbers of a block, then the second ones, and so on.
//
// Blocks are cut from the stream wherever arrays begin and end: what matters is that equal places of numbers come together.

/// Bytes of a block: as many as LZ4 looks back.
const BLOCK: usize = 1 << 16;

/// Bytes of a number.
const WIDTH: usize = 4;

/// Writer that parts what it passes on.
pub(super) struct Parted<W> {
    out: W,
    block: Vec<u8>,
    planes: Vec<u8>,
    /// Bytes written so far.
    length: usize,
}

impl<W: Write> Parted<W> {
    pub fn new(out: W) -> Self {
        Self { out, block: Vec::with_capacity(BLOCK), planes: Vec::with_capacity(BLOCK), length: 0 }
    }

    /// Writes what is left; returns the writer below, and the number of bytes written.
    pub fn finish(mut self) -> io::Result<(W, usize)> {
        self.pass_on()?;
        Ok((self.out, self.length))
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.planes.clear();
        for plane in 0..WIDTH {
            self.planes.extend(self.block.iter().skip(plane).step_by(WIDTH));
        }
        self.block.clear();
        self.out.write_all(&self.planes)
    }
}

impl<W: Write> Write for Parted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        self.length += taken;
        if self.block.len() == BLOCK {
            self.pass_on()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reader that joins what [`Parted`] has parted.
pub(super) struct Joined<R> {
    input: R,
    block: Vec<u8>,
    /// Bytes of the block that have been read.
    read: usize,
}

impl<R: Read> Joined<R> {
    pub fn new(input: R) -> Self {
        Self { input, block: Vec::new(), read: 0 }
    }

    fn fetch(&mut self) -> io::Result<()> {
        let mut planes = Vec::with_capacity(BLOCK);
        self.input.by_ref().take(BLOCK as u64).read_to_end(&mut planes)?;
        self.block.resize(planes.len(), 0);
        let mut parted = planes.into_iter();
        for plane in 0..WIDTH {
            self.block.iter_mut().skip(plane).step_by(WIDTH).zip(&mut parted).for_each(|(byte, value)| *byte = value);
        }
        self.read = 0;
        Ok(())
    }
}

impl<R: Read> Read for Joined<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.read == self.block.len() {
            self.fetch()?;
        }
        let count = (&self.block[self.read..]).read(bytes)?;
        self.read += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parted_bytes_are_joined_again() {
        for length in [0, 1, 3, 4, 7, BLOCK - 1, BLOCK, BLOCK + 5, 3 * BLOCK + 2] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * i / 7) as u8).collect();
            let mut parted = Parted::new(Vec::new());
            bytes.chunks(1000).for_each(|part| parted.write_all(part).unwrap());
            let (planes, written) = parted.finish().unwrap();
            assert_eq!((planes.len(), written), (length, length));
            let mut joined = Vec::new();
            Joined::new(&planes[..]).read_to_end(&mut joined).unwrap();
            assert!(joined == bytes, "{length}");
        }
        let mut parted = Parted::new(Vec::new());
        parted.write_all(&[0, 1, 2, 3, 10, 11, 12, 13, 20]).unwrap();
        assert_eq!(parted.finish().unwrap().0, [0, 10, 20, 1, 11, 2, 12, 3, 13]);
    }
}
