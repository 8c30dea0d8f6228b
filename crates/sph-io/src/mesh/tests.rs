//! Readers of meshes: one cube in every format; damaged files are errors, not panics.

use super::*;
use glam::DVec3;
use proptest::prelude::*;

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
        0 => obj::parse(bytes),
        1 => stl::parse(bytes),
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
    assert_eq!((decoded("Zmx1aWQ="), decoded("Zmx1aWRz"), decoded("")), (b"fluid".to_vec(), b"fluids".to_vec(), Vec::new()));
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
