//! The files of `--export`.

use super::claims::Claims;
use crate::simulate::{Schedule, Simulator};
use crate::{Failure, console};
use clap::Args;
use rayon::ThreadPool;
use sph_core::{Dimensions, Engine, View};
use sph_io::export::surface::{SurfaceSeries, SurfaceSettings};
use sph_io::export::{Attributes, BodiesFile, ClothSeries, ExportKind, FrameExport, Part, Series};
use sph_io::{FrameFiles, Scene};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Target of an export, `KIND=DIR` on the command line.
#[derive(Clone, Debug)]
pub struct ExportTarget {
    kind: ExportKind,
    folder: PathBuf,
}

impl FromStr for ExportTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, folder) = text.split_once('=').ok_or("expected KIND=DIR, such as ply=out/particles")?;
        if folder.is_empty() {
            return Err("the folder after = is missing".to_owned());
        }
        let kind = kind.parse().map_err(|error: <ExportKind as FromStr>::Err| error.to_string())?;
        Ok(Self { kind, folder: folder.into() })
    }
}

/// Arguments of the export of particles, beside its targets.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// Particles to export, separated by commas: fluid, walls, bodies, points (of cloths and balls) [default: fluid; points in a scene without fluid]
    #[arg(long, value_name = "PARTS", requires = "export", value_delimiter = ',')]
    export_of: Vec<Part>,
    /// Attributes to export besides the position, separated by commas [default: all except the solvers' internal ones]
    #[arg(long, value_name = "NAMES", requires = "export")]
    attributes: Option<Attributes>,
    /// Settings of surfaces, separated by commas, such as cube_size=0.75,smoothing=10,format=obj (docs/guide/exports.md)
    #[arg(long, value_name = "SETTINGS", requires = "export")]
    surface: Option<SurfaceSettings>,
}

impl ExportArgs {
    /// Parts whose particles are exported.
    fn parts(&self, scene: &Scene) -> Vec<Part> {
        let setup = &scene.setup;
        match &self.export_of[..] {
            [] if !setup.has_fluid() && setup.points.is_some() => vec![Part::Points],
            [] => vec![Part::Fluid],
            chosen => chosen.to_vec(),
        }
    }
}

impl ExportTarget {
    /// Claims the files of this target for `scene`.
    ///
    /// # Errors
    /// If one of them would be an input or another output.
    pub fn claim(&self, chosen: &ExportArgs, scene: &Scene, claims: &mut Claims) -> Result<(), Failure> {
        let option = format!("--export {}={}", self.kind.name(), self.folder.display());
        for export in self.exports(chosen, scene) {
            export.frames().iter().try_for_each(|frames| claims.frames(&option, frames))?;
            export.summary().iter().try_for_each(|path| claims.file(&option, path))?;
        }
        Ok(())
    }

    /// Exports of this target: of particles one for each part, of surfaces one for each fluid.
    fn exports(&self, chosen: &ExportArgs, scene: &Scene) -> Vec<Box<dyn FrameExport>> {
        match self.kind {
            ExportKind::Particles(format) => {
                let parts = Part::ALL.into_iter().filter(|part| chosen.parts(scene).contains(part));
                let series =
                    parts.map(|part| Series::new(format, part, &self.folder, chosen.attributes.clone().unwrap_or_default()));
                series.map(|series| Box::new(series) as _).collect()
            }
            ExportKind::Surface => {
                let setup = &scene.setup;
                let settings = chosen.surface.unwrap_or_default().with_spacing(setup.discretization.particle_spacing);
                let series = SurfaceSeries::of_fluids(&self.folder, setup.fluids.len(), settings);
                series.into_iter().map(|series| Box::new(series) as _).collect()
            }
            ExportKind::Cloth => vec![Box::new(ClothSeries::new(&self.folder))],
            ExportKind::Gltf => vec![Box::new(BodiesFile::new(&self.folder, &scene.body_names))],
        }
    }

