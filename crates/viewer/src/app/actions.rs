//! Execution of the user's actions.

use super::background;
use super::frame_timing::Cause;
use super::handler::{Answer, App, UserEvent};
use super::scene_list;
use super::unsaved;
use crate::command::Command;
use crate::session::{CHECKPOINT, Goal, Notice, Request, SceneSource, Subject};
use crate::ui::{self, Action, FilePurpose, Framing, Leaving, OpenedResult, PathPrompt};
use sph_commands::scenes;
use sph_core::{Parameters, Setup};
use sph_io::{BenchResult, Override, ResultError, Scene, SceneEdits};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

/// What becomes of a file that is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// It is opened as a scene.
    Load,
    /// A message says so.
    Refuse,
    /// Nothing.
    Ignore,
}

impl App {
    /// Executes `action`, or sends it to the session.
    pub(super) fn perform(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        match action {
            Action::Command(command) => self.execute(event_loop, command),
            Action::Load(path) => self.leave(event_loop, Leaving::Open(SceneSource::at(path))),
            Action::Follow(ids) => {
                let generation = self.state.generation;
                self.session.send(Request::Follow { ids, generation });
            }
            Action::Measure(is_wanted) => self.session.send(Request::Measure(is_wanted)),
            Action::LoadAtSpacing(spacing) => self.load_at_spacing(spacing),
            Action::Answer(answer) => self.answer(event_loop, answer),
            Action::UseFile { purpose, path, replaces } => {
                // As a shell would read it.
                let path = match path.strip_prefix("~") {
                    Ok(rest) => dirs::home_dir().map_or_else(|| path.clone(), |home| home.join(rest)),
                    Err(_) => path,
                };
                let path = background::full_path(&purpose, path);
                match background::check(&purpose, &path) {
                    Err(reason) => {
                        if let Some(prompt) = &mut self.state.path_prompt {
                            prompt.refuse(reason);
                        }
                    }
                    Ok(()) if purpose.name().is_some() && !replaces && path.exists() => {
                        self.state.path_prompt = Some(PathPrompt::replaces(purpose, &path));
                    }
                    Ok(()) => {
                        self.state.path_prompt = None;
                        self.take_file(event_loop, background::answer(&purpose, path));
                    }
                }
            }
            Action::SetParameters(parameters, revision) => self.set_parameters(parameters, revision),
            Action::SetPointGrid(set, grid, revision) => {
                let generation = self.state.generation;
                self.session.send(Request::SetPointGrid { set, grid, generation, revision });
            }
            Action::SetOffCurve(keys) => {
                let generation = self.state.generation;
                self.session.send(Request::SetOffCurve { keys, generation });
            }
            Action::Compare(grid, revision) => {
                let generation = self.state.generation;
                self.session.send(Request::Compare { grid, generation, revision });
            }
            Action::UseHand(hand) => {
                let generation = self.state.generation;
                self.session.send(Request::UseHand { hand, generation });
            }
            Action::DropBody(body) => {
                let generation = self.state.generation;
                self.session.send(Request::DropBody { body, generation });
            }
            Action::TakeBackBody => {
                let generation = self.state.generation;
                self.session.send(Request::TakeBackBody { generation });
            }
            Action::Inspect(inspect) => self.session.send(Request::Inspect(inspect)),
            Action::Seek(goal) => self.session.send(Request::Seek(goal)),
            Action::SetPlaybackMemory(limit) => self.session.send(Request::SetPlaybackMemory(limit)),
            Action::SetSpeedLimit(limit) => self.session.send(Request::SetSpeedLimit(limit)),
            Action::Tune(set, structures) => self.session.send(Request::Tune { set, structures }),
            Action::CancelTune => self.session.send(Request::CancelTune),
        }
        self.request(Cause::Input);
    }

