//! What stands in the way of commands at present. Menus, buttons and the palette grey those that would do nothing, and keys say why.

use super::point_search::has_fluid;
use super::{State, plots};
use crate::command::Command;
use crate::session::{Notice, Snapshot};
use sph_core::neighbors::Structure;

/// Reason of all commands that act on a scene.
const NO_SCENE: &str = "Open a scene first.";

/// Reason to save no result.
const NO_STEP: &str = "No step has been made yet: let the simulation run first.";

/// Reason to compare no grids.
const NOTHING_TO_COMPARE: &str = "This scene has nothing to search: neither fluid nor cloth nor balls.";

/// Reason to show no cells.
const NO_CELLS: &str = "Brute force has no cells: choose another structure in the Grid panel.";

/// What stands in the way at present.
#[derive(Clone, Copy, Debug)]
pub struct Obstacles {
    has_scene: bool,
    has_step: bool,
    /// True if the Grid panel shows a search: of the fluid, or of cloth or balls.
    has_search: bool,
    /// True if the search that is shown has no cells, and none are to be drawn.
    lacks_cells: bool,
    films: bool,
    /// True while two grids are compared.
    compares: bool,
    /// Reason why the plots have nothing to export.
    plot: Option<&'static str>,
}

impl Obstacles {
    /// Those in this state.
    pub fn of(state: &State, snapshot: &Snapshot) -> Self {
        Self {
            has_scene: snapshot.scene.is_some(),
            has_step: snapshot.stats.is_some(),
            has_search: has_fluid(snapshot) || state.point_search.chosen.is_some(),
            compares: state.is_comparing(),
            lacks_cells: !state.view.cells && state.edited_grid().is_some_and(|grid| grid.structure == Structure::BruteForce),
            films: state.pictures.film.is_some(),
            plot: plots::nothing_to_export(&state.plots, state.point_search.chosen, snapshot),
        }
    }

    /// Reason why `command` would do nothing, a sentence; `None` if it does something.
    pub fn against(self, command: Command) -> Option<&'static str> {
        match command {
            // A film in progress can be stopped.
            Command::ToggleFilm if self.films => None,
            command if acts_on_scene(command) && !self.has_scene => Some(NO_SCENE),
            Command::ExportPlot => self.plot,
            // What is open can be closed.
            Command::CompareGrids if !self.has_search && !self.compares => Some(NOTHING_TO_COMPARE),
            Command::ToggleCells | Command::ToggleSlice if self.lacks_cells => Some(NO_CELLS),
            Command::SaveResult if !self.has_step => Some(NO_STEP),
            _ => None,
        }
    }

    /// The same as a message, for a command that was given by a key.
    pub fn notice(self, command: Command) -> Option<Notice> {
        let reason = self.against(command)?;
        let name = command.label().trim_end_matches('…');
        Some(Notice { details: reason.to_owned(), ..Notice::info(format!("{name}: not possible now")) })
    }
}

fn acts_on_scene(command: Command) -> bool {
    match command {
        Command::PlayPause
        | Command::StepOnce
        | Command::StepBack
        | Command::GoToStart
        | Command::GoToEnd
        | Command::CompareWithStart
        | Command::Reset
        | Command::ResetParameters
        | Command::Save
        | Command::SaveSceneAs
        | Command::SaveState
        | Command::SaveRecording
        | Command::SaveResult
        | Command::ExportPlot
        | Command::Screenshot
        | Command::SavePictureAs
        | Command::ToggleFilm
        | Command::FrameAll
        | Command::CompareGrids => true,
        // The file that could not be used may have been repaired; the others set up the window.
        Command::Reload
        | Command::Undo
        | Command::Redo
        | Command::ToggleGallery
        | Command::Open
        | Command::OpenState
        | Command::OpenResult
        | Command::ToggleResult
        | Command::Use(_)
        | Command::ChoosePicturesFolder
        | Command::TogglePictures
        | Command::ToggleSidePanel
        | Command::TogglePlots
        | Command::ToggleTank
        | Command::ToggleSmooth
        | Command::ToggleArrows
        | Command::ToggleClip
        | Command::ToggleCells
        | Command::ToggleSlice
        | Command::ToggleBucketMap
        | Command::ClearSelection
        | Command::ToggleTuning
        | Command::ResetLayout
        | Command::ToggleFullscreen
        | Command::TogglePalette
        | Command::ToggleHelp
        | Command::Quit => false,
    }
}
