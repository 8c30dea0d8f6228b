//! The particle files of `--export`.

use super::claims::Claims;
use crate::headless::simulate::Schedule;
use crate::headless::{Failure, console};
use clap::Args;
use sph_core::{Engine, View};
use sph_io::FrameFiles;
use sph_io::export::{Attributes, ExportKind, Part, Series};
use std::path::PathBuf;
use std::str::FromStr;

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
    /// Export the particles of these, with commas between them: fluid, walls, bodies
    #[arg(long, value_name = "PARTS", requires = "export", value_delimiter = ',', default_value = "fluid")]
    export_of: Vec<Part>,
    /// Export these attributes, with commas between them, beside the position [default: all but what only solvers read]
    #[arg(long, value_name = "NAMES", requires = "export")]
    attributes: Option<Attributes>,
}

impl ExportTarget {
    /// Claims the frames for this target.
    ///
    /// # Errors
    /// If one of them would be an input or another output.
    pub fn claim(&self, chosen: &ExportArgs, claims: &mut Claims) -> Result<(), Failure> {
        let option = format!("--export {}={}", self.kind.name(), self.folder.display());
        for series in self.series(chosen) {
            claims.frames(&option, &series.files())?;
            series.collection().iter().try_for_each(|path| claims.file(&option, path))?;
        }
        Ok(())
    }

    /// Series of frames of this target, one for each part.
    fn series<'a>(&'a self, chosen: &'a ExportArgs) -> impl Iterator<Item = Series> {
        let parts = Part::ALL.into_iter().filter(|part| chosen.export_of.contains(part));
        parts.map(|part| Series::new(self.kind, part, &self.folder, chosen.attributes.clone().unwrap_or_default()))
    }
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
    series: Vec<Series>,
    schedule: Schedule,
    frames: u64,
}

impl Exports {
    /// Creates the folders for frames of `view`, which are due by `schedule`.
    ///
    /// # Errors
    /// If a part has no particles, or a folder cannot be created.
    pub fn create(targets: &[ExportTarget], chosen: &ExportArgs, schedule: Schedule, view: &View<'_>) -> Result<Self, Failure> {
        for part in chosen.export_of.iter().filter(|_| !targets.is_empty()) {
            if let Some(reason) = part.missing(view) {
                return Err(Failure::Input(format!("--export-of {}: {reason}", part.name())));
            }
        }
        let series: Vec<Series> = targets.iter().flat_map(|target| target.series(chosen)).collect();
        for series in &series {
            let folder = series.folder();
            sph_io::make_folder(folder).map_err(|error| Failure::output("into", folder, &error))?;
            series.files().remove_abandoned();
        }
        Ok(Self { targets: targets.to_vec(), series, schedule, frames: 0 })
    }

    /// Writes the frame that is due, if any, completely or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn update(&mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let Some(number) = self.schedule.due(engine.time()) else { return Ok(()) };
        let view = engine.view();
        for series in &mut self.series {
            if let Err(error) = series.write(number, &view) {
                return Err(Failure::output("particles into", series.folder(), &error));
            }
            if self.frames == 0 {
                replace_later(&series.files(), number)?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Report of the files written, one line per folder.
    pub fn written(&self) -> Vec<String> {
        let targets = if self.frames == 0 { &[] } else { self.targets.as_slice() };
        let skipped_note = self.schedule.skipped_note();
        targets.iter().map(|target| format!("{} frames in {}{skipped_note}", self.frames, target.folder.display())).collect()
    }
}
