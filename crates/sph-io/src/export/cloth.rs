//! Series of the sheets of cloth as triangle meshes.

use std::io;
use std::path::{Path, PathBuf};

use super::FrameExport;
use super::surface::{SurfaceMesh, vertex_normals, write_ply};
use crate::atomic_file::write_atomically;
use crate::folder::{FrameFiles, make_folder};
use sph_core::View;

/// Frames of all sheets: `frame_000123.ply` with positions, normals, velocities and triangles. Torn triangles are left out. The vertices are the same
/// in every frame.
#[derive(Debug)]
pub struct ClothSeries {
    folder: PathBuf,
}

impl ClothSeries {
    /// Series in the folder `dir`.
    pub fn new(dir: &Path) -> Self {
        Self { folder: dir.to_owned() }
    }
}

/// The sheets of `view` as one mesh.
fn sheets(view: &View<'_>) -> SurfaceMesh {
    let mut mesh = SurfaceMesh::default();
    for (index, set) in view.sets.iter().enumerate() {
        let triangles = view.dynamics.map_or_else(Vec::new, |dynamics| dynamics.triangles(index, set));
        if triangles.is_empty() {
            continue;
        }
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend_from_slice(&set.positions);
        mesh.velocities.extend_from_slice(&set.velocities);
        mesh.triangles.extend(triangles.into_iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    }
    mesh.normals = vertex_normals(&mesh.vertices, &mesh.triangles);
    mesh
}

impl FrameExport for ClothSeries {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn frames(&self) -> Option<FrameFiles> {
        Some(FrameFiles::new(&self.folder, "ply"))
    }

    fn summary(&self) -> Option<PathBuf> {
        None
    }

    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()> {
        make_folder(&self.folder)?;
        let mesh = sheets(view);
        write_atomically(&self.folder.join(format!("frame_{number:06}.ply")), |out| {
            write_ply(out, view.time, "sheets of cloth", &mesh)
        })
    }
}
