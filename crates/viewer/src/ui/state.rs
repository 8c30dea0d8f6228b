//! State of the panels that outlives a frame.

use super::display::Display;
use super::edits::{self, EditedParameters, Edits};
use super::lessons::{NextLesson, Progress};
use super::scene_view::{Notices, PlaybackView, Tool};
use super::theme::ThemeChoice;
use super::{
    Action, ComparisonPanel, Dock, FluidView, Gallery, GridView, Leaving, Palette, PathPrompt, PicturesView, PlotsView,
    PointSearchView, ResultView, ShownPanels, Side, SpacingChoice, Tools, TuningView,
};
use crate::command::Command;
use crate::session::{ComparisonSnapshot, Goal, Inspection, Notice, Queried, SearchGrid, Snapshot, Subject};
use sph_core::neighbors::{GridParameters, Occupancy, Structure, Update};
use sph_core::parameters::{Parameter, Parameters};
use sph_core::point_sets::PointSetup;
use sph_io::Scene;
use sph_render::{self, DrawnLook, Subject as CameraSubject};

/// State of the panels, kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Parameters as the sliders show them.
    pub edited: EditedParameters,
    /// View of the scene in the 3D view.
    pub display: Display,
    /// Arrangement of the panels.
    pub dock: Dock,
    /// Panels that are shown.
    pub shown: ShownPanels,
    /// Theme.
    pub theme: ThemeChoice,
    /// Generation of the scene that the panels show.
    pub generation: u64,
    /// Number of scenes opened so far, as the snapshot counts them.
    pub opened: u64,
    /// Question that is open, before unsaved edits are lost.
    pub leaving: Option<Leaving>,
    /// Comparison of two grids.
    pub comparing: ComparisonPanel,
    /// Search of cloths or balls that the grid panel shows.
    pub point_search: PointSearchView,
    /// Plots.
    pub plots: PlotsView,
    /// Bar of playback.
    pub playback: PlaybackView,
    /// Inspection of the grid.
    pub view: GridView,
    /// Pictures and videos.
    pub pictures: PicturesView,
    /// Command palette.
    pub palette: Palette,
    /// Gallery of scenes.
    pub gallery: Gallery,
    /// Particle spacing that the user considers.
    pub spacing: SpacingChoice,
    /// Question for the path of a file, where there is no file dialog.
    pub path_prompt: Option<PathPrompt>,
    /// Fluid panel.
    pub fluid: FluidView,
    /// Tools of the 3D view.
    pub tools: Tools,
    /// Auto-tuning window.
    pub tuning: TuningView,
    /// Panel of results.
    pub result: ResultView,
    /// Current lesson.
    pub lesson: Option<Progress>,
    /// Lesson that begins once its scene has been opened.
    pub next_lesson: Option<NextLesson>,
    /// Current messages.
    pub notices: Notices,
}

impl State {
    /// Takes over the parameters of the simulation, unless an edit is still pending. Returns true for a new scene.
    pub fn follow(&mut self, snapshot: &Snapshot) -> bool {
        let new_scene = snapshot.generation != self.generation;
        self.edited.follow(snapshot, new_scene);
        self.comparing.follow(snapshot, new_scene);
        let shown = self.point_search.chosen;
        self.point_search.follow(snapshot, new_scene);
        if self.point_search.chosen != shown {
            self.view.clear_selection();
        }
        if let Some(notice) = self.tuning.follow(snapshot) {
            self.notices.push(notice);
        }
        if new_scene {
            self.generation = snapshot.generation;
            self.playback = PlaybackView::default();
            self.tools.let_go();
            self.spacing = SpacingChoice::default();
            self.leaving = None;
            self.plots.chosen.particles.clear();
            // A scene that is reloaded keeps the camera and the panels.
            let is_opened = snapshot.opened != self.opened;
            self.opened = snapshot.opened;
            if let Some(scene) = &snapshot.scene {
                let place = self.view.place;
                self.view.enter(scene, snapshot);
                if !is_opened {
                    self.view.place = place;
                }
            }
            let spacing = snapshot.scene.as_ref().map_or(0.0, |scene| scene.setup.discretization.particle_spacing);
            let before = std::mem::replace(&mut self.edited.spacing, spacing);
            self.edited.is_spacing_edited = !is_opened && (self.edited.is_spacing_edited || spacing != before);
            if is_opened {
                self.display.open(snapshot.scene.as_deref());
            }
            self.notices.settle(Subject::Scene);
        }
        if let Some(scene) = &snapshot.scene {
            self.display.adopt(scene);
        }
        if snapshot.failure.is_none() {
            self.notices.settle(Subject::Step);
        }
        new_scene
    }

