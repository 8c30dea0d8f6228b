//! Output files of the commands: opened before the run, completed after it, errors with their paths. The formats are defined in
//! `sph_io`.

mod claims;
mod exports;

pub use claims::{Claims, check_writable};
pub use exports::{ExportArgs, ExportTarget, Exports, replace_later};

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::Failure;
use crate::console;
use crate::simulate::{Interrupt, Schedule};
use clap::ValueEnum;
use sph_core::{Engine, StepStats};
use sph_io::{AtomicFile, Checkpoint, LinesSoFar, Scene};

// The file of `--stats`, with its path for messages.

/// Statistics of a run. A write error removes the incomplete file, unless the run can be resumed.
pub struct StatsFile {
    path: PathBuf,
    file: Option<sph_io::StatsFile>,
    /// True if the last line is of a refused step.
    refused: bool,
}

impl StatsFile {
    /// Opens `path`; `-` is standard output. A resumed run goes on after the lines of the run before the checkpoint.
    ///
    /// # Errors
    /// If it cannot be opened for writing, or has lines of another run.
    pub fn create(path: &Path, interrupt: Interrupt, resumed: Option<&Checkpoint>) -> Result<Self, Failure> {
        let earlier = resumed.map_or_else(LinesSoFar::default, |checkpoint| checkpoint.stats);
        let file = sph_io::StatsFile::resume(path, &interrupt.cancel_flag(), earlier)
            .map_err(|error| Failure::output("the statistics", path, &error))?;
        Ok(Self { path: path.to_owned(), file: Some(file), refused: false })
    }

    /// Appends the line of one step.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, stats: &StepStats) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        self.refused = stats.error.is_some();
        file.write(stats).map_err(|error| {
            self.file = None;
            stats_failure(&self.path, &error)
        })
    }

    /// Leaves the lines so far if an error ends the file, for a run that is resumed.
    pub fn keep_incomplete(&mut self) {
        self.file.iter_mut().for_each(sph_io::StatsFile::keep_incomplete);
    }

    /// The lines so far, which are flushed, so that a kill does not lose them.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn position(&mut self) -> Result<LinesSoFar, Failure> {
        let Some(file) = &mut self.file else { return Ok(LinesSoFar::default()) };
        file.flush().map_err(|error| stats_failure(&self.path, &error))?;
        Ok(file.lines())
    }

    /// Completes the file; returns a line for the report, or `None` for standard output, after a write error, and without
    /// lines: then nothing appears under its name.
    ///
    /// # Errors
    /// If it cannot be completed; an existing file of that name is then unchanged.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let Some(file) = self.file.filter(|file| file.lines().count > 0) else { return Ok(None) };
        let lines = file.finish().map_err(|error| stats_failure(&self.path, &error))?;
        // Whether anybody reads standard output is not known.
        if self.path == Path::new("-") {
            return Ok(None);
        }
        let path = self.path.display();
        Ok(Some(match self.refused {
            true => format!("{path} ({} and the refused one)", crate::console::counted(lines - 1, "step")),
            false => format!("{path} ({})", crate::console::counted(lines, "step")),
        }))
    }
}

/// The failure to write the statistics. A closed pipe of standard output (`--stats - | head`) is no error.
fn stats_failure(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe if path == Path::new("-") => Failure::Unread,
        _ => Failure::output("the statistics", path, error),
    }
}

// The file of `--probes`, with its path for messages.

/// Probe readings of a run. A write error removes the incomplete file, unless the run can be resumed.
pub struct ProbesFile {
    path: PathBuf,
    file: Option<sph_io::ProbesFile>,
    schedule: Schedule,
}

impl ProbesFile {
    /// Opens `path` for the probes of `scene`. Rows are due by `schedule`. A resumed run goes on after the rows of the run before the
    /// checkpoint, and with its averages.
    ///
    /// # Errors
    /// If the scene has no probes, the averages are not theirs, or the file cannot be opened for writing or has rows of another run.
    pub fn create(
        path: &Path,
        scene: &Scene,
        schedule: Schedule,
        (interrupt, resumed): (Interrupt, Option<&Checkpoint>),
    ) -> Result<Self, Failure> {
        if scene.probes.is_empty() {
            return Err(Failure::Input(format!("scene {} has no probes for --probes: add some under [[probes]]", scene.name)));
        }
        let dimensions = scene.setup.discretization.dimensions;
        let earlier = resumed.map_or_else(LinesSoFar::default, |checkpoint| checkpoint.probes);
        let mut file = sph_io::ProbesFile::resume(path, (&scene.probes, dimensions), &interrupt.cancel_flag(), earlier)
            .map_err(|error| Failure::output("the probes", path, &error))?;
        let averages = resumed.map_or(&[][..], |checkpoint| &checkpoint.averages);
        if !averages.is_empty() && !file.restore(averages) {
            return Err(Failure::Input("the checkpoint has averages of other probes".to_owned()));
        }
        Ok(Self { path: path.to_owned(), file: Some(file), schedule })
    }

