//! Formats of VTK, for ParaView: a frame as an unstructured grid in XML (`.vtu`) with raw appended data, and the collection of all
//! frames with their times (`.pvd`).

use std::io::{self, Write};
use std::path::Path;

use super::series::{Field, Points};
use crate::atomic_file::write_atomically;
use crate::input_files::read_at_most;
use sph_core::Values;

/// Number of a cell of one point, `VTK_VERTEX`.
const VERTEX: u8 = 1;

/// An array of the file: the opening of its tag, and its bytes.
struct Array {
    attributes: String,
    bytes: Vec<u8>,
}

impl Array {
    fn of_field(field: &Field<'_>, order: &[u32]) -> Self {
        let kind = match field.values {
            Values::Vectors(_) | Values::Scalars(_) => "Float32",
            Values::Integers(_) => "UInt32",
            Values::Bytes(_) => "UInt8",
        };
        let components = match field.components() {
            1 => String::new(),
            components => format!(" NumberOfComponents=\"{components}\""),
        };
        let attributes = format!("type=\"{kind}\" Name=\"{}\"{components}", field.name);
        Self { attributes, bytes: field.little_endian(order) }
    }

    fn of_cells(kind: &str, name: &str, bytes: Vec<u8>) -> Self {
        Self { attributes: format!("type=\"{kind}\" Name=\"{name}\""), bytes }
    }
}

/// Writes the points, in SI units, each with a cell of its own, so that filters over cells (threshold, clip) see them. The time is in
/// the field `TimeValue`.
///
/// The data follow the XML as they are in memory: raw, each array behind its length in bytes as 64 bits.
pub(super) fn write(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
    let count = points.len();
    let [position, attributes @ ..] = points.fields.as_slice() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "points have a position"));
    };
    let indices = |first: u32| (first..first + count as u32).flat_map(u32::to_le_bytes).collect();
    let position = [Array::of_field(position, &points.order)];
    let attributes: Vec<_> = attributes.iter().map(|field| Array::of_field(field, &points.order)).collect();
    let cells = [
        Array::of_cells("Int32", "connectivity", indices(0)),
        Array::of_cells("Int32", "offsets", indices(1)),
        Array::of_cells("UInt8", "types", vec![VERTEX; count]),
    ];

    let grid = "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>";
    writeln!(out, "<?xml version=\"1.0\"?>\n{grid}\n<FieldData>")?;
    let time = points.time;
    writeln!(out, "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time}</DataArray>")?;
    writeln!(out, "</FieldData>\n<Piece NumberOfPoints=\"{count}\" NumberOfCells=\"{count}\">")?;
    let mut offset = 0;
    for (section, arrays) in [("Points", &position[..]), ("PointData", &attributes), ("Cells", &cells)] {
        writeln!(out, "<{section}>")?;
        for array in arrays {
            writeln!(out, "<DataArray {} format=\"appended\" offset=\"{offset}\"/>", array.attributes)?;
            offset += size_of::<u64>() + array.bytes.len();
        }
        writeln!(out, "</{section}>")?;
    }
    write!(out, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_")?;
    for array in position.iter().chain(&attributes).chain(&cells) {
        out.write_all(&(array.bytes.len() as u64).to_le_bytes())?;
        out.write_all(&array.bytes)?;
    }
    write!(out, "\n</AppendedData>\n</VTKFile>\n")
}

// Collection of frames with their times (`.pvd`), which ParaView opens as one animation.

/// Most bytes of a collection that is read again: those of a million frames.
const MOST: u64 = 100_000_000;

/// Frames of a collection: number, time (s) and file name, in ascending order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Collection {
    frames: Vec<(u64, f64, String)>,
}

