//! STL, binary and text. The stated normals are not read: the order of the corners says the same.

use super::bytes::Bytes;
use super::triangles::Triangles;
use glam::DVec3;

/// Bytes before the triangles of a binary file: its header and their number.
const HEADER: usize = 84;
/// Bytes of a triangle.
const TRIANGLE: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Result<Triangles, String> {
    // By its length: the header of a binary file may begin with "solid" as well.
    let count = bytes.get(HEADER - 4..HEADER).and_then(|count| Bytes::new(count, false).u32());
    match count {
        Some(count) if bytes.len() as u64 >= HEADER as u64 + u64::from(count) * TRIANGLE as u64 && count > 0 => {
            binary(&bytes[HEADER..], count as usize)
        }
        _ => text(bytes),
    }
}

fn binary(bytes: &[u8], count: usize) -> Result<Triangles, String> {
    let mut mesh = Triangles::default();
    for triangle in bytes.chunks_exact(TRIANGLE).take(count) {
        let mut numbers = Bytes::new(&triangle[12..48], false);
        let first = mesh.vertices.len() as u32;
        for _ in 0..3 {
            let mut next = || numbers.f32().map(f64::from).unwrap_or_default();
            mesh.vertices.push(DVec3::new(next(), next(), next()));
        }
        mesh.add_polygon(&[first, first + 1, first + 2])?;
    }
    Ok(mesh)
}

fn text(bytes: &[u8]) -> Result<Triangles, String> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| "is no STL file: it is neither text nor as long as it says".to_owned())?;
    if !text.trim_start().starts_with("solid") {
        return Err("is no STL file: it does not begin with `solid`".to_owned());
    }
    let mut mesh = Triangles::default();
    for (number, line) in text.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("vertex") else { continue };
        let numbers: Vec<f64> = rest.split_whitespace().map_while(|number| number.parse().ok()).collect();
        let [x, y, z] = numbers[..] else { return Err(format!("has no vertex of three numbers on line {}", number + 1)) };
        mesh.vertices.push(DVec3::new(x, y, z));
        let count = mesh.vertices.len() as u32;
        if count.is_multiple_of(3) {
            mesh.add_polygon(&[count - 3, count - 2, count - 1])?;
        }
    }
    Ok(mesh)
}