    /// Records the state after a step, and appends the row that is due, if any.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn update(&mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.record(&engine.view());
        if self.schedule.due(engine.time()).is_none() {
            return Ok(());
        }
        file.write(&engine.view()).map_err(|error| {
            self.file = None;
            Failure::output("the probes", &self.path, &error)
        })
    }

    /// Leaves the rows so far if an error ends the file, for a run that is resumed.
    pub fn keep_incomplete(&mut self) {
        self.file.iter_mut().for_each(sph_io::ProbesFile::keep_incomplete);
    }

    /// Memory of the averages, and the rows so far, which are flushed, so that a kill does not lose them.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn position(&mut self) -> Result<(Vec<f64>, LinesSoFar), Failure> {
        let Some(file) = &mut self.file else { return Ok(Default::default()) };
        file.flush().map_err(|error| Failure::output("the probes", &self.path, &error))?;
        Ok((file.averages(), file.rows()))
    }

    /// Completes the file; returns a line for the report, or `None` after a write error or without rows: then nothing
    /// appears under its name.
    ///
    /// # Errors
    /// If it cannot be completed; an existing file of that name is then unchanged.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let Some(file) = self.file.filter(|file| file.rows().count > 0) else { return Ok(None) };
        let rows = file.finish().map_err(|error| Failure::output("the probes", &self.path, &error))?;
        Ok(Some(format!("{} ({})", self.path.display(), crate::console::counted(rows, "row"))))
    }
}

// The file of `--plot` or `--curves`.

/// An optional plot, written at the end but opened at the beginning, so that an unwritable path is reported before the
/// measurements and not after them.
pub struct PlotFile(Option<(PathBuf, AtomicFile)>);

impl PlotFile {
    /// Creates the folder of `path` if missing, and opens the file.
    ///
    /// # Errors
    /// If the file cannot be written there.
    pub fn create(path: Option<&Path>, interrupt: Interrupt) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(None)) };
        let file = AtomicFile::create_output(path, &interrupt.cancel_flag());
        let file = file.map_err(|error| Failure::output("the plot", path, &error))?;
        Ok(Self(Some((path.to_owned(), file))))
    }

    /// Writes the picture and completes the file; returns its path, if there is one.
    ///
    /// # Errors
    /// If it cannot be written; an existing file of that name is then unchanged.
    pub fn finish(self, svg: impl FnOnce() -> String) -> Result<Option<PathBuf>, Failure> {
        let Some((path, mut file)) = self.0 else { return Ok(None) };
        let written = file.write_all(svg().as_bytes()).and_then(|()| file.finish());
        written.map_err(|error| Failure::output("the plot", &path, &error))?;
        Ok(Some(path))
    }
}

// The file of `--checkpoint`.

/// Checkpoints of a run: one file, which each replaces.
pub struct Checkpoints {
    path: PathBuf,
    scene: Scene,
    /// Times at which one is due; `None` for the end only.
    schedule: Option<Schedule>,
    /// Step of the last one.
    saved: Option<u64>,
}

/// Position of the outputs of a run.
#[derive(Clone, Debug, Default)]
pub struct OutputPosition {
    /// Memory of the probes' averages.
    pub averages: Vec<f64>,
    /// Lines of the statistics.
    pub stats: LinesSoFar,
    /// Rows of the probes.
    pub probes: LinesSoFar,
}

impl Checkpoints {
    /// Checkpoints of `scene` at `path`, by `schedule` and at the end.
    pub fn new(path: PathBuf, scene: &Scene, schedule: Option<Schedule>) -> Self {
        Self { path, scene: scene.clone(), schedule, saved: None }
    }

    /// Writes the checkpoint that is due, if any; `position` is asked for then.
    ///
    /// # Errors
    /// If it, or an output so far, cannot be written.
    pub fn update(
        &mut self,
        engine: &dyn Engine,
        position: impl FnOnce() -> Result<OutputPosition, Failure>,
    ) -> Result<(), Failure> {
        let is_due = self.schedule.as_mut().and_then(|schedule| schedule.due(engine.time())).is_some();
        // The start needs none.
        if is_due && engine.steps() > 0 { self.save(engine, position()?) } else { Ok(()) }
    }

    /// Writes a checkpoint of the present state, unless the last is of it.
    ///
    /// # Errors
    /// If it cannot be written; an older file is then still there.
    pub fn save(&mut self, engine: &dyn Engine, position: OutputPosition) -> Result<(), Failure> {
        if self.saved == Some(engine.steps()) {
            return Ok(());
        }
        let OutputPosition { averages, stats, probes } = position;
        let checkpoint = Checkpoint { scene: self.scene.clone(), state: engine.snapshot(), averages, stats, probes };
        checkpoint.save(&self.path).map_err(|error| Failure::output("the checkpoint", &self.path, &error))?;
        self.saved = Some(engine.steps());
        Ok(())
    }

    /// Report of the file, if one was written.
    pub fn written(&self) -> Option<String> {
        let step = self.saved?;
        Some(format!(
            "{path}, a checkpoint at step {step}: continue with `sph run --resume {path}`",
            path = self.path.display()
        ))
    }
}

// `--on-full-disk`: what a run does when the disk is full.

/// Action when the disk is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnFullDisk {
    /// End the run; files under their final names stay complete.
    Stop,
    /// Wait until there is space.
    Wait,
}

/// Prepares the action for all files of this process.
pub fn prepare_for_full_disk(action: OnFullDisk, interrupt: Interrupt) {
    if action == OnFullDisk::Wait {
        let tell = || console::say("the disk is full: waiting for space; Ctrl-C ends the run");
        sph_io::wait_for_space(interrupt.cancel_flag(), tell);
    }
}
