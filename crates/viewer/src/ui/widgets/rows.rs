//! Rows of the panels.

use super::number::parse;
use super::rail::Scale;
use super::typed::Field;
use super::{Icon, highlight, icon_button};
use crate::ui::theme;
use egui::{Align, DragValue, Label, Layout, Response, RichText, Sides, Slider, SliderClamping, Ui, vec2};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// Name and tooltip of the button that restores the scene's value.
const RESET: &str = "Reset to the scene's value";

/// Row that edits a number by a slider and a field.
pub struct NumberRow<'a> {
    /// Label, without the unit.
    pub label: &'a str,
    /// Tooltip of the label.
    pub tooltip: &'a str,
    /// Unit after the number, with a leading space, or empty.
    pub unit: &'a str,
    /// Range of the slider.
    pub slider: RangeInclusive<f64>,
    /// Range that the field accepts.
    pub allowed: RangeInclusive<f64>,
    /// True for a logarithmic slider. If its range starts at 0, its left end is 0.
    pub logarithmic: bool,
    /// Smallest positive value that a logarithmic slider from 0 resolves.
    pub finest: f64,
    /// Value of the scene, which the reset button restores.
    pub scene: f64,
    /// Values that most scenes have.
    pub usual: Option<[f64; 2]>,
    /// Formats the number.
    pub format: fn(f64) -> String,
}

impl NumberRow<'_> {
    /// Lays out label and field in a row, and the slider below. Returns true if `value` has changed.
    pub fn ui(&self, ui: &mut Ui, value: &mut f64) -> bool {
        let before = *value;
        let typed = RefCell::new(None);
        let is_changed = differs(before, self.scene);
        let heading = Sides::new().shrink_left().truncate().show(
            ui,
            |ui| changed_label_ui(ui, self.label, is_changed).on_hover_text(self.tooltip),
            |ui| {
                let field = DragValue::new(value)
                    .range(self.allowed.clone())
                    .speed(self.speed(before))
                    .suffix(self.unit)
                    .custom_formatter(|value, _| (self.format)(value))
                    .custom_parser(|text| {
                        typed.replace(Some(text.to_owned()));
                        parse(text, self.unit, self.is_count())
                    })
                    .update_while_editing(false);
                let field = ui.add(field).on_hover_text("Drag, or click to type.");
                if field.dragged() {
                    self.round(value);
                }
                (field, reset_ui(ui, value, self.scene))
            },
        );
        let (label, (field, _)) = heading;
        let (slider_range, allowed) = (self.slider.clone(), self.allowed.clone());
        let words =
            Field { unit: self.unit, is_count: self.is_count(), allowed, slider: slider_range.clone(), format: self.format };
        words.comment(ui, &field, typed.into_inner(), before);
        ui.spacing_mut().slider_width = ui.available_width();
        let slider = Slider::new(value, slider_range.clone())
            .show_value(false)
            .clamping(SliderClamping::Edits)
            .smart_aim(false)
            .logarithmic(self.logarithmic)
            .smallest_positive(self.finest);
        // The tooltip belongs to the label: at the slider it would cover the numbers below while dragging.
        let slider = ui.add(slider);
        if slider.changed() {
            self.round(value);
        }
        let scale = Scale { range: slider_range, logarithmic: self.logarithmic, finest: self.finest };
        scale.paint(ui, slider.rect, self.usual, is_changed.then_some(self.scene));
        highlight::note(ui, self.label, label.rect.union(field.rect).union(slider.rect));
        field.labelled_by(label.id);
        slider.labelled_by(label.id);
        ui.add_space(0.25 * theme::SPACE);
        if *value != before {
            // The field was laid out before the slider moved.
            ui.ctx().request_repaint();
        }
        *value != before
    }

    /// Rounds a value that was set by dragging to the number that the row shows: a file then has that number too.
    fn round(&self, value: &mut f64) {
        if let Some(shown) = parse(&(self.format)(*value), "", self.is_count()) {
            *value = shown.clamp(*self.allowed.start(), *self.allowed.end());
        }
    }

    /// True for an integer quantity.
    fn is_count(&self) -> bool {
        self.finest >= 1.0
    }

    /// Change of the value per point of dragging on the field.
    fn speed(&self, value: f64) -> f64 {
        if self.logarithmic { (0.01 * value.abs()).max(self.finest) } else { 0.002 * (self.slider.end() - self.slider.start()) }
    }
}