    /// Reason for which `scene` has nothing to export to this target; `None` otherwise.
    fn missing(&self, scene: &Scene) -> Option<&'static str> {
        let is_flat = scene.setup.discretization.dimensions == Dimensions::Two;
        match self.kind {
            ExportKind::Surface | ExportKind::Gltf if is_flat => Some("it needs three dimensions, but the scene has two"),
            ExportKind::Cloth if !has_cloth(scene) => Some("the scene has no cloths"),
            ExportKind::Gltf if scene.setup.bodies.is_empty() => Some("the scene has no bodies"),
            _ => None,
        }
    }
}

/// True if points of the scene span a sheet.
fn has_cloth(scene: &Scene) -> bool {
    let Some(points) = &scene.setup.points else { return false };
    let dynamics = points.source().dynamics();
    points.source().sets().iter().enumerate().any(|(index, set)| !dynamics.triangles(index, set).is_empty())
}

/// Removes the frames after number `first`, the first of this run: they are of an earlier one.
///
/// # Errors
/// If a frame cannot be removed.
pub fn replace_later(frames: &FrameFiles, first: u64) -> Result<(), Failure> {
    let removed = frames.remove_after(first).map_err(|error| Failure::output("into", frames.folder(), &error))?;
    if removed > 0 {
        let count = console::counted(removed, "frame");
        console::say(&format!("removed {count} of an earlier run from {}", frames.folder().display()));
    }
    Ok(())
}

/// Export of frames into folders.
pub struct Exports {
    targets: Vec<ExportTarget>,
    exports: Vec<Box<dyn FrameExport>>,
    schedule: Schedule,
    frames: u64,
    /// Threads that surfaces are made on.
    pool: Arc<ThreadPool>,
}

impl Exports {
    /// Creates the folders for frames of what `simulator` computes of `scene`, which are due by `schedule`.
    ///
    /// # Errors
    /// If a part has no particles, or a folder cannot be created.
    pub fn create(
        targets: &[ExportTarget],
        chosen: &ExportArgs,
        schedule: Schedule,
        (scene, simulator): (&Scene, &Simulator),
    ) -> Result<Self, Failure> {
        let view = simulator.engine().view();
        for part in chosen.parts(scene).into_iter().filter(|_| !targets.is_empty()) {
            if let Some(reason) = part.missing(&view) {
                return Err(Failure::Input(format!("--export-of {}: {reason}", part.name())));
            }
        }
        for target in targets {
            if let Some(reason) = target.missing(scene) {
                return Err(Failure::Input(format!("--export {}: {reason}", target.kind.name())));
            }
        }
        let exports: Vec<_> = targets.iter().flat_map(|target| target.exports(chosen, scene)).collect();
        for export in &exports {
            let folder = export.folder();
            sph_io::make_folder(folder).map_err(|error| Failure::output("into", folder, &error))?;
            export.frames().iter().for_each(FrameFiles::remove_abandoned);
        }
        Ok(Self { targets: targets.to_vec(), exports, schedule, frames: 0, pool: simulator.pool() })
    }

    /// Writes the frame that is due, if any, completely or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn update(&mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let Some(number) = self.schedule.due(engine.time()) else { return Ok(()) };
        let view: View<'_> = engine.view();
        let is_first = self.frames == 0;
        for export in &mut self.exports {
            if let Err(error) = self.pool.install(|| export.write(number, &view)) {
                return Err(Failure::output("a frame into", export.folder(), &error));
            }
            if let Some(frames) = export.frames().filter(|_| is_first) {
                replace_later(&frames, number)?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Report of the files written, one line per folder.
    pub fn written(&self) -> Vec<String> {
        let targets = if self.frames == 0 { &[] } else { self.targets.as_slice() };
        let skipped_note = self.schedule.skipped_note();
        targets
            .iter()
            .map(|target| format!("{} in {}{skipped_note}", console::counted(self.frames, "frame"), target.folder.display()))
            .collect()
    }
}
