//! Messages over the 3D view: information disappears after some seconds; warnings and errors stay until dismissed or resolved.

use crate::session::{Notice, Severity, Subject};
use crate::ui::theme;
use crate::ui::widgets::legend;
use egui::{Align, Frame, Label, Layout, Margin, Rect, RichText, ScrollArea, Stroke, Ui, UiBuilder};
use std::time::{Duration, Instant};

/// Maximum number of messages; the oldest is dropped.
const CAPACITY: usize = 4;

/// Time for which an information is shown.
const INFO_TIME: Duration = Duration::from_secs(6);

/// Largest width, and least width beside the legend, points.
const MOST_WIDTH: f32 = 620.0;
const LEAST_WIDTH: f32 = 300.0;

/// Current messages, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices(Vec<(Notice, Instant)>);

impl Notices {
    /// Adds a message. Removes an equal message, and messages about the same subject.
    pub fn push(&mut self, notice: Notice) {
        self.settle(notice.subject);
        self.0.retain(|(shown, _)| *shown != notice);
        if self.0.len() == CAPACITY {
            self.0.remove(0);
        }
        self.0.push((notice, Instant::now()));
    }

    /// Removes the messages about `subject`; [`Subject::Other`] removes nothing.
    pub fn settle(&mut self, subject: Subject) {
        self.0.retain(|(notice, _)| notice.subject != subject || subject == Subject::Other);
    }

    /// Current messages, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.0.iter().map(|(notice, _)| notice)
    }

    /// Removes expired messages. Returns the time until the next one expires.
    fn expire(&mut self) -> Option<Duration> {
        let left = |since: &Instant| INFO_TIME.saturating_sub(since.elapsed());
        self.0.retain(|(notice, since)| notice.severity != Severity::Info || !left(since).is_zero());
        self.0.iter().filter(|(notice, _)| notice.severity == Severity::Info).map(|(_, since)| left(since)).min()
    }
}

/// Lays out the messages at the upper edge of `area`, away from the fluid: beside the legend if they fit, else below it.
pub fn notices_ui(ui: &mut Ui, area: Rect, notices: &mut Notices) {
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
    let mut dismissed = None;
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Min)), |ui| {
        ui.shrink_clip_rect(area);
        // The newest on top: the oldest are cut off.
        for (index, (notice, _)) in notices.0.iter().enumerate().rev() {
            if notice_ui(ui, notice, index, most_height) {
                dismissed = Some(index);
            }
        }
    });
    if let Some(index) = dismissed {
        notices.0.remove(index);
    }
}

/// Lays out one message. Returns true if it was dismissed.
fn notice_ui(ui: &mut Ui, notice: &Notice, index: usize, most_height: f32) -> bool {
    let color = theme::severity(notice.severity);
    let frame = Frame::new()
        .fill(theme::PANEL)
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
    });
    dismissed
}
