//! Triangles as files have them.

use glam::DVec3;

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
