//! 3D view: camera control, picking, and the texts over the picture.

use super::badges::badges_ui;
use super::{arrow_scale, looks, notices, refusal, status, tools};
use crate::command::Command;
use crate::render::{DrawnLook, Slab};
use crate::ui::widgets::legend;
use crate::ui::{Action, Framing, Model, State, Tools, Views, compare, inside, menus, theme};
use crate::{grid_boxes, picking};
use egui::{Align2, Event, FontId, MouseWheelUnit, PointerButton, Rect, Response, Sense, Ui, UiBuilder, pos2, vec2};
use glam::Vec2;
use sph_core::neighbors::OccupiedCell;

/// Scroll distance of a touchpad that equals one notch of a wheel, points.
const POINTS_PER_NOTCH: f32 = 50.0;

/// The 3D view on the screen, points.
#[derive(Clone, Copy, Debug)]
pub struct SceneArea {
    /// The whole view.
    pub view: Rect,
    /// Place of messages, clear of the controls over the view.
    pub cards: Rect,
}

/// Lays out the 3D view in the remaining area of the window. Returns where it is.
pub fn scene_view_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> SceneArea {
    // The remaining size is negative in a window narrower than its panels.
    let size = ui.available_size().max(egui::Vec2::ZERO);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let whole = SceneArea { view: rect, cards: rect.shrink(theme::SPACE) };
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return whole;
    }
    if model.snapshot.scene.is_none() {
        ui.painter().rect_filled(rect, 0.0, theme::of(ui).background);
        empty_ui(ui, rect, model, actions);
        return whole;
    }
    let views = Views { area: rect, divided: state.is_comparing() };
    let before = state.camera;
    // Both pictures share one camera.
    let view =
        response.interact_pointer_pos().or(response.hover_pos()).map_or(views.a(), |position| views.of(views.at(position)));
    let is_tools = tools::use_tool(ui, &response, view, state, model, actions);
    move_camera(ui, &response, view, state, is_tools);
    if state.camera != before {
        state.framing = Framing::Free;
    }
    if response.double_clicked() && !is_tools {
        actions.push(Action::Command(Command::FrameAll));
    }
    if !is_tools {
        pick(&response, views, state, model);
    }
    let [legend_area, mut query_area] =
        if views.divided { compare::overlay_areas(views, state.comparing.side, state.view.cells) } else { [rect, rect] };
    let drawn = model
        .snapshot
        .scene
        .as_ref()
        .map(|scene| state.drawn_look(scene, state.comparing.side.inspection(model.snapshot), false));
    let drawn = drawn.unwrap_or(DrawnLook { look: state.look, reason: None });
    let has_legend = drawn.look.has_colors() && legend::fits(legend_area);
    if has_legend && let Some(refusal) = legend::legend_ui(ui, legend_area, (&mut state.color, &mut state.scale), model) {
        state.notices.push(refusal);
    }
    let line = if views.divided { compare::legend_line_area(views) } else { None };
    inside::cell_legend_ui(ui, legend_area, line, state, model);
    arrow_scale::arrow_scale_ui(ui, legend_area, drawn.look.has_colors(), views.a().height(), state, model.snapshot);
    // Below the summaries of compared grids, above the query.
    let palette_area = Rect::from_min_max(pos2(rect.left(), query_area.top()), rect.max);
    let palette = tools::palette_ui(ui, palette_area, &mut state.tools, actions);
    query_area.min.y = palette.bottom().min(query_area.bottom());
    let query = inside::query_ui(ui, query_area, state, model);
    compare::compare_ui(ui, views, model.snapshot);
    refusal::mark_ui(ui, views.a(), &state.camera, model.snapshot);
    badges_ui(ui, rect, state, model.snapshot);
    status::status_ui(ui, rect, model.snapshot);
    looks::looks_ui(ui, rect, (&mut state.look, drawn), (&mut state.color, &mut state.scale), model);
    let legend = has_legend.then(|| legend::place(legend_area));
    SceneArea { view: rect, cards: notices::cards_area(rect, palette, query, legend.filter(|_| !views.divided)) }
}

