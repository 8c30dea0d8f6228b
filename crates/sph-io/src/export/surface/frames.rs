//! Particles of a frame: from a simulation, or read back from an earlier export.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::folder::FrameFiles;
use crate::input_files::read_at_most;
use crate::scene::available_memory;
use crate::words::list;
use glam::Vec3;
use sph_core::View;

/// Fluid particles at one instant, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticleFrame {
    /// Simulated time, s.
    pub time: f64,
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Velocities, m/s; empty if they are not known.
    pub velocities: Vec<Vec3>,
    /// Number of the fluid of each particle; empty for one fluid.
    pub fluids: Vec<u8>,
}

impl ParticleFrame {
    /// Particles of `view`.
    pub fn of_view(view: &View<'_>) -> Self {
        let particles = view.particles;
        let order = particles.order_by_id();
        let order = || order.iter().map(|&index| index as usize);
        Self {
            time: view.time,
            positions: order().map(|i| particles.positions[i]).collect(),
            velocities: order().map(|i| particles.velocities[i]).collect(),
            fluids: if particles.fluids.is_empty() { Vec::new() } else { order().map(|i| particles.fluids[i]).collect() },
        }
    }

    /// True if there are several particles and all are and stay in the plane of simulations in two dimensions.
    pub fn is_flat(&self) -> bool {
        self.positions.len() > 1 && self.positions.iter().chain(&self.velocities).all(|vector| vector.z == 0.0)
    }

    /// Numbers of the fluids that have particles, ascending; `None` for the only one.
    pub fn fluid_numbers(&self) -> Vec<Option<u8>> {
        let numbers: BTreeSet<u8> = self.fluids.iter().copied().collect();
        if numbers.is_empty() { vec![None] } else { numbers.into_iter().map(Some).collect() }
    }

    /// Particles of the fluid with number `fluid`.
    #[must_use]
    pub fn of_fluid(&self, fluid: u8) -> Self {
        let chosen = |vectors: &[Vec3]| {
            let pairs = vectors.iter().zip(&self.fluids);
            pairs.filter(|&(_, &other)| other == fluid).map(|(vector, _)| *vector).collect()
        };
        let (positions, velocities) = (chosen(&self.positions), chosen(&self.velocities));
        Self { time: self.time, positions, velocities, fluids: Vec::new() }
    }
}

/// Vectors of three little-endian floats each.
fn vectors(bytes: &[u8]) -> Vec<Vec3> {
    let (vectors, _) = bytes.as_chunks::<12>();
    vectors.iter().map(vector).collect()
}

/// A vector of three little-endian floats.
fn vector(bytes: &[u8; 12]) -> Vec3 {
    let (floats, _) = bytes.as_chunks::<4>();
    Vec3::from_array(std::array::from_fn(|axis| f32::from_le_bytes(floats[axis])))
}

// Reading of frames from an earlier export.

/// Formats that are read back, by their extensions; the first that is found in a folder is taken.
const READABLE: [&str; 3] = ["npz", "vtu", "ply"];

impl ParticleFrame {
    /// Reads the frame at `path`, in a format that the extension tells.
    ///
    /// # Errors
    /// The file cannot be read, is larger than the memory that is available, or is no frame of an export.
    pub fn read(path: &Path) -> io::Result<Self> {
        let most = available_memory().unwrap_or(u64::MAX >> 1);
        let bytes = read_at_most(path, most)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than the available memory"));
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let frame = match extension {
            "npz" => parse_npz(&bytes),
            "vtu" => parse_vtu(&bytes),
            "ply" => parse_ply(&bytes),
            _ => Err(format!("frames are read from {}", list(READABLE))),
        };
        let check = |frame: Self| {
            let count = frame.positions.len();
            let fits = [frame.velocities.len(), frame.fluids.len()].iter().all(|&length| length == 0 || length == count);
            if fits { Ok(frame) } else { Err("its attributes have different lengths".to_owned()) }
        };
        frame.and_then(check).map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))
    }
}

/// Frames of an export in `folder`, by ascending number: those of the first format that is there.
///
/// # Errors
/// The folder cannot be read, or has no frames.
pub fn exported_frames(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    for extension in READABLE {
        let files = FrameFiles::new(folder, extension);
        let number = |entry: &std::fs::DirEntry| files.number(entry.file_name().to_str()?);
        let mut frames: Vec<_> = entries.iter().filter_map(|entry| Some((number(entry)?, entry.path()))).collect();
        if !frames.is_empty() {
            frames.sort();
            return Ok(frames);
        }
    }
    let expected = format!("expected files such as frame_000000 with the extension {}", list(READABLE));
    Err(io::Error::new(io::ErrorKind::NotFound, format!("there are no frames of an export in it: {expected}")))
}

