//! NumPy's NPZ: an archive of one `.npy` array for each attribute.

use super::points::{Field, Points};
use super::zip::Archive;
use sph_core::Values;
use std::io::{self, Write};

/// Alignment of the data in an `.npy` file, bytes.
const ALIGNMENT: usize = 64;

/// Writes the points, in SI units: the scalar `time`, an array for each attribute with a row for each point, and the names of several
/// fluids. Nothing is pickled.
pub(super) fn write(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
    let mut archive = Archive::new(out);
    archive.add("time.npy", &array("<f8", "()", &points.time.to_le_bytes()))?;
    for field in &points.fields {
        let shape = match field.components() {
            1 => format!("({},)", points.len()),
            components => format!("({}, {components})", points.len()),
        };
        let name = format!("{}.npy", field.name);
        archive.add(&name, &array(kind(field), &shape, &field.little_endian(&points.order)))?;
    }
    if !points.fluids.is_empty() {
        let longest = points.fluids.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(1);
        let padded = |name: &&str| name.chars().map(u32::from).chain(std::iter::repeat(0)).take(longest).collect::<Vec<_>>();
        let names: Vec<u8> = points.fluids.iter().flat_map(padded).flat_map(u32::to_le_bytes).collect();
        archive.add("fluid_names.npy", &array(&format!("<U{longest}"), &format!("({},)", points.fluids.len()), &names))?;
    }
    archive.finish()
}

/// Type of an array's numbers.
fn kind(field: &Field<'_>) -> &'static str {
    match field.values {
        Values::Vectors(_) | Values::Scalars(_) => "<f4",
        Values::Integers(_) => "<u4",
        Values::Bytes(_) => "|u1",
    }
}

/// An array as an `.npy` file of version 1.0: a header, padded so that the data are aligned, and the data, row by row.
fn array(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let before = b"\x93NUMPY\x01\x00".len() + size_of::<u16>();
    let length = (before + header.len() + 1).next_multiple_of(ALIGNMENT) - before;
    header.extend(std::iter::repeat_n(' ', length - 1 - header.len()));
    header.push('\n');
    [b"\x93NUMPY\x01\x00", &(length as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::points::{bytes_of, pair};
    use crate::export::zip::tests::entries;
    use sph_core::Particles;

    #[test]
    fn every_attribute_is_an_array() {
        let particles = Particles { fluids: vec![2, 0], ..pair() };
        let file = bytes_of(write, &particles);
        let entries = entries(&file);
        let names: Vec<_> = entries.iter().map(|(name, _)| name.as_str()).collect();
        let expected = ["time", "position", "velocity", "density", "pressure", "id", "fluid", "fluid_names"];
        assert_eq!(names, expected.map(|name| format!("{name}.npy")));
        // Header and data of an array, taken apart as the format is specified.
        let array = |index: usize| {
            let bytes = entries[index].1;
            assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
            let length = usize::from(u16::from_le_bytes(bytes[8..10].try_into().unwrap()));
            assert_eq!((10 + length) % 64, 0);
            let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
            assert!(header.ends_with('\n'));
            (header.trim_end(), &bytes[10 + length..])
        };
        assert_eq!(array(0), ("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", &0.25f64.to_le_bytes()[..]));
        let positions: Vec<u8> = [0.1, -0.5, 0.0, 1.0, 2.0, 3.0f32].into_iter().flat_map(f32::to_le_bytes).collect();
        assert_eq!(array(1), ("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", &positions[..]));
        assert_eq!(array(5), ("{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }", &[0, 0, 0, 0, 1, 0, 0, 0][..]));
        assert_eq!(array(6), ("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", &[0, 2][..]));
        let names: Vec<u8> = "oil\0\0öl\0\0\0water".chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
        assert_eq!(array(7), ("{'descr': '<U5', 'fortran_order': False, 'shape': (3,), }", &names[..]));
    }
}
