//! Files of surfaces.

use super::mesh::SurfaceMesh;
use crate::scene::{list, nearest};
use std::io::{self, Write};
use std::str::FromStr;

/// Format of a surface's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceFormat {
    /// Stanford PLY, binary little-endian, with normals and velocities.
    Ply,
    /// Wavefront OBJ, text, with normals.
    Obj,
}

impl SurfaceFormat {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Ply, Self::Obj];

    /// Name, and extension of the files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Obj => "obj",
        }
    }

    /// Writes the surface at `time` (s), in SI units.
    pub(super) fn write(self, out: &mut dyn Write, time: f64, mesh: &SurfaceMesh) -> io::Result<()> {
        match self {
            Self::Ply => write_ply(out, time, mesh),
            Self::Obj => write_obj(out, time, mesh),
        }
    }
}

impl FromStr for SurfaceFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let expected = match nearest(name, names) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("expected {}", list(names)),
            };
            format!("there is no format `{name}` of surfaces: {expected}")
        })
    }
}

fn write_ply(out: &mut dyn Write, time: f64, mesh: &SurfaceMesh) -> io::Result<()> {
    let SurfaceMesh { vertices, normals, velocities, triangles } = mesh;
    write!(out, "ply\nformat binary_little_endian 1.0\ncomment surface of SPH particles, SI units\ncomment time {time}\n")?;
    writeln!(out, "element vertex {}", vertices.len())?;
    let columns = ["x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"];
    let columns = if velocities.is_empty() { &columns[..6] } else { &columns };
    columns.iter().try_for_each(|column| writeln!(out, "property float {column}"))?;
    write!(out, "element face {}\nproperty list uchar int vertex_indices\nend_header\n", triangles.len())?;
    for (index, (vertex, normal)) in vertices.iter().zip(normals).enumerate() {
        for vector in [Some(vertex), Some(normal), velocities.get(index)].into_iter().flatten() {
            vector.to_array().iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        }
    }
    for triangle in triangles {
        out.write_all(&[3])?;
        triangle.iter().try_for_each(|corner| out.write_all(&corner.to_le_bytes()))?;
    }
    Ok(())
}

fn write_obj(out: &mut dyn Write, time: f64, mesh: &SurfaceMesh) -> io::Result<()> {
    writeln!(out, "# surface of SPH particles, SI units\n# time {time}\no fluid")?;
    mesh.vertices.iter().try_for_each(|at| writeln!(out, "v {} {} {}", at.x, at.y, at.z))?;
    mesh.normals.iter().try_for_each(|normal| writeln!(out, "vn {} {} {}", normal.x, normal.y, normal.z))?;
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|corner| corner + 1);
        writeln!(out, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    Ok(())
}
