//! Scale of the velocity arrows: a reference arrow with its speed, below the legends.

use crate::camera::Camera;
use crate::color::{self, ColorField};
use crate::render::ReferenceArrow;
use crate::session::Snapshot;
use crate::ui::inside::CELL_LEGEND_HEIGHT;
use crate::ui::widgets::legend;
use crate::ui::{State, theme};
use egui::{FontId, Rect, Stroke, Ui, pos2, vec2};

/// Size of the plate, and the most length of the arrow, points.
const SIZE: egui::Vec2 = vec2(128.0, 42.0);
const MOST: f32 = 104.0;

/// The reference arrow, at most `most` long in a picture `height` high; `None` without arrows.
pub fn reference(state: &State, snapshot: &Snapshot, camera: &Camera, most: f32, height: f32) -> Option<ReferenceArrow> {
    let scene = snapshot.scene.as_ref().filter(|_| state.aids.arrows)?;
    let [_, speed] = color::auto_range(ColorField::Speed, scene);
    let radius = 0.5 * scene.setup.discretization.particle_spacing;
    ReferenceArrow::fitting(most, height, camera, speed, (snapshot.particles.len(), radius))
}

/// Lays out the scale over `area`, in the upper right corner below the legends, or where `has_legend` says there is none. `height` is that of
/// the 3D view, points.
pub fn arrow_scale_ui(ui: &Ui, area: Rect, has_legend: bool, height: f32, state: &State, snapshot: &Snapshot) {
    let Some(arrow) = reference(state, snapshot, &state.camera, MOST, height) else { return };
    let below = if has_legend && legend::fits(area) { legend::SIZE.y + theme::SPACE } else { 0.0 };
    let below = below + if state.view.cells { CELL_LEGEND_HEIGHT + theme::SPACE } else { 0.0 };
    let corner = area.right_top() + vec2(-theme::SPACE - SIZE.x, theme::SPACE + below);
    let plate = Rect::from_min_size(corner, SIZE);
    if !area.contains_rect(plate) {
        return;
    }
    let colors = theme::of(ui);
    let painter = ui.painter();
    painter.rect_filled(plate, 6.0, colors.background.gamma_multiply(0.85));
    let start = plate.left_top() + vec2(12.0, 13.0);
    painter.arrow(start, vec2(arrow.length, 0.0), Stroke::new(1.5, colors.text));
    let text = pos2(start.x, plate.bottom() - 11.0);
    painter.text(text, egui::Align2::LEFT_CENTER, arrow.label(), FontId::monospace(11.0), colors.text);
}
