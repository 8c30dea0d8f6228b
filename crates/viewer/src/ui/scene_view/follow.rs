//! Particles that the user follows in the plots: chosen by clicks or a box with Ctrl held, marked in the 3D view.

use crate::session::{MAX_FOLLOWED, Notice, Snapshot};
use crate::ui::{Plotted, Side, State, Views, theme};
use egui::{FontId, PointerButton, Pos2, Rect, Response, Stroke, StrokeKind, Ui, vec2};
use glam::Vec3;
use sph_render::Slab;
use sph_render::camera::Camera;

/// Radius of a mark, points.
const MARK: f32 = 7.0;

/// Draws the box while it is dragged; at its end the particles in it are followed, of which those that are cut away are none. Returns true
/// while the drag is that of a box.
pub fn drag_box(ui: &Ui, response: &Response, views: Views, state: &mut State, snapshot: &Snapshot) -> bool {
    if response.drag_started_by(PointerButton::Primary) && ui.input(|input| input.modifiers.command) {
        state.plots.box_from = ui.input(|input| input.pointer.press_origin());
    }
    let Some(from) = state.plots.box_from else { return false };
    let Some(to) = response.interact_pointer_pos().or(ui.input(|input| input.pointer.latest_pos())) else { return true };
    let side = views.at(from);
    let area = views.of(side);
    let dragged = Rect::from_two_pos(from, to).intersect(area);
    let color = theme::of(ui).accent;
    let painter = ui.painter().with_clip_rect(area);
    painter.rect(dragged, 0.0, color.gamma_multiply(0.15), Stroke::new(1.0, color), StrokeKind::Inside);
    if response.drag_stopped() || !ui.input(|input| input.pointer.any_down()) {
        state.plots.box_from = None;
        let inside = particles_in(dragged, area, side, state, snapshot);
        let count = inside.len();
        state.plots.chosen.follow_particles(inside);
        if count > MAX_FOLLOWED {
            let title = format!("{MAX_FOLLOWED} of the {count} particles in the box are followed");
            state.notices.push(Notice::info(title));
        }
        show(state);
    }
    true
}

/// Follows the particle `id`, or no longer.
pub fn toggle(id: u32, state: &mut State) {
    if !state.plots.chosen.toggle_particle(id) {
        let advice = "Click a followed one with Ctrl to let go of it.";
        state.notices.push(Notice::warning(format!("At most {MAX_FOLLOWED} particles are followed"), advice));
    }
    show(state);
}

/// Shows the plot of the chosen curves.
fn show(state: &mut State) {
    state.plots.plotted = Plotted::Chosen;
    state.shown.plots = true;
    state.dock.show("performance");
}

/// Ids of the particles that are seen in `dragged`, a part of the picture in `area`, at any depth.
fn particles_in(dragged: Rect, area: Rect, side: Side, state: &State, snapshot: &Snapshot) -> Vec<u32> {
    let particles = side.particles(snapshot);
    let slab = shown_slab(state, snapshot);
    let camera = &state.display.camera;
    let is_inside = |position: Vec3| place(camera, area, position).is_some_and(|place| dragged.contains(place));
    let all = particles.ids.iter().zip(&particles.positions);
    let shown = all.filter(|(_, position)| slab.as_ref().is_none_or(|slab| slab.contains(**position)));
    shown.filter(|(_, position)| is_inside(**position)).map(|(id, _)| *id).collect()
}

/// The part of the fluid that is drawn; `None` for all of it.
pub fn shown_slab(state: &State, snapshot: &Snapshot) -> Option<Slab> {
    let inspection = state.comparing.side.inspection(snapshot);
    let contents = inspection.and_then(|inspection| inspection.contents.as_ref());
    // A query shows the whole fluid, without the slice.
    let is_cut = inspection.is_none_or(|inspection| inspection.query_of(state.view.selected).is_none());
    let slice = contents.filter(|_| is_cut).and_then(|contents| state.view.slice(contents.cell_size));
    let slab = contents.zip(slice).map(|(contents, slice)| slice.slab(contents.cell_size));
    slab.or(state.display.aids.clip().map(Slab::from))
}

fn place(camera: &Camera, area: Rect, position: Vec3) -> Option<Pos2> {
    let place = camera.project(position, area.aspect_ratio())?;
    Some(area.center() + 0.5 * area.size() * vec2(place.x, -place.y))
}

/// Marks the particles that are followed in the picture in `area`, in the colour of their curves, with their ids.
pub fn marks_ui(ui: &Ui, area: Rect, state: &State, snapshot: &Snapshot) {
    let chosen = &state.plots.chosen;
    if chosen.particles.is_empty() {
        return;
    }
    let shown = chosen.shown(snapshot);
    let painter = ui.painter().with_clip_rect(area);
    let colors = theme::of(ui);
    for id in &chosen.particles {
        let Some(index) = snapshot.particles.ids.iter().position(|other| other == id) else { continue };
        let Some(place) = place(&state.display.camera, area, snapshot.particles.positions[index]) else { continue };
        let ending = format!(" of {id}");
        let is_of_it = |name: &str| name.ends_with(&ending);
        let curve = shown.iter().find(|shown| is_of_it(shown.name()));
        let color = curve.map_or(colors.accent, |shown| colors.curve(shown.color));
        painter.circle_stroke(place, MARK, Stroke::new(4.0, colors.background));
        painter.circle_stroke(place, MARK, Stroke::new(2.0, color));
        let galley = painter.layout_no_wrap(id.to_string(), FontId::proportional(11.0), color);
        let plate = Rect::from_min_size(place + vec2(MARK + 3.0, -0.5 * galley.size().y), galley.size());
        painter.rect_filled(plate.expand2(vec2(2.0, 0.0)), 3.0, colors.background.gamma_multiply(0.85));
        painter.galley(plate.min, galley, color);
    }
}