    /// Takes back what was done last: the choice of a particle spacing, a body that was dropped in this pause, what a hand has done, by going back to the
    /// moment before it, or an edit of the parameters. If there is nothing, or nothing to go back to, a message says how to go back.
    pub fn undo(&mut self, actions: &mut Vec<Action>) {
        self.notices.settle(Subject::Undo);
        let edits = &mut self.edited.edits;
        if self.spacing.take_back(edits.latest()) {
            return;
        }
        if edits.take_back_drop() {
            return actions.push(Action::TakeBackBody);
        }
        let end = Command::GoToEnd.key_text();
        if let Some(steps) = edits.take_back_hand() {
            let details = format!("{end} brings back what you have undone, until you play on.");
            let notice = Notice { details, ..Notice::info("Back to before you used the tool") };
            self.notices.push(notice.about(Subject::Undo));
            return actions.push(Action::Seek(Goal::Steps(steps)));
        }
        if edits.can_undo() && !edits.hand_followed() {
            if let Some(labels) = edits.take_warning() {
                let details = format!("Undo once more to undo it too. {end} then no longer brings back what you have undone.");
                let notice = Notice { details, ..Notice::info(format!("The last change before the tool: {labels}")) };
                return self.notices.push(notice.about(Subject::Undo));
            }
            return self.edited.restore(Edits::undo, actions);
        }
        self.notices.push(edits::advice(edits));
        edits.forget_hands();
    }

    /// Does again what was undone last: what a hand did, by going back to the latest moment, the choice of a particle spacing, or an edit of the
    /// parameters.
    pub fn redo(&mut self, actions: &mut Vec<Action>) {
        self.notices.settle(Subject::Undo);
        // An edit here would begin another future, and what the hand did would be lost.
        if self.edited.edits.take_return() {
            return actions.push(Action::Command(Command::GoToEnd));
        }
        if !self.spacing.make_again(self.edited.edits.latest()) {
            self.edited.restore(Edits::redo, actions);
        }
    }

    /// Closes what lies uppermost: the messages, then the list of keys, then the query of a particle and the pinned bucket; then puts the tool
    /// down.
    pub fn close_uppermost(&mut self) {
        if self.notices.dismiss() {
            return;
        }
        if self.shown.help {
            self.shown.help = false;
        } else if self.view.selected.is_some() || self.view.pinned.is_some() {
            self.view.clear_selection();
        } else {
            self.tools.tool = Tool::Look;
        }
    }

    /// Shows the row of a parameter, wherever it is, from the next frame on.
    pub fn show_parameter(&mut self, parameter: &'static Parameter<Parameters>) {
        self.shown.side_panel = true;
        self.dock.row_to_show = Some(parameter.key);
        self.comparing.side = Side::A;
        self.fluid = FluidView { search: String::new(), row_shown_once: Some(parameter.key), ..self.fluid };
    }

    /// Look in which `scene` is drawn: that chosen, or spheres where it is not possible; `transparent` without a background.
    pub fn drawn_look(&self, scene: &Scene, inspection: Option<&Inspection>, transparent: bool) -> DrawnLook {
        let dimensions = scene.setup.discretization.dimensions;
        let particles = self.view.looks_at_particles(inspection);
        sph_render::drawn_look(self.display.look, CameraSubject { dimensions, transparent, particles })
    }

    /// Shows the search of the point set `set` and of those that are searched with it, or that of the fluid. What is selected is of the one before.
    pub fn show_search_of(&mut self, set: Option<usize>) {
        if self.point_search.chosen != set {
            self.point_search.chosen = set;
            self.view.clear_selection();
        }
    }

    /// Shows the query of a particle or point with the search that it is one of, or none.
    pub(in crate::ui) fn show_query_of(&mut self, queried: Option<(Queried, Option<usize>)>) {
        if let Some((_, search)) = queried {
            self.show_search_of(search);
            self.dock.show("query");
        }
        self.view.selected = queried.map(|(queried, _)| queried);
    }

    /// True while two grids are compared.
    pub fn is_comparing(&self) -> bool {
        self.comparing.grid_b.is_some()
    }

    /// True while two grids of the search that is shown are compared.
    pub fn is_comparing_shown(&self) -> bool {
        self.is_comparing() && self.comparing.set == self.point_search.chosen
    }

    /// Side whose grid of the search that is shown is edited: A, unless it is compared.
    pub fn edited_side(&self) -> Side {
        if self.is_comparing_shown() { self.comparing.side } else { Side::A }
    }

