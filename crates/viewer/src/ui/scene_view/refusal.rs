//! A refused step: its particle in the 3D view, and the ways out.

use crate::camera::Camera;
use crate::command::Command;
use crate::session::remedies::Refusal;
use crate::session::{Goal, Snapshot};
use crate::ui::{Action, Framing, State, theme};
use egui::{FontId, Rect, Stroke, Ui, pos2, vec2};
use glam::{Vec2, Vec3};
use sph_core::Parameters;

/// Simulated time that the button goes back, s.
const BACK: f64 = 1.0;

/// Distance of the camera to a particle that is shown, particle spacings.
const NEAR: f32 = 24.0;

/// Radius of the mark, points.
const MARK: f32 = 11.0;

/// A way out that has been chosen.
#[derive(Clone, Debug)]
pub(super) enum WayOut {
    Do(Action),
    Edit(Box<Parameters>),
    Show(u32, Vec3),
}

/// Lays out the ways out of a failure as buttons; returns the one that was pressed.
pub(super) fn ways_out_ui(ui: &mut Ui, snapshot: &Snapshot) -> Option<WayOut> {
    let mut chosen = None;
    ui.add_space(0.5 * theme::SPACE);
    ui.horizontal_wrapped(|ui| {
        if let Some(refusal) = &snapshot.refusal {
            chosen = refusal_ui(ui, refusal, snapshot);
        }
        if ui.button(Command::Reset.label()).on_hover_text(Command::Reset.tooltip()).clicked() {
            chosen = Some(WayOut::Do(Action::Command(Command::Reset)));
        }
    });
    chosen
}

fn refusal_ui(ui: &mut Ui, refusal: &Refusal, snapshot: &Snapshot) -> Option<WayOut> {
    let mut chosen = None;
    if let Some((id, position)) = refusal.particle
        && ui.button("Show particle").on_hover_text("Move the camera to it, and follow its query.").clicked()
    {
        chosen = Some(WayOut::Show(id, position));
    }
    if !snapshot.timeline.kept.is_empty() {
        let hint = "Go back by a second of simulated time, or to the start, with the parameters of then.";
        if ui.button("Rewind 1 s").on_hover_text(hint).clicked() {
            chosen = Some(WayOut::Do(Action::Seek(Goal::Time((snapshot.time - BACK).max(0.0)))));
        }
    }
    let parameters = snapshot.parameters.as_ref()?;
    for remedy in &refusal.remedies {
        let Some(changed) = remedy.apply(parameters) else { continue };
        let hint = format!("For {}. Now {}. In scene files: {}", remedy.effect, remedy.now, remedy.key);
        if ui.button(remedy.words()).on_hover_text(hint).clicked() {
            chosen = Some(WayOut::Edit(Box::new(changed)));
        }
    }
    chosen
}

/// Does what was chosen.
pub(super) fn take(way: WayOut, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    match way {
        WayOut::Do(action) => actions.push(action),
        WayOut::Edit(parameters) => state.edit(*parameters, actions),
        WayOut::Show(id, position) => {
            let spacing = snapshot.scene.as_ref().map_or(0.05, |scene| scene.setup.discretization.particle_spacing);
            state.camera.target = position;
            state.camera.distance = NEAR * spacing;
            state.framing = Framing::Free;
            state.view.selected = Some(id);
        }
    }
}

/// Marks the particle because of which a step was refused in the 3D view at `area`.
pub(super) fn mark_ui(ui: &Ui, area: Rect, camera: &Camera, snapshot: &Snapshot) {
    let Some((id, position)) = snapshot.refusal.as_ref().and_then(|refusal| refusal.particle) else { return };
    let Some(place) = camera.project(position, area.aspect_ratio()) else { return };
    let place = area.center() + 0.5 * area.size() * to_screen(place);
    let painter = ui.painter().with_clip_rect(area);
    let colors = theme::of(ui);
    // A ring of the background on both sides, and a plate: water and foam have any colour.
    painter.circle_stroke(place, MARK, Stroke::new(6.0, colors.background));
    painter.circle_stroke(place, MARK, Stroke::new(2.0, colors.error));
    let galley = painter.layout_no_wrap(format!("particle {id}"), FontId::proportional(12.0), colors.error);
    let size = galley.size() + vec2(theme::SPACE, 0.5 * theme::SPACE);
    // On the other side where it would be cut.
    let right = place.x + 1.5 * MARK;
    let left = if right + size.x > area.right() { place.x - 1.5 * MARK - size.x } else { right };
    let plate = Rect::from_min_size(pos2(left, place.y - 0.5 * size.y), size);
    painter.rect_filled(plate, 4.0, colors.background);
    painter.galley(plate.center() - 0.5 * galley.size(), galley, colors.error);
}

/// Normalised device coordinates, whose y points up, as a part of half the area.
fn to_screen(place: Vec2) -> egui::Vec2 {
    egui::vec2(place.x, -place.y)
}
