//! Houdini's classic geometry format (`.bgeo`, version 5), as Partio writes it: points only, big-endian.

use super::points::{Field, Points};
use sph_core::Values;
use std::io::{self, Write};

/// Kinds of attributes.
const FLOAT: i32 = 0;
const INTEGER: i32 = 1;
const VECTOR: i32 = 5;

/// Writes the points, in SI units. The position is the built-in one, with the homogeneous coordinate 1; the time is an attribute
/// of the whole.
pub(super) fn write(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
    let [position, attributes @ ..] = points.fields.as_slice() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "points have a position"));
    };
    out.write_all(b"BgeoV")?;
    // Version, points, primitives, groups of either, attributes of points, vertices, primitives and the whole.
    for number in [5, points.len() as i32, 0, 0, 0, attributes.len() as i32, 0, 0, 1] {
        out.write_all(&number.to_be_bytes())?;
    }
    for field in attributes {
        define(out, field.name, kind(field), field.components() as u16)?;
    }
    for &index in &points.order {
        write_value(out, position, index as usize)?;
        out.write_all(&1f32.to_be_bytes())?;
        for field in attributes {
            write_value(out, field, index as usize)?;
        }
    }
    define(out, "time", FLOAT, 1)?;
    out.write_all(&(points.time as f32).to_be_bytes())?;
    // End.
    out.write_all(&[0x00, 0xff])
}

/// Writes the definition of an attribute; its default values are zero.
fn define(out: &mut dyn Write, name: &str, kind: i32, components: u16) -> io::Result<()> {
    out.write_all(&(name.len() as u16).to_be_bytes())?;
    out.write_all(name.as_bytes())?;
    out.write_all(&components.to_be_bytes())?;
    out.write_all(&kind.to_be_bytes())?;
    (0..components).try_for_each(|_| out.write_all(&[0; 4]))
}

fn kind(field: &Field<'_>) -> i32 {
    match field.values {
        Values::Vectors(_) => VECTOR,
        Values::Scalars(_) => FLOAT,
        Values::Integers(_) | Values::Bytes(_) => INTEGER,
    }
}

/// Writes a value; every number has four bytes.
fn write_value(out: &mut dyn Write, field: &Field<'_>, index: usize) -> io::Result<()> {
    match field.values {
        Values::Vectors(values) => values[index].to_array().iter().try_for_each(|number| out.write_all(&number.to_be_bytes())),
        Values::Scalars(values) => out.write_all(&values[index].to_be_bytes()),
        Values::Integers(values) => out.write_all(&values[index].to_be_bytes()),
        Values::Bytes(values) => out.write_all(&u32::from(values[index]).to_be_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use crate::export::points::{bytes_of, pair};
    use sph_core::Particles;

    /// Takes a number of `N` bytes from the front.
    fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
        let (number, rest) = bytes.split_first_chunk().unwrap();
        *bytes = rest;
        *number
    }

    /// Takes the definition of an attribute: name, components, kind.
    fn definition(bytes: &mut &[u8]) -> (String, u16, i32) {
        let length = usize::from(u16::from_be_bytes(take(bytes)));
        let (name, rest) = bytes.split_at(length);
        *bytes = rest;
        let (components, kind) = (u16::from_be_bytes(take(bytes)), i32::from_be_bytes(take(bytes)));
        (0..components).for_each(|_| assert_eq!(take(bytes), [0; 4]));
        (std::str::from_utf8(name).unwrap().to_owned(), components, kind)
    }

    #[test]
    fn header_definitions_and_points_agree() {
        let file = bytes_of(super::write, &Particles { fluids: vec![2, 0], ..pair() });
        let rest = &mut &file[..];
        assert_eq!(take(rest), *b"BgeoV");
        let header = [(); 9].map(|()| i32::from_be_bytes(take(rest)));
        assert_eq!(header, [5, 2, 0, 0, 0, 5, 0, 0, 1]);
        let definitions = [(); 5].map(|()| definition(rest));
        let expected = [("velocity", 3, 5), ("density", 1, 0), ("pressure", 1, 0), ("id", 1, 1), ("fluid", 1, 1)];
        assert_eq!(definitions, expected.map(|(name, components, kind)| (name.to_owned(), components, kind)));
        let expected = [
            ([0.1, -0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 998.5, 0.0], [0, 0]),
            ([1.0, 2.0, 3.0, 1.0, 1.0, 0.0, 0.0, 1000.0, 25.0], [1, 2]),
        ];
        for point in expected {
            let floats = [(); 9].map(|()| f32::from_be_bytes(take(rest)));
            assert_eq!((floats, [(); 2].map(|()| i32::from_be_bytes(take(rest)))), point);
        }
        assert_eq!(definition(rest), ("time".to_owned(), 1, 0));
        assert_eq!(f32::from_be_bytes(take(rest)), 0.25);
        assert_eq!(*rest, [0x00, 0xff]);
    }
}
