//! Bodies and their motion as one animated scene of glTF.

mod animation;
mod glb;

use super::part::Part;
use super::series::FrameExport;
use crate::atomic_file::write_atomically;
use crate::bounded_read::read_at_most;
use crate::folder::make_folder;
use crate::frame_files::FrameFiles;
use animation::{Animation, Placement};
use glam::Vec3;
use glb::Model;
use sph_core::{Body, Triangulation, View};
use std::io;
use std::path::{Path, PathBuf};

/// Most bytes of a file that is read again: those of ten bodies over a million frames.
const MOST: u64 = 400_000_000;

/// The bodies of a scene with their shapes, each turned and moved over the frames so far: `bodies.glb`, which is replaced after each frame.
/// Bodies that are dropped after the first frame are left out.
#[derive(Debug)]
pub struct BodiesFile {
    folder: PathBuf,
    /// Name of each body.
    names: Vec<String>,
    /// Shapes and frames so far; `None` before the first.
    scene: Option<(Vec<Model>, Animation)>,
}

impl BodiesFile {
    /// File in the folder `dir`. `names` are those of the bodies; one without is called by its number, from 0.
    pub fn new(dir: &Path, names: &[Option<String>]) -> Self {
        let name = |(index, name): (usize, &Option<String>)| name.clone().unwrap_or_else(|| format!("body {index}"));
        Self { folder: dir.to_owned(), names: names.iter().enumerate().map(name).collect(), scene: None }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.glb", Part::Bodies.name()))
    }

    /// Shapes of the bodies, and the frames before `time` (s) of the run that is being continued if `is_continued`. Without an
    /// earlier file the frames begin here.
    ///
    /// # Errors
    /// The earlier file cannot be read, or is of other bodies.
    fn start(&self, view: &View<'_>, is_continued: bool) -> io::Result<(Vec<Model>, Animation)> {
        let models = view.bodies.iter().enumerate().map(|(index, placed)| {
            let name = self.names.get(index).cloned().unwrap_or_else(|| format!("body {index}"));
            Model { name, mesh: triangles(&placed.body) }
        });
        let models: Vec<Model> = models.collect();
        let path = self.path();
        if !is_continued || !path.try_exists()? {
            return Ok((models, Animation::default()));
        }
        let animation = glb::read_animation(&read_at_most(&path, MOST)?, models.len()).ok_or_else(|| {
            let message = "it is not the animation of the run that is resumed: choose another folder";
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {message}", path.display()))
        })?;
        Ok((models, animation.before(view.time)))
    }
}

/// The surface of a body before any motion, relative to its centre, m.
fn triangles(body: &Body) -> Triangulation {
    let mut mesh = body.triangulation();
    let middle = body.middle();
    mesh.vertices.iter_mut().for_each(|vertex: &mut Vec3| *vertex -= middle);
    mesh
}

impl FrameExport for BodiesFile {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn frames(&self) -> Option<FrameFiles> {
        None
    }

    fn summary(&self) -> Option<PathBuf> {
        Some(self.path())
    }

    fn write(&mut self, number: u64, view: &View<'_>) -> io::Result<()> {
        let (models, mut animation) = match self.scene.take() {
            Some(scene) => scene,
            None => self.start(view, number > 0)?,
        };
        // Bodies that are dropped later have no model: the scene is fixed at its first frame.
        let placements = view.bodies.iter().take(models.len()).map(|placed| Placement::new(&placed.pose, placed.body.middle()));
        animation.push(view.time, placements);
        make_folder(&self.folder)?;
        let written = write_atomically(&self.path(), |out| glb::write(out, &models, &animation));
        self.scene = Some((models, animation));
        written
    }
}
