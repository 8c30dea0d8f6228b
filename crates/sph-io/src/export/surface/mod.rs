//! Surface meshes of fluid, reconstructed from its particles: the mesh, its files, and the series of a run.

mod frames;
mod reconstruct;
mod settings;

pub use frames::{ParticleFrame, exported_frames};
pub use reconstruct::{SurfaceError, surface};
pub use settings::{BadSetting, SETTINGS, SurfaceSetting, SurfaceSettings};

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::series::FrameExport;
use crate::atomic_file::write_atomically;
use crate::folder::{FrameFiles, make_folder};
use crate::words::{list, nearest};
use glam::Vec3;
use sph_core::View;

/// Surfaces of one fluid in a folder of their own: `frame_000123.ply` and so on.
#[derive(Clone, Debug)]
pub struct SurfaceSeries {
    settings: SurfaceSettings,
    /// Number of the fluid; `None` for all particles.
    fluid: Option<u8>,
    folder: PathBuf,
}

impl SurfaceSeries {
    /// Series in an export to `dir`: of all particles in that folder, of the fluid with number `fluid` in `dir/fluid_0` and so on.
    pub fn new(dir: &Path, fluid: Option<u8>, settings: SurfaceSettings) -> Self {
        let folder = fluid.map_or_else(|| dir.to_owned(), |fluid| dir.join(format!("fluid_{fluid}")));
        Self { settings, fluid, folder }
    }

    /// Series in an export to `dir` for `fluids` fluids, of which 0 and 1 mean all particles.
    pub fn of_fluids(dir: &Path, fluids: usize, settings: SurfaceSettings) -> Vec<Self> {
        let several = (0..=u8::MAX).take(fluids).filter(|_| fluids > 1);
        let mut series: Vec<_> = several.map(|fluid| Self::new(dir, Some(fluid), settings)).collect();
        if series.is_empty() {
            series.push(Self::new(dir, None, settings));
        }
        series
    }

    /// Writes the surface of the particles of `frame` as frame `number`. The folder is created if it is missing. Returns the path of the
    /// file.
    ///
    /// # Errors
    /// There is no surface of these particles, or the file cannot be written. It is then absent.
    pub fn write_frame(&self, number: u64, frame: &ParticleFrame) -> io::Result<PathBuf> {
        let of_fluid = self.fluid.map(|fluid| frame.of_fluid(fluid));
        let ParticleFrame { time, positions, velocities, .. } = of_fluid.as_ref().unwrap_or(frame);
        let mesh = surface(positions, velocities, &self.settings).map_err(io::Error::other)?;
        make_folder(&self.folder)?;
        let format = self.settings.format;
        let path = self.folder.join(format!("frame_{number:06}.{}", format.name()));
        write_atomically(&path, |out| format.write(out, *time, &mesh))?;
        Ok(path)
    }
}

impl FrameExport for SurfaceSeries {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn frames(&self) -> Option<FrameFiles> {
        Some(FrameFiles::new(&self.folder, self.settings.format.name()))
    }

    fn summary(&self) -> Option<PathBuf> {
        None
    }

    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()> {
        self.write_frame(number, &ParticleFrame::of_view(view)).map(|_| ())
    }
}

/// A surface of fluid as triangles, counter-clockwise as seen from outside. Vertices ascend by x, then y, then z, and triangles by their
/// vertices, so that equal surfaces are equal files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Vertices, m.
    pub vertices: Vec<Vec3>,
    /// Outward unit normals at the vertices.
    pub normals: Vec<Vec3>,
    /// Velocities of the fluid at the vertices, m/s; empty if the particles have none.
    pub velocities: Vec<Vec3>,
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl SurfaceMesh {
    /// Enclosed volume by the divergence theorem, m³.
    pub fn volume(&self) -> f64 {
        // About one of them, so that far from the origin nothing cancels.
        let origin = self.vertices.first().map_or(glam::DVec3::ZERO, |vertex| vertex.as_dvec3());
        let corner = |index: u32| self.vertices[index as usize].as_dvec3() - origin;
        self.triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0).sum()
    }
}

/// Unit normals at the vertices, each triangle's weighted by its area; those of no triangle point along y.
pub(super) fn vertex_normals(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; vertices.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| vertices[index as usize]);
        let normal = (b - a).cross(c - a);
        triangle.iter().for_each(|&index| sums[index as usize] += normal);
    }
    // Areas of tiny triangles are lost to underflow when they are squared, unless they are scaled.
    let scaled = |sum: Vec3| sum / sum.abs().max_element();
    sums.into_iter().map(|sum| scaled(sum).try_normalize().unwrap_or(Vec3::Y)).collect()
}

// Files of surfaces.

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
    fn write(self, out: &mut dyn Write, time: f64, mesh: &SurfaceMesh) -> io::Result<()> {
        match self {
            Self::Ply => write_ply(out, time, "surface of SPH particles", mesh),
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

/// Writes a mesh, of which the file says that it is `what`, at `time` (s).
pub(super) fn write_ply(out: &mut dyn Write, time: f64, what: &str, mesh: &SurfaceMesh) -> io::Result<()> {
    let SurfaceMesh { vertices, normals, velocities, triangles } = mesh;
    write!(out, "ply\nformat binary_little_endian 1.0\ncomment {what}, SI units\ncomment time {time}\n")?;
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
