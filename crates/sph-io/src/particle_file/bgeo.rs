//! Houdini's classic geometry (`.bgeo`, version 5), as Partio writes it: points only, big-endian.
//!
//! A header, the definitions of the attributes, then for each point four numbers (x, y, z, w) and its attributes, of four bytes each.
//! The rest of the file, behind the points, is not read.

use std::io::Read;

use super::Points;
use glam::Vec3;
use sph_core::MAX_PARTICLES;

/// Kinds of attributes.
const FLOAT: u32 = 0;
const INTEGER: u32 = 1;
const INDEXED_TEXT: u32 = 4;
const VECTOR: u32 = 5;

/// Numbers of a point's position: x, y, z, w.
const POSITION: usize = 4;

/// Most numbers of a point, of its position and all its attributes.
const MOST_NUMBERS: usize = 1024;

/// Reads the points of `file`, which is not compressed.
pub(super) fn parse(file: impl Read) -> Result<Points, String> {
    let mut input = Input { file, offset: 0 };
    let magic = input.take::<5>("header")?;
    if magic.starts_with(&[0x7f, b'N', b'S', b'J']) {
        return Err("is Houdini's newer geometry: save it in the classic format, version 5 (`.bhclassic`)".to_owned());
    }
    if magic != *b"BgeoV" {
        return Err("is not a BGEO file: it does not begin with `BgeoV`".to_owned());
    }
    let [version, count, _, _, _, attributes] = input.integers::<6>("header")?;
    if version != 5 {
        return Err(format!("is BGEO of version {version} (byte 5): expected version 5"));
    }
    if u64::from(count) > MAX_PARTICLES {
        return Err(format!("has {count} points (byte 9): at most {MAX_PARTICLES} are possible"));
    }
    input.integers::<3>("header")?;
    let (mut numbers, mut velocity) = (POSITION, None);
    for index in 0..attributes {
        let Attribute { name, size, kind } = input.attribute(index)?;
        if matches!(kind, FLOAT | VECTOR) && size == 3 && matches!(name.as_slice(), b"velocity" | b"v") {
            velocity = Some(numbers);
        }
        numbers += size;
        if numbers > MOST_NUMBERS {
            return Err(format!("has more than {MOST_NUMBERS} numbers for each point"));
        }
    }
    let (mut points, mut row) = (Points::default(), vec![0; 4 * numbers]);
    for index in 0..count {
        input.fill(&mut row, || format!("point {index} of {count}"))?;
        let vector = |first: usize| {
            let number = |at: usize| f32::from_be_bytes([row[4 * at], row[4 * at + 1], row[4 * at + 2], row[4 * at + 3]]);
            Vec3::from_array([0, 1, 2].map(|axis| number(first + axis)))
        };
        points.positions.push(vector(0));
        points.velocities.extend(velocity.map(vector));
    }
    Ok(points)
}

struct Attribute {
    name: Vec<u8>,
    /// Numbers of a value.
    size: usize,
    kind: u32,
}

/// The bytes of a file, and how many of them have been read.
struct Input<R> {
    file: R,
    offset: u64,
}

impl<R: Read> Input<R> {
    /// Fills `bytes`, which are of the `part` of the file.
    fn fill(&mut self, bytes: &mut [u8], part: impl Fn() -> String) -> Result<(), String> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => format!("ends within {}, which begins at byte {}", part(), self.offset),
            _ => format!("cannot be decompressed after byte {} of its contents: {error}", self.offset),
        })?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn take<const N: usize>(&mut self, part: &str) -> Result<[u8; N], String> {
        let mut bytes = [0; N];
        self.fill(&mut bytes, || format!("its {part}"))?;
        Ok(bytes)
    }

    fn integers<const N: usize>(&mut self, part: &str) -> Result<[u32; N], String> {
        let mut integers = [0; N];
        for integer in &mut integers {
            *integer = u32::from_be_bytes(self.take(part)?);
        }
        Ok(integers)
    }

    fn short(&mut self, part: &str) -> Result<usize, String> {
        self.take(part).map(|bytes| u16::from_be_bytes(bytes).into())
    }

    /// A text after its length.
    fn text(&mut self, part: &str) -> Result<Vec<u8>, String> {
        let mut text = vec![0; self.short(part)?];
        self.fill(&mut text, || format!("its {part}"))?;
        Ok(text)
    }

    /// The definition of an attribute; its default values are passed over.
    fn attribute(&mut self, index: u32) -> Result<Attribute, String> {
        const PART: &str = "list of attributes";
        let start = self.offset;
        let name = self.text(PART)?;
        let size = self.short(PART)?;
        let [kind] = self.integers(PART)?;
        match kind {
            FLOAT | INTEGER | VECTOR => {
                for _ in 0..size {
                    self.take::<4>(PART)?;
                }
            }
            INDEXED_TEXT => {
                let [count] = self.integers(PART)?;
                for _ in 0..count {
                    self.text(PART)?;
                }
            }
            other => return Err(format!("has an attribute {index} of the unknown kind {other} (byte {start})")),
        }
        Ok(Attribute { name, size, kind })
    }
}
