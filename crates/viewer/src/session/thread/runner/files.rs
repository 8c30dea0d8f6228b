//! Scenes that take the place of the running one: loaded, restarted, or reloaded after their files have changed. Files that a session
//! writes: its recording and its statistics.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Runner;
use crate::session::thread::loader::{Job, Outcome};
use crate::session::thread::running::{Running, search_points_with};
use crate::session::thread::{Event, Loaded};
use crate::session::{Notice, SceneSource, Subject};
use anyhow::Context as _;
use sph_core::neighbors::GridParameters;
use sph_core::parameters::Parameters;
use sph_core::{CancelFlag, Engine, Input, Setup, StepStats};
use sph_io::{Checkpoint, LinesSoFar, Scene, SourceFiles, StatsFile};

impl Runner {
    /// Reads the running scene again from its file.
    pub(super) fn reload(&mut self) {
        let Some(running) = &self.running else { return };
        if self.scenes.loader.is_loading() {
            self.scenes.files_changed = true;
        } else if let Some(path) = running.scene.path.clone() {
            let source = SceneSource::File(path, running.scene.overrides.clone());
            self.start(Job::Reload(source));
        }
    }

    /// Reads the scene again that the user wants to open and that could not be loaded.
    pub(super) fn load_again(&mut self) {
        let Some(source) = self.scenes.wanted().cloned() else { return };
        // It takes the place of a reload of the running scene, which is then made after it.
        self.scenes.files_changed |= self.scenes.loader.is_reloading();
        self.start(Job::Load(source));
    }

    /// Runs on as `saved`, which parameters of `scene` have been saved as, if that is the scene that runs. What others have changed in
    /// its files meanwhile is left to a reload.
    pub(super) fn rebase(&mut self, scene: &Arc<Scene>, saved: Arc<Scene>) {
        let Some(running) = self.running.as_mut().filter(|running| Arc::ptr_eq(&running.scene, scene)) else { return };
        // Parameters that were saved off their curves have none any more.
        let has_no_other_curves = saved.setup.curves.iter().all(|curve| scene.setup.curves.contains(curve));
        let Setup { parameters, curves, .. } = saved.setup.clone();
        if has_no_other_curves
            && saved.setup == (Setup { parameters, curves, ..scene.setup.clone() })
            && saved.probes == scene.probes
        {
            self.scenes.watcher.watch(saved.files.clone());
            running.scene = saved;
        }
    }

    /// Saves the present state at `path`, on a thread of its own.
    pub(super) fn save_state(&mut self, path: PathBuf) {
        self.apply_parameters();
        let Some(running) = &self.running else { return };
        if let Some(input) = running.input_at(&path) {
            let title = format!("The state was not saved: {} is a file of the scene", input.display());
            return self.publisher.notify(Notice::warning(title, "Choose another name.").about(Subject::Save));
        }
        let checkpoint = Checkpoint {
            scene: (*running.scene).clone(),
            state: running.engine.snapshot(),
            averages: Vec::new(),
            stats: LinesSoFar::default(),
            probes: LinesSoFar::default(),
        };
        let sender = self.sender.clone();
        let save = move || {
            let notice = match checkpoint.save(&path) {
                Ok(()) => Notice::info(format!("State at {:.4} s saved to {}", checkpoint.state.time, path.display())),
                Err(error) => Notice::error(format!("Cannot save the state to {}", path.display()), error.to_string()),
            };
            // A closed window needs no notice.
            let _ = sender.send(Event::Notice(notice.about(Subject::Save)));
        };
        if let Err(error) = std::thread::Builder::new().name("state writer".into()).spawn(save) {
            self.publisher.notify(Notice::error("Cannot start a thread", error.to_string()));
        }
    }