    fn execute(&mut self, event_loop: &ActiveEventLoop, command: Command) {
        let state = &mut self.state;
        match command {
            Command::PlayPause => {
                let request = self.session.snapshot().play_or_pause();
                self.session.send(request);
            }
            Command::StepOnce => self.session.send(Request::StepOnce),
            Command::StepBack => self.session.send(Request::StepBack(1)),
            Command::GoToStart => {
                if let Some(start) = self.session.snapshot().timeline.kept.first() {
                    self.session.send(Request::Seek(Goal::Steps(start.steps)));
                }
            }
            Command::GoToEnd => {
                let end = self.session.snapshot().timeline.end;
                self.session.send(Request::Seek(Goal::Steps(end.steps)));
            }
            Command::CompareWithStart => {
                if let Some(goal) = state.playback.flip(self.session.snapshot()) {
                    self.session.send(Request::Seek(goal));
                }
            }
            Command::Reset => {
                self.state.edited.edits.forget_hands();
                self.session.send(Request::Reset);
            }
            Command::ResetParameters => self.reset_parameters(event_loop),
            Command::Undo | Command::Redo => {
                let mut actions = Vec::new();
                if command == Command::Undo {
                    state.undo(&mut actions);
                } else {
                    state.redo(&mut actions);
                }
                for action in actions {
                    self.perform(event_loop, action);
                }
            }
            Command::Open => self.ask(FilePurpose::OpenScene),
            Command::Reload => match self.session.snapshot().scene.as_ref().map(|scene| scene.path.clone()) {
                Some(Some(path)) => self.leave(event_loop, Leaving::Open(SceneSource::at(path))),
                Some(None) => {
                    let advice = "The scene is built into the program.";
                    self.state.notices.push(Notice::warning("There is no file to reload", advice));
                }
                // The file that could not be used may have been repaired.
                None => self.leave(event_loop, Leaving::Open(self.source.clone())),
            },
            Command::OpenState => self.ask(FilePurpose::OpenState),
            Command::SaveSceneAs => {
                if let Some(scene) = &self.session.snapshot().scene {
                    let name = format!("{}.toml", scene.name);
                    self.ask(FilePurpose::SaveScene(name));
                }
            }
            Command::SaveState => {
                if let Some(scene) = &self.session.snapshot().scene {
                    let name = format!("{}.{CHECKPOINT}", scene.name);
                    self.ask(FilePurpose::SaveState(name));
                }
            }
            Command::SaveRecording => {
                if let Some(scene) = &self.session.snapshot().scene {
                    let name = format!("{}.jsonl", scene.name);
                    self.ask(FilePurpose::SaveRecording(name));
                }
            }
            Command::SaveResult => {
                if let Some(scene) = &self.session.snapshot().scene {
                    let name = format!("{}.result.json", scene.name);
                    self.ask(FilePurpose::SaveResult(name));
                }
            }
            Command::ExportPlot => {
                if let Some(scene) = &self.session.snapshot().scene {
                    let name = format!("{}.csv", scene.name);
                    self.ask(FilePurpose::ExportPlot(name));
                }
            }
            Command::OpenResult => self.ask(FilePurpose::OpenResult),
            Command::ToggleResult => state.result.open = !state.result.open,
            Command::Save => {
                self.save();
            }
            // Without a folder for it, the user says where.
            Command::Screenshot if state.pictures.folder.as_os_str().is_empty() => self.ask_for_picture(),
            Command::Screenshot => self.save_picture(None),
            Command::SavePictureAs => self.ask_for_picture(),
            Command::ChoosePicturesFolder => self.ask(FilePurpose::PicturesFolder),
            // As for pictures.
            Command::ToggleFilm if self.film.current.is_none() && state.pictures.folder.as_os_str().is_empty() => {
                self.ask(FilePurpose::FilmFolder);
            }
            Command::ToggleFilm => self.toggle_film(),
            Command::TogglePictures => state.pictures.open = !state.pictures.open,
            Command::FrameAll => {
                self.state.display.framing = Framing::All;
                self.frame();
            }
            Command::CompareGrids => {
                let mut actions = Vec::new();
                state.toggle_comparison(&mut actions);
                for action in actions {
                    self.perform(event_loop, action);
                }
            }
            Command::Use(tool) => state.tools.tool = tool,
            Command::ToggleSidePanel => state.shown.side_panel = !state.shown.side_panel,
            Command::TogglePlots => state.shown.plots = !state.shown.plots,
            Command::ToggleTank => state.display.aids.toggle_walls(),
            Command::ToggleSmooth => state.display.smooth = !state.display.smooth,
            Command::ToggleArrows => state.display.aids.arrows = !state.display.aids.arrows,
            Command::ToggleClip => state.display.aids.clips = !state.display.aids.clips,
            Command::ToggleCells => state.view.cells = !state.view.cells,
            Command::ToggleSlice => state.view.toggle_slice(),
            Command::ToggleBucketMap => state.view.map = !state.view.map,
            Command::ClearSelection => state.close_uppermost(),
            Command::ToggleTuning => state.tuning.open = !state.tuning.open,
            Command::ToggleGallery => {
                state.gallery.toggle();
                // Files may have changed since the list was last shown.
                if state.gallery.open {
                    self.list_scenes();
                }
            }
            Command::TogglePalette => state.palette.toggle(),
            Command::ToggleHelp => state.shown.help = !state.shown.help,
            Command::ResetLayout => {
                state.dock.reset();
                (state.shown.side_panel, state.shown.plots, state.shown.help) = (true, true, false);
                (state.tuning.open, state.result.open, state.pictures.open) = (false, false, false);
            }
            Command::ToggleFullscreen => {
                if let Some(window) = &self.window {
                    let leave = window.winit().fullscreen().is_some();
                    window.winit().set_fullscreen(if leave { None } else { Some(Fullscreen::Borderless(None)) });
                }
            }
            Command::Quit => self.leave(event_loop, Leaving::Quit),
        }
    }

