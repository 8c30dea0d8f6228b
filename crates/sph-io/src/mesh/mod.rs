//! Triangle meshes from files: OBJ, STL, PLY, glTF; and `heights` over a grid.
//!
//! OBJ is read by `tobj` and the JSON of glTF by `gltf`. STL and PLY are read here: the readers at hand reserve memory by counts that
//! a damaged file states, and know STL by its first letters, which binary files may have as well.

mod gltf_file;
mod heights;
pub(crate) mod ply;

pub(crate) use heights::read_heights;

use std::path::Path;
use std::sync::Arc;

use super::SourceFiles;
use glam::DVec3;
use tobj::{LoadOptions, load_obj_buf};

/// The triangles of a file, whose format its extension tells. It, and others that it needs, are added to `files`.
///
/// # Errors
/// The file and its fault: it cannot be read, is too large, or is damaged.
pub(crate) fn read(path: &Path, files: &mut SourceFiles) -> Result<Triangles, String> {
    let fail = |fault: String| format!("{} {fault}", path.display());
    let bytes = bytes_of(path, files).map_err(fail)?;
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("obj") => parse_obj(&bytes),
        Some("stl") => parse_stl(&bytes),
        Some("ply") => ply::parse(&bytes),
        Some("gltf" | "glb") => gltf_file::parse(&bytes, path.parent(), files),
        _ => Err("has an unknown format: expected .obj, .stl, .ply, .gltf or .glb".to_owned()),
    }
    .map_err(fail)
}

// Triangles as files have them.

/// Maximum number of triangles.
pub(crate) const MAX_TRIANGLES: usize = 4_000_000;

/// Triangles as they are in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Triangles {
    /// Vertices, in the units of the file.
    pub vertices: Vec<DVec3>,
    /// Vertices of each triangle, which may be beyond the last one.
    pub triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// Adds the polygon through the vertices `corners`, as a fan.
    pub fn add_polygon(&mut self, corners: &[u32]) -> Result<(), String> {
        for pair in corners.get(1..).unwrap_or_default().windows(2) {
            self.triangles.push([corners[0], pair[0], pair[1]]);
        }
        if self.triangles.len() > MAX_TRIANGLES { Err(format!("has more than {MAX_TRIANGLES} triangles")) } else { Ok(()) }
    }
}

/// Maximum size of a mesh file, bytes.
pub(crate) const MAX_FILE_BYTES: u64 = 256 << 20;

/// The bytes of a file that is not too large, which is added to `files`, or its fault.
pub(crate) fn bytes_of(path: &Path, files: &mut SourceFiles) -> Result<Arc<[u8]>, String> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err("is not a regular file".to_owned());
    }
    let bytes = files.read(path, MAX_FILE_BYTES).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("is larger than {} MiB", MAX_FILE_BYTES >> 20));
    }
    Ok(bytes)
}

// Numbers in bytes, from which nothing is read past the end.

/// Reader of little- or big-endian numbers.
struct Bytes<'a> {
    rest: &'a [u8],
    big_endian: bool,
}

impl<'a> Bytes<'a> {
    /// Reader of `rest`.
    pub fn new(rest: &'a [u8], big_endian: bool) -> Self {
        Self { rest, big_endian }
    }

    /// The next `N` bytes, the lowest first.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        let mut taken = *taken;
        if self.big_endian {
            taken.reverse();
        }
        Some(taken)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }
}

/// Wavefront OBJ, by `tobj`. Materials, normals and texture coordinates are not read.
fn parse_obj(mut bytes: &[u8]) -> Result<Triangles, String> {
    let options = LoadOptions { triangulate: false, ignore_points: true, ignore_lines: true, ..LoadOptions::default() };
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let (models, _) =
        load_obj_buf(&mut bytes, &options, no_materials).map_err(|error| format!("is not an OBJ file: {error}"))?;
    let mut mesh = Triangles::default();
    for tobj::Model { mesh: part, .. } in &models {
        let first = mesh.vertices.len() as u32;
        let vertex = |at: &[f32]| DVec3::new(at[0].into(), at[1].into(), at[2].into());
        mesh.vertices.extend(part.positions.chunks_exact(3).map(vertex));
        let corners: Vec<u32> = part.indices.iter().map(|&index| first.saturating_add(index)).collect();
        // Without arities all faces are triangles.
        let mut rest = corners.as_slice();
        let mut arities = part.face_arities.iter();
        while !rest.is_empty() {
            let arity = arities.next().map_or(3, |&arity| arity as usize).clamp(1, rest.len());
            let (face, after) = rest.split_at(arity);
            mesh.add_polygon(face)?;
            rest = after;
        }
    }
    Ok(mesh)
}

