//! Reading of a mesh, by the format that its name tells.

use super::file::bytes_of;
use super::triangles::Triangles;
use super::{gltf_file, obj, ply, stl};
use crate::SourceFiles;
use std::path::Path;

/// The triangles of a file, whose format its extension tells. It, and others that it needs, are added to `files`.
///
/// # Errors
/// The file and its fault: it cannot be read, is too large, or is damaged.
pub(crate) fn read(path: &Path, files: &mut SourceFiles) -> Result<Triangles, String> {
    let fail = |fault: String| format!("{} {fault}", path.display());
    let bytes = bytes_of(path, files).map_err(fail)?;
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("obj") => obj::parse(&bytes),
        Some("stl") => stl::parse(&bytes),
        Some("ply") => ply::parse(&bytes),
        Some("gltf" | "glb") => gltf_file::parse(&bytes, path.parent(), files),
        _ => Err("is of no known format: .obj, .stl, .ply, .gltf and .glb are".to_owned()),
    }
    .map_err(fail)
}
