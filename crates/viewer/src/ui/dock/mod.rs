//! Layout of the window: the panels that are docked around the 3D view, what lies over them, and the layout as a file keeps it.

mod arrangement;
mod behavior;

pub use arrangement::{Dock, ShownPanels};

use super::fluid;
use super::scene_view::{self, SceneArea};
use super::theme::{self, ThemeChoice};
use super::widgets::outline;
use super::{
    Action, Model, Obstacles, State, compare, gallery, grid, inspector, lessons, menus, palette, path_prompt, pictures, plots,
    point_search, result, scene, tuning, unsaved,
};
use crate::session::Notice;
use arrangement::{DockSlot, Panes, Tab};
use behavior::Panels;
use egui::{Area, CentralPanel, Id, Order, Popup, Rect, Sense, Ui};
use egui_tiles::Tree;
use serde::{Deserialize, Serialize};
use sph_core::parameters::{Group, Parameters};

/// Lays out the whole window. Returns the area of the 3D view, points; the view itself is drawn by the caller.
pub fn root_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> Rect {
    ui.input(|input| state.edited.edits.follow_pointer(input));
    lessons::follow(ui, state, model);
    let is_covered = state.leaving.is_some() || state.palette.open || state.gallery.open || state.path_prompt.is_some();
    if !is_covered {
        let obstacles = Obstacles::of(state, model.snapshot);
        for command in crate::command::take_pressed(ui.ctx()) {
            match obstacles.notice(command) {
                Some(notice) => state.notices.push(notice),
                None => actions.push(Action::Command(command)),
            }
        }
    }
    if let Some(parameter) = state.dock.row_to_show.take().map(sph_core::Parameters::entry) {
        state.dock.show(panel_of_parameter(parameter.key));
        outline::seek_row(ui.ctx(), parameter.key);
    }
    // egui keeps a tooltip while the pointer is in the place of its widget, also where a window lies over that by now: what is covered
    // sees no pointer.
    let pointer = ui.input_mut(|input| is_covered.then(|| std::mem::take(&mut input.pointer)));
    if is_covered {
        // A list that was open would take letters that are typed into the window above it.
        Popup::close_all(ui.ctx());
    }
    menus::top_bar_ui(ui, state, model, actions);
    state.view.follow(state.comparing.side.inspection(model.snapshot));
    state.view.pointed = None;
    state.view.pointed_in_map = false;
    let (is_held, now) = ui.input(|input| (input.pointer.any_down(), input.time));
    if let Some(wait) = state.view.dragged.follow(is_held, now) {
        ui.ctx().request_repaint_after_secs(wait as f32);
    }
    shield_ui(ui);
    let area = CentralPanel::no_frame().show(ui, |ui| docked_ui(ui, state, model, actions)).inner;
    let shown = model.snapshot.scene.as_ref().map(|scene| state.drawn_look(scene, model.snapshot.inspection.as_deref(), false));
    let wants_numbers = state.is_grid_ahead(model.snapshot);
    let search = (state.point_search.chosen, wants_numbers);
    state.view.ask(search, state.display.color, shown.map(|drawn| drawn.look), actions);
    state.result.ask(actions);
    state.plots.chosen.ask(state.generation, actions);
    scene_view::cards_ui(ui, area, state, model.snapshot, actions);
    lessons::outline_ui(ui);
    if let Some(pointer) = pointer {
        ui.input_mut(|input| input.pointer = pointer);
    }
    gallery::gallery_ui(ui, state, model, actions);
    palette::palette_ui(ui, state, model, actions);
    unsaved::question_ui(ui, state, model.snapshot, actions);
    path_prompt::path_prompt_ui(ui, state, actions);
    if let Some(key) = outline::paint_row(ui) {
        let label = sph_core::Parameters::entry(key).label;
        let advice = "It has no effect with the current solver, structure and models, so no panel shows it.";
        state.notices.push(Notice::warning(format!("{label} is not in use"), advice));
    }
    state.theme.apply(ui.ctx());
    state.display.background = theme::background(ui);
    area.view
}