/// NPZ frames of particles: uncompressed archives of arrays.
fn parse_npz(bytes: &[u8]) -> Result<ParticleFrame, String> {
    let mut frame = ParticleFrame::default();
    let (mut rest, mut has_positions) = (bytes, false);
    while let Some(Entry { name, data }) = next_entry(&mut rest)? {
        let unexpected = || format!("its array `{}` has another type", name.escape_debug());
        let of = |kind: &str| array(data, kind).ok_or_else(unexpected);
        match name {
            "time.npy" => {
                let bytes = of("<f8")?.first_chunk().ok_or_else(unexpected)?;
                frame.time = f64::from_le_bytes(*bytes);
            }
            "position.npy" => (frame.positions, has_positions) = (vectors(of("<f4")?), true),
            "velocity.npy" => frame.velocities = vectors(of("<f4")?),
            "fluid.npy" => frame.fluids = of("|u1")?.to_vec(),
            _ => {}
        }
    }
    if has_positions { Ok(frame) } else { Err("it has no array `position`".to_owned()) }
}

/// A file of an archive.
struct Entry<'a> {
    name: &'a str,
    data: &'a [u8],
}

/// Takes the next file from the front of `archive`; `None` at the directory, which follows them.
fn next_entry<'a>(archive: &mut &'a [u8]) -> Result<Option<Entry<'a>>, String> {
    let bytes = *archive;
    if bytes.starts_with(b"PK\x01\x02") {
        return Ok(None);
    }
    let u16_at = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| usize::from(u16::from_le_bytes(*bytes)));
    let u32_at = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize);
    let parts = || {
        let (size, name, extra) = (u32_at(22)?, u16_at(26)?, u16_at(28)?);
        let (header, rest) = bytes.split_at_checked(30)?;
        let (name, rest) = rest.split_at_checked(name)?;
        let (data, rest) = rest.get(extra..)?.split_at_checked(size)?;
        Some((header, Entry { name: std::str::from_utf8(name).ok()?, data }, rest))
    };
    let (header, entry, rest) = parts().ok_or("it is not a complete archive")?;
    *archive = rest;
    // Neither flags (such as sizes that follow the data) nor compression.
    let is_plain = header.starts_with(b"PK\x03\x04") && header[6..10] == [0; 4];
    if is_plain { Ok(Some(entry)) } else { Err("it is not an archive that this program has written".to_owned()) }
}

/// Data of an array of version 1.0, if its numbers are of this kind, in rows.
fn array<'a>(file: &'a [u8], kind: &str) -> Option<&'a [u8]> {
    let rest = file.strip_prefix(b"\x93NUMPY\x01\x00")?;
    let (length, rest) = rest.split_first_chunk()?;
    let (header, data) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    let header = std::str::from_utf8(header).ok()?;
    header.starts_with(&format!("{{'descr': '{kind}', 'fortran_order': False,")).then_some(data)
}

/// VTK frames of particles: XML with raw appended data.
fn parse_vtu(bytes: &[u8]) -> Result<ParticleFrame, String> {
    const START: &[u8] = b"<AppendedData encoding=\"raw\">\n_";
    const LONGEST_HEADER: usize = 1 << 16;
    let start = bytes.windows(START.len()).take(LONGEST_HEADER).position(|window| window == START);
    let (header, data) = bytes.split_at(start.ok_or("it has no raw data")?);
    let data = &data[START.len()..];
    let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
    if !header.contains("byte_order=\"LittleEndian\" header_type=\"UInt64\"") {
        return Err("it is not a frame that this program has written".to_owned());
    }
    let tag = |name: &str| header.lines().find(|line| line.contains(&format!(" Name=\"{name}\"")));
    let array = |name: &str, kind: &str| {
        let tag = tag(name).filter(|tag| tag.contains(&format!("type=\"{kind}\"")))?;
        let offset = tag.split_once("offset=\"")?.1.split_once('"')?.0.parse().ok()?;
        let (length, rest) = data.get(offset..)?.split_first_chunk()?;
        rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)
    };
    let time = || tag("TimeValue")?.split_once('>')?.1.split_once('<')?.0.parse().ok();
    Ok(ParticleFrame {
        time: time().unwrap_or(0.0),
        positions: vectors(array("position", "Float32").ok_or("it has no positions")?),
        velocities: array("velocity", "Float32").map_or_else(Vec::new, vectors),
        fluids: array("fluid", "UInt8").map_or_else(Vec::new, <[u8]>::to_vec),
    })
}

