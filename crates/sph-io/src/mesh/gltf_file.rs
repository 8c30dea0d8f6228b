//! glTF and GLB: the triangles of all nodes of the scene, placed as the nodes say.
//!
//! `gltf` reads the JSON. Its readers of buffers trust offsets and counts, so those are read here.

use super::{Bytes, Triangles, bytes_of};
use crate::SourceFiles;
use glam::{DMat4, DVec3};
use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Document, Gltf, Node, Semantic};
use std::path::Path;

/// Deepest nesting of nodes.
const MAX_DEPTH: usize = 64;
/// Most nodes, each counted as often as it is used.
const MAX_NODES: usize = 100_000;

pub(super) fn parse(bytes: &[u8], folder: Option<&Path>, files: &mut SourceFiles) -> Result<Triangles, String> {
    let (document, blob) = document(bytes)?;
    let buffers = buffers(&document, blob, folder, files)?;
    let mut reader = Reader { buffers, mesh: Triangles::default(), nodes: 0 };
    let scene = document.default_scene().or_else(|| document.scenes().next());
    for node in scene.iter().flat_map(gltf::Scene::nodes) {
        reader.node(&node, DMat4::IDENTITY, 0)?;
    }
    Ok(reader.mesh)
}

/// The document and the binary part of a file.
fn document(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), String> {
    let fault = |error: gltf::Error| format!("is not a glTF file: {error}");
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(fault)?;
    let json = document.into_json();
    // The validation of `gltf` takes it for granted.
    let primitives = json.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut accessors = primitives.flat_map(|primitive| primitive.attributes.values());
    if accessors.any(|accessor| accessor.value() >= json.accessors.len()) {
        return Err("is not a glTF file: an attribute refers to a missing accessor".to_owned());
    }
    Ok((Document::from_json(json).map_err(fault)?, blob))
}

/// The bytes of all buffers: those of the file itself, of other files beside it, or in base 64.
fn buffers(
    document: &Document,
    mut blob: Option<Vec<u8>>,
    folder: Option<&Path>,
    files: &mut SourceFiles,
) -> Result<Vec<Vec<u8>>, String> {
    let load = |buffer: gltf::Buffer<'_>| match buffer.source() {
        Source::Bin => blob.take().ok_or_else(|| "has no binary part".to_owned()),
        Source::Uri(uri) => match uri.strip_prefix("data:") {
            Some(data) => {
                let digits = data.split_once(";base64,").map(|(_, digits)| digits);
                digits.and_then(from_base64).ok_or_else(|| "has a buffer that is not in base 64".to_owned())
            }
            None => {
                let file = folder.map_or_else(|| Path::new(uri).to_owned(), |folder| folder.join(uri));
                let bytes = bytes_of(&file, files);
                bytes.map(|bytes| bytes.to_vec()).map_err(|fault| format!("needs {}, which {fault}", file.display()))
            }
        },
    };
    document.buffers().map(load).collect()
}

struct Reader {
    buffers: Vec<Vec<u8>>,
    mesh: Triangles,
    nodes: usize,
}

impl Reader {
    /// Adds the triangles of a node and of those below it.
    fn node(&mut self, node: &Node<'_>, parent: DMat4, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err("has too deeply nested nodes".to_owned());
        }
        let columns = node.transform().matrix().map(|column| column.map(f64::from));
        let placed = parent * DMat4::from_cols_array_2d(&columns);
        for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
            if primitive.mode() != Mode::Triangles {
                return Err("has primitives that are not triangles".to_owned());
            }
            let positions = primitive.get(&Semantic::Positions).ok_or("has a primitive without positions")?;
            let first = self.mesh.vertices.len() as u32;
            let vertices = self.vectors(&positions).ok_or("has positions beyond its buffers, or that are not f32")?;
            let count = vertices.len() as u32;
            self.mesh.vertices.extend(vertices.into_iter().map(|vertex| placed.transform_point3(vertex)));
            let indices = match primitive.indices() {
                Some(accessor) => self.indices(&accessor).ok_or("has indices beyond its buffers, or that are not integers")?,
                None => (0..count).collect(),
            };
            for triangle in indices.chunks_exact(3) {
                let corner = |index: u32| if index < count { first.saturating_add(index) } else { u32::MAX };
                self.mesh.add_polygon(&[corner(triangle[0]), corner(triangle[1]), corner(triangle[2])])?;
            }
        }
        node.children().try_for_each(|child| self.node(&child, placed, depth + 1))
    }

    /// The items of an accessor, each of `size` bytes; none if it reaches beyond its buffer or is sparse.
    fn items<'a>(&'a self, accessor: &Accessor<'_>) -> Option<Vec<&'a [u8]>> {
        let (view, size) = (accessor.view()?, accessor.size());
        if accessor.sparse().is_some() {
            return None;
        }
        let buffer = self.buffers.get(view.buffer().index())?;
        let part = buffer.get(view.offset()..view.offset().checked_add(view.length())?)?;
        let stride = view.stride().unwrap_or(size);
        if accessor.count() > part.len() {
            return None;
        }
        let item = |index: usize| {
            let start = index.checked_mul(stride)?.checked_add(accessor.offset())?;
            part.get(start..start.checked_add(size)?)
        };
        (0..accessor.count()).map(item).collect()
    }

    fn vectors(&self, accessor: &Accessor<'_>) -> Option<Vec<DVec3>> {
        if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
            return None;
        }
        let vector = |item: &[u8]| {
            let mut numbers = Bytes::new(item, false);
            Some(DVec3::new(numbers.f32()?.into(), numbers.f32()?.into(), numbers.f32()?.into()))
        };
        self.items(accessor)?.into_iter().map(vector).collect()
    }

    fn indices(&self, accessor: &Accessor<'_>) -> Option<Vec<u32>> {
        let kind = accessor.data_type();
        let index = |item: &[u8]| {
            let mut numbers = Bytes::new(item, false);
            match kind {
                DataType::U8 => numbers.u8().map(u32::from),
                DataType::U16 => numbers.u16().map(u32::from),
                DataType::U32 => numbers.u32(),
                _ => None,
            }
        };
        self.items(accessor)?.into_iter().map(index).collect()
    }
}

/// Bytes in base 64; none if there are other letters.
pub(super) fn from_base64(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::new();
    for group in digits.trim_end_matches('=').as_bytes().chunks(4) {
        let mut bits = 0u32;
        for (place, &digit) in group.iter().enumerate() {
            bits |= u32::from(value(digit)?) << (18 - 6 * place);
        }
        let [_, first, second, third] = bits.to_be_bytes();
        bytes.extend([first, second, third].into_iter().take(group.len() * 3 / 4));
    }
    Some(bytes)
}