/// While a menu or a list is open, covers what is below the top bar: a click beside the list closes it, and does nothing else.
fn shield_ui(ui: &Ui) {
    if !Popup::is_any_open(ui.ctx()) {
        return;
    }
    let place = ui.available_rect_before_wrap();
    let shield = Area::new(Id::unique("shield")).order(Order::Middle).fixed_pos(place.min).constrain(false);
    let shown = shield.show(ui.ctx(), |ui| ui.allocate_response(place.size(), Sense::CLICK | Sense::DRAG));
    // Above the tools, which are in the same order.
    ui.ctx().move_to_top(shown.response.layer_id);
}

/// Panel that messages lie over, if it is shown: of all, the one that is looked at least while something is done.
const MESSAGES_OVER: &str = "performance";

/// Lays out the panels and the 3D view. Returns where the view is; empty while another panel lies over it.
fn docked_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> SceneArea {
    let selects = state.view.selected.is_some();
    if selects && !state.shown.query {
        let front = state.dock.front_beside("query");
        state.dock.before_query = PANELS.iter().map(|panel| panel.tab.key).find(|&key| Some(key) == front);
    } else if !selects && let Some(before) = state.dock.before_query.take() {
        state.dock.show(before);
    }
    state.shown.query = selects;
    let tabs = PANELS.each_ref().map(|panel| panel.tab);
    let shown: Vec<_> = PANELS.iter().filter(|panel| *(panel.shown)(state)).map(|panel| panel.tab.key).collect();
    let size = ui.available_size();
    let least = if state.is_comparing() { compare::LEAST_VIEWS } else { theme::LEAST_SCENE };
    if model.snapshot.scene.is_some() {
        // Without fluid the Grid panel has more rows, and the panels below it fewer that act on something; lesson and query need their room.
        let has_fluid = point_search::has_fluid(model.snapshot);
        state.dock.set_tall_grid(!has_fluid && !state.shown.lesson && !state.shown.query);
    }
    let mut tree = state.dock.begin(&tabs, &shown, size, least);
    let nowhere = Rect::from_min_size(ui.max_rect().min, egui::Vec2::ZERO);
    let area = SceneArea { view: nowhere, cards: nowhere, below: None };
    let mut panels = Panels { state, model, actions, area };
    Tree::ui(&mut tree, &mut panels, ui);
    let below = tree.tiles.find_pane(&MESSAGES_OVER.to_owned()).and_then(|pane| tree.tiles.rect(pane));
    let area = SceneArea { below, ..panels.area };
    let at_rest = !ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    state.dock.end(tree, at_rest);
    area
}

// Panels of the window, each in one line.

