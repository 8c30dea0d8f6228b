//! Series of frames: the particles of one part in one format, a file for each instant.

use super::attributes::Attributes;
use super::boundary::BoundaryArrays;
use super::kind::ExportKind;
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

/// Frames of one part of a scene in one format, in a folder of their own: `frame_000123.ply` and so on.
///
/// A series of [`ExportKind::Vtk`] has a collection beside its frames, such as `fluid.pvd`, which is replaced after each frame, so that it
/// names complete frames only, whenever the program ends.
#[derive(Debug)]
pub struct Series {
    kind: ExportKind,
    part: Part,
    folder: PathBuf,
    attributes: Attributes,
    /// Frames so far; `None` before the first.
    collection: Option<Collection>,
}

impl Series {
    /// Series of `part` in an export to `dir`: in that folder for the fluid, in `dir/walls` and `dir/bodies` for the others.
    pub fn new(kind: ExportKind, part: Part, dir: &Path, attributes: Attributes) -> Self {
        Self { kind, part, folder: part.folder(dir), attributes, collection: None }
    }

    /// Folder of the frames.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Files of the frames.
    pub fn files(&self) -> FrameFiles {
        FrameFiles::new(&self.folder, self.kind.extension())
    }

    /// Path of the collection, if the format has one.
    pub fn collection(&self) -> Option<PathBuf> {
        (self.kind == ExportKind::Vtk).then(|| self.folder.join(format!("{}.pvd", self.part.name())))
    }

    /// Writes the particles of `view` as a frame. The folder is created if it is missing. Returns the path of the file.
    ///
    /// # Errors
    /// The folder cannot be created or written to, or the disk is full. The frame's file is then absent.
    pub fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<PathBuf> {
        let arrays;
        let points = match self.part {
            Part::Fluid => Points::of_fluid(view.time, view.particles, &self.attributes).with_fluids(view.fluids),
            Part::Walls | Part::Bodies => {
                arrays = BoundaryArrays::gather(view, self.part);
                Points::of_boundary(view.time, &arrays, &self.attributes)
            }
        };
        self.write_points(number, &points)
    }

    fn write_points(&mut self, number: u64, points: &Points<'_>) -> io::Result<PathBuf> {
        make_folder(&self.folder)?;
        let name = format!("frame_{number:06}.{}", self.kind.extension());
        let path = self.folder.join(&name);
        write_atomically(&path, |out| match self.kind {
            ExportKind::Ply => ply::write(out, points),
            ExportKind::Csv => csv::write(out, points),
            ExportKind::Vtk => vtu::write(out, points),
            ExportKind::Npz => npz::write(out, points),
            ExportKind::Bgeo => bgeo::write(out, points),
        })?;
        if let Some(list) = self.collection() {
            let collection = self.collection.get_or_insert_with(|| Collection::before(number, &list));
            collection.add(&list, number, points.time, name)?;
        }
        Ok(path)
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
        for kind in ExportKind::ALL {
            let mut series = Series::new(kind, Part::Walls, &dir, attributes.clone());
            let path = series.write_points(7, &points).unwrap();
            assert_eq!(path, dir.join(format!("walls/frame_000007.{}", kind.extension())));
        }
        let collection = std::fs::read_to_string(dir.join("walls/walls.pvd")).unwrap();
        assert!(collection.contains("timestep=\"0.5\" group=\"\" part=\"0\" file=\"frame_000007.vtu\""), "{collection}");
        assert_eq!(std::fs::read_dir(dir.join("walls")).unwrap().count(), ExportKind::ALL.len() + 1);
        let file_in_the_way = dir.join("walls/frame_000007.csv");
        assert!(Series::new(ExportKind::Csv, Part::Fluid, &file_in_the_way, attributes).write_points(1, &points).is_err());
    }
}
