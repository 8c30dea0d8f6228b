//! Layout of the window: the bar at the top, the panels around the 3D view, and what lies over them.

use super::behavior::Panels;
use super::registry::{self, PANELS};
use crate::session::Notice;
use crate::ui::scene_view::SceneArea;
use crate::ui::widgets::found;
use crate::ui::{Action, Model, State, lessons, menus, scene_view, theme};
use egui::{CentralPanel, Rect, Ui};
use egui_tiles::Tree;

/// Lays out the whole window. Returns the area of the 3D view, points; the view itself is drawn by the caller.
pub fn root_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> Rect {
    ui.input(|input| state.edits.follow_pointer(input));
    lessons::follow(ui, state, model);
    if state.leaving.is_none() && !state.palette.open {
        actions.extend(crate::command::take_pressed(ui.ctx()).into_iter().map(Action::Command));
    }
    if let Some(parameter) = state.sought.take().map(sph_core::Parameters::entry) {
        state.dock.show(registry::panel_of_parameter(parameter.key));
        found::set(ui.ctx(), parameter.key);
    }
    menus::top_bar_ui(ui, state, model, actions);
    state.view.follow(state.comparing.side.inspection(model.snapshot));
    state.view.pointed = None;
    state.view.pointed_in_map = false;
    let area = CentralPanel::no_frame().show(ui, |ui| docked_ui(ui, state, model, actions)).inner;
    let shown = model.snapshot.scene.as_ref().map(|scene| state.drawn_look(scene, model.snapshot.inspection.as_deref(), false));
    state.view.ask(state.color, shown.map(|drawn| drawn.look), actions);
    scene_view::cards_ui(ui, area.cards, state, model.snapshot, actions);
    lessons::outline_ui(ui);
    menus::palette_ui(ui, state, model, actions);
    menus::question_ui(ui, state, model.snapshot, actions);
    if let Some(key) = found::paint(ui) {
        let label = sph_core::Parameters::entry(key).label;
        let advice = "It has no effect with the present choices of solver, structure and models, so no panel shows it.";
        state.notices.push(Notice::warning(format!("{label} is not in use"), advice));
    }
    state.theme.apply(ui.ctx());
    state.background = theme::background(ui);
    area.view
}

/// Lays out the panels and the 3D view. Returns where the view is; empty while another panel lies over it.
fn docked_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> SceneArea {
    let tabs = PANELS.each_ref().map(|panel| panel.tab);
    let shown: Vec<_> = PANELS.iter().filter(|panel| *(panel.shown)(state)).map(|panel| panel.tab.key).collect();
    let size = ui.available_size();
    let mut tree = state.dock.begin(&tabs, &shown, size);
    let nowhere = Rect::from_min_size(ui.max_rect().min, egui::Vec2::ZERO);
    let area = SceneArea { view: nowhere, cards: nowhere };
    let mut panels = Panels { state, model, actions, area };
    Tree::ui(&mut tree, &mut panels, ui);
    let area = panels.area;
    let at_rest = !ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    state.dock.end(tree, at_rest);
    area
}
