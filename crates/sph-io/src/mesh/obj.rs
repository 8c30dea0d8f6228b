//! Wavefront OBJ, by `tobj`. Materials, normals and texture coordinates are not read.

use super::triangles::Triangles;
use glam::DVec3;
use tobj::{LoadOptions, load_obj_buf};

pub(super) fn parse(mut bytes: &[u8]) -> Result<Triangles, String> {
    let options = LoadOptions { triangulate: false, ignore_points: true, ignore_lines: true, ..LoadOptions::default() };
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let (models, _) = load_obj_buf(&mut bytes, &options, no_materials).map_err(|error| format!("is no OBJ file: {error}"))?;
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
