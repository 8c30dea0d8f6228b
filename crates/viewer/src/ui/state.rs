//! The panels' state: plain data in one place.

use super::lessons::Progress;
use super::scene_view::Notices;
use super::{Action, Comparing, GridView, Quantity, Side, TuningView};
use crate::camera::Camera;
use crate::color::ColorField;
use crate::session::{Snapshot, Subject};
use sph_core::Parameters;
use sph_core::neighbors::{GridParameters, Structure, Update};

/// Where the camera's view comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// The scene's first view.
    #[default]
    First,
    /// Everything, from where the user last looked.
    All,
    /// The user's own moves.
    Free,
}

/// Everything that the panels remember from frame to frame.
#[derive(Clone, Debug)]
pub struct State {
    /// The parameters as the sliders show them; those in force follow within a step.
    pub parameters: Option<Parameters>,
    /// Counts the edits of the parameters.
    pub revision: u64,
    /// The scene that `parameters` belong to.
    pub generation: u64,
    /// Two grids side by side.
    pub comparing: Comparing,
    /// The camera of the 3D view.
    pub camera: Camera,
    /// What the camera keeps in view when the window changes its shape.
    pub framing: Framing,
    /// What the particles' colour shows.
    pub color: ColorField,
    /// Whether the panel with the grid and the fluid is shown.
    pub show_side_panel: bool,
    /// Whether the plots are shown.
    pub show_plots: bool,
    /// What is plotted beside the phases.
    pub plotted: Quantity,
    /// What is looked at inside the grid.
    pub view: GridView,
    /// Whether the tank is shown.
    pub show_tank: bool,
    /// Whether the list of keys is shown.
    pub show_help: bool,
    /// The search for the best grid.
    pub tuning: TuningView,
    /// Whether the menu of scenes is open.
    pub scenes_open: bool,
    /// The lesson under way.
    pub lesson: Option<Progress>,
    /// The messages not dismissed yet.
    pub notices: Notices,
}

impl Default for State {
    fn default() -> Self {
        Self {
            parameters: None,
            revision: 0,
            generation: 0,
            comparing: Comparing::default(),
            camera: Camera::default(),
            framing: Framing::default(),
            color: ColorField::default(),
            show_side_panel: true,
            show_plots: true,
            plotted: Quantity::default(),
            view: GridView::default(),
            show_tank: true,
            show_help: false,
            tuning: TuningView::default(),
            scenes_open: false,
            lesson: None,
            notices: Notices::default(),
        }
    }
}

impl State {
    /// Takes the parameters in force over, unless an edit is still on its way to the simulation. Whether there is a new scene.
    pub fn follow(&mut self, snapshot: &Snapshot) -> bool {
        let new_scene = snapshot.generation != self.generation;
        if new_scene || snapshot.revision == self.revision {
            self.parameters = snapshot.parameters;
        }
        self.comparing.follow(snapshot, new_scene);
        if new_scene {
            self.generation = snapshot.generation;
            self.framing = Framing::First;
            if let Some(scene) = &snapshot.scene {
                self.color = scene.view.color;
                self.view.enter(scene);
            }
            self.notices.settle(Subject::Scene);
        }
        if snapshot.failure.is_none() {
            self.notices.settle(Subject::Step);
        }
        new_scene
    }

    /// Shows `parameters` at once and asks for them.
    pub fn edit(&mut self, parameters: Parameters, actions: &mut Vec<Action>) {
        self.parameters = Some(parameters);
        self.revision += 1;
        actions.push(Action::SetParameters(parameters, self.revision));
    }

    /// Whether two grids are compared.
    pub fn is_comparing(&self) -> bool {
        self.comparing.rival.is_some()
    }

    /// Begins a comparison with a grid like the simulation's but for the structure, or ends the one that there is.
    pub fn toggle_comparison(&mut self, actions: &mut Vec<Action>) {
        if self.is_comparing() {
            self.comparing.side = Side::A;
            self.compare(None, actions);
        } else if let Some(parameters) = self.parameters {
            let structure = match parameters.grid.structure {
                Structure::CellHash(_) => Structure::SpatialHash,
                _ => Structure::CellHash(Update::Rebuilt),
            };
            self.comparing.side = Side::B;
            self.compare(Some(GridParameters { structure, ..parameters.grid }), actions);
        }
    }

    /// Shows `rival` at once and asks for it.
    pub fn compare(&mut self, rival: Option<GridParameters>, actions: &mut Vec<Action>) {
        self.comparing.rival = rival;
        self.comparing.revision += 1;
        actions.push(Action::Compare(rival, self.comparing.revision));
    }

    /// Gives the simulation the rival's grid, and the rival the simulation's.
    pub fn swap_grids(&mut self, actions: &mut Vec<Action>) {
        if let (Some(mut parameters), Some(rival)) = (self.parameters, self.comparing.rival) {
            let own = std::mem::replace(&mut parameters.grid, rival);
            self.edit(parameters, actions);
            self.compare(Some(own), actions);
        }
    }

    /// The grid that the panel edits.
    pub fn edited_grid(&self) -> Option<GridParameters> {
        match self.comparing.side {
            Side::A => self.parameters.map(|parameters| parameters.grid),
            Side::B => self.comparing.rival,
        }
    }

    /// Shows `grid` at once on the side that is edited, and asks for it.
    pub fn edit_grid(&mut self, grid: GridParameters, actions: &mut Vec<Action>) {
        match (self.comparing.side, self.parameters) {
            (Side::B, _) => self.compare(Some(grid), actions),
            (Side::A, Some(parameters)) => self.edit(Parameters { grid, ..parameters }, actions),
            (Side::A, None) => {}
        }
    }
}
