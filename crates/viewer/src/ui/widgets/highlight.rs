//! Outline around the control that a lesson points at.
//!
//! Rows of the panels report their position under their label while they are laid out; one of them is the target.

use crate::ui::theme;
use egui::{Color32, Context, Id, LayerId, Rect, Stroke, StrokeKind, Ui, style::ScrollAnimation};
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
    let rect = rect.expand2(egui::vec2(6.0, 2.0));
    let brightness = 0.5 + 0.5 * (std::f64::consts::TAU * ui.input(|input| input.time) / 3.0).sin() as f32;
    let glow: Color32 = theme::of(ui).accent.gamma_multiply(0.15 + 0.15 * brightness);
    painter.rect_stroke(rect, 6.0, Stroke::new(4.0, glow), StrokeKind::Middle);
    painter.rect_stroke(rect, 6.0, Stroke::new(1.5, theme::of(ui).accent), StrokeKind::Middle);
}
