//! NumPy's NPZ: an archive of one `.npy` array for each attribute.

use std::io::{self, Write};

use super::series::{Field, Points};
use sph_core::Values;

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

// ZIP archive of uncompressed files, which is all that NPZ needs.
//
// Floats of a moving fluid hardly compress, and NumPy itself stores them plainly by default, so that no compressor is linked.

/// Version of the format that a reader must know, times ten: files, uncompressed.
const VERSION: u16 = 20;
/// Date of all files, as MS-DOS has it: 1 January 1980, so that equal frames are equal files.
const DATE: u16 = (1 << 5) | 1;

/// An archive that is being written.
pub(super) struct Archive<'a> {
    out: &'a mut dyn Write,
    /// Bytes written so far.
    length: u32,
    /// Number of files.
    files: u16,
    /// The directory, which follows the files.
    directory: Vec<u8>,
}

impl<'a> Archive<'a> {
    /// An empty archive.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, length: 0, files: 0, directory: Vec::new() }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// It cannot be written, or the archive would be longer than 4 GiB, where the format ends.
    pub fn add(&mut self, name: &str, data: &[u8]) -> io::Result<()> {
        let size = u32::try_from(data.len()).map_err(|_| too_large())?;
        let mut about = Vec::new();
        // Version, flags, method "stored", time and date.
        for number in [VERSION, 0, 0, 0, DATE] {
            about.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(data), size, size] {
            about.extend(number.to_le_bytes());
        }
        about.extend((name.len() as u16).to_le_bytes());
        about.extend(0u16.to_le_bytes());

        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&about);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(self.length.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files += 1;
        for bytes in [b"PK\x03\x04", &about[..], name.as_bytes(), data] {
            self.write(bytes)?;
        }
        Ok(())
    }

    /// Writes the directory.
    ///
    /// # Errors
    /// Those of [`Archive::add`].
    pub fn finish(mut self) -> io::Result<()> {
        let (start, directory) = (self.length, std::mem::take(&mut self.directory));
        self.write(&directory)?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend([self.files, self.files].map(u16::to_le_bytes).concat());
        end.extend([directory.len() as u32, start].map(u32::to_le_bytes).concat());
        end.extend([0; 2]);
        self.write(&end)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = u32::try_from(bytes.len()).ok().and_then(|more| self.length.checked_add(more)).ok_or_else(too_large)?;
        self.out.write_all(bytes)?;
        self.length = length;
        Ok(())
    }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "a ZIP archive can have at most 4 GiB: choose fewer attributes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::series::{bytes_of, pair};
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

    /// Names and contents of the files, found from the end as readers find them.
    pub fn entries(archive: &[u8]) -> Vec<(String, &[u8])> {
        let u16_at = |at: usize| usize::from(u16::from_le_bytes(archive[at..at + 2].try_into().unwrap()));
        let u32_at = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().unwrap()) as usize;
        let end = archive.len() - 22;
        assert_eq!(&archive[end..end + 4], b"PK\x05\x06");
        let mut at = u32_at(end + 16);
        assert_eq!(at + u32_at(end + 12), end);
        let mut entries = Vec::new();
        for _ in 0..u16_at(end + 10) {
            assert_eq!(&archive[at..at + 4], b"PK\x01\x02");
            let (crc, size, name_length, local) = (u32_at(at + 16), u32_at(at + 24), u16_at(at + 28), u32_at(at + 42));
            let name = &archive[at + 46..at + 46 + name_length];
            assert_eq!(&archive[local..local + 4], b"PK\x03\x04");
            assert_eq!(archive[local + 4..local + 30], archive[at + 6..at + 32]);
            let data = &archive[local + 30 + name_length..][..size];
            assert_eq!(crc32fast::hash(data) as usize, crc);
            entries.push((String::from_utf8(name.to_vec()).unwrap(), data));
            at += 46 + name_length;
        }
        assert_eq!(at, end);
        entries
    }

    #[test]
    fn files_come_back_by_the_directory() {
        let mut out = Vec::new();
        let mut archive = Archive::new(&mut out);
        archive.add("a", b"").unwrap();
        archive.add("longer.npy", b"content").unwrap();
        archive.finish().unwrap();
        assert_eq!(entries(&out), [("a".to_owned(), &b""[..]), ("longer.npy".to_owned(), b"content")]);
        // Check value of CRC-32 in its specifications.
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn an_archive_ends_at_four_gibibytes() {
        let mut out = io::sink();
        let mut archive = Archive::new(&mut out);
        archive.length = u32::MAX - 40;
        assert_eq!(archive.add("a", b"0123456789").unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
