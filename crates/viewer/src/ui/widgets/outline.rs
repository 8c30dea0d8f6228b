//! Outlines around the control that a lesson points at, and around the row of a parameter that was searched for.
//!
//! Controls report their position under their label while they are laid out, rows under the key of their parameter; one of them is the
//! target.

use crate::ui::theme;
use egui::style::ScrollAnimation;
use egui::{Color32, Context, Id, LayerId, Rect, Stroke, StrokeKind, Ui};
use sph_core::parameters::Parameters;

/// A control that a lesson can point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// Slider.
    TableSize,
    /// Slider.
    CellSpacing,
    /// Choice.
    Structure,
    /// Choice, for structures with buckets.
    BucketStorage,
    /// Slider, for buckets of fixed capacity.
    BucketCapacity,
    /// Number.
    LoadFactor,
    /// Number.
    Candidates,
    /// Number, for buckets of fixed capacity.
    Spills,
    /// Number.
    Memory,
    /// Result of the audit.
    Audit,
    /// Histogram of bucket lengths.
    Histogram,
    /// Row of the list of phases.
    BuildTime,
    /// Row of the list of phases.
    QueryTime,
}

impl Control {
    /// All controls.
    pub const ALL: [Self; 13] = [
        Self::TableSize,
        Self::CellSpacing,
        Self::Structure,
        Self::BucketStorage,
        Self::BucketCapacity,
        Self::LoadFactor,
        Self::Candidates,
        Self::Spills,
        Self::Memory,
        Self::Audit,
        Self::Histogram,
        Self::BuildTime,
        Self::QueryTime,
    ];

    /// Label of the control, or the name that it reports.
    pub fn label(self) -> &'static str {
        match self {
            Self::TableSize => Parameters::entry("grid.table_size").label,
            Self::CellSpacing => Parameters::entry("grid.cell_size").label,
            Self::Structure => Parameters::entry("grid.structure").label,
            Self::BucketStorage => Parameters::entry("grid.storage").label,
            Self::BucketCapacity => Parameters::entry("grid.bucket_capacity").label,
            Self::LoadFactor => "Load factor",
            Self::Candidates => "Candidates per neighbour",
            Self::Spills => "Spills",
            Self::Memory => "Memory",
            Self::Audit => "Audit",
            Self::Histogram => "Histogram",
            Self::BuildTime => "Build",
            Self::QueryTime => "Query",
        }
    }
}

/// Target control and its position in the current frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Target {
    control: Control,
    /// True once it has been scrolled into view.
    shown: bool,
    /// Its rectangle in this frame, and the clip rectangle.
    rect: Option<(Rect, Rect)>,
}

fn memory() -> Id {
    Id::unique("highlighted control")
}

/// Sets the target from this frame on. Returns true if it has already been scrolled into view.
pub fn set_target(ctx: &Context, control: Option<Control>) -> bool {
    ctx.data_mut(|data| {
        let Some(control) = control else {
            data.remove::<Target>(memory());
            return false;
        };
        let before = data.get_temp::<Target>(memory());
        let shown = before.is_some_and(|before| before.control == control && before.shown);
        data.insert_temp(memory(), Target { control, shown, rect: None });
        shown
    })
}

/// Visible rectangle of the target in this frame.
pub fn target_rect(ctx: &Context) -> Option<Rect> {
    let (rect, clip) = ctx.data(|data| data.get_temp::<Target>(memory()))?.rect?;
    Some(rect.intersect(clip)).filter(|rect| rect.is_positive())
}

/// Reports that the control with `label` is at `rect`; scrolls the target into view once.
pub fn note(ui: &Ui, label: &str, rect: Rect) {
    let Some(mut target) = ui.ctx().data(|data| data.get_temp::<Target>(memory())) else { return };
    if target.control.label() != label || target.rect.is_some() {
        return;
    }
    if !target.shown {
        target.shown = true;
        if !ui.clip_rect().contains_rect(rect) {
            ui.scroll_to_rect_animation(rect.expand(theme::SPACE), None, ScrollAnimation::none());
        }
        ui.ctx().request_repaint();
    }
    target.rect = Some((rect, ui.clip_rect()));
    ui.ctx().data_mut(|data| data.insert_temp(memory(), target));
}

