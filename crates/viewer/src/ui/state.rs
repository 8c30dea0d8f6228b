//! The panels' state: plain data in one place.

use super::lessons::Progress;
use super::notices::Notices;
use super::tuning::TuningView;
use super::{Comparing, GridView, Quantity};
use crate::camera::Camera;
use crate::color::ColorField;
use crate::command::Command;
use crate::session::{Inspect, Snapshot, SpeedLimit, Subject};
use sph_core::Parameters;
use sph_core::neighbors::{GridParameters, Structure};
use std::path::PathBuf;

/// What a user asked for in one frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A command.
    Command(Command),
    /// Load this scene.
    Load(PathBuf),
    /// Use these parameters, under this revision.
    SetParameters(Parameters, u64),
    /// Look into this part of the grid.
    Inspect(Inspect),
    /// Compare the simulation with a rival that has this grid, or with none any more, under this revision.
    Compare(Option<GridParameters>, u64),
    /// List the scenes anew.
    ListScenes,
    /// Bound the speed.
    SetSpeedLimit(SpeedLimit),
    /// Try grids with these structures.
    Tune(Vec<Structure>),
    /// End the trials.
    CancelTune,
}

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
}
