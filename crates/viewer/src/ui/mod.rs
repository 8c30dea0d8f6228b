//! User interface: panels in egui, independent of the graphics API. Panels read a [`Model`], change a [`State`] and push
//! [`Action`]s; `dock` positions them. One file or folder per panel, with its state; `state` joins them, `widgets` holds their common parts.
//!
//! Functions named `…_ui` lay out a part of the window. No function here blocks or accesses files.

mod compare;
mod display;
mod dock;
mod edits;
mod fluid;
mod gallery;
mod grid;
mod inspector;
mod menus;
mod obstacles;
mod palette;
mod path_prompt;
mod pictures;
mod plots;
mod point_search;
mod result;
mod scene;
mod scene_view;
mod state;
mod tuning;
mod tuning_map;
mod unsaved;
mod widgets;

pub mod lessons;

pub use compare::{ComparisonPanel, Side, Views};
pub use display::{Display, Framing};
pub use dock::{Dock, ShownPanels, layout_text, restore_layout, root_ui};
pub use edits::{EditedParameters, Edits};
pub use fluid::FluidView;
pub use gallery::{Gallery, SceneEntry, SceneNeeds};
pub use inspector::{DrawnCells, GridView, OverlayCosts};
pub use obstacles::Obstacles;
pub use palette::Palette;
pub use path_prompt::{FilePurpose, PathPrompt};
pub use pictures::{FilmInProgress, PicturesView, film_contents};
pub use plots::{Choice, ChosenCurves, PlotsView, Plotted, Quantity, Shown, plot_csv};
pub use point_search::{PointGrids, PointSearchView};
pub use result::{OpenedResult, ResultView};
pub use scene::SpacingChoice;
pub use scene_view::{Aids, Notices, PlaybackView, Tool, Tools, looks};
pub use state::State;
pub use tuning::TuningView;
pub use unsaved::{Answer, Leaving};
pub use widgets::theme;

use std::path::PathBuf;

use crate::command::Command;
use crate::session::{Goal, Inspect, SearchGrid, Snapshot, SpeedLimit};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{DroppedBody, Hand, Parameters};

/// Input data of the panels in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// State of the simulation.
    pub snapshot: &'a Snapshot,
    /// Scenes of the gallery.
    pub scenes: &'a [SceneEntry],
    /// Values at the two ends of the colour map.
    pub range: [f32; 2],
    /// True if values lie below the range, and above it.
    pub beyond_range: [bool; 2],
    /// Cost of the grid overlay; `None` without an overlay.
    pub overlay: Option<OverlayCosts>,
    /// Frames per second.
    pub frames_per_second: f32,
    /// Description of the graphics adapter.
    pub adapter: &'a str,
}

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Run a command.
    Command(Command),
    /// Load this scene.
    Load(PathBuf),
    /// Follow these particles in the plots.
    Follow(Vec<u32>),
    /// Measure the result of the last steps for its panel, or no longer.
    Measure(bool),
    /// Load the present scene again, with this particle spacing, m.
    LoadAtSpacing(f64),
    /// Use these parameters; the number is the revision of the edit.
    SetParameters(Parameters, u64),
    /// Search the point set with this index with this grid; the number is the revision of the edit.
    SetPointGrid(usize, GridParameters, u64),
    /// Take the parameters with these keys off their curves, and put all others on theirs.
    SetOffCurve(Vec<&'static str>),
    /// Answer the question before unsaved edits are lost.
    Answer(Answer),
    /// Use the file at `path`, which a user has typed; one that is written `replaces` what is there only if the user knows.
    UseFile {
        /// Purpose of the file.
        purpose: FilePurpose,
        /// Its path.
        path: PathBuf,
        /// True if it may replace another.
        replaces: bool,
    },
    /// Let this hand act from the next step on, or let go.
    UseHand(Option<Hand>),
    /// Drop this body.
    DropBody(DroppedBody),
    /// Take back the body that was dropped last.
    TakeBackBody,
    /// Inspect this part of the grid.
    Inspect(Inspect),
    /// Compare with a second simulation that uses this grid, or end the comparison; the number is the revision of the edit.
    Compare(Option<SearchGrid>, u64),
    /// Go to another moment and pause there.
    Seek(Goal),
    /// Bound the memory of kept moments, bytes.
    SetPlaybackMemory(u64),
    /// Limit the simulation speed.
    SetSpeedLimit(SpeedLimit),
    /// Start auto-tuning of the fluid's search, or of that of the point sets from this one on, over these structures.
    Tune(Option<usize>, Vec<Structure>),
    /// Cancel auto-tuning.
    CancelTune,
}
