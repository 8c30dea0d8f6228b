//! Outline around the row of a parameter that was searched for.
//!
//! Rows report their position under the key of their parameter while they are laid out: labels repeat, keys do not.

use crate::ui::theme;
use egui::{Context, Id, Rect, Stroke, StrokeKind, Ui, style::ScrollAnimation};

/// Time for which the row is outlined, s.
const TIME: f64 = 2.5;

/// Number of frames after which a row that has not been laid out is given up.
const PATIENCE: u32 = 3;

/// The row searched for.
#[derive(Clone, Copy, Debug)]
struct Found {
    key: &'static str,
    /// Number of frames that have passed.
    frames: u32,
    /// Time when it was first laid out, s.
    since: Option<f64>,
    /// Its rectangle in this frame, and the clip rectangle.
    rect: Option<(Rect, Rect)>,
}

fn memory() -> Id {
    Id::unique("found row")
}

fn load(ctx: &Context) -> Option<Found> {
    ctx.data(|data| data.get_temp(memory()))
}

fn store(ctx: &Context, found: Option<Found>) {
    ctx.data_mut(|data| {
        data.remove::<Found>(memory());
        found.map(|found| data.insert_temp(memory(), found));
    });
}

/// Searches for the row of the parameter with this key: its section opens, it scrolls into view and is outlined for a while.
pub fn set(ctx: &Context, key: &'static str) {
    store(ctx, Some(Found { key, frames: 0, since: None, rect: None }));
    ctx.request_repaint();
}

/// True until the row searched for has been laid out: groups of rows must open.
pub fn is_searched(ctx: &Context) -> bool {
    load(ctx).is_some_and(|found| found.since.is_none())
}

/// Lays out the row of the parameter with `key`, and notes where it is if it is searched for.
pub fn row_ui<R>(ui: &mut Ui, key: &str, row: impl FnOnce(&mut Ui) -> R) -> R {
    let top = ui.cursor().top();
    let result = row(ui);
    let bottom = ui.min_rect().bottom();
    if bottom > top {
        note(ui, key, Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=bottom));
    }
    result
}

fn note(ui: &Ui, key: &str, rect: Rect) {
    let Some(mut found) = load(ui.ctx()).filter(|found| found.key == key && found.rect.is_none()) else { return };
    if found.since.is_none() {
        found.since = Some(ui.input(|input| input.time));
        ui.scroll_to_rect_animation(rect.expand(4.0 * theme::SPACE), None, ScrollAnimation::none());
        ui.ctx().request_repaint();
    }
    found.rect = Some((rect, ui.clip_rect()));
    store(ui.ctx(), Some(found));
}

/// Paints the outline over the panels; called after they are laid out. Returns the key of a row that is nowhere.
pub fn paint(ui: &Ui) -> Option<&'static str> {
    let mut found = load(ui.ctx())?;
    let now = ui.input(|input| input.time);
    if let Some((rect, clip)) = found.rect.take() {
        let painter = ui.ctx().layer_painter(egui::LayerId::background()).with_clip_rect(clip);
        let rect = rect.expand2(egui::vec2(6.0, 2.0));
        painter.rect_stroke(rect, 6.0, Stroke::new(2.0, theme::of(ui).accent), StrokeKind::Middle);
    }
    found.frames += 1;
    let is_over = found.since.map_or(found.frames > PATIENCE, |since| now - since > TIME);
    let missed = is_over && found.since.is_none();
    match found.since {
        Some(since) => ui.ctx().request_repaint_after_secs((TIME + since - now).max(0.0) as f32),
        None => ui.ctx().request_repaint(),
    }
    store(ui.ctx(), Some(found).filter(|_| !is_over));
    missed.then_some(found.key)
}