/// PLY frames of particles, binary little-endian.
fn parse_ply(bytes: &[u8]) -> Result<ParticleFrame, String> {
    const END: &[u8] = b"end_header\n";
    const LONGEST_HEADER: usize = 1 << 16;
    let end = bytes.windows(END.len()).take(LONGEST_HEADER).position(|window| window == END);
    let (header, body) = bytes.split_at(end.ok_or("it has no complete header")?);
    let body = &body[END.len()..];
    let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
    if !header.starts_with("ply\nformat binary_little_endian 1.0\n") {
        return Err("it is not binary, little-endian PLY".to_owned());
    }
    let (mut time, mut count, mut columns) = (0.0, None, Vec::<(&str, &str, Range<usize>)>::new());
    for line in header.lines().skip(2) {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["comment", "time", value] => time = value.parse().map_err(|_| "its time is not a number")?,
            ["element", "vertex", value] if count.is_none() => count = value.parse::<usize>().ok(),
            ["element", ..] => return Err("it is a mesh, not particles".to_owned()),
            ["property", kind @ ("float" | "uint" | "uchar"), name] => {
                let start = columns.last().map_or(0, |(_, _, before)| before.end);
                columns.push((name, kind, start..start + if kind == "uchar" { 1 } else { 4 }));
            }
            ["comment", ..] => {}
            _ => return Err(format!("its header has the unknown line `{}`", line.escape_debug())),
        }
    }
    let row = columns.last().map_or(0, |(_, _, last)| last.end);
    let count = count.ok_or("it has no particles")?;
    let rows = count.checked_mul(row).and_then(|length| body.get(..length)).ok_or("it ends before its last particle")?;
    let rows = || rows.chunks_exact(row.max(1));
    // Three columns side by side, as exports have them.
    let vectors = |names: [&str; 3]| {
        let first =
            columns.windows(3).find(|three| (0..3).all(|axis| three[axis].0 == names[axis] && three[axis].1 == "float"))?;
        let start = first[0].2.start;
        Some(rows().filter_map(|row| row[start..].first_chunk().map(vector)).collect::<Vec<_>>())
    };
    let fluid = columns.iter().find(|(name, kind, _)| (*name, *kind) == ("fluid", "uchar"));
    Ok(ParticleFrame {
        time,
        positions: vectors(["x", "y", "z"]).ok_or("it has no positions")?,
        velocities: vectors(["vx", "vy", "vz"]).unwrap_or_default(),
        fluids: fluid.map_or_else(Vec::new, |(_, _, place)| rows().map(|row| row[place.start]).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::series::{bytes_of, pair};
    use crate::export::{npz as npz_writer, row_formats as ply_writer, vtk as vtu_writer};
    use glam::Vec3;
    use proptest::prelude::*;
    use sph_core::Particles;

    fn written() -> [Vec<u8>; 3] {
        let particles = Particles { fluids: vec![2, 0], ..pair() };
        [
            bytes_of(npz_writer::write, &particles),
            bytes_of(vtu_writer::write, &particles),
            bytes_of(ply_writer::write_ply, &particles),
        ]
    }

    fn parse(format: usize, bytes: &[u8]) -> Result<ParticleFrame, String> {
        [parse_npz, parse_vtu, parse_ply][format](bytes)
    }

    #[test]
    fn frames_are_read_as_they_were_written() {
        let expected = ParticleFrame {
            time: 0.25,
            positions: vec![Vec3::new(0.1, -0.5, 0.0), Vec3::new(1.0, 2.0, 3.0)],
            velocities: vec![Vec3::ZERO, Vec3::X],
            fluids: vec![0, 2],
        };
        for (format, bytes) in written().iter().enumerate() {
            assert_eq!(parse(format, bytes).as_ref(), Ok(&expected), "{}", READABLE[format]);
        }
        assert_eq!(expected.fluid_numbers(), [Some(0), Some(2)]);
        assert_eq!(ParticleFrame::default().fluid_numbers(), [None]);
        let flat = ParticleFrame { positions: vec![Vec3::ZERO, Vec3::X], ..ParticleFrame::default() };
        assert_eq!(
            [&expected, &flat, &ParticleFrame::default(), &expected.of_fluid(0)].map(ParticleFrame::is_flat),
            [false, true, false, false]
        );
        assert_eq!(expected.of_fluid(2).positions, [Vec3::new(1.0, 2.0, 3.0)]);
        assert_eq!(expected.of_fluid(1).positions, []);
    }

    #[test]
    fn a_folder_has_frames_of_one_format() {
        let folder = tempfile::tempdir().unwrap();
        assert!(exported_frames(folder.path()).unwrap_err().to_string().contains("`npz`, `vtu` or `ply`"));
        for name in ["frame_000010.ply", "frame_000002.ply", "frame_000001.csv", "fluid.pvd"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let numbers = |folder| exported_frames(folder).unwrap().into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!(numbers(folder.path()), [2, 10]);
        std::fs::write(folder.path().join("frame_000007.npz"), "").unwrap();
        assert_eq!(numbers(folder.path()), [7]);
    }

    proptest! {
        #[test]
        fn damaged_frames_are_refused_or_read(format in 0..3usize, cut in 0..1200usize, at in 0..1200usize, value: u8) {
            let mut bytes = written()[format].clone();
            bytes.truncate(cut);
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
            if let Ok(frame) = parse(format, &bytes) {
                prop_assert!(frame.positions.len() <= 2);
            }
        }
    }
}