// STL, binary and text. The stated normals are not read: the order of the corners says the same.

/// Bytes before the triangles of a binary file: its header and their number.
const STL_HEADER: usize = 84;

/// Bytes of a triangle.
const STL_TRIANGLE: usize = 50;

fn parse_stl(bytes: &[u8]) -> Result<Triangles, String> {
    // By its length: the header of a binary file may begin with "solid" as well.
    let count = bytes.get(STL_HEADER - 4..STL_HEADER).and_then(|count| Bytes::new(count, false).u32());
    match count {
        Some(count) if bytes.len() as u64 >= STL_HEADER as u64 + u64::from(count) * STL_TRIANGLE as u64 && count > 0 => {
            stl_of_bytes(&bytes[STL_HEADER..], count as usize)
        }
        _ => stl_of_text(bytes),
    }
}

fn stl_of_bytes(bytes: &[u8], count: usize) -> Result<Triangles, String> {
    let mut mesh = Triangles::default();
    for triangle in bytes.chunks_exact(STL_TRIANGLE).take(count) {
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

fn stl_of_text(bytes: &[u8]) -> Result<Triangles, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        "is not an STL file: it is not text, and its length does not match its \
            header"
            .to_owned()
    })?;
    if !text.trim_start().starts_with("solid") {
        return Err("is not an STL file: it does not begin with `solid`".to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    // Readers of meshes: one cube in every format; damaged files are errors, not panics.

    /// A cube from 0 to 1 as eight vertices and twelve triangles, outwards.
    fn cube() -> Triangles {
        let vertices = (0..8u32).map(|k| glam::UVec3::new(k & 1, k >> 1 & 1, k >> 2 & 1).as_dvec3()).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut cube = Triangles { vertices, triangles: Vec::new() };
        quads.iter().for_each(|quad| cube.add_polygon(quad).expect("few triangles"));
        cube
    }

    fn obj() -> Vec<u8> {
        let cube = cube();
        let vertices = cube.vertices.iter().map(|v| format!("v {} {} {}\n", v.x, v.y, v.z));
        let faces = cube.triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
        vertices.chain(faces).collect::<String>().into_bytes()
    }

    fn stl(binary: bool) -> Vec<u8> {
        let cube = cube();
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| cube.vertices[vertex as usize].as_vec3());
        if binary {
            let mut bytes = b"solid, it says".to_vec();
            bytes.resize(80, b' ');
            bytes.extend((cube.triangles.len() as u32).to_le_bytes());
            for triangle in &cube.triangles {
                bytes.extend([0; 12]);
                bytes.extend(corners(triangle).iter().flat_map(|v| v.to_array()).flat_map(f32::to_le_bytes));
                bytes.extend([0; 2]);
            }
            return bytes;
        }
        let facet = |triangle: &[u32; 3]| {
            let vertices: String = corners(triangle).iter().map(|v| format!("vertex {} {} {}\n", v.x, v.y, v.z)).collect();
            format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
        };
        let facets: String = cube.triangles.iter().map(facet).collect();
        format!("solid cube\n{facets}endsolid cube\n").into_bytes()
    }

    fn ply(encoding: &str) -> Vec<u8> {
        let cube = cube();
        let header = format!(
            "ply\nformat {encoding} 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n\
         element face 12\nproperty list uchar int vertex_indices\nend_header\n"
        );
        let mut bytes = header.into_bytes();
        let big = encoding == "binary_big_endian";
        for vertex in &cube.vertices {
            if encoding == "ascii" {
                bytes.extend(format!("{} {} {}\n", vertex.x, vertex.y, vertex.z).into_bytes());
            } else {
                let numbers = vertex.as_vec3().to_array();
                bytes.extend(numbers.iter().flat_map(|x| if big { x.to_be_bytes() } else { x.to_le_bytes() }));
            }
        }
        for triangle in &cube.triangles {
            if encoding == "ascii" {
                bytes.extend(format!("3 {} {} {}\n", triangle[0], triangle[1], triangle[2]).into_bytes());
            } else {
                bytes.push(3);
                bytes.extend(triangle.iter().flat_map(|x| if big { x.to_be_bytes() } else { x.to_le_bytes() }));
            }
        }
        bytes
    }

    /// As GLB: the node moves the cube by −1 along x, where its vertices are one farther.
    fn glb() -> Vec<u8> {
        let cube = cube();
        let mut blob: Vec<u8> =
            cube.vertices.iter().flat_map(|v| (v + DVec3::X).as_vec3().to_array()).flat_map(f32::to_le_bytes).collect();
        let split = blob.len();
        blob.extend(cube.triangles.iter().flatten().flat_map(|&index| (index as u16).to_le_bytes()));
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"mesh":0,"translation":[-1,0,0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "buffers":[{{"byteLength":{}}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{split}}},{{"buffer":0,"byteOffset":{split},"byteLength":72}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[1,0,0],"max":[2,1,1]}},
        {{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}}]}}"#,
            blob.len()
        );
        let pad = |mut chunk: Vec<u8>, byte: u8| {
            chunk.resize(chunk.len().next_multiple_of(4), byte);
            chunk
        };
        let (json, blob) = (pad(json.into_bytes(), b' '), pad(blob, 0));
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend((12 + 16 + json.len() as u32 + blob.len() as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", json), (b"BIN\0", blob)] {
            bytes.extend((chunk.len() as u32).to_le_bytes());
            bytes.extend(kind);
            bytes.extend(chunk);
        }
        bytes
    }

    fn parse(format: usize, bytes: &[u8]) -> Result<Triangles, String> {
        match format {
            0 => parse_obj(bytes),
            1 => parse_stl(bytes),
            2 => ply::parse(bytes),
            _ => gltf_file::parse(bytes, None, &mut crate::SourceFiles::default()),
        }
    }

    fn every_format() -> Vec<(usize, Vec<u8>)> {
        let encodings = ["ascii", "binary_little_endian", "binary_big_endian"];
        let plys = encodings.map(|encoding| (2, ply(encoding)));
        [(0, obj()), (1, stl(false)), (1, stl(true)), (3, glb())].into_iter().chain(plys).collect()
    }

    #[test]
    fn the_cube_is_the_same_from_every_format() {
        let corners = |mesh: &Triangles| -> Vec<[DVec3; 3]> {
            mesh.triangles.iter().map(|triangle| triangle.map(|vertex| mesh.vertices[vertex as usize])).collect()
        };
        for (format, bytes) in every_format() {
            let mesh = parse(format, &bytes).expect("a sound file");
            assert_eq!(corners(&mesh), corners(&cube()), "format {format}");
            let (_, diagnosis) = sph_core::TriangleMesh::new(&mesh.vertices, &mesh.triangles).expect("a closed mesh");
            assert_eq!((diagnosis.triangles, diagnosis.parts, diagnosis.is_inward), (12, 1, false));
        }
    }

    #[test]
    fn base_64_is_read() {
        let decoded = |digits| gltf_file::from_base64(digits).expect("base 64");
        assert_eq!(
            (decoded("Zmx1aWQ="), decoded("Zmx1aWRz"), decoded("")),
            (b"fluid".to_vec(), b"fluids".to_vec(), Vec::new())
        );
        assert!(gltf_file::from_base64("a*b=").is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        /// Bytes replaced, removed and doubled.
        #[test]
        fn damaged_files_do_not_panic(which in 0usize..7, edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..8)) {
            let (format, mut bytes) = every_format().swap_remove(which);
            for (at, byte, edit) in edits {
                let at = at.index(bytes.len().max(1));
                match edit {
                    0 if at < bytes.len() => bytes[at] = byte,
                    1 => bytes.truncate(at),
                    _ => bytes.insert(at.min(bytes.len()), byte),
                }
            }
            if let Ok(mesh) = parse(format, &bytes) {
                let _ = sph_core::TriangleMesh::new(&mesh.vertices, &mesh.triangles);
            }
        }

        #[test]
        fn any_bytes_do_not_panic(format in 0usize..4, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = parse(format, &bytes);
        }
    }
}
