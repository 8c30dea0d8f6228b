//! Series of frames: the particles of one part in one format, a file for each instant.

use super::attributes::Attributes;
use super::boundary::BoundaryArrays;
use super::kind::ParticleFormat;
use super::part::Part;
use super::points::Points;
use super::pvd::Collection;
use super::{bgeo, csv, npz, ply, vtu};
use crate::atomic_file::write_atomically;
use crate::folder::make_folder;
use crate::frame_files::FrameFiles;
use sph_core::View;
use std::io;
use std::path::{Path, PathBuf};

/// An export that is written frame by frame into a folder.
pub trait FrameExport: Send {
    /// Folder of its files.
    fn folder(&self) -> &Path;

    /// Files of the frames, if each has its own.
    fn frames(&self) -> Option<FrameFiles>;

    /// File about all frames so far that is replaced after each, if there is one.
    fn summary(&self) -> Option<PathBuf>;

    /// Writes the state of `view` as frame `number`, on the threads of the current pool. The folder is created if it is missing.
    ///
    /// # Errors
    /// The folder cannot be created or written to, the disk is full, or the state cannot be shown. The frame's file is then absent.
    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()>;
}

/// Frames of one part of a scene in one format, in a folder of their own: `frame_000123.ply` and so on.
///
/// A series of [`ParticleFormat::Vtk`] has a collection beside its frames, such as `fluid.pvd`, which is replaced after each frame, so that it
/// names complete frames only, whenever the program ends.
#[derive(Debug)]
pub struct Series {
    format: ParticleFormat,
    part: Part,
    folder: PathBuf,
    attributes: Attributes,
    /// Frames so far; `None` before the first.
    collection: Option<Collection>,
}

impl Series {
    /// Series of `part` in an export to `dir`: in that folder for the fluid, in `dir/walls` and `dir/bodies` for the others.
    pub fn new(format: ParticleFormat, part: Part, dir: &Path, attributes: Attributes) -> Self {
        Self { format, part, folder: part.folder(dir), attributes, collection: None }
    }

    fn write_points(&mut self, number: u64, points: &Points<'_>) -> io::Result<PathBuf> {
        make_folder(&self.folder)?;
        let name = format!("frame_{number:06}.{}", self.format.extension());
        let path = self.folder.join(&name);
        write_atomically(&path, |out| match self.format {
            ParticleFormat::Ply => ply::write(out, points),
            ParticleFormat::Csv => csv::write(out, points),
            ParticleFormat::Vtk => vtu::write(out, points),
            ParticleFormat::Npz => npz::write(out, points),
            ParticleFormat::Bgeo => bgeo::write(out, points),
        })?;
        if let Some(list) = self.summary() {
            let collection = self.collection.get_or_insert_with(|| Collection::before(number, &list));
            collection.add(&list, number, points.time, name)?;
        }
        Ok(path)
    }
}

impl FrameExport for Series {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn frames(&self) -> Option<FrameFiles> {
        Some(FrameFiles::new(&self.folder, self.format.extension()))
    }

    fn summary(&self) -> Option<PathBuf> {
        (self.format == ParticleFormat::Vtk).then(|| self.folder.join(format!("{}.pvd", self.part.name())))
    }

    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()> {
        let arrays;
        let points = match self.part {
            Part::Fluid => Points::of_fluid(view.time, view.particles, &self.attributes).with_fluids(view.fluids),
            Part::Walls | Part::Bodies => {
                arrays = BoundaryArrays::gather(view, self.part);
                Points::of_boundary(view.time, &arrays, &self.attributes)
            }
        };
        self.write_points(number, &points).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::points::pair;

    #[test]
    fn frames_are_numbered_files_in_a_new_folder() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("out/frames");
        let (particles, attributes) = (pair(), Attributes::default());
        let points = Points::of_fluid(0.5, &particles, &attributes);
        for format in ParticleFormat::ALL {
            let mut series = Series::new(format, Part::Walls, &dir, attributes.clone());
            let path = series.write_points(7, &points).unwrap();
            assert_eq!(path, dir.join(format!("walls/frame_000007.{}", format.extension())));
        }
        let collection = std::fs::read_to_string(dir.join("walls/walls.pvd")).unwrap();
        assert!(collection.contains("timestep=\"0.5\" group=\"\" part=\"0\" file=\"frame_000007.vtu\""), "{collection}");
        assert_eq!(std::fs::read_dir(dir.join("walls")).unwrap().count(), ParticleFormat::ALL.len() + 1);
        let file_in_the_way = dir.join("walls/frame_000007.csv");
        assert!(Series::new(ParticleFormat::Csv, Part::Fluid, &file_in_the_way, attributes).write_points(1, &points).is_err());
    }
}