    /// Saves the result of the last steps at `path`, on a thread of its own.
    pub(super) fn save_result(&mut self, path: PathBuf) {
        let Some(running) = &self.running else { return };
        if let Some(input) = running.input_at(&path) {
            let title = format!("The result was not saved: {} is a file of the scene", input.display());
            return self.publisher.notify(Notice::warning(title, "Choose another name.").about(Subject::Save));
        }
        let threads = self.pool.current_num_threads();
        let Some(result) = self.clocks.measuring.result(&running.scene, &*running.engine, threads) else {
            let advice = "No step has been made with the present parameters. Let the simulation run, then save again.";
            return self.publisher.notify(Notice::warning("There is nothing to save yet", advice).about(Subject::Save));
        };
        let sender = self.sender.clone();
        let save = move || {
            let notice = match result.save(&path) {
                Ok(()) => {
                    let (steps, last) = (result.measured.steps, result.measured.last_step);
                    let details = format!(
                        "Medians over the {steps} steps up to step {last}, measured while the window was drawing; `sph bench \
                         --result` measures without it."
                    );
                    Notice { details, ..Notice::info(format!("Result saved to {}", path.display())) }
                }
                Err(error) => Notice::error(format!("Cannot save the result to {}", path.display()), error.to_string()),
            };
            // A closed window needs no notice.
            let _ = sender.send(Event::Notice(notice.about(Subject::Save)));
        };
        if let Err(error) = std::thread::Builder::new().name("result writer".into()).spawn(save) {
            self.publisher.notify(Notice::error("Cannot start a thread", error.to_string()));
        }
    }

    /// Takes over a result of the loading thread.
    pub(super) fn handle_loaded(&mut self, loaded: Loaded) {
        match self.scenes.loader.accept(loaded) {
            None => return,
            Some(Outcome::Restarted(Err(notice))) => self.publisher.notify(notice),
            Some(Outcome::Loaded(Err(notice), files)) => {
                self.scenes.watch_wanted(files);
                self.publisher.notify(notice);
            }
            Some(Outcome::Reloaded(Err(notice), files)) => {
                self.scenes.reload_failed = true;
                // The fault may be in a file that the scene did not name before.
                self.scenes.watcher.watch(files);
                self.publisher.notify(notice);
            }
            Some(Outcome::Loaded(Ok((scene, engine)), _)) => {
                self.playing = true;
                if std::mem::take(&mut self.scenes.is_other_spacing) {
                    self.open_at_spacing(scene, engine);
                } else {
                    self.scenes.opened += 1;
                    self.scenes.give_up();
                    self.open(Running::new(scene, engine));
                }
            }
            Some(Outcome::Reloaded(Ok((scene, engine)), _)) => self.take_reloaded(scene, engine),
            Some(Outcome::Restarted(Ok((_, engine)))) => {
                // Restarts of scenes that no longer run are not accepted.
                let Some(before) = self.running.take() else { return self.restart_crashed(engine) };
                let failed = before.failure().is_some();
                // The parameters may have changed while the restart was under way. They were in force, so they are valid here.
                // Saving may have changed the scene's own too: the running scene counts, not the one that the restart was built
                // from.
                let (off_curve, parameters) = (before.engine.off_curve().to_vec(), *before.engine.parameters());
                let mut engine = engine;
                search_points_with(&mut *engine, before.engine.view().set_grids);
                let mut running = before.restarted(engine);
                for input in [Input::OffCurve(off_curve), Input::Parameters(Box::new(parameters))] {
                    let _ = running.apply(&input, &self.pool);
                    running.record(&input);
                }
                self.replace(running);
                // A restart keeps a pause that the user chose, but not one that a refused step caused.
                self.playing |= failed;
            }
        }
        self.publish();
        if !self.scenes.loader.is_loading() && std::mem::take(&mut self.scenes.files_changed) {
            self.reload();
        }
    }

    /// Runs another scene from its start.
    fn open(&mut self, running: Running) {
        self.scenes.generation += 1;
        self.scenes.loader.cancel_restart();
        self.crashed = None;
        self.scenes.reload_failed = false;
        self.scenes.files_changed = false;
        // The files of a checkpoint are in it, whatever has become of those of the scene.
        let is_start = running.engine.steps() == 0;
        self.scenes.watcher.watch(if is_start { running.scene.files.clone() } else { SourceFiles::default() });
        self.clocks.forget_costs();
        if self.tuner.is_active() {
            let title = "Auto-tune has stopped: its trials were for the previous scene. Start it again for this one.";
            self.publisher.notify(Notice::info(title));
        }
        self.tuner.clear();
        // Parameters of the scene before must not reach this one.
        self.parameters.take();
        self.second_grid.take();
        self.replace(running);
    }

