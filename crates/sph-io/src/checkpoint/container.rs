//! Container of a checkpoint: magic, version, an LZ4 frame, and the checksum of all bytes before it.

use super::array::Arrays;
use super::error::CheckpointError;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;
use twox_hash::XxHash64;

/// First bytes of every checkpoint. The line end and the zero tell text modes and other damage apart.
const MAGIC: [u8; 8] = *b"SPHCP\r\n\0";

/// Version of the format: another one whenever the arrays of a checkpoint change.
const VERSION: u32 = 2;

/// Bytes before the frame.
const HEADER: u64 = 12;

/// Bytes of the checksum.
const CHECKSUM: u64 = 8;

/// Writes the file.
pub(super) fn write(out: &mut dyn Write, arrays: &Arrays) -> io::Result<()> {
    let mut hashed = Hashed { out, hash: XxHash64::with_seed(0) };
    hashed.write_all(&MAGIC)?;
    hashed.write_all(&VERSION.to_le_bytes())?;
    let mut frame = FrameEncoder::new(&mut hashed);
    arrays.write(&mut frame)?;
    frame.finish()?;
    let checksum = hashed.hash.finish().to_le_bytes();
    hashed.out.write_all(&checksum)
}

/// Reads the file at `path`: first its checksum, and what it says only if that is right.
pub(super) fn read(path: &Path) -> Result<Arrays, CheckpointError> {
    if !path.metadata()?.is_file() {
        return Err(CheckpointError::Foreign);
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut header = [0; HEADER as usize];
    file.read_exact(&mut header).map_err(|_| CheckpointError::Foreign)?;
    let (magic, version) = header.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(CheckpointError::Foreign);
    }
    let found = u32::from_le_bytes([0, 1, 2, 3].map(|byte| version[byte]));
    let content = length.checked_sub(HEADER + CHECKSUM).ok_or(CheckpointError::Damaged)?;
    let mut hash = XxHash64::with_seed(0);
    hash.write(&header);
    let mut hashed = Hashed { out: io::sink(), hash };
    if io::copy(&mut (&mut file).take(content), &mut hashed)? < content {
        return Err(CheckpointError::Damaged);
    }
    let mut checksum = [0; CHECKSUM as usize];
    file.read_exact(&mut checksum).map_err(|_| CheckpointError::Damaged)?;
    if hashed.hash.finish() != u64::from_le_bytes(checksum) {
        return Err(CheckpointError::Damaged);
    }
    if found != VERSION {
        return Err(CheckpointError::Version { found, known: VERSION });
    }
    file.seek(io::SeekFrom::Start(HEADER))?;
    let mut frame = FrameDecoder::new(BufReader::new(file.take(content)));
    Arrays::read(&mut frame)
}

/// Writer that hashes what it passes on.
struct Hashed<W> {
    out: W,
    hash: XxHash64,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.write(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_version_is_refused_by_its_version() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bytes = Vec::new();
        write(&mut bytes, &Arrays::default()).unwrap();
        bytes.truncate(bytes.len() - CHECKSUM as usize);
        bytes[MAGIC.len()..HEADER as usize].copy_from_slice(&1_u32.to_le_bytes());
        let mut hash = XxHash64::with_seed(0);
        hash.write(&bytes);
        bytes.extend_from_slice(&hash.finish().to_le_bytes());
        std::fs::write(file.path(), bytes).unwrap();
        let error = read(file.path()).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "it has version 1 of the format, and this program reads version 2");
    }
}