    fn set_parameters(&self, parameters: Parameters, revision: u64) {
        let generation = self.state.generation;
        self.session.send(Request::SetParameters { parameters, generation, revision });
    }

    fn reset_parameters(&mut self, event_loop: &ActiveEventLoop) {
        if let Some(scene) = self.session.snapshot().scene.clone() {
            let mut actions = Vec::new();
            self.state.edited.set_off_curve(Vec::new(), &mut actions);
            self.state.edited.edit(self.state.edited.scene_parameters(&scene), &mut actions);
            for action in actions {
                self.perform(event_loop, action);
            }
        }
    }

    fn ask_for_picture(&mut self) {
        if self.session.snapshot().scene.is_some() {
            let name = format!("{}.png", self.picture_stem());
            self.ask(FilePurpose::SavePicture(name));
        }
    }

    /// Does what a file was chosen for.
    pub(super) fn take_file(&mut self, event_loop: &ActiveEventLoop, answer: Answer) {
        match answer {
            Answer::Request(Request::Load(source)) => self.leave(event_loop, Leaving::Open(source)),
            Answer::Request(request) => self.session.send(request),
            Answer::Scene(path) => self.save_as(path),
            Answer::Plot(path) => self.export_plot(path),
            Answer::Result(path) => self.open_result(path, Other::Refuse),
            Answer::PicturesFolder { path, films } => {
                self.state.pictures.folder = std::path::absolute(&path).unwrap_or(path);
                if films && self.film.current.is_none() {
                    self.toggle_film();
                }
            }
            Answer::Picture(path) => {
                let folder = std::path::absolute(&path).ok().and_then(|path| path.parent().map(Path::to_owned));
                if self.state.pictures.folder.as_os_str().is_empty() {
                    // The next ones go there too.
                    self.state.pictures.folder = folder.unwrap_or_default();
                }
                self.save_picture(Some(path));
            }
        }
    }

    /// Writes what the plots show as a table to `path`, in the background.
    fn export_plot(&mut self, path: PathBuf) {
        let Some(text) = ui::plot_csv(&self.state.plots, self.state.point_search.chosen, self.session.snapshot()) else {
            let advice = "Choose curves, or let the simulation run, then export again.";
            return self.state.notices.push(Notice::warning("The plots are empty", advice));
        };
        background::run(&self.proxy, move || {
            let written = sph_io::write_atomically(&path, |out| out.write_all(text.as_bytes()));
            UserEvent::Notice(match written {
                Ok(()) => Notice::written("plot exported", &path),
                Err(error) => Notice::error(format!("Cannot export the plot to {}", path.display()), error.to_string()),
            })
        });
    }

