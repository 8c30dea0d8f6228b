//! Layout of the window: position of each panel, and panels that are hidden in small windows.

use super::widgets::highlight;
use super::{Action, Model, State, fluid, grid, inside, lessons, menus, pictures, plots, scene_view, theme, tuning};
use egui::{CentralPanel, CollapsingHeader, Frame, Margin, Panel, Rect, RichText, ScrollArea, Ui};

/// Lays out the whole window. Returns the area of the 3D view, points; the view itself is drawn by the caller.
pub fn root_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> Rect {
    lessons::follow(ui, state, model);
    actions.extend(crate::command::take_pressed(ui.ctx()).into_iter().map(Action::Command));
    menus::top_bar_ui(ui, state, model, actions);
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
            plots::plots_ui(ui, model.snapshot, state.comparing.side, &mut state.plots, &mut state.plotted);
        });
    }
    scene_view::playback_ui(ui, &mut state.playback, model.snapshot, actions);
    state.view.follow(state.comparing.side.inspection(model.snapshot));
    state.view.pointed = None;
    state.view.pointed_in_map = false;
    let area = CentralPanel::no_frame().show(ui, |ui| scene_view::scene_view_ui(ui, state, model, actions)).inner;
    if state.view.map {
        let inspection = state.comparing.side.inspection(model.snapshot);
        inside::bucket_map_ui(ui, area, &mut state.view, inspection);
    }
    state.view.ask(actions);
    scene_view::notices_ui(ui, area, state, model.snapshot, actions);
    tuning::tuning_ui(ui, state, model.snapshot, actions);
    pictures::badge_ui(ui, area, state.pictures.recording.as_ref());
    pictures::pictures_ui(ui, state, model.snapshot, actions);
    lessons::lesson_ui(ui, area, state, model, actions);
    menus::help_ui(ui, state, model.snapshot);
    area
}

fn side_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        Frame::new().inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            section_ui(ui, "Grid", |ui| grid::grid_panel_ui(ui, state, model.snapshot, actions));
            ui.separator();
            section_ui(ui, "Inside the grid", |ui| inside::grid_view_ui(ui, &mut state.view, model));
            ui.separator();
            section_ui(ui, "Arrows and clip plane", |ui| scene_view::aids_ui(ui, &mut state.aids, model));
            ui.separator();
            section_ui(ui, "Fluid", |ui| fluid::fluid_panel_ui(ui, state, model.snapshot, actions));
        });
    });
}

fn section_ui(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).heading().strong())
        .default_open(true)
        .open(highlight::opens(ui, title))
        .show_unindented(ui, |ui| {
            ui.add_space(0.5 * theme::SPACE);
            contents(ui);
            ui.add_space(0.5 * theme::SPACE);
        });
}