impl Collection {
    /// Frames before number `first` in the collection `path` of an earlier run that is being continued; none if it cannot be read.
    pub fn before(first: u64, path: &Path) -> Self {
        let mut collection = Self::default();
        let Ok(bytes) = read_at_most(path, MOST) else { return collection };
        for line in String::from_utf8_lossy(&bytes).lines() {
            let value = |key: &str| line.split_once(&format!("{key}=\""))?.1.split_once('"').map(|(value, _)| value);
            let Some((time, file)) = value("timestep").zip(value("file")) else { continue };
            let number = file.strip_prefix("frame_").and_then(|rest| rest.split_once('.')).map(|(digits, _)| digits.parse());
            if let (Ok(time), Some(Ok(number))) = (time.parse(), number)
                && number < first
                && path.with_file_name(file).is_file()
            {
                collection.frames.push((number, time, file.to_owned()));
            }
        }
        collection
    }

    /// Adds a frame, and replaces the file at `path`.
    ///
    /// # Errors
    /// It cannot be written; the old one is then still there.
    pub fn add(&mut self, path: &Path, number: u64, time: f64, file: String) -> io::Result<()> {
        self.frames.push((number, time, file));
        write_atomically(path, |out| {
            writeln!(
                out,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">"
            )?;
            writeln!(out, "<Collection>")?;
            for (_, time, file) in &self.frames {
                writeln!(out, "<DataSet timestep=\"{time}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
            }
            write!(out, "</Collection>\n</VTKFile>\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::series::{bytes_of, pair};
    use sph_core::Particles;

    /// Bytes of the array called `name`, found by its offset as a reader finds it.
    fn array<'a>(file: &'a [u8], name: &str) -> &'a [u8] {
        let start = file.windows(2).position(|window| window == b"\n_").unwrap() + 2;
        let header = std::str::from_utf8(&file[..start]).unwrap();
        let tag = header.lines().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
        let offset: usize = tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        let (length, data) = file[start + offset..].split_at(8);
        &data[..u64::from_le_bytes(length.try_into().unwrap()) as usize]
    }

    #[test]
    fn arrays_are_found_by_their_offsets() {
        let particles = Particles { fluids: vec![2, 0], ..pair() };
        let file = bytes_of(super::write, &particles);
        let floats = |name: &str| -> Vec<f32> {
            array(&file, name).chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
        };
        assert_eq!(floats("position"), [0.1, -0.5, 0.0, 1.0, 2.0, 3.0]);
        assert_eq!(floats("velocity"), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!((floats("density"), floats("pressure")), (vec![998.5, 1000.0], vec![0.0, 25.0]));
        let integers = |name: &str| -> Vec<u32> {
            array(&file, name).chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect()
        };
        assert_eq!((integers("id"), integers("connectivity"), integers("offsets")), (vec![0, 1], vec![0, 1], vec![1, 2]));
        assert_eq!((array(&file, "fluid"), array(&file, "types")), (&[0, 2][..], &[1, 1][..]));
        let text = String::from_utf8_lossy(&file);
        assert!(text.contains("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.25<"), "{text}");
        assert!(text.contains("NumberOfPoints=\"2\" NumberOfCells=\"2\"") && text.ends_with("\n</AppendedData>\n</VTKFile>\n"));
    }

    #[test]
    fn a_continued_run_keeps_the_frames_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fluid.pvd");
        let mut written = Collection::default();
        for (number, time) in [(0, 0.0), (1, 0.1), (2, 0.30000000000000004)] {
            let file = format!("frame_{number:06}.vtu");
            std::fs::write(folder.path().join(&file), "").unwrap();
            written.add(&path, number, time, file).unwrap();
        }
        assert_eq!(Collection::before(3, &path), written);
        assert_eq!(Collection::before(2, &path).frames, written.frames[..2]);
        assert_eq!(Collection::before(0, &path), Collection::default());
        std::fs::remove_file(folder.path().join("frame_000001.vtu")).unwrap();
        assert_eq!(Collection::before(2, &path).frames, written.frames[..1]);
        std::fs::write(&path, "<DataSet timestep=\"x\" file=\"../frame_000000.vtu\"/>\n\"").unwrap();
        assert_eq!(Collection::before(2, &path), Collection::default());
    }
}
