//! Messages over the 3D view: what was done fades by itself, what failed stays until it is dismissed.

use super::theme;
use crate::session::{Notice, Severity};
use egui::{Align2, Frame, Margin, RichText, ScrollArea, Stroke, Ui, vec2};
use std::time::{Duration, Instant};

/// Messages kept; older ones give way.
const CAPACITY: usize = 4;

/// How long a message without trouble stays.
const INFO_TIME: Duration = Duration::from_secs(6);

/// The messages not dismissed yet, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices(Vec<(Notice, Instant)>);

impl Notices {
    /// Adds a message; one that is shown already moves to the end.
    pub fn push(&mut self, notice: Notice) {
        self.0.retain(|(shown, _)| *shown != notice);
        if self.0.len() == CAPACITY {
            self.0.remove(0);
        }
        self.0.push((notice, Instant::now()));
    }

    /// The messages, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.0.iter().map(|(notice, _)| notice)
    }

    /// Drops what has been shown long enough; the time until the next is due.
    fn expire(&mut self) -> Option<Duration> {
        let left = |since: &Instant| INFO_TIME.saturating_sub(since.elapsed());
        self.0.retain(|(notice, since)| notice.severity != Severity::Info || !left(since).is_zero());
        self.0.iter().filter(|(notice, _)| notice.severity == Severity::Info).map(|(_, since)| left(since)).min()
    }
}

/// The messages, above the lower edge of `area`.
pub fn notices_ui(ui: &Ui, area: egui::Rect, notices: &mut Notices) {
    if let Some(left) = notices.expire() {
        ui.ctx().request_repaint_after(left);
    }
    if notices.0.is_empty() {
        return;
    }
    let width = (area.width() - 2.0 * theme::SPACE).clamp(0.0, 640.0);
    let mut dismissed = None;
    egui::Area::new(ui.scope_id().with("notices"))
        .order(egui::Order::Foreground)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(area.center_bottom() - vec2(0.0, 5.0 * theme::SPACE))
        .constrain_to(ui.ctx().content_rect())
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            for (index, (notice, _)) in notices.0.iter().enumerate() {
                if notice_ui(ui, notice, index, 0.5 * area.height()) {
                    dismissed = Some(index);
                }
            }
        });
    if let Some(index) = dismissed {
        notices.0.remove(index);
    }
}

/// One message; whether it was dismissed.
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
            ScrollArea::both().id_salt(index).max_height(most_height).show(ui, |ui| {
                let text = RichText::new(notice.details.trim_end()).monospace();
                ui.add(egui::Label::new(text).selectable(true).extend());
            });
        }
    });
    dismissed
}