    /// Reads the result at `path` in the background; `other` says what becomes of a file of another kind.
    pub(super) fn open_result(&self, path: PathBuf, other: Other) {
        background::run(&self.proxy, move || match (BenchResult::load(&path), other) {
            (Ok(result), _) => UserEvent::Result(OpenedResult { path, result: Arc::new(result) }),
            (Err(ResultError::NoResult | ResultError::Io(_)), Other::Load) => UserEvent::Load(path),
            (Err(_), Other::Ignore) => UserEvent::News,
            (Err(error), _) => {
                let title = format!("Cannot open the result {}", path.display());
                UserEvent::Notice(Notice::error(title, error.to_string()))
            }
        });
    }

    fn ask(&mut self, dialog: FilePurpose) {
        let Some(window) = self.window.as_ref().filter(|_| !self.dialog) else { return };
        let current = self.session.snapshot().scene.as_ref().and_then(|scene| scene.path.clone());
        let folder = current
            .or_else(|| self.scenes.first().map(|scene| scene.path.clone()))
            .and_then(|path| path.parent().map(Path::to_owned));
        let pictures = Some(&self.state.pictures.folder).filter(|path| dialog.is_folder() && !path.as_os_str().is_empty());
        let folder = pictures.cloned().or(folder);
        let folder = folder.and_then(|folder| std::path::absolute(folder).ok());
        self.dialog = true;
        background::ask(&self.proxy, window.winit(), dialog, folder);
    }

    /// Saves changed parameters and the view in the scene's file. Returns true if that has begun, false if a message says why not.
    pub(super) fn save(&mut self) -> bool {
        let scene = self.session.snapshot().scene.clone();
        scene.is_some_and(|scene| self.save_over(scene))
    }

    /// Saves what differs from `scene`, as the file has it.
    pub(super) fn save_over(&mut self, scene: Arc<Scene>) -> bool {
        let Some(path) = scene.path.clone() else {
            let advice = "This scene has none. “Save scene as…” makes one.";
            self.state.notices.push(Notice::warning("There is no file to save to", advice).about(Subject::Save));
            return false;
        };
        if self.state.edited.unsaved(&scene).is_empty() && self.state.display.scene_view(&scene) == scene.view {
            let dropped = self.session.snapshot().dropped.len();
            self.state.notices.push(unsaved::nothing_to_save(dropped));
            return false;
        }
        !self.saves.begin() || self.write_scene(scene, path)
    }

    /// Saves the scene with changed parameters and the view as the file `path`, which becomes its own.
    fn save_as(&mut self, path: PathBuf) {
        let Some(scene) = self.session.snapshot().scene.clone() else { return };
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if scene.path.as_deref().is_some_and(|own| whole(own) == whole(&path)) {
            self.save_over(scene);
            return;
        }
        if scene.files.paths().any(|file| whole(file) == whole(&path)) {
            let title = format!("The scene was not saved: {} is one of its files", path.display());
            return self.state.notices.push(Notice::warning(title, "Choose another name.").about(Subject::Save));
        }
        // The save that is under way writes the file that the scene has had, and so would one that follows it.
        if self.saves.is_under_way() {
            let title = "The scene was not saved: another save is under way";
            return self.state.notices.push(Notice::warning(title, "Save again.").about(Subject::Save));
        }
        self.saves.begin();
        self.write_scene(scene, path);
    }