/// Moves the camera: left button rotates, unless it is a tool's; right or middle button, or Shift, pans; wheel and pinch zoom, or with Ctrl set
/// the radius of the tool.
fn move_camera(ui: &Ui, response: &Response, view: Rect, State { camera, tools, .. }: &mut State, is_tools: bool) {
    let delta = response.drag_delta();
    let delta = Vec2::new(delta.x, delta.y);
    let shift = ui.input(|input| input.modifiers.shift);
    if delta != Vec2::ZERO {
        if response.dragged_by(PointerButton::Primary) && (is_tools || !shift) {
            if !is_tools {
                camera.orbit(delta);
            }
        } else if response.dragged() {
            camera.pan(delta, view.height());
        }
    }
    if let Some(position) = response.hover_pos() {
        let notches = ui.input(|input| input.events.iter().map(notches).sum::<f32>());
        if notches != 0.0 && tools.tool.has_radius() && ui.input(|input| input.modifiers.command) {
            let [low, high] = Tools::RADII;
            tools.radius = (tools.radius * 1.1_f32.powf(notches)).clamp(low, high);
        } else if notches != 0.0 {
            let position = (position - view.center()) / (0.5 * view.size());
            camera.zoom_at(notches, Vec2::new(position.x, -position.y), view.aspect_ratio());
        }
    }
}

/// Picks with the pointer: a click selects the particle under it, or none, and the side of the picture; hovering over a cell
/// highlights its bucket.
fn pick(response: &Response, views: Views, state: &mut State, model: &Model<'_>) {
    let Some(position) = response.hover_pos() else { return };
    let Some(scene) = &model.snapshot.scene else { return };
    let side = views.at(position);
    if response.clicked() {
        state.comparing.side = side;
    }
    let rect = views.of(side);
    let position = (position - rect.center()) / (0.5 * rect.size());
    let ray = state.camera.ray(Vec2::new(position.x, -position.y), rect.aspect_ratio());
    // Hovered buckets belong to the side that the panels edit.
    let inspection = state.comparing.side.inspection(model.snapshot);
    let contents = inspection.and_then(|inspection| inspection.contents.as_ref());
    let discretization = &scene.setup.discretization;
    if response.clicked() {
        let particles = side.particles(model.snapshot);
        // A query shows the whole fluid, without the slice.
        let is_cut = inspection.is_none_or(|inspection| inspection.query_of(state.view.selected).is_none());
        let slice = contents.filter(|_| is_cut).and_then(|contents| state.view.slice(contents.cell_size));
        let slab = contents.zip(slice).map(|(contents, slice)| slice.slab(contents.cell_size));
        let slab = slab.or(state.aids.clip().map(Slab::from));
        let shown = |index: usize| slab.is_none_or(|slab| slab.contains(particles.positions[index]));
        let hit = picking::particle_at(&particles.positions, 0.5 * discretization.particle_spacing, ray, shown);
        state.view.selected = hit.map(|index| particles.ids[index]);
    }
    let drawn = state.view.cells && state.view.selected.is_none() && side == state.comparing.side;
    let Some(contents) = contents.filter(|_| drawn && response.contains_pointer()) else {
        return;
    };
    let slice = state.view.slice(contents.cell_size);
    let shown: Vec<_> = contents.cells.iter().filter(|cell| slice.is_none_or(|slice| slice.contains(cell.cell))).collect();
    let bounds = |cell: &&OccupiedCell| grid_boxes::cell_bounds(cell.cell, contents.cell_size, discretization.dimensions);
    if let Some(index) = picking::box_at(shown.iter().map(bounds), ray) {
        let cell = shown[index];
        state.view.pointed = Some(cell.bucket);
        response.clone().on_hover_text_at_pointer(inside::describe_cell(cell));
    }
}

/// Wheel notches of an event. Read from the events, because egui smooths scrolling over several frames, which takes long at the
/// low frame rate of a software driver.
fn notches(event: &Event) -> f32 {
    match event {
        Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => delta.y / POINTS_PER_NOTCH,
        Event::MouseWheel { unit: MouseWheelUnit::Line, delta, .. } => delta.y,
        Event::MouseWheel { unit: MouseWheelUnit::Page, delta, .. } => 10.0 * delta.y,
        Event::Zoom(factor) => 8.0 * factor.ln(),
        _ => 0.0,
    }
}

/// Lays out the view without a scene: a message, or buttons to open a scene.
fn empty_ui(ui: &mut Ui, rect: Rect, model: &Model<'_>, actions: &mut Vec<Action>) {
    if model.snapshot.loading || model.snapshot.threads == 0 {
        ui.painter().text(
            rect.center(),
            Align2::CENTER_CENTER,
            "Loading the scene…",
            FontId::proportional(15.0),
            theme::of(ui).text_quiet,
        );
        return;
    }
    let column = Rect::from_center_size(rect.center(), vec2(rect.width().min(280.0), rect.height().min(320.0)));
    ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
        ui.vertical_centered_justified(|ui| {
            ui.heading("No scene is open");
            ui.add_space(theme::SPACE);
            if ui.button(Command::Open.label()).on_hover_text(Command::Open.tooltip()).clicked() {
                actions.push(Action::Command(Command::Open));
            }
            menus::scene_list_ui(ui, model, actions);
        });
    });
}
