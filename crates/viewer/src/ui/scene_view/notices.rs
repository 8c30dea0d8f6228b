//! Messages over the 3D view: information disappears after some seconds; warnings and errors stay until dismissed or resolved.

use super::refusal;
use crate::session::{Notice, Snapshot, Subject};
use crate::ui::widgets::legend;
use crate::ui::{Action, State, theme};
use egui::{Align, Frame, Label, Layout, Margin, Rect, RichText, ScrollArea, Stroke, Ui, UiBuilder};

/// Largest width, and least width beside the legend, points.
const MOST_WIDTH: f32 = 620.0;
const LEAST_WIDTH: f32 = 300.0;

/// Lays out the messages at the upper edge of `area`, away from the fluid: beside the legend if they fit, else below it.
pub fn notices_ui(ui: &mut Ui, area: Rect, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let notices = &mut state.notices;
    if let Some(left) = notices.expire() {
        ui.ctx().request_repaint_after(left);
    }
    if notices.0.is_empty() || !area.is_positive() {
        return;
    }
    let mut place = area.shrink(theme::SPACE);
    let beside = place.width() - legend::SIZE.x - theme::SPACE;
    if beside >= LEAST_WIDTH {
        place.set_width(beside);
    } else if legend::fits(area) {
        place.min.y += legend::SIZE.y + theme::SPACE;
    }
    place.set_width(place.width().clamp(0.0, MOST_WIDTH));
    let most_height = 0.5 * area.height();
    let (mut dismissed, mut way_out) = (None, None);
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Min)), |ui| {
        ui.shrink_clip_rect(area);
        // The newest on top: the oldest are cut off.
        for (index, (notice, _)) in notices.0.iter().enumerate().rev() {
            let ways = |ui: &mut Ui| {
                if notice.subject == Subject::Step && snapshot.failure.is_some() {
                    way_out = refusal::ways_out_ui(ui, snapshot);
                }
            };
            if notice_ui(ui, notice, index, most_height, ways) {
                dismissed = Some(index);
            }
        }
    });
    if let Some(index) = dismissed {
        notices.0.remove(index);
    }
    if let Some(way) = way_out {
        refusal::take(way, state, snapshot, actions);
    }
}

/// Lays out one message, and `more` below it. Returns true if it was dismissed.
fn notice_ui(ui: &mut Ui, notice: &Notice, index: usize, most_height: f32, more: impl FnOnce(&mut Ui)) -> bool {
    let color = theme::of(ui).severity(notice.severity);
    let frame = Frame::new()
        .fill(theme::of(ui).panel)
        .stroke(Stroke::new(1.0, color))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 8))
        .outer_margin(Margin::symmetric(0, 2));
    let mut dismissed = false;
    frame.show(ui, |ui| {
        egui::Sides::new().shrink_left().truncate().show(
            ui,
            |ui| ui.label(RichText::new(&notice.title).color(color).strong()),
            |ui| dismissed = ui.button("Dismiss").clicked(),
        );
        if !notice.details.is_empty() {
            let directions = [notice.laid_out, true];
            let scroll = ScrollArea::new(directions).id_salt(index).max_height(most_height).min_scrolled_height(most_height);
            scroll.show(ui, |ui| {
                let text = RichText::new(notice.details.trim_end());
                let label = if notice.laid_out { Label::new(text.monospace()).extend() } else { Label::new(text).wrap() };
                ui.add(label.selectable(true));
            });
        }
        more(ui);
    });
    dismissed
}
