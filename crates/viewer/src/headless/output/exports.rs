//! The particle files of `--export`.

use super::claims::Claims;
use crate::headless::simulate::Schedule;
use crate::headless::{Failure, console};
use sph_core::Engine;
use sph_io::FrameFiles;
use sph_io::export::{self, ExportKind};
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

impl ExportTarget {
    /// Claims the frames for this target.
    ///
    /// # Errors
    /// If one of them would be an input or another output.
    pub fn claim(&self, claims: &mut Claims) -> Result<(), Failure> {
        claims.frames(&format!("--export {}={}", self.kind.name(), self.folder.display()), &self.files())
    }

    fn files(&self) -> FrameFiles {
        FrameFiles::new(&self.folder, self.kind.name())
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
    schedule: Schedule,
    frames: u64,
}

impl Exports {
    /// Creates the folders. Frames are due by `schedule`.
    ///
    /// # Errors
    /// If a folder cannot be created.
    pub fn create(targets: &[ExportTarget], schedule: Schedule) -> Result<Self, Failure> {
        for target in targets {
            sph_io::make_folder(&target.folder).map_err(|error| Failure::output("into", &target.folder, &error))?;
            target.files().remove_abandoned();
        }
        Ok(Self { targets: targets.to_vec(), schedule, frames: 0 })
    }

    /// Writes the frame that is due, if any, completely or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn update(&mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let Some(number) = self.schedule.due(engine.time()) else { return Ok(()) };
        let fluid = engine.view();
        for target in &self.targets {
            let ExportTarget { kind, folder } = target;
            export::write_frame(*kind, folder, number, fluid.time, fluid.particles)
                .map_err(|error| Failure::output("particles into", folder, &error))?;
            if self.frames == 0 {
                replace_later(&target.files(), number)?;
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