    /// Writes `scene` with its edits to `path`, in the background. Returns true if that has begun.
    fn write_scene(&mut self, scene: Arc<Scene>, path: PathBuf) -> bool {
        let Some(parameters) = self.state.edited.parameters else {
            self.saves.end();
            return false;
        };
        let off_curve = self.state.edited.off_curve.clone();
        let view = self.state.display.scene_view(&scene);
        let is_spacing_edited = self.state.edited.has_unsaved_spacing(&scene);
        let set_grids = self.state.edited.point_grids.all().to_vec();
        let started = background::run(&self.proxy, move || {
            let (parameters, off_curve, set_grids, view) = (&parameters, &off_curve, &set_grids, &view);
            let edits = SceneEdits { parameters, off_curve, set_grids, view, is_spacing_edited };
            match sph_io::save_scene(&path, &edits, &scene) {
                Ok(saved) => {
                    let mut left = saved.view.differing_keys(view);
                    left.retain(|key| view.differing_keys(&scene.view).contains(key));
                    UserEvent::Saved { scene, left, saved: Arc::new(saved) }
                }
                Err(error) => {
                    let title = format!("Cannot save to {}", path.display());
                    UserEvent::NotSaved(Notice::error(title, error.to_string()).about(Subject::Save))
                }
            }
        });
        if !started {
            self.saves.end();
        }
        started
    }

    /// Loads the scene again with another particle spacing, m. What has been changed of the parameters, and is not saved, stays.
    fn load_at_spacing(&mut self, spacing: f64) {
        let Some(scene) = &self.session.snapshot().scene else { return };
        let overrides = at_spacing(scene, spacing);
        let source = match &scene.path {
            Some(path) => SceneSource::File(path.clone(), overrides),
            None if scene.text == scenes::DEFAULT_TEXT => SceneSource::Text("dam_break", scenes::DEFAULT_TEXT, overrides),
            None => {
                let advice = "Open its scene file, then choose a spacing.";
                return self.state.notices.push(Notice::warning("This state has no scene file", advice));
            }
        };
        self.source = source.clone();
        self.session.send(Request::LoadAtSpacing(source));
    }

    /// Reads the scenes of the gallery again, in the background.
    pub(super) fn list_scenes(&self) {
        background::run(&self.proxy, || UserEvent::Scenes(scene_list::listed_scenes()));
    }
}

/// Overrides that load `scene` with another particle spacing, m. Cells keep their size in support radii; at the spacing of the file they have
/// the size that the file gives them.
fn at_spacing(scene: &Scene, spacing: f64) -> Vec<Override> {
    const SPACING: &str = "particles.spacing";
    const CELL_SIZE: &str = "grid.cell_size";
    let own = |other: &&Override| other.path != SPACING && other.path != CELL_SIZE;
    let mut overrides: Vec<Override> = scene.overrides.iter().filter(own).cloned().collect();
    if spacing == scene.file_spacing {
        return overrides;
    }
    overrides.push(Override { path: SPACING.to_owned(), value: spacing.to_string() });
    let Setup { discretization, parameters, .. } = &scene.setup;
    // The usual cells follow from the spacing by themselves, unless the file names their size.
    let is_usual = parameters.grid.cell_size == discretization.support_radius && !scene.names_cell_size();
    if !is_usual || scene.overrides.iter().any(|other| other.path == CELL_SIZE) {
        let ratio = spacing / f64::from(discretization.particle_spacing);
        let size = (f64::from(parameters.grid.cell_size) * ratio) as f32;
        overrides.push(Override { path: CELL_SIZE.to_owned(), value: size.to_string() });
    }
    overrides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The usual cells follow from the spacing by themselves: nothing is chosen that a save would write.
    #[test]
    fn another_spacing_names_cells_only_where_the_file_does() {
        let scene = |grid: &str| {
            let text = format!(
                "format = 1\nparticles.spacing = 0.1\n# cell_size = 0.3\n[grid]\n{grid}\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n"
            );
            sph_io::parse(&text, "block", &[]).expect("the scene is valid")
        };
        let keys =
            |scene: &Scene, spacing| at_spacing(scene, spacing).into_iter().map(|change| change.path).collect::<Vec<_>>();
        assert_eq!(keys(&scene(""), 0.05), ["particles.spacing"]);
        assert_eq!(keys(&scene("cell_size = 0.2 # as usual, but named"), 0.05), ["particles.spacing", "grid.cell_size"]);
        assert!(keys(&scene(""), 0.1).is_empty());
    }
}
