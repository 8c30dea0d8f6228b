//! PLY, text and binary: the vertices' `x`, `y`, `z`, for particles `vx`, `vy`, `vz`, and the faces' list of vertices. All else is passed
//! over.

use super::{Bytes, Triangles};
use crate::particle_file::Points;
use glam::DVec3;
use sph_core::MAX_PARTICLES;

/// Most corners of a face.
const MAX_CORNERS: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

/// A property: a number, or a list with the type of its length.
struct Property {
    name: String,
    length: Option<Number>,
    number: Number,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

/// Numbers of the body, whatever its encoding.
enum Body<'a> {
    Text(std::str::SplitWhitespace<'a>),
    Binary(Bytes<'a>),
}

/// Vertices and faces of a file, in its order.
enum Row<'r> {
    /// A vertex: its position, and its velocity if there is one.
    Vertex(DVec3, Option<DVec3>),
    /// A face, by its vertices.
    Face(&'r [u32]),
}

/// The mesh of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Triangles, String> {
    let mut mesh = Triangles::default();
    read(bytes, |row| match row {
        Row::Vertex(at, _) => {
            mesh.vertices.push(at);
            Ok(())
        }
        Row::Face(corners) => mesh.add_polygon(corners),
    })?;
    Ok(mesh)
}

/// The vertices of a file as particles.
pub(crate) fn parse_points(bytes: &[u8]) -> Result<Points, String> {
    let mut points = Points::default();
    read(bytes, |row| {
        if let Row::Vertex(at, velocity) = row {
            points.positions.push(at.as_vec3());
            points.velocities.extend(velocity.map(|velocity| velocity.as_vec3()));
        }
        if points.positions.len() as u64 > MAX_PARTICLES {
            return Err(format!("has more than {MAX_PARTICLES} vertices"));
        }
        Ok(())
    })?;
    Ok(points)
}

/// Calls `visit` with each vertex and face of a file.
fn read(bytes: &[u8], mut visit: impl FnMut(Row<'_>) -> Result<(), String>) -> Result<(), String> {
    const END: &[u8] = b"end_header";
    let damaged = || "is not a PLY file: it has no complete header".to_owned();
    let end = bytes.windows(END.len()).take(1 << 16).position(|window| window == END).ok_or_else(damaged)?;
    let header = std::str::from_utf8(&bytes[..end]).map_err(|_| damaged())?;
    let after = &bytes[end + END.len()..];
    let body = after.iter().position(|&byte| byte == b'\n').map_or(&after[..0], |newline| &after[newline + 1..]);
    let (encoding, elements) = elements(header).ok_or_else(damaged)?;
    let mut body = match encoding {
        "ascii" => Body::Text(std::str::from_utf8(body).map_err(|_| "is not text".to_owned())?.split_whitespace()),
        "binary_little_endian" => Body::Binary(Bytes::new(body, false)),
        "binary_big_endian" => Body::Binary(Bytes::new(body, true)),
        other => return Err(format!("has the unknown encoding `{}`", other.escape_debug())),
    };
    for element in &elements {
        for number in 0..element.count {
            if element.properties.is_empty() {
                break;
            }
            row(element, &mut body, &mut visit)?
                .ok_or_else(|| format!("ends before {} {number} of {}", element.name.escape_debug(), element.count))?;
        }
    }
    Ok(())
}

/// Encoding and elements of a header.
fn elements(header: &str) -> Option<(&str, Vec<Element>)> {
    let mut lines = header.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    if lines.next()? != ["ply"] {
        return None;
    }
    let (mut encoding, mut elements) = (None, Vec::new());
    for words in lines {
        match words[..] {
            ["format", name, _] => encoding = Some(name),
            ["element", name, count] => {
                elements.push(Element { name: name.to_owned(), count: count.parse().ok()?, properties: Vec::new() });
            }
            ["property", "list", length, number, name] => {
                let property = Property { name: name.to_owned(), length: Some(type_of(length)?), number: type_of(number)? };
                elements.last_mut()?.properties.push(property);
            }
            ["property", number, name] => {
                let property = Property { name: name.to_owned(), length: None, number: type_of(number)? };
                elements.last_mut()?.properties.push(property);
            }
            _ => {}
        }
    }
    Some((encoding?, elements))
}

fn type_of(name: &str) -> Option<Number> {
    Some(match name {
        "char" | "int8" => Number::I8,
        "uchar" | "uint8" => Number::U8,
        "short" | "int16" => Number::I16,
        "ushort" | "uint16" => Number::U16,
        "int" | "int32" => Number::I32,
        "uint" | "uint32" => Number::U32,
        "float" | "float32" => Number::F32,
        "double" | "float64" => Number::F64,
        _ => return None,
    })
}

/// Names of the numbers of a vertex that are read.
const COLUMNS: [&str; 6] = ["x", "y", "z", "vx", "vy", "vz"];

/// Reads a row of an element, and visits it if it is a vertex or a face. `None` at the end of the file.
fn row(
    element: &Element,
    body: &mut Body<'_>,
    visit: &mut impl FnMut(Row<'_>) -> Result<(), String>,
) -> Result<Option<()>, String> {
    let mut vertex = [None; 6];
    for property in &element.properties {
        let Some(length) = property.length else {
            let Some(value) = body.number(property.number) else { return Ok(None) };
            if let Some(column) = COLUMNS.iter().position(|column| *column == property.name) {
                vertex[column] = Some(value);
            }
            continue;
        };
        let Some(count) = body.number(length) else { return Ok(None) };
        if !(0.0..=MAX_CORNERS as f64).contains(&count) {
            return Err(format!("has a list of {count} items"));
        }
        let mut corners = Vec::new();
        for _ in 0..count as usize {
            let Some(value) = body.number(property.number) else { return Ok(None) };
            // Saturates: a negative index is no vertex either.
            corners.push(if value < 0.0 { u32::MAX } else { value as u32 });
        }
        if element.name == "face" && matches!(property.name.as_str(), "vertex_indices" | "vertex_index") {
            visit(Row::Face(&corners))?;
        }
    }
    if element.name == "vertex" {
        let [Some(x), Some(y), Some(z), velocity @ ..] = vertex else {
            return Err("has vertices without `x`, `y` and `z`".to_owned());
        };
        let velocity = if let [Some(x), Some(y), Some(z)] = velocity { Some(DVec3::new(x, y, z)) } else { None };
        visit(Row::Vertex(DVec3::new(x, y, z), velocity))?;
    }
    Ok(Some(()))
}

impl Body<'_> {
    fn number(&mut self, number: Number) -> Option<f64> {
        match self {
            Self::Text(words) => words.next()?.parse().ok(),
            Self::Binary(bytes) => Some(match number {
                Number::I8 => f64::from(bytes.u8()? as i8),
                Number::U8 => f64::from(bytes.u8()?),
                Number::I16 => f64::from(bytes.u16()? as i16),
                Number::U16 => f64::from(bytes.u16()?),
                Number::I32 => f64::from(bytes.u32()? as i32),
                Number::U32 => f64::from(bytes.u32()?),
                Number::F32 => f64::from(bytes.f32()?),
                Number::F64 => bytes.f64()?,
            }),
        }
    }
}
