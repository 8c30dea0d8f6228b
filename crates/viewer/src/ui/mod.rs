//! The panels: egui only, no graphics API. They read a [`Model`], change a [`State`] and push [`Action`]s.
//!
//! Functions whose names end in `_ui` lay out a part of the window. Nothing here blocks, waits or touches a file.

pub mod lessons;
pub mod theme;

mod bucket_map;
mod cell_legend;
mod compare;
mod comparing;
mod fluid_panel;
mod forces;
mod format;
mod grid_numbers;
mod grid_panel;
mod grid_view;
mod help;
mod histogram;
mod icons;
mod legend;
mod notices;
mod plots;
mod quantity;
mod query;
mod scene_list;
mod scene_view;
mod solver;
mod state;
mod structure;
mod top_bar;
mod tuning;
mod tuning_map;
mod views;
mod widgets;

pub use comparing::{Comparing, Side};
pub use grid_view::{GridView, OverlayCosts};
pub use notices::Notices;
pub use quantity::Quantity;
pub use scene_list::SceneEntry;
pub use state::{Action, Framing, State};
pub use tuning::TuningView;
pub use views::Views;

use crate::session::Snapshot;
use egui::{CentralPanel, CollapsingHeader, Frame, Margin, Panel, Rect, RichText, ScrollArea, Ui};

/// What the panels show.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The simulation.
    pub snapshot: &'a Snapshot,
    /// The scenes that the menu lists.
    pub scenes: &'a [SceneEntry],
    /// The values at the two ends of the colour map.
    pub range: [f32; 2],
    /// Whether values lie below that range, and above it.
    pub beyond_range: [bool; 2],
    /// What looking into the grid costs; none while nobody looks.
    pub overlay: Option<OverlayCosts>,
    /// Pictures per second.
    pub frames_per_second: f32,
    /// The graphics adapter in words.
    pub adapter: &'a str,
}

/// Lays out the whole window; the part of it that is left for the picture of the 3D view, in points. There only what stands over the
/// picture is painted.
pub fn root_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> Rect {
    lessons::follow(ui, state, model);
    actions.extend(crate::command::take_pressed(ui.ctx()).into_iter().map(Action::Command));
    top_bar::top_bar_ui(ui, state, model, actions);
    let [least_width, least_height] = theme::LEAST_SCENE;
    let room = ui.available_size();
    if state.show_side_panel && room.x >= theme::SIDE_PANEL_WIDTH + least_width {
        let frame = Frame::new().fill(theme::PANEL).inner_margin(Margin::ZERO);
        Panel::left("side panel").exact_size(theme::SIDE_PANEL_WIDTH).resizable(false).frame(frame).show(ui, |ui| {
            side_panel_ui(ui, state, model, actions);
        });
    }
    if state.show_plots && room.y >= theme::PLOTS_HEIGHT + least_height {
        let frame = Frame::new().fill(theme::PANEL).inner_margin(Margin::symmetric(12, 8));
        Panel::bottom("plots").exact_size(theme::PLOTS_HEIGHT).resizable(false).frame(frame).show(ui, |ui| {
            plots::plots_ui(ui, model.snapshot, state.comparing.side, &mut state.plotted);
        });
    }
    state.view.follow(state.comparing.side.inspection(model.snapshot));
    state.view.pointed = None;
    state.view.pointed_in_map = false;
    let area = CentralPanel::no_frame().show(ui, |ui| scene_view::scene_view_ui(ui, state, model, actions)).inner;
    if state.view.map {
        let inspection = state.comparing.side.inspection(model.snapshot);
        bucket_map::bucket_map_ui(ui, area, &mut state.view, inspection);
    }
    state.view.ask(actions);
    notices::notices_ui(ui, area, &mut state.notices);
    tuning::tuning_ui(ui, state, model.snapshot, actions);
    lessons::lesson_ui(ui, area, state, model, actions);
    help::help_ui(ui, state, model.snapshot);
    area
}

fn side_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        Frame::new().inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            section_ui(ui, "Grid", |ui| grid_panel::grid_panel_ui(ui, state, model.snapshot, actions));
            ui.separator();
            section_ui(ui, "Inside the grid", |ui| grid_view::grid_view_ui(ui, &mut state.view, model));
            ui.separator();
            section_ui(ui, "Fluid", |ui| fluid_panel::fluid_panel_ui(ui, state, model.snapshot, actions));
        });
    });
}

fn section_ui(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).heading().strong())
        .default_open(true)
        .open(lessons::opens(ui, title))
        .show_unindented(ui, |ui| {
            ui.add_space(0.5 * theme::SPACE);
            contents(ui);
            ui.add_space(0.5 * theme::SPACE);
        });
}