/// True if a value differs from the scene's by more than rounding to `f32` in the simulation.
fn differs(value: f64, scene: f64) -> bool {
    (value - scene).abs() > 1e-6 * scene.abs()
}

/// Lays out the label of a row; a dot in the margin marks a value that is not the scene's.
fn changed_label_ui(ui: &mut Ui, label: &str, is_changed: bool) -> Response {
    let response = ui.label(label);
    if is_changed {
        let dot = response.rect.left_center() - vec2(0.75 * theme::SPACE, 0.0);
        ui.painter().with_clip_rect(ui.clip_rect().expand(theme::SPACE)).circle_filled(dot, 2.5, theme::of(ui).warning);
    }
    response
}

/// Lays out a button that resets `value` to the scene's; reserves its space if the values are equal.
fn reset_ui(ui: &mut Ui, value: &mut f64, scene: f64) -> Response {
    let changed = differs(*value, scene);
    let size = vec2(20.0, 20.0);
    if !changed {
        return ui.allocate_response(size, egui::Sense::hover());
    }
    let response = icon_button(ui, Icon::Restart, RESET, size).on_hover_text(RESET);
    if response.clicked() {
        *value = scene;
    }
    response
}

/// Lays out a label on the left and a choice on the right. Returns true if `value` has changed.
pub fn choice_ui<T: Copy + PartialEq>(ui: &mut Ui, label: &str, tooltip: &str, value: &mut T, all: &[(T, &str)]) -> bool {
    choice_of_scene_ui(ui, label, tooltip, value, None, all)
}

/// Lays out such a choice, with a button that restores the scene's.
pub fn choice_of_scene_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    tooltip: &str,
    value: &mut T,
    scene: Option<T>,
    all: &[(T, &str)],
) -> bool {
    let before = *value;
    let is_changed = scene.is_some_and(|scene| scene != before);
    let (name, combo) = Sides::new().show(
        ui,
        |ui| changed_label_ui(ui, label, is_changed).on_hover_text(tooltip),
        |ui| {
            let name = all.iter().find(|(option, _)| option == value).map_or("", |(_, name)| name);
            let combo = egui::ComboBox::from_id_salt(label).selected_text(name).width(130.0).show_ui(ui, |ui| {
                for (option, name) in all {
                    ui.selectable_value(value, *option, *name);
                }
            });
            // The layout runs from right to left.
            if let Some(scene) = scene {
                choice_reset_ui(ui, value, scene, is_changed);
            }
            combo.response
        },
    );
    highlight::note(ui, label, name.rect.union(combo.rect));
    combo.labelled_by(name.id);
    *value != before
}

fn choice_reset_ui<T: Copy>(ui: &mut Ui, value: &mut T, scene: T, is_changed: bool) {
    let size = vec2(20.0, 20.0);
    if !is_changed {
        ui.allocate_response(size, egui::Sense::hover());
    } else if icon_button(ui, Icon::Restart, RESET, size).on_hover_text(RESET).clicked() {
        *value = scene;
    }
}

/// Lays out a label on the left, a value in monospaced digits on the right, and a tooltip.
pub fn value_ui(ui: &mut Ui, label: &str, value: &str, tooltip: &str) {
    let row = ui.allocate_ui_with_layout(vec2(ui.available_width(), 17.0), Layout::left_to_right(Align::Center), |ui| {
        ui.label(RichText::new(label).color(theme::of(ui).text_quiet));
        // Truncated, so that no number makes the panel wider.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(value).monospace()).truncate())
        });
    });
    highlight::note(ui, label, row.response.rect);
    row.response.on_hover_text(tooltip);
}

/// Lays out a line of explanation in small grey text.
pub fn hint_ui(ui: &mut Ui, text: impl Into<String>) {
    ui.label(RichText::new(text.into()).small().color(theme::of(ui).text_quiet));
}
