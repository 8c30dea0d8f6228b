//! Triangle meshes from files: OBJ, STL, PLY, glTF.
//!
//! OBJ is read by `tobj` and the JSON of glTF by `gltf`. STL and PLY are read here: the readers at hand reserve memory by counts that
//! a damaged file states, and know STL by its first letters, which binary files may have as well.

mod bytes;
mod gltf_file;
mod obj;
mod ply;
mod stl;

use crate::bounded_read::read_at_most;
use glam::DVec3;
use std::path::Path;

/// Maximum size of a mesh file, bytes.
pub(crate) const MAX_FILE_BYTES: u64 = 256 << 20;

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
    fn add_polygon(&mut self, corners: &[u32]) -> Result<(), String> {
        for pair in corners.get(1..).unwrap_or_default().windows(2) {
            self.triangles.push([corners[0], pair[0], pair[1]]);
        }
        if self.triangles.len() > MAX_TRIANGLES { Err(format!("has more than {MAX_TRIANGLES} triangles")) } else { Ok(()) }
    }
}

/// The triangles of a file, whose format its extension tells.
///
/// # Errors
/// The file and its fault: it cannot be read, is too large, or is damaged.
pub(crate) fn read(path: &Path) -> Result<Triangles, String> {
    let fail = |fault: String| format!("{} {fault}", path.display());
    let bytes = bytes_of(path).map_err(fail)?;
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("obj") => obj::parse(&bytes),
        Some("stl") => stl::parse(&bytes),
        Some("ply") => ply::parse(&bytes),
        Some("gltf" | "glb") => gltf_file::parse(&bytes, path.parent()),
        _ => Err("is of no known format: .obj, .stl, .ply, .gltf and .glb are".to_owned()),
    }
    .map_err(fail)
}

/// The bytes of a file that is not too large, or its fault.
fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err("is not a regular file".to_owned());
    }
    let bytes = read_at_most(path, MAX_FILE_BYTES).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("is larger than {} MiB", MAX_FILE_BYTES >> 20));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