    /// Starts a comparison of the search that is shown with a grid that differs in the structure only, or ends the current comparison.
    pub fn toggle_comparison(&mut self, actions: &mut Vec<Action>) {
        if self.is_comparing() {
            self.comparing.side = Side::A;
            self.comparing.before = self.comparing.grid_b.map(|grid| (self.comparing.set, grid));
            self.compare(None, actions);
        } else if let Some(grid) = self.grid_a() {
            let of_points = self.point_search.chosen.is_some();
            let structure = match grid.structure {
                Structure::CellHash(_) => Structure::SpatialHash,
                Structure::SpatialHash => Structure::CellHash(Update::Rebuilt),
                // The block map of balls.
                _ if of_points => Structure::SpatialHash,
                _ => Structure::CellHash(Update::Rebuilt),
            };
            self.comparing.side = Side::B;
            self.comparing.set = self.point_search.chosen;
            let can_go_on = |(set, before): &(Option<usize>, GridParameters)| *set == self.comparing.set && *before != grid;
            let before = self.comparing.before.filter(can_go_on).map(|(_, grid)| grid);
            self.compare(Some(before.unwrap_or(GridParameters { structure, ..grid })), actions);
        }
    }

    /// Ends the comparison with grid B in the place of grid A, as an edit; `points` describes the point sets.
    pub fn keep_grid_b(&mut self, points: Option<&PointSetup>, actions: &mut Vec<Action>) {
        if let Some(grid_b) = self.comparing.grid_b {
            self.edit_grid_a(grid_b, points, actions);
            actions.push(Action::Command(Command::CompareGrids));
        }
    }

    /// Sets grid B in the panels and requests it from the simulation; `None` ends the comparison.
    pub fn compare(&mut self, grid_b: Option<GridParameters>, actions: &mut Vec<Action>) {
        let set = self.comparing.set;
        self.comparing.grid_b = grid_b;
        self.comparing.revision += 1;
        actions.push(Action::Compare(grid_b.map(|grid| SearchGrid { set, grid }), self.comparing.revision));
    }

    /// Swaps grids A and B of the search that is shown; `points` describes the point sets.
    pub fn swap_grids(&mut self, points: Option<&PointSetup>, actions: &mut Vec<Action>) {
        if let (Some(own), Some(grid_b)) = (self.grid_a(), self.comparing.grid_b) {
            self.edit_grid_a(grid_b, points, actions);
            self.compare(Some(own), actions);
        }
    }

    /// Gives grid B the settings of grid A, and edits it: from there on, one thing at a time can differ.
    pub fn copy_grid_a(&mut self, actions: &mut Vec<Action>) {
        if let Some(own) = self.grid_a() {
            self.comparing.side = Side::B;
            self.compare(Some(own), actions);
        }
    }

    /// Grid of the search that is shown, of the edited side.
    pub fn edited_grid(&self) -> Option<GridParameters> {
        match self.edited_side() {
            Side::A => self.grid_a(),
            Side::B => self.comparing.grid_b,
        }
    }

    /// The edited grid of the search that is shown, and its occupancy by the present points, if it has been inspected.
    pub fn present_occupancy<'s>(&self, snapshot: &'s Snapshot) -> Option<(GridParameters, &'s Occupancy)> {
        let (inspection, grid) = (self.edited_side().inspection(snapshot)?, self.edited_grid()?);
        let occupancy = inspection.occupancy.as_ref()?;
        (inspection.grid == grid && inspection.asked.set == self.point_search.chosen).then_some((grid, occupancy))
    }

    /// True if the simulation pauses, and has searched with another grid than that which is edited.
    pub fn is_grid_ahead(&self, snapshot: &Snapshot) -> bool {
        let of_b = snapshot.grid_b.as_ref().filter(|_| self.edited_side() == Side::B);
        let search = of_b.map_or_else(|| snapshot.search_of(self.point_search.chosen), ComparisonSnapshot::search);
        snapshot.stands_still() && search.is_some_and(|search| self.edited_grid() != Some(search.parameters))
    }

    /// The simulation's own grid of the search that is shown.
    pub(in crate::ui) fn grid_a(&self) -> Option<GridParameters> {
        match self.point_search.chosen {
            Some(set) => self.edited.point_grids.get(set),
            None => self.edited.parameters.map(|parameters| parameters.grid),
        }
    }

    /// Sets the grid of the search that is shown, of the edited side, in the panels and requests it from the simulation; `points` describes the point
    /// sets.
    pub fn edit_grid(&mut self, grid: GridParameters, points: Option<&PointSetup>, actions: &mut Vec<Action>) {
        match self.edited_side() {
            Side::A => self.edit_grid_a(grid, points, actions),
            Side::B => self.compare(Some(grid), actions),
        }
    }

    fn edit_grid_a(&mut self, grid: GridParameters, points: Option<&PointSetup>, actions: &mut Vec<Action>) {
        match (self.point_search.chosen, self.edited.parameters, points) {
            (Some(set), _, Some(points)) => self.edited.edit_point_grid(points, set, grid, actions),
            (None, Some(parameters), _) => self.edited.edit(Parameters { grid, ..parameters }, actions),
            _ => {}
        }
    }
}
