//! Container of a checkpoint: magic, version, an LZ4 frame, and the checksum of all bytes before it; the named arrays in the frame.

use std::collections::BTreeMap;
use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use super::CheckpointError;
use glam::Vec3;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
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

// Named arrays, and their bytes: kind, length of the name, number of values, name, values, all little-endian.

/// Longest name, bytes.
const MAX_NAME: usize = 4096;

/// Largest array, bytes: the vectors of the largest simulation.
const MAX_BYTES: u64 = 12 * sph_core::MAX_PARTICLES;

/// Largest number of arrays.
const MAX_ARRAYS: usize = 1 << 16;

/// Bytes that are read at once: an array takes no more memory than has come.
const CHUNK: usize = 1 << 16;

/// Kind of the entry after the last array.
const END: u8 = 0;

/// Values of one array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Array {
    /// Bytes, or text.
    Bytes(Vec<u8>),
    /// Whole numbers.
    Integers(Vec<u32>),
    /// Large whole numbers.
    Counts(Vec<u64>),
    /// Scalars.
    Scalars(Vec<f32>),
    /// Scalars of double precision.
    Doubles(Vec<f64>),
    /// Vectors.
    Vectors(Vec<Vec3>),
}

/// Arrays by their names.
#[derive(Debug, Default)]
pub(super) struct Arrays(BTreeMap<String, Array>);

impl Arrays {
    /// Adds an array.
    pub fn put(&mut self, name: impl Into<String>, array: Array) {
        self.0.insert(name.into(), array);
    }

    /// Takes an array out; `None` if there is none of this name.
    pub fn take(&mut self, name: &str) -> Option<Array> {
        self.0.remove(name)
    }

    /// Takes the arrays out whose names begin with `prefix`, with the rest of their names.
    pub fn take_all(&mut self, prefix: &str) -> Vec<(String, Array)> {
        let names: Vec<String> = self.0.keys().filter(|name| name.starts_with(prefix)).cloned().collect();
        names.into_iter().filter_map(|name| Some((name[prefix.len()..].to_owned(), self.0.remove(&name)?))).collect()
    }

    /// Takes text out.
    pub fn text(&mut self, name: &str) -> Result<String, CheckpointError> {
        match self.take(name) {
            Some(Array::Bytes(bytes)) => String::from_utf8(bytes).map_err(|_| CheckpointError::of(name, "is not text")),
            _ => Err(CheckpointError::of(name, "is missing")),
        }
    }

    /// Takes a single number out.
    pub fn double(&mut self, name: &str) -> Result<f64, CheckpointError> {
        match self.take(name) {
            Some(Array::Doubles(values)) if values.len() == 1 => Ok(values[0]),
            _ => Err(CheckpointError::of(name, "is missing")),
        }
    }

    /// Takes a single whole number out.
    pub fn count(&mut self, name: &str) -> Result<u64, CheckpointError> {
        match self.take(name) {
            Some(Array::Counts(values)) if values.len() == 1 => Ok(values[0]),
            _ => Err(CheckpointError::of(name, "is missing")),
        }
    }

    /// Error if an array is left that nothing has taken.
    pub fn finish(self) -> Result<(), CheckpointError> {
        self.0.into_keys().next().map_or(Ok(()), |name| Err(CheckpointError::of(&name, "is unknown to this program")))
    }

    /// Writes all arrays.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for (name, array) in &self.0 {
            match array {
                Array::Bytes(values) => write_array(out, 1, name, values, |value| [value]),
                Array::Integers(values) => write_array(out, 2, name, values, u32::to_le_bytes),
                Array::Counts(values) => write_array(out, 3, name, values, u64::to_le_bytes),
                Array::Scalars(values) => write_array(out, 4, name, values, f32::to_le_bytes),
                Array::Doubles(values) => write_array(out, 5, name, values, f64::to_le_bytes),
                Array::Vectors(values) => write_array(out, 6, name, values, vector_bytes),
            }?;
        }
        write_array(out, END, "", &[], |value: u8| [value])
    }

    /// Reads all arrays.
    pub fn read(input: &mut dyn Read) -> Result<Self, CheckpointError> {
        let mut arrays = Self::default();
        while arrays.0.len() <= MAX_ARRAYS {
            let [kind] = bytes(input)?;
            let (name_length, count) = (u16::from_le_bytes(bytes(input)?), u64::from_le_bytes(bytes(input)?));
            if usize::from(name_length) > MAX_NAME {
                return Err(CheckpointError::Contents("a name in it is too long".to_owned()));
            }
            let name = String::from_utf8(read_values(input, name_length.into(), |[byte]| byte)?)
                .map_err(|_| CheckpointError::Contents("a name in it is not text".to_owned()))?;
            if kind == END {
                return Ok(arrays);
            }
            let array = match kind {
                1 => Array::Bytes(read_values(input, count, |[byte]| byte)?),
                2 => Array::Integers(read_values(input, count, u32::from_le_bytes)?),
                3 => Array::Counts(read_values(input, count, u64::from_le_bytes)?),
                4 => Array::Scalars(read_values(input, count, f32::from_le_bytes)?),
                5 => Array::Doubles(read_values(input, count, f64::from_le_bytes)?),
                6 => Array::Vectors(read_values(input, count, vector)?),
                _ => return Err(CheckpointError::of(&name, "has an unknown kind")),
            };
            if arrays.0.insert(name.clone(), array).is_some() {
                return Err(CheckpointError::of(&name, "occurs twice"));
            }
        }
        Err(CheckpointError::Contents("it has too many arrays".to_owned()))
    }
}