    /// Runs `scene`, the running one at another particle spacing, from its start with what has been changed of the parameters.
    fn open_at_spacing(&mut self, scene: Arc<Scene>, mut engine: Box<dyn Engine>) {
        self.apply_parameters();
        let mut inputs = Vec::new();
        if let Some(before) = &self.running {
            inputs.push(Input::OffCurve(before.engine.off_curve().to_vec()));
            let parameters = edits_at_spacing(before, &scene);
            inputs.extend(parameters.map(|parameters| Input::Parameters(Box::new(parameters))));
            let grids = before.engine.view().set_grids;
            if grids != set_grids(&before.scene) {
                search_points_with(&mut *engine, grids);
            }
        }
        let mut running = Running::new(scene, engine);
        for input in inputs {
            match running.apply(&input, &self.pool) {
                Ok(()) => running.record(&input),
                Err(error) => {
                    let title = "The changed parameters do not suit this particle spacing";
                    self.publisher.notify(Notice::warning(title, error.to_string()));
                }
            }
        }
        self.open(running);
    }

    /// Runs the scene that its files describe now: from its start, or, if only parameters have changed, with them from the next step on.
    fn take_reloaded(&mut self, scene: Arc<Scene>, engine: Box<dyn Engine>) {
        let Some(running) = &mut self.running else { return };
        let parameters = running.scene.setup.parameters;
        let is_same =
            Setup { parameters, ..scene.setup.clone() } == running.scene.setup && scene.probes == running.scene.probes;
        let notice = if is_same {
            let changed = changed_parameters(&parameters, &scene.setup.parameters, *running.engine.parameters());
            let [old_grids, new_grids] = [&running.scene, &scene].map(|scene| set_grids(scene));
            let has_new_grids = old_grids != new_grids;
            if has_new_grids {
                for (set, &grid) in new_grids.iter().enumerate() {
                    // Those of a valid scene; none is refused.
                    let _ = running.set_point_grid(set, grid);
                }
            }
            self.scenes.watcher.watch(scene.files.clone());
            running.scene = scene.clone();
            match changed {
                Some(changed) => {
                    if let Err(error) = running.apply(&Input::Parameters(Box::new(changed)), &self.pool) {
                        self.publisher.notify(Notice::warning("A value in the file was refused", error.to_string()));
                        None
                    } else {
                        self.log_parameters();
                        Some("changed parameters are in effect")
                    }
                }
                None if has_new_grids => Some("changed searches are in effect"),
                None => self.scenes.reload_failed.then_some("nothing changed"),
            }
        } else {
            self.playing |= running.failure().is_some();
            self.open(Running::new(scene.clone(), engine));
            Some("the fluid restarts")
        };
        self.scenes.reload_failed = false;
        if let Some(effect) = notice {
            self.publisher.notify(Notice::info(format!("{} was reloaded: {effect}", scene.name)).about(Subject::Scene));
        }
    }
}

/// Parameters of the search of each point set at the start.
fn set_grids(scene: &Scene) -> Vec<GridParameters> {
    scene.setup.points.as_ref().map_or_else(Vec::new, |points| points.source().grids())
}

/// Parameters of `scene`, the running one at another particle spacing, with what has been changed of those of the running one. Cells keep their size in
/// support radii, and a bucket capacity that suits the grid suits it again.
fn edits_at_spacing(running: &Running, scene: &Scene) -> Option<Parameters> {
    let (before, after) = (&running.scene.setup, &scene.setup);
    let mut present = *running.engine.parameters();
    for key in before.curves.iter().map(|curve| curve.key()).filter(|key| !running.engine.off_curve().contains(key)) {
        let parameter = Parameters::entry(key);
        parameter.set(&mut present, parameter.get(&before.parameters));
    }
    let mut changed = changed_parameters(&before.parameters, &present, after.parameters)?;
    if present.grid.cell_size != before.parameters.grid.cell_size {
        changed.grid.cell_size *= after.discretization.support_radius / before.discretization.support_radius;
    }
    if present.grid.bucket_capacity == present.grid.usual_bucket_capacity(&before.discretization) {
        changed.grid.bucket_capacity = changed.grid.usual_bucket_capacity(&after.discretization);
    }
    Some(changed)
}

