//! The rows that the panels are made of.

use super::icons::{Icon, icon_button};
use super::theme;
use egui::{Align, DragValue, Layout, Response, RichText, Sides, Slider, SliderClamping, Ui, vec2};
use std::ops::RangeInclusive;

/// A number that a slider and a field edit.
pub struct Number<'a> {
    /// Name, without the unit.
    pub label: &'a str,
    /// What it is and what it does.
    pub tooltip: &'a str,
    /// Unit after the number, with a space in front, or nothing.
    pub unit: &'a str,
    /// What the slider spans.
    pub slider: RangeInclusive<f64>,
    /// What the field accepts.
    pub allowed: RangeInclusive<f64>,
    /// Whether the slider is logarithmic. One that starts at 0 has 0 at its very end.
    pub logarithmic: bool,
    /// Smallest positive value that a logarithmic slider from 0 resolves.
    pub finest: f64,
    /// The scene's value, which the reset button goes back to.
    pub scene: f64,
    /// The number as text.
    pub format: fn(f64) -> String,
}

impl Number<'_> {
    /// Label and field in a row, the slider below; whether `value` has changed.
    pub fn ui(&self, ui: &mut Ui, value: &mut f64) -> bool {
        let before = *value;
        let heading = Sides::new().shrink_left().truncate().show(
            ui,
            |ui| ui.label(self.label).on_hover_text(self.tooltip),
            |ui| {
                let field = DragValue::new(value)
                    .range(self.allowed.clone())
                    .speed(self.speed(before))
                    .suffix(self.unit)
                    .custom_formatter(|value, _| (self.format)(value))
                    .custom_parser(parse)
                    .update_while_editing(false);
                let field = ui.add(field).on_hover_text("Drag, or click to type.");
                (field, reset_ui(ui, value, self.scene))
            },
        );
        let (label, (field, _)) = heading;
        ui.spacing_mut().slider_width = ui.available_width();
        let slider = Slider::new(value, self.slider.clone())
            .show_value(false)
            .clamping(SliderClamping::Edits)
            .smart_aim(false)
            .logarithmic(self.logarithmic)
            .smallest_positive(self.finest);
        let slider = ui.add(slider).on_hover_text(self.tooltip);
        field.labelled_by(label.id);
        slider.labelled_by(label.id);
        ui.add_space(0.25 * theme::SPACE);
        if *value != before {
            // The field was laid out before the slider moved.
            ui.ctx().request_repaint();
        }
        *value != before
    }

    /// Change a point of dragging on the field.
    fn speed(&self, value: f64) -> f64 {
        if self.logarithmic { (0.01 * value.abs()).max(self.finest) } else { 0.002 * (self.slider.end() - self.slider.start()) }
    }
}

/// A number as people type it: thousands set apart, a unit after it.
fn parse(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',' && *c != '_').collect();
    let number = text.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
    number.parse().ok()
}

/// A button that brings `value` back to the scene's; keeps its place when there is nothing to bring back.
fn reset_ui(ui: &mut Ui, value: &mut f64, scene: f64) -> Response {
    // Values pass through f32 on their way to the simulation and back.
    let changed = (*value - scene).abs() > 1e-6 * scene.abs();
    let size = vec2(20.0, 20.0);
    if !changed {
        return ui.allocate_response(size, egui::Sense::hover());
    }
    let response = icon_button(ui, Icon::Restart, "Back to the scene's value", size).on_hover_text("Back to the scene's value");
    if response.clicked() {
        *value = scene;
    }
    response
}

/// A name on the left, a choice on the right; whether `value` has changed.
pub fn choice_ui<T: Copy + PartialEq>(ui: &mut Ui, label: &str, tooltip: &str, value: &mut T, all: &[(T, &str)]) -> bool {
    let before = *value;
    let (label, combo) = Sides::new().show(
        ui,
        |ui| ui.label(label).on_hover_text(tooltip),
        |ui| {
            let name = all.iter().find(|(option, _)| option == value).map_or("", |(_, name)| name);
            let combo = egui::ComboBox::from_id_salt(label).selected_text(name).width(130.0).show_ui(ui, |ui| {
                for (option, name) in all {
                    ui.selectable_value(value, *option, *name);
                }
            });
            combo.response
        },
    );
    combo.labelled_by(label.id);
    *value != before
}

/// A name on the left, a value in digits of one width on the right, and what it means under the pointer.
pub fn value_ui(ui: &mut Ui, label: &str, value: &str, tooltip: &str) {
    let row = ui.allocate_ui_with_layout(vec2(ui.available_width(), 17.0), Layout::left_to_right(Align::Center), |ui| {
        ui.label(RichText::new(label).color(theme::TEXT_QUIET));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.monospace(value));
    });
    row.response.on_hover_text(tooltip);
}

/// A quiet line of explanation.
pub fn hint_ui(ui: &mut Ui, text: impl Into<String>) {
    ui.label(RichText::new(text.into()).small().color(theme::TEXT_QUIET));
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_parse_as_people_type_them() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(super::parse(text), expected, "{text}");
        check("19,712", Some(19712.0));
        check(" 0.04 m", Some(0.04));
        check("1e-6 m²/s", Some(1e-6));
        check("-9.81 m/s²", Some(-9.81));
        check("water", None);
        check("", None);
    }
}
