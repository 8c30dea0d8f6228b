//! Series of surfaces: a mesh for each frame.

use super::frames::ParticleFrame;
use super::reconstruct::surface;
use super::settings::SurfaceSettings;
use crate::atomic_file::write_atomically;
use crate::export::series::FrameExport;
use crate::folder::make_folder;
use crate::frame_files::FrameFiles;
use sph_core::View;
use std::io;
use std::path::{Path, PathBuf};

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