/// `present` with the parameters that differ between two versions of a scene; `None` if there are none.
fn changed_parameters(old: &Parameters, new: &Parameters, present: Parameters) -> Option<Parameters> {
    let mut parameters = present;
    let mut changed = false;
    for parameter in Parameters::table().iter().filter(|parameter| parameter.get(old) != parameter.get(new)) {
        changed |= parameter.set(&mut parameters, parameter.get(new));
    }
    changed.then_some(parameters)
}

// The file of a session's recording.

impl Runner {
    /// Saves the recording of the running scene at `path`, on a thread of its own.
    pub(super) fn save_recording(&mut self, path: PathBuf) {
        let Some(running) = &self.running else { return };
        if let Some(input) = running.input_at(&path) {
            let title = format!("The session recording was not saved: {} is a file of the scene", input.display());
            return self.publisher.notify(Notice::warning(title, "Choose another name.").about(Subject::Save));
        }
        let (recording, ended) = running.recording();
        let sender = self.sender.clone();
        let save = move || {
            let notice = match recording.save(&path) {
                Ok(()) => {
                    let steps = recording.end.map_or(0, |(step, _)| step - recording.start);
                    let ending = ended.map(|reason| format!(", which ends there because {reason}")).unwrap_or_default();
                    Notice::info(format!("Session recording of {steps} steps saved to {}{ending}", path.display()))
                }
                Err(error) => {
                    Notice::error(format!("Cannot save the session recording to {}", path.display()), error.to_string())
                }
            };
            // A closed window needs no notice.
            let _ = sender.send(Event::Notice(notice.about(Subject::Save)));
        };
        if let Err(error) = std::thread::Builder::new().name("recording writer".into()).spawn(save) {
            self.publisher.notify(Notice::error("Cannot start a thread", error.to_string()));
        }
    }

    /// Writes the recording that the command line has asked for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish_recording(&self) -> anyhow::Result<()> {
        let (Some(path), Some(running)) = (&self.outputs.recording, &self.running) else { return Ok(()) };
        let cannot = |path: &Path| format!("cannot write the session recording to {}", path.display());
        running.recording().0.save(path).with_context(|| cannot(path))
    }
}

// The statistics file of a session, if there is one.

/// Writes one line per step, until writing fails.
#[derive(Debug)]
pub(super) struct StatsOutput {
    path: PathBuf,
    file: Option<StatsFile>,
    /// Reason why lines are missing.
    failure: Option<io::Error>,
}

impl StatsOutput {
    /// Opens `path`; nothing is recorded if it is `None`.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            StatsFile::create(path, &CancelFlag::default()).with_context(|| format!("cannot write {}", path.display()))
        };
        Ok(Self { path: path.unwrap_or(Path::new("")).to_owned(), file: path.map(open).transpose()?, failure: None })
    }

    /// Writes the line of one step; a failure is returned as a notice for the user.
    pub(super) fn write(&mut self, stats: &StepStats) -> Result<(), Notice> {
        self.attempt(|file| file.write(stats))
    }

    /// Flushes the file for readers that follow it; a failure is returned as a notice for the user.
    pub(super) fn flush(&mut self) -> Result<(), Notice> {
        self.attempt(StatsFile::flush)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If lines are missing, or the file cannot be completed. A closed pipe, as after `| head`, is no error.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let ending = self.failure.map(Err).or_else(|| self.file.map(StatsFile::finish));
        match ending {
            Some(Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(error).with_context(|| format!("cannot write the statistics to {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Runs `write`; closes the file if it fails.
    fn attempt(&mut self, write: impl FnOnce(&mut StatsFile) -> io::Result<()>) -> Result<(), Notice> {
        let Some(Err(error)) = self.file.as_mut().map(write) else { return Ok(()) };
        self.file = None;
        let details = format!("{}: {error}", self.path.display());
        self.failure = Some(error);
        Err(Notice::error("The statistics can no longer be written", details))
    }
}
