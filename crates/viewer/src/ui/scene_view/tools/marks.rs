//! Lines that show where a tool acts.

use crate::camera::Camera;
use crate::ui::theme;
use egui::{Color32, FontId, Painter, Pos2, Rect, Stroke, Vec2};
use glam::Vec3;
use sph_core::{DroppedBody, DroppedShape};

/// Position in the window of `point` (m), seen in `view`.
pub(super) fn on_screen(camera: &Camera, view: Rect, point: Vec3) -> Option<Pos2> {
    let ndc = camera.project(point, view.aspect_ratio())?;
    Some(view.center() + 0.5 * view.size() * Vec2::new(ndc.x, -ndc.y))
}

/// Ring around the sphere of `radius` (m) about `center`, brighter while the tool acts.
pub(super) fn ring(painter: &Painter, camera: &Camera, view: Rect, (center, radius): (Vec3, f32), acts: bool) {
    let right = camera.axes().0;
    let (Some(middle), Some(edge)) = (on_screen(camera, view, center), on_screen(camera, view, center + radius * right)) else {
        return;
    };
    let color = if acts { theme::of(painter).accent } else { theme::of(painter).text };
    outlined(painter, color, |stroke| painter.circle_stroke(middle, middle.distance(edge), stroke));
    painter.circle_filled(middle, 2.5, color);
}

/// Outline of a body that would be dropped, in the plane of a `flat` scene; in the colour of errors unless it `fits`.
pub(super) fn body(painter: &Painter, camera: &Camera, view: Rect, dropped: &DroppedBody, flat: bool, fits: bool) {
    let color = if fits { theme::of(painter).accent } else { theme::of(painter).error };
    let half = 0.5 * dropped.size;
    if dropped.shape == DroppedShape::Ball {
        let edge = on_screen(camera, view, dropped.center + half * camera.axes().0);
        if let (Some(middle), Some(edge)) = (on_screen(camera, view, dropped.center), edge) {
            outlined(painter, color, |stroke| painter.circle_stroke(middle, middle.distance(edge), stroke));
        }
        return;
    }
    let corner = |corner: usize| {
        let sign = |axis: usize| if corner >> axis & 1 == 1 { half } else { -half };
        on_screen(camera, view, dropped.center + Vec3::new(sign(0), sign(1), if flat { 0.0 } else { sign(2) }))
    };
    let axes = if flat { 2 } else { 3 };
    let edges = (0..1 << axes).flat_map(|from| (0..axes).map(move |axis| (from, from | 1 << axis)));
    for (from, to) in edges.filter(|(from, to)| from != to) {
        if let (Some(from), Some(to)) = (corner(from), corner(to)) {
            outlined(painter, color, |stroke| painter.line_segment([from, to], stroke));
        }
    }
}

/// Arrow from the middle of `view` along `gravity` (m/s²), as the camera sees it.
pub(super) fn gravity_arrow(painter: &Painter, camera: &Camera, view: Rect, gravity: Vec3) {
    let (right, up, _) = camera.axes();
    let direction = Vec2::new(gravity.dot(right), -gravity.dot(up)) / gravity.length().max(f32::MIN_POSITIVE);
    let middle = view.center();
    let length = 0.15 * view.size().min_elem();
    outlined(painter, theme::of(painter).accent, |stroke| painter.arrow(middle, length * direction, stroke));
}

/// Line from what the hand holds to where it comes.
pub(super) fn tether(painter: &Painter, from: Pos2, to: Pos2) {
    outlined(painter, theme::of(painter).accent, |stroke| painter.line_segment([from, to], stroke));
    painter.circle_filled(from, 4.0, theme::of(painter).accent);
}

/// Note beside a pointer at `position` that says why nothing moves.
pub(super) fn note(painter: &Painter, position: Pos2, text: &str) {
    let colors = theme::of(painter);
    let laid_out = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), colors.text);
    let place = Rect::from_min_size(position + Vec2::new(16.0, 12.0), laid_out.size());
    // Beside the right edge it comes left of the pointer.
    let left = if place.right() > painter.clip_rect().right() { -32.0 - place.width() } else { 0.0 };
    let place = place.translate(Vec2::new(left, 0.0));
    painter.rect_filled(place.expand2(Vec2::new(6.0, 3.0)), 4.0, colors.background.gamma_multiply(0.9));
    painter.galley(place.min, laid_out, colors.text);
}

/// Draws a line in `color` on one in the colour of the background, so that it shows on any fluid.
pub(super) fn outlined<T>(painter: &Painter, color: Color32, draw: impl Fn(Stroke) -> T) {
    draw(Stroke::new(4.0, theme::of(painter).background.gamma_multiply(0.6)));
    draw(Stroke::new(1.75, color));
}
