//! Stanford PLY, binary little-endian.

use super::points::Points;
use sph_core::Values;
use std::io::{self, Write};

/// Writes the points as vertices, in SI units: a property for each column of each attribute.
pub(super) fn write(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
    write!(out, "ply\nformat binary_little_endian 1.0\ncomment SPH particles, SI units\ncomment time {}\n", points.time)?;
    for (number, name) in points.fluids.iter().enumerate() {
        // A comment ends with its line.
        writeln!(out, "comment fluid {number} {}", name.replace(char::is_control, " "))?;
    }
    writeln!(out, "element vertex {}", points.len())?;
    for field in &points.fields {
        for column in &field.columns {
            writeln!(out, "property {} {column}", kind(field.values))?;
        }
    }
    writeln!(out, "end_header")?;
    for &index in &points.order {
        let index = index as usize;
        for field in &points.fields {
            match field.values {
                Values::Vectors(vectors) => {
                    for component in vectors[index].to_array() {
                        out.write_all(&component.to_le_bytes())?;
                    }
                }
                Values::Scalars(scalars) => out.write_all(&scalars[index].to_le_bytes())?,
                Values::Integers(integers) => out.write_all(&integers[index].to_le_bytes())?,
                Values::Bytes(bytes) => out.write_all(&[bytes[index]])?,
            }
        }
    }
    Ok(())
}

/// Type of a property in PLY.
fn kind(values: Values<'_>) -> &'static str {
    match values {
        Values::Vectors(_) | Values::Scalars(_) => "float",
        Values::Integers(_) => "uint",
        Values::Bytes(_) => "uchar",
    }
}

#[cfg(test)]
mod tests {
    use crate::export::points::{bytes_of, pair};

    const HEADER: &str = "ply
format binary_little_endian 1.0
comment SPH particles, SI units
comment time 0.25
element vertex 2
property float x
property float y
property float z
property float vx
property float vy
property float vz
property float density
property float pressure
property uint id
end_header
";

    #[test]
    fn header_and_rows_agree() {
        let out = bytes_of(super::write, &pair());
        let (header, body) = out.split_at(HEADER.len());
        assert_eq!(std::str::from_utf8(header), Ok(HEADER));
        assert_eq!(body.len(), 2 * 9 * 4);
        // Ids order the rows: the second row is the first particle.
        let float = |offset: usize| f32::from_le_bytes(body[offset..offset + 4].try_into().unwrap());
        let row: Vec<f32> = (36..68).step_by(4).map(float).collect();
        assert_eq!(row, [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 1000.0, 25.0]);
        assert_eq!(body[68..72], 1u32.to_le_bytes());
    }

    #[test]
    fn several_fluids_have_a_property() {
        let particles = sph_core::Particles { fluids: vec![2, 0], ..pair() };
        let out = bytes_of(super::write, &particles);
        let header = HEADER.replace("end_header", "property uchar fluid\nend_header");
        let header = header.replace("element", "comment fluid 0 oil\ncomment fluid 1 öl\ncomment fluid 2 water\nelement");
        let (start, body) = out.split_at(header.len());
        assert_eq!(std::str::from_utf8(start), Ok(header.as_str()));
        assert_eq!((body.len(), body[36], body[73]), (2 * 37, 0, 2));
    }
}
