//! VTK unstructured grid in XML (`.vtu`) with raw appended data: a frame for ParaView and VTK.

use super::points::{Field, Points};
use sph_core::Values;
use std::io::{self, Write};

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

#[cfg(test)]
mod tests {
    use crate::export::points::{bytes_of, pair};
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
}
