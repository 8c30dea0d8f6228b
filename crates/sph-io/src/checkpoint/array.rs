//! Named arrays, and their bytes: kind, length of the name, number of values, name, values, all little-endian.

use super::error::CheckpointError;
use glam::Vec3;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

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
                return Err(CheckpointError::of(&name, "is there twice"));
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
