//! The timeline: kept moments, the present one, and the latest.

use super::view::PlaybackView;
use crate::session::{Goal, Snapshot, Timeline};
use crate::ui::{Action, theme};
use egui::{CursorIcon, Rect, RectAlign, Response, Sense, Stroke, Tooltip, Ui, pos2, vec2};

/// Height of the row, of the rail, and radius of the handle, points.
const HEIGHT: f32 = 20.0;
const RAIL: f32 = 6.0;
const HANDLE: f32 = 7.0;

/// Lays out the timeline. A click or a drag goes to the nearest kept moment.
pub(super) fn timeline_ui(ui: &mut Ui, view: &mut PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let timeline = &snapshot.timeline;
    let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::slider(ui.is_enabled(), snapshot.time, "Timeline"));
    let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    let axis = Axis::new(row, timeline, snapshot.time);
    scrub(&response, axis, view, snapshot, actions);
    if ui.is_rect_visible(row) {
        paint(ui, axis, timeline, snapshot.time, &response);
    }
    let pointer = response.hover_pos();
    if let Some((pointer, kept)) = pointer.and_then(|pointer| Some((pointer, timeline.nearest(axis.time(pointer.x))?))) {
        // Above the rail: below it are the time and the fields that scrubbing changes.
        let mut tooltip = Tooltip::for_enabled(&response);
        tooltip.popup = tooltip.popup.anchor(pos2(pointer.x, row.top())).align(RectAlign::TOP).gap(4.0);
        tooltip.show(|ui| ui.label(format!("{:.4} s, step {}", kept.time, kept.steps)));
    }
}

/// Time axis.
#[derive(Clone, Copy)]
struct Axis {
    rail: Rect,
    /// Simulated times of its ends, s.
    from: f64,
    to: f64,
}

impl Axis {
    fn new(row: Rect, timeline: &Timeline, present: f64) -> Self {
        let rail = Rect::from_center_size(row.center(), vec2((row.width() - 2.0 * HANDLE).max(1.0), RAIL));
        let from = timeline.kept.first().map_or(present, |first| first.time.min(present));
        Self { rail, from, to: timeline.end.time.max(present).max(from + 1e-9) }
    }

    fn x(self, time: f64) -> f32 {
        self.rail.left() + ((time - self.from) / (self.to - self.from)) as f32 * self.rail.width()
    }

    fn time(self, x: f32) -> f64 {
        let part = f64::from((x - self.rail.left()) / self.rail.width()).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }
}

/// Asks for the kept moment under the pointer, once.
fn scrub(response: &Response, axis: Axis, view: &mut PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let is_held = response.is_pointer_button_down_on() || response.dragged();
    if !is_held && !response.clicked() {
        view.asked = None;
        return;
    }
    let Some(pointer) = response.interact_pointer_pos() else { return };
    // The right end is the latest moment, kept or not.
    let time = axis.time(pointer.x);
    let steps = if time >= axis.to { Some(snapshot.timeline.end.steps) } else { None };
    let steps = steps.or_else(|| snapshot.timeline.nearest(time).map(|kept| kept.steps));
    if let Some(steps) = steps.filter(|&steps| view.asked != Some(steps)) {
        view.asked = Some(steps);
        actions.push(Action::Seek(Goal::Steps(steps)));
    }
}

fn paint(ui: &Ui, axis: Axis, timeline: &Timeline, present: f64, response: &Response) {
    let painter = ui.painter();
    let part =
        |from: f64, to: f64| Rect::from_min_max(pos2(axis.x(from), axis.rail.top()), pos2(axis.x(to), axis.rail.bottom()));
    painter.rect_filled(axis.rail, 3.0, theme::of(ui).control);
    // The start is apart once others have given way.
    let oldest = timeline.kept.get(1).or(timeline.kept.first()).map_or(present, |kept| kept.time);
    painter.rect_filled(part(oldest.min(timeline.end.time), timeline.end.time), 3.0, theme::of(ui).accent_dim);
    if oldest < present {
        painter.rect_filled(part(oldest, present), 3.0, theme::of(ui).accent.gamma_multiply(0.7));
    }
    if let Some(start) = timeline.kept.first() {
        painter.circle_filled(pos2(axis.x(start.time), axis.rail.center().y), 0.6 * RAIL, theme::of(ui).accent_dim);
    }
    let center = pos2(axis.x(present), axis.rail.center().y);
    let (fill, stroke) = if ui.is_enabled() {
        (theme::of(ui).accent, ui.style().interact(response).fg_stroke.color)
    } else {
        (theme::of(ui).control, theme::of(ui).line)
    };
    painter.circle(center, HANDLE, fill, Stroke::new(1.0, stroke));
}