/// Paints the outline. Its brightness oscillates in the frames that are drawn anyway; it requests no repaint.
pub fn paint(ui: &Ui) {
    let Some(Target { rect: Some((rect, clip)), .. }) = ui.ctx().data(|data| data.get_temp::<Target>(memory())) else { return };
    let painter = ui.ctx().layer_painter(LayerId::background()).with_clip_rect(clip);
    // No higher, so that it leaves the rows above and below alone.
    let rect = rect.expand2(egui::vec2(6.0, 0.5));
    let brightness = 0.5 + 0.5 * (std::f64::consts::TAU * ui.input(|input| input.time) / 3.0).sin() as f32;
    let glow: Color32 = theme::of(ui).accent.gamma_multiply(0.15 + 0.15 * brightness);
    painter.rect_stroke(rect, 6.0, Stroke::new(3.0, glow), StrokeKind::Middle);
    painter.rect_stroke(rect, 6.0, Stroke::new(1.5, theme::of(ui).accent), StrokeKind::Middle);
}

// Outline around the row of a parameter that was searched for.
//
// Rows report their position under the key of their parameter while they are laid out: labels repeat, keys do not.

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

fn row_memory() -> Id {
    Id::unique("found row")
}

fn load_row(ctx: &Context) -> Option<Found> {
    ctx.data(|data| data.get_temp(row_memory()))
}

fn store_row(ctx: &Context, found: Option<Found>) {
    ctx.data_mut(|data| {
        data.remove::<Found>(row_memory());
        found.map(|found| data.insert_temp(row_memory(), found));
    });
}

/// Searches for the row of the parameter with this key: its section opens, it scrolls into view and is outlined for a while.
pub fn seek_row(ctx: &Context, key: &'static str) {
    store_row(ctx, Some(Found { key, frames: 0, since: None, rect: None }));
    ctx.request_repaint();
}

/// True until the row searched for has been laid out: groups of rows must open.
pub fn is_searched(ctx: &Context) -> bool {
    load_row(ctx).is_some_and(|found| found.since.is_none())
}

/// Lays out the row of the parameter with `key`, and notes where it is if it is searched for.
pub fn row_ui<R>(ui: &mut Ui, key: &str, row: impl FnOnce(&mut Ui) -> R) -> R {
    let top = ui.cursor().top();
    let is_found = load_row(ui.ctx()).is_some_and(|found| found.key == key && found.since.is_none());
    ui.data_mut(|data| data.insert_temp(focus_memory(), is_found));
    let result = row(ui);
    ui.data_mut(|data| data.remove::<bool>(focus_memory()));
    let bottom = ui.min_rect().bottom();
    if bottom > top {
        note_row(ui, key, Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=bottom));
    }
    result
}

fn focus_memory() -> Id {
    Id::unique("focus of the found row")
}

/// True once, for the number in the row searched for: what is typed next is its value.
pub fn takes_focus(ui: &Ui) -> bool {
    ui.data_mut(|data| data.remove_temp::<bool>(focus_memory())).unwrap_or(false)
}

fn note_row(ui: &Ui, key: &str, rect: Rect) {
    let Some(mut found) = load_row(ui.ctx()).filter(|found| found.key == key && found.rect.is_none()) else { return };
    if found.since.is_none() {
        found.since = Some(ui.input(|input| input.time));
        ui.scroll_to_rect_animation(rect.expand(4.0 * theme::SPACE), None, ScrollAnimation::none());
        ui.ctx().request_repaint();
    }
    found.rect = Some((rect, ui.clip_rect()));
    store_row(ui.ctx(), Some(found));
}

/// Paints the outline over the panels; called after they are laid out. Returns the key of a row that is nowhere.
pub fn paint_row(ui: &Ui) -> Option<&'static str> {
    let mut found = load_row(ui.ctx())?;
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
    store_row(ui.ctx(), Some(found).filter(|_| !is_over));
    missed.then_some(found.key)
}