fn write_array<T: Copy, const N: usize>(
    out: &mut dyn Write,
    kind: u8,
    name: &str,
    values: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "a name is too long for a checkpoint");
    out.write_all(&[kind])?;
    out.write_all(&u16::try_from(name.len()).map_err(too_long)?.to_le_bytes())?;
    out.write_all(&(values.len() as u64).to_le_bytes())?;
    out.write_all(name.as_bytes())?;
    for chunk in values.chunks(CHUNK / N) {
        let chunk: Vec<u8> = chunk.iter().flat_map(|&value| bytes(value)).collect();
        out.write_all(&chunk)?;
    }
    Ok(())
}

fn bytes<const N: usize>(input: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_values<T, const N: usize>(
    input: &mut dyn Read,
    count: u64,
    value: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, CheckpointError> {
    let length = count.saturating_mul(N as u64);
    if length > MAX_BYTES {
        return Err(CheckpointError::Contents(format!("an array of {count} values in it is too long")));
    }
    let (mut values, mut left) = (Vec::new(), length as usize);
    let mut chunk = vec![0; CHUNK / N * N];
    while left > 0 {
        let part = left.min(chunk.len());
        input.read_exact(&mut chunk[..part])?;
        values.extend(chunk[..part].as_chunks().0.iter().map(|&bytes| value(bytes)));
        left -= part;
    }
    Ok(values)
}

fn vector_bytes(vector: Vec3) -> [u8; 12] {
    let mut bytes = [0; 12];
    for (place, component) in bytes.chunks_exact_mut(4).zip(vector.to_array()) {
        place.copy_from_slice(&component.to_le_bytes());
    }
    bytes
}

fn vector(bytes: [u8; 12]) -> Vec3 {
    let component = |axis: usize| f32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * axis + byte]));
    Vec3::new(component(0), component(1), component(2))
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

    #[test]
    fn arrays_are_read_as_they_were_written() {
        let all = [
            ("text", Array::Bytes(b"a text".to_vec())),
            ("integers", Array::Integers(vec![7, u32::MAX])),
            ("counts", Array::Counts(vec![u64::MAX])),
            ("scalars", Array::Scalars((0..100_000).map(|i| i as f32).collect())),
            ("doubles", Array::Doubles(vec![f64::MIN_POSITIVE])),
            ("vectors", Array::Vectors(vec![Vec3::new(-0.0, 1e-40, 3.0); 7])),
        ];
        let mut arrays = Arrays::default();
        all.iter().for_each(|(name, array)| arrays.put(*name, array.clone()));
        let mut bytes = Vec::new();
        arrays.write(&mut bytes).unwrap();
        let mut read = Arrays::read(&mut bytes.as_slice()).unwrap();
        for (name, array) in all {
            assert_eq!(read.take(name), Some(array));
        }
        read.finish().unwrap();
        for end in [0, 1, 5, bytes.len() / 2, bytes.len() - 1] {
            assert!(Arrays::read(&mut &bytes[..end]).is_err());
        }
    }

    #[test]
    fn an_absurd_length_allocates_nothing() {
        let mut bytes = vec![4, 1, 0];
        bytes.extend((u64::MAX / 2).to_le_bytes());
        bytes.push(b'x');
        assert!(matches!(Arrays::read(&mut bytes.as_slice()), Err(CheckpointError::Contents(_))));
    }
}
