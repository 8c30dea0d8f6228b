//! Rows of the panels.

use super::rail::Scale;
use super::typed::Field;
use super::{Icon, highlight, icon_button};
use crate::ui::theme;
use egui::{Align, DragValue, Layout, Response, RichText, Sides, Slider, SliderClamping, Ui, vec2};
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

/// Parses a number as people type it, with or without its unit; `None` if it is invalid, which leaves the value unchanged.
///
/// A single comma is a decimal comma, except in a count, where commas are thousands separators.
pub fn parse(text: &str, unit: &str, count: bool) -> Option<f64> {
    let plain = |text: &str| -> String {
        let typed = |c: char| match c {
            '−' => '-',
            '²' => '2',
            c => c,
        };
        text.chars().filter(|c| !c.is_whitespace() && *c != '_').map(typed).collect()
    };
    let (text, unit) = (plain(text), plain(unit));
    let text = text.strip_suffix(&unit).unwrap_or(&text);
    let number = match (text.matches(',').count(), text.contains('.')) {
        (0, _) => text.to_owned(),
        (1, false) if !count => text.replace(',', "."),
        _ if has_thousands_separators(text) => text.replace(',', ""),
        _ => return None,
    };
    // Rust also reads "inf" and "nan".
    number.parse().ok().filter(|number: &f64| number.is_finite())
}

/// True if the commas of `text` are valid thousands separators.
fn has_thousands_separators(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or(text).trim_start_matches(['-', '+']);
    let mut groups = whole.split(',');
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && digits(group) && !group.starts_with('0'));
    first && groups.all(|group| group.len() == 3 && digits(group)) && !text.split('.').skip(1).any(|rest| rest.contains(','))
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
        ui.painter().with_clip_rect(ui.clip_rect().expand(theme::SPACE)).circle_filled(dot, 2.5, theme::WARNING);
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
        ui.label(RichText::new(label).color(theme::TEXT_QUIET));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.monospace(value));
    });
    highlight::note(ui, label, row.response.rect);
    row.response.on_hover_text(tooltip);
}

/// Lays out a line of explanation in small grey text.
pub fn hint_ui(ui: &mut Ui, text: impl Into<String>) {
    ui.label(RichText::new(text.into()).small().color(theme::TEXT_QUIET));
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_parse_as_people_type_them() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(parse(text, " m²/s", false), expected, "{text}");
        check("0.04", Some(0.04));
        check("0,05", Some(0.05));
        check(" 1e-6 m²/s", Some(1e-6));
        check("1e-6m2/s", Some(1e-6));
        check("−9,81", Some(-9.81));
        check("1,234.5", Some(1234.5));
        check("1,234,567", Some(1_234_567.0));
        let nonsense = ["", "water", "12abc", "0.04 s", "1.234,5", "1,2,3", "1..2", "nan", "inf", "1e999", ",", "-"];
        for text in nonsense {
            check(text, None);
        }
    }

    #[test]
    fn commas_in_counts_are_thousands_separators() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(parse(text, "", true), expected, "{text}");
        check("20,160", Some(20_160.0));
        check("1_000 000", Some(1_000_000.0));
        check("16,777,216", Some(16_777_216.0));
        for text in ["0,05", "1,5", "20,16", "2016,000", ",160"] {
            check(text, None);
        }
    }
}
