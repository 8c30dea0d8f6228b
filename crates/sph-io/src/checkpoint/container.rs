//! Container of a checkpoint: magic, version, an LZ4 frame, and the checksum of all bytes before it.

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use super::CheckpointError;
use bytemuck::Pod;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use twox_hash::XxHash64;

/// First bytes of every checkpoint. The line end and the zero tell text modes and other damage apart.
const MAGIC: [u8; 8] = *b"SPHCP\r\n\0";

/// Version of the format: another one whenever a checkpoint holds other things, or the same in another order.
pub(super) const VERSION: u32 = 8;

/// Bytes before the frame.
const HEADER: u64 = 12;

/// Bytes of the checksum.
const CHECKSUM: u64 = 8;

/// Writes the file, whose frame gets what `contents` writes.
pub(super) fn write(out: &mut dyn Write, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut hashed = Hashed { out, hash: XxHash64::with_seed(0) };
    hashed.write_all(&MAGIC)?;
    hashed.write_all(&VERSION.to_le_bytes())?;
    let mut frame = FrameEncoder::new(&mut hashed);
    contents(&mut frame)?;
    frame.finish()?;
    let checksum = hashed.hash.finish().to_le_bytes();
    hashed.out.write_all(&checksum)
}

/// Reads the file at `path`: first its checksum, and by `contents` what it says only if that is right.
pub(super) fn read<T>(
    path: &Path,
    contents: impl FnOnce(&mut dyn Read) -> Result<T, CheckpointError>,
) -> Result<T, CheckpointError> {
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
    let length = length.checked_sub(HEADER + CHECKSUM).ok_or(CheckpointError::Damaged)?;
    let mut hash = XxHash64::with_seed(0);
    hash.write(&header);
    let mut hashed = Hashed { out: io::sink(), hash };
    if io::copy(&mut (&mut file).take(length), &mut hashed)? < length {
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
    let mut frame = FrameDecoder::new(BufReader::new(file.take(length)));
    let read = contents(&mut frame)?;
    at_end(&mut frame)?;
    Ok(read)
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

// Contents: columns one after the other, each the length of its values in bytes, and the values as they are in memory. Anything that is not an array is
// a column too, of the bytes that postcard makes of it.

// Columns are copied, not converted.
const _: () =
    assert!(cfg!(target_endian = "little"), "checkpoints are little-endian, as are all machines that this program was run on");

/// Longest column, bytes: the vectors of the largest simulation.
const MAX_BYTES: u64 = 12 * sph_core::MAX_PARTICLES;

/// Bytes that are read at once: a column takes no more memory than has come.
const CHUNK: usize = 1 << 16;

/// Writes the values of an array.
pub(super) fn write_column<T: Pod>(out: &mut dyn Write, values: &[T]) -> io::Result<()> {
    out.write_all(&(size_of_val(values) as u64).to_le_bytes())?;
    out.write_all(bytemuck::cast_slice(values))
}

/// Reads the values of an array; `name` is for messages.
pub(super) fn read_column<T: Pod>(input: &mut dyn Read, name: &str) -> Result<Vec<T>, CheckpointError> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let (length, width) = (u64::from_le_bytes(length), size_of::<T>());
    if length > MAX_BYTES {
        return Err(CheckpointError::of(name, "is too long"));
    }
    if length % width as u64 != 0 {
        return Err(CheckpointError::of(name, "ends within a value"));
    }
    let count = length as usize / width;
    let mut values = Vec::new();
    while values.len() < count {
        let read = values.len();
        values.resize(count.min(read + CHUNK / width), T::zeroed());
        input.read_exact(bytemuck::cast_slice_mut(&mut values[read..]))?;
    }
    Ok(values)
}

/// Writes what is no array.
pub(super) fn write_value(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    write_column(out, &postcard::to_allocvec(value).map_err(io::Error::other)?)
}

/// Reads what is no array; `name` is for messages.
pub(super) fn read_value<T: DeserializeOwned>(input: &mut dyn Read, name: &str) -> Result<T, CheckpointError> {
    let bytes: Vec<u8> = read_column(input, name)?;
    match postcard::take_from_bytes(&bytes) {
        Ok((value, [])) => Ok(value),
        Ok(_) => Err(CheckpointError::of(name, "goes on after its end")),
        Err(_) => Err(CheckpointError::of(name, "makes no sense")),
    }
}

/// Reads text; `name` is for messages.
pub(super) fn read_text(input: &mut dyn Read, name: &str) -> Result<String, CheckpointError> {
    String::from_utf8(read_column(input, name)?).map_err(|_| CheckpointError::of(name, "is not text"))
}

/// Error if anything is left to read.
pub(super) fn at_end(input: &mut dyn Read) -> Result<(), CheckpointError> {
    match input.read(&mut [0])? {
        0 => Ok(()),
        _ => Err(CheckpointError::Contents("it goes on after its end".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_file_of_another_version_is_refused_by_its_version() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bytes = Vec::new();
        write(&mut bytes, |_| Ok(())).unwrap();
        bytes.truncate(bytes.len() - CHECKSUM as usize);
        bytes[MAGIC.len()..HEADER as usize].copy_from_slice(&2_u32.to_le_bytes());
        let mut hash = XxHash64::with_seed(0);
        hash.write(&bytes);
        bytes.extend_from_slice(&hash.finish().to_le_bytes());
        std::fs::write(file.path(), bytes).unwrap();
        let error = read(file.path(), |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "it has version 2 of the format, but this program reads version 8");
    }

    #[test]
    fn columns_and_values_are_read_as_they_were_written() {
        let scalars: Vec<f32> = (0..100_000).map(|i| i as f32).chain([f32::from_bits(0x7fc0_1234), -0.0, 1e-40]).collect();
        let (vectors, value) =
            (vec![Vec3::new(-0.0, 1e-40, f32::NAN); 7], (f64::MIN_POSITIVE, u64::MAX, Some("a text".to_owned())));
        let mut bytes = Vec::new();
        write_column(&mut bytes, &scalars).unwrap();
        write_value(&mut bytes, &value).unwrap();
        write_column(&mut bytes, &vectors).unwrap();
        write_column::<u32>(&mut bytes, &[]).unwrap();
        let read = |mut bytes: &[u8]| -> Result<_, CheckpointError> {
            let scalars: Vec<f32> = read_column(&mut bytes, "scalars")?;
            let value: (f64, u64, Option<String>) = read_value(&mut bytes, "value")?;
            let all = (scalars, value, read_column::<Vec3>(&mut bytes, "vectors")?, read_column::<u32>(&mut bytes, "none")?);
            at_end(&mut bytes)?;
            Ok(all)
        };
        let found = read(&bytes).unwrap();
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert!(bits(&found.0) == bits(&scalars));
        assert_eq!((found.1, found.3), (value, Vec::new()));
        assert_eq!(bits(bytemuck::cast_slice(&found.2)), bits(bytemuck::cast_slice(&vectors)));
        for end in [0, 1, 7, bytes.len() / 2, bytes.len() - 1] {
            assert!(read(&bytes[..end]).is_err());
        }
        assert!(read(&[&bytes[..], b"x"].concat()).is_err());
    }

    #[test]
    fn an_absurd_length_allocates_nothing() {
        let mut bytes = Vec::new();
        for length in [u64::MAX, MAX_BYTES + 4, 5] {
            bytes.splice(.., length.to_le_bytes());
            assert!(matches!(read_column::<f32>(&mut &bytes[..], "x"), Err(CheckpointError::Contents(_))));
        }
        // As long as is allowed, but nothing comes.
        bytes.splice(.., MAX_BYTES.to_le_bytes());
        assert!(matches!(read_column::<f32>(&mut &bytes[..], "x"), Err(CheckpointError::Read(_))));
        // A list within a value that says that it is far longer than the value.
        let mut bytes = Vec::new();
        write_column(&mut bytes, &[0xff_u8, 0xff, 0xff, 0xff, 0x0f, 1]).unwrap();
        assert!(matches!(read_value::<Vec<f64>>(&mut &bytes[..], "x"), Err(CheckpointError::Contents(_))));
    }
}
