//! The particle files of `--export`.

use crate::headless::Failure;
use crate::headless::simulate::Schedule;
use sph_core::Engine;
use sph_io::export::{self, ExportKind};
use std::path::{Path, PathBuf};
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

impl ExportTarget {
    /// True if both targets would write the same files, even if their folders are spelled differently.
    fn is_same_as(&self, other: &Self) -> bool {
        let absolute = |folder: &Path| std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        self.kind == other.kind && absolute(&self.folder) == absolute(&other.folder)
    }
}

/// Export of frames into folders.
pub struct Exports {
    targets: Vec<ExportTarget>,
    schedule: Schedule,
    frames: u64,
}

impl Exports {
    /// Creates the folders. A frame is due every `interval` seconds of simulated time.
    ///
    /// # Errors
    /// If a target is given twice, or a folder cannot be created.
    pub fn create(targets: &[ExportTarget], interval: f64) -> Result<Self, Failure> {
        for (index, target) in targets.iter().enumerate() {
            if targets[..index].iter().any(|other| other.is_same_as(target)) {
                let (kind, folder) = (target.kind.name(), target.folder.display());
                return Err(Failure::Input(format!("--export {kind}={folder} is given twice")));
            }
        }
        for ExportTarget { folder, .. } in targets {
            sph_io::make_folder(folder).map_err(|error| Failure::output("into", folder, &error))?;
        }
        Ok(Self { targets: targets.to_vec(), schedule: Schedule::every(interval), frames: 0 })
    }

    /// Writes the frame that is due, if any, completely or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn update(&mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let Some(number) = self.schedule.due(engine.time()) else { return Ok(()) };
        let fluid = engine.view();
        for ExportTarget { kind, folder } in &self.targets {
            export::write_frame(*kind, folder, number, fluid.time, fluid.particles)
                .map_err(|error| Failure::output("particles into", folder, &error))?;
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