/// A panel that is docked around the 3D view.
struct Panel {
    /// Its tab.
    pub tab: Tab,
    /// Switch that shows it.
    pub shown: fn(&mut State) -> &mut bool,
    /// True if the contents scroll; others fit themselves into the room.
    pub scrolls: bool,
    /// Lays out the contents.
    pub ui: fn(&mut Ui, &mut State, &Model<'_>, &mut Vec<Action>),
}

const fn panel(
    key: &'static str,
    title: &'static str,
    place: DockSlot,
    shown: fn(&mut State) -> &mut bool,
    scrolls: bool,
    ui: fn(&mut Ui, &mut State, &Model<'_>, &mut Vec<Action>),
) -> Panel {
    Panel { tab: Tab { key, title, place }, shown, scrolls, ui }
}

/// Every panel. A new one needs a line here, and the switch that shows it.
#[rustfmt::skip]
static PANELS: [Panel; 15] = [
    panel("grid", "Grid", DockSlot::LeftTop, |state| &mut state.shown.side_panel, true, grid::grid_panel_ui),
    panel("inspector", "Inspector", DockSlot::LeftTop, |state| &mut state.shown.side_panel, true, inspector::grid_view_ui),
    panel("rendering", "Rendering", DockSlot::LeftTop, |state| &mut state.shown.side_panel, true,
        |ui, state, model, _| scene_view::aids_ui(ui, &mut state.display, model)),
    panel("scene", "Scene", DockSlot::LeftTop, |state| &mut state.shown.side_panel, true, scene::scene_panel_ui),
    panel("fluid", "Fluid", DockSlot::LeftBottom, |state| &mut state.shown.side_panel, true, fluid::fluid_panel_ui),
    panel("solver", "Solver", DockSlot::LeftBottom, |state| &mut state.shown.side_panel, true, fluid::solver_panel_ui),
    panel("time_step", "Time step", DockSlot::LeftBottom, |state| &mut state.shown.side_panel, true, fluid::time_step_panel_ui),
    panel("lesson", "Lesson", DockSlot::LeftBottom, |state| &mut state.shown.lesson, false, lessons::lesson_ui),
    panel("query", "Query", DockSlot::LeftBottom, |state| &mut state.shown.query, true, inspector::query_panel_ui),
    panel("performance", "Performance", DockSlot::Bottom, |state| &mut state.shown.plots, false, plots::plots_ui),
    panel("bucket_map", "Bucket map", DockSlot::Right, |state| &mut state.view.map, false, inspector::bucket_map_ui),
    panel("tuning", "Auto-tune", DockSlot::Right, |state| &mut state.tuning.open, true, tuning::tuning_ui),
    panel("result", "Result", DockSlot::Right, |state| &mut state.result.open, true, result::result_ui),
    panel("pictures", "Pictures and video", DockSlot::Right, |state| &mut state.pictures.open, true, pictures::pictures_ui),
    panel("help", "Keys and mouse", DockSlot::Right, |state| &mut state.shown.help, true, menus::help_ui),
];

/// The panel with this key; `None` for the 3D view.
fn find(key: &str) -> Option<&'static Panel> {
    PANELS.iter().find(|panel| panel.tab.key == key)
}

/// Key of the panel that has the row of the parameter with `key`.
fn panel_of_parameter(key: &str) -> &'static str {
    match Parameters::entry(key).group {
        Some(Group::Grid) => "grid",
        Some(Group::Solver) => "solver",
        Some(Group::TimeStep) => "time_step",
        _ => "fluid",
    }
}

// The layout as a file keeps it from one start to the next.

/// Version of the format.
const VERSION: u32 = 1;

/// Layout in the file.
#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    side_panel: bool,
    plots: bool,
    #[serde(default)]
    theme: ThemeChoice,
    tiles: Panes,
}

/// Text of the file for the present layout, the same for the same layout; `None` before the first frame.
pub fn layout_text(state: &State) -> Option<String> {
    let mut tiles = state.dock.tree()?.clone();
    // What is visible follows from the switches and the window.
    let ids: Vec<_> = tiles.tiles.tile_ids().collect();
    ids.into_iter().for_each(|id| tiles.tiles.set_visible(id, true));
    let saved =
        Saved { version: VERSION, side_panel: state.shown.side_panel, plots: state.shown.plots, theme: state.theme, tiles };
    // The tiles are in a hash map; the keys of a JSON value are sorted.
    serde_json::to_value(&saved).ok().map(|value| value.to_string())
}

/// Restores the layout from the text of the file. Returns false, without a change, if the text is no layout.
pub fn restore_layout(state: &mut State, text: &str) -> bool {
    let Ok(saved) = serde_json::from_str::<Saved>(text) else { return false };
    let is_restored = saved.version == VERSION && state.dock.restore(saved.tiles);
    if is_restored {
        state.shown.side_panel = saved.side_panel;
        state.shown.plots = saved.plots;
        state.theme = saved.theme;
    }
    is_restored
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// `UPDATE_PANELS=1 cargo test -p viewer --test integration every_panel_is_drawn` draws those of its list.
    #[test]
    fn the_gallery_shows_every_panel_and_no_other() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let gallery = std::fs::read_to_string(docs.join("gallery.md")).expect("the gallery");
        for Panel { tab, .. } in &PANELS {
            let picture = format!("pictures/panels/{}.png", tab.key);
            assert!(gallery.contains(&format!("![{}]({picture})", tab.title)), "{} has no picture in the gallery", tab.key);
            assert!(docs.join(&picture).is_file(), "there is no {picture}");
        }
        let shown = gallery.matches("](pictures/panels/").count();
        let drawn = std::fs::read_dir(docs.join("pictures/panels")).expect("the folder").count();
        assert_eq!((shown, drawn), (PANELS.len(), PANELS.len()));
    }
}
