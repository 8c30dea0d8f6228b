//! The outline around what a lesson points at.
//!
//! Rows of the panels note where they are as they are laid out, under the label that stands on them; one of them is wanted.

use crate::ui::theme;
use egui::{Color32, Context, Id, LayerId, Rect, Stroke, StrokeKind, Ui, style::ScrollAnimation};

/// What a lesson can point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// Slider.
    TableSize,
    /// Slider.
    CellSpacing,
    /// Choice.
    Structure,
    /// Choice, of structures with buckets.
    BucketStorage,
    /// Slider, of structures with fixed places.
    BucketCapacity,
    /// Number.
    LoadFactor,
    /// Number.
    Candidates,
    /// Number, of structures with fixed places.
    Spills,
    /// Number.
    Memory,
    /// Whether neighbours were missed.
    Audit,
    /// Bars of bucket lengths.
    Histogram,
    /// Row of the list of phases.
    BuildTime,
    /// Row of the list of phases.
    QueryTime,
}

impl Control {
    /// Everything there is to point at.
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

    /// The label that stands on it, or the name under which it is noted.
    pub fn label(self) -> &'static str {
        match self {
            Self::TableSize => "Hash table size",
            Self::CellSpacing => "Cell spacing",
            Self::Structure => "Structure",
            Self::BucketStorage => "Bucket storage",
            Self::BucketCapacity => "Bucket capacity",
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

    /// The section of the side panel that it is in, if it is in one.
    fn section(self) -> Option<&'static str> {
        (!matches!(self, Self::BuildTime | Self::QueryTime)).then_some("Grid")
    }
}

/// What is pointed at, and where it was last seen.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wanted {
    control: Control,
    /// Whether it has been brought into sight.
    shown: bool,
    /// Where it is in this frame, and what of the window it can be seen through.
    seen: Option<(Rect, Rect)>,
}

fn memory() -> Id {
    Id::unique("what the lesson points at")
}

/// Points at `control` from this frame on; whether it has been brought into sight already.
pub fn want(ctx: &Context, control: Option<Control>) -> bool {
    ctx.data_mut(|data| {
        let Some(control) = control else {
            data.remove::<Wanted>(memory());
            return false;
        };
        let before = data.get_temp::<Wanted>(memory());
        let shown = before.is_some_and(|before| before.control == control && before.shown);
        data.insert_temp(memory(), Wanted { control, shown, seen: None });
        shown
    })
}

/// Where what is pointed at can be seen in this frame.
pub fn place(ctx: &Context) -> Option<Rect> {
    let (rect, clip) = ctx.data(|data| data.get_temp::<Wanted>(memory()))?.seen?;
    Some(rect.intersect(clip)).filter(|rect| rect.is_positive())
}

/// Says that what has `label` on it is at `rect`.
pub fn note(ui: &Ui, label: &str, rect: Rect) {
    let Some(mut wanted) = ui.ctx().data(|data| data.get_temp::<Wanted>(memory())) else { return };
    if wanted.control.label() != label || wanted.seen.is_some() {
        return;
    }
    if !wanted.shown {
        wanted.shown = true;
        if !ui.clip_rect().contains_rect(rect) {
            ui.scroll_to_rect_animation(rect.expand(theme::SPACE), None, ScrollAnimation::none());
        }
        ui.ctx().request_repaint();
    }
    wanted.seen = Some((rect, ui.clip_rect()));
    ui.ctx().data_mut(|data| data.insert_temp(memory(), wanted));
}

/// Whether the section must open, for what is pointed at to be seen.
pub fn opens(ui: &Ui, section: &str) -> Option<bool> {
    let wanted = ui.ctx().data(|data| data.get_temp::<Wanted>(memory()))?;
    (!wanted.shown && wanted.control.section() == Some(section)).then_some(true)
}

/// Paints the outline. It breathes with whatever frames there are and asks for none of its own.
pub fn paint(ui: &Ui) {
    let Some(Wanted { seen: Some((rect, clip)), .. }) = ui.ctx().data(|data| data.get_temp::<Wanted>(memory())) else { return };
    let painter = ui.ctx().layer_painter(LayerId::background()).with_clip_rect(clip);
    let rect = rect.expand2(egui::vec2(6.0, 2.0));
    let breath = 0.5 + 0.5 * (std::f64::consts::TAU * ui.input(|input| input.time) / 3.0).sin() as f32;
    let glow: Color32 = theme::ACCENT.gamma_multiply(0.15 + 0.15 * breath);
    painter.rect_stroke(rect, 6.0, Stroke::new(4.0, glow), StrokeKind::Middle);
    painter.rect_stroke(rect, 6.0, Stroke::new(1.5, theme::ACCENT), StrokeKind::Middle);
}
