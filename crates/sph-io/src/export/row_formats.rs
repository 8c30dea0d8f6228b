//! Formats of particles with one record after the other: comma-separated values, Stanford PLY, Houdini's classic geometry.

use std::io::{self, Write};

use super::series::{Field, Points};
use sph_core::Values;

/// Writes the points in SI units; numbers have the fewest digits that read back the same.
///
/// The columns are the time, the id, and then those of every other attribute. The time is in every row, so that frames can be
/// joined into one table and no reader has to skip comments.
pub(super) fn write_csv(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
    let mut fields: Vec<_> = points.fields.iter().collect();
    fields.sort_by_key(|field| field.name != "id");
    write!(out, "time")?;
    for column in fields.iter().flat_map(|field| &field.columns) {
        write!(out, ",{column}")?;
    }
    writeln!(out)?;
    for &index in &points.order {
        let index = index as usize;
        write!(out, "{}", points.time)?;
        for field in &fields {
            match field.values {
                Values::Vectors(vectors) => {
                    let [x, y, z] = vectors[index].to_array();
                    write!(out, ",{x},{y},{z}")?;
                }
                Values::Scalars(scalars) => write!(out, ",{}", scalars[index])?,
                Values::Integers(integers) => write!(out, ",{}", integers[index])?,
                Values::Bytes(bytes) => write!(out, ",{}", bytes[index])?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

// Stanford PLY, binary little-endian.

/// Writes the points as vertices, in SI units: a property for each column of each attribute.
pub(super) fn write_ply(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
    write!(out, "ply\nformat binary_little_endian 1.0\ncomment SPH particles, SI units\ncomment time {}\n", points.time)?;
    for (number, name) in points.fluids.iter().enumerate() {
        // A comment ends with its line.
        writeln!(out, "comment fluid {number} {}", name.replace(char::is_control, " "))?;
    }
    writeln!(out, "element vertex {}", points.len())?;
    for field in &points.fields {
        for column in &field.columns {
            writeln!(out, "property {} {column}", ply_type(field.values))?;
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
fn ply_type(values: Values<'_>) -> &'static str {
    match values {
        Values::Vectors(_) | Values::Scalars(_) => "float",
        Values::Integers(_) => "uint",
        Values::Bytes(_) => "uchar",
    }
}

// Houdini's classic geometry format (`.bgeo`, version 5), as Partio writes it: points only, big-endian.

/// Kinds of attributes.
const FLOAT: i32 = 0;
const INTEGER: i32 = 1;
const VECTOR: i32 = 5;

/// Writes the points, in SI units. The position is the built-in one, with the homogeneous coordinate 1; the time is an attribute
/// of the whole.
pub(super) fn write_bgeo(out: &mut dyn Write, points: &Points<'_>) -> io::Result<()> {
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
    use crate::export::series::{bytes_of, pair};
    use sph_core::Particles;

    fn text(particles: &Particles) -> String {
        String::from_utf8(bytes_of(super::write_csv, particles)).unwrap()
    }

    #[test]
    fn rows_follow_the_ids() {
        let expected = "time,id,x,y,z,vx,vy,vz,density,pressure\n0.25,0,0.1,-0.5,0,0,0,0,998.5,0\n0.25,1,1,2,3,1,0,0,1000,25\n";
        assert_eq!(text(&pair()), expected);
    }

    #[test]
    fn several_fluids_have_a_column() {
        let particles = Particles { fluids: vec![2, 0], ..pair() };
        let text = text(&particles);
        let ends: Vec<_> = text.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
        assert_eq!(ends, ["fluid", "0", "2"]);
    }

    #[test]
    fn columns_do_not_depend_on_the_number_of_particles() {
        assert_eq!(text(&Particles::default()), "time,id,x,y,z,vx,vy,vz,density,pressure\n");
    }

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
        let out = bytes_of(super::write_ply, &pair());
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
        let out = bytes_of(super::write_ply, &particles);
        let header = HEADER.replace("end_header", "property uchar fluid\nend_header");
        let header = header.replace("element", "comment fluid 0 oil\ncomment fluid 1 öl\ncomment fluid 2 water\nelement");
        let (start, body) = out.split_at(header.len());
        assert_eq!(std::str::from_utf8(start), Ok(header.as_str()));
        assert_eq!((body.len(), body[36], body[73]), (2 * 37, 0, 2));
    }

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
        let file = bytes_of(super::write_bgeo, &Particles { fluids: vec![2, 0], ..pair() });
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
