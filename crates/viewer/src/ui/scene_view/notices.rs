//! Cards over the 3D view, one below the other in one place: the film that is made, then messages. Information and refused drops
//! disappear after some seconds; other warnings and errors stay until dismissed or resolved.

use super::refusal;
use crate::session::{Notice, Snapshot, Subject};
use crate::ui::widgets::format;
use crate::ui::{Action, State, pictures, theme};
use egui::{Align, Frame, Label, Layout, Margin, Rect, RichText, ScrollArea, Stroke, Ui, UiBuilder, vec2};

/// Largest width, and least width beside a control, points.
const MOST_WIDTH: f32 = 620.0;
const LEAST_WIDTH: f32 = 220.0;

/// Least size of a place clear of the controls, points; where there is less, cards take the whole view.
const LEAST_PLACE: egui::Vec2 = vec2(160.0, 90.0);

/// Largest number of characters of a folder; those in the middle give way.
const FOLDER_LENGTH: usize = 60;

/// Height of the status line and of the badges above it, points.
const LOWER_CONTROLS: f32 = 96.0;

/// Place of the cards in the 3D view at `area`: below or beside the `tools`, and beside `query` and `legend` if that leaves room.
pub(super) fn cards_area(area: Rect, tools: Rect, query: Option<Rect>, legend: Option<Rect>) -> Rect {
    let mut place = area.shrink(theme::SPACE);
    place.max.y -= LOWER_CONTROLS;
    if tools.width() > tools.height() {
        place.min.y = tools.bottom() + theme::SPACE;
    } else {
        place.min.x = tools.right() + theme::SPACE;
    }
    if let Some(query) = query.filter(|query| place.right() - query.right() >= LEAST_WIDTH) {
        place.min.x = place.min.x.max(query.right() + theme::SPACE);
    }
    if let Some(legend) = legend {
        let right = legend.left() - theme::SPACE;
        if right - place.left() >= LEAST_WIDTH {
            place.max.x = right;
        } else {
            place.min.y = place.min.y.max(legend.bottom() + theme::SPACE);
        }
    }
    if place.width() < LEAST_PLACE.x || place.height() < LEAST_PLACE.y { area.shrink(theme::SPACE) } else { place }
}

/// Lays out the cards in `place`, the newest message on top.
pub fn cards_ui(ui: &mut Ui, mut place: Rect, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let film = state.pictures.film.as_ref();
    let notices = &mut state.notices;
    if let Some(left) = notices.expire() {
        ui.ctx().request_repaint_after(left);
    }
    if notices.0.is_empty() && film.is_none() || !place.is_positive() {
        return;
    }
    place.set_width(place.width().clamp(0.0, MOST_WIDTH));
    let most_height = 0.6 * place.height();
    let (mut dismissed, mut way_out) = (None, None);
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Min)), |ui| {
        ScrollArea::vertical().id_salt("cards").max_height(place.height()).min_scrolled_height(0.0).show(ui, |ui| {
            pictures::badge_ui(ui, film);
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
        if let Some(path) = &notice.path {
            let folder = path.parent().unwrap_or(path).display().to_string();
            let text = RichText::new(format::elided(&folder, FOLDER_LENGTH)).small().color(theme::of(ui).text_quiet);
            ui.add(Label::new(text).truncate()).on_hover_text(path.display().to_string());
        }
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
