//! Rows that edit a parameter, with label, tooltip, unit, range and slider from the table of parameters.

use super::rows::{NumberRow, choice_of_scene_ui};
use super::{format, found};
use egui::Ui;
use sph_core::parameters::{Kind, Parameter, Parameters, Slider, Value};
use std::ops::RangeInclusive;

/// Row that edits one parameter.
pub struct ParameterRow {
    parameter: &'static Parameter<Parameters>,
    slider: RangeInclusive<f64>,
    allowed: RangeInclusive<f64>,
    format: fn(f64) -> String,
    tooltip: String,
    usual: Option<[f64; 2]>,
}

impl ParameterRow {
    /// Row of the parameter with this key.
    pub fn of(key: &str) -> Self {
        Self::new(Parameters::entry(key))
    }

    /// Row of a parameter.
    pub fn new(parameter: &'static Parameter<Parameters>) -> Self {
        let Slider { low, high, resolution, logarithmic, percent } = parameter.slider;
        let scale = if percent { 100.0 } else { 1.0 };
        let format = match parameter.kind {
            Kind::Count => |value: f64| format::count(value.round() as u64),
            _ if logarithmic => format::significant,
            _ if resolution < 5e-3 => |value: f64| format::fixed(value, 3),
            _ => |value: f64| format::fixed(value, 2),
        };
        // As values are kept, in `f32`: an end that is rounded otherwise would be set again in every frame.
        let end = |value: f64| scale * f64::from(value as f32);
        Self {
            parameter,
            slider: end(low)..=end(high),
            allowed: end(parameter.bounds.low)..=end(parameter.bounds.high),
            format,
            tooltip: tooltip(parameter),
            usual: parameter.usual.map(|range| range.map(|end| scale * end)),
        }
    }

    /// Replaces the range of the slider.
    pub fn slider(self, slider: RangeInclusive<f64>) -> Self {
        Self { slider, ..self }
    }

    /// Replaces the range that the number field accepts.
    pub fn allowed(self, allowed: RangeInclusive<f64>) -> Self {
        Self { allowed, ..self }
    }

    /// Replaces the range of usual values, which the green band shows.
    pub fn usual(self, usual: [f64; 2]) -> Self {
        Self { usual: Some(usual), ..self }
    }

    /// Replaces the format of the number.
    pub fn format(self, format: fn(f64) -> String) -> Self {
        Self { format, ..self }
    }

    /// Appends `text` to the tooltip.
    pub fn more(self, text: &str) -> Self {
        Self { tooltip: format!("{}\n{text}", self.tooltip), ..self }
    }

    /// Lays out the row. Returns true if the value in `parameters` has changed. The reset button restores the value of `scene`.
    pub fn ui(self, ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) -> bool {
        found::row_ui(ui, self.parameter.key, |ui| self.part_ui(ui, parameters, scene))
    }

    /// Lays out the row as a part of one that has more to it and is found as a whole.
    pub fn part_ui(&self, ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) -> bool {
        let parameter = self.parameter;
        match (parameter.get(parameters), &parameter.kind) {
            (Value::Number(number), _) => {
                let scale = if parameter.slider.percent { 100.0 } else { 1.0 };
                let of_scene = if let Value::Number(number) = parameter.get(scene) { number } else { number };
                let mut value = scale * f64::from(number);
                let changed = self.number_ui(ui, &mut value, scale * f64::from(of_scene));
                // The field keeps the range; the clamp corrects rounding.
                let (low, high) = (parameter.bounds.low as f32, parameter.bounds.high as f32);
                changed && parameter.set(parameters, Value::Number(((value / scale) as f32).clamp(low, high)))
            }
            (Value::Count(count), _) => {
                let of_scene = if let Value::Count(count) = parameter.get(scene) { count } else { count };
                let mut value = f64::from(count);
                let changed = self.number_ui(ui, &mut value, f64::from(of_scene));
                // Rust's conversion saturates.
                let count = value.round().clamp(*self.allowed.start(), *self.allowed.end()) as u32;
                changed && parameter.set(parameters, Value::Count(count))
            }
            (Value::Choice(name), Kind::Choice(options)) => {
                let all: Vec<(&'static str, &str)> = options.iter().map(|option| (option.name, option.label)).collect();
                let mut chosen = name;
                let of_scene = if let Value::Choice(name) = parameter.get(scene) { Some(name) } else { None };
                let changed = choice_of_scene_ui(ui, parameter.label, &self.tooltip, &mut chosen, of_scene, &all);
                changed && parameter.set(parameters, Value::Choice(chosen))
            }
            // Vectors and optional numbers have their own rows.
            _ => false,
        }
    }

    fn number_ui(&self, ui: &mut Ui, value: &mut f64, scene: f64) -> bool {
        let Slider { resolution, logarithmic, percent, .. } = self.parameter.slider;
        let unit = match self.parameter.unit {
            _ if percent => " %".to_owned(),
            // The label of a count names its unit.
            _ if self.parameter.kind == Kind::Count => String::new(),
            "" => String::new(),
            unit => format!(" {unit}"),
        };
        let row = NumberRow {
            label: self.parameter.label,
            tooltip: &self.tooltip,
            unit: &unit,
            slider: self.slider.clone(),
            allowed: self.allowed.clone(),
            logarithmic,
            finest: if percent { 100.0 * resolution } else { resolution },
            scene,
            usual: self.usual,
            format: self.format,
        };
        row.ui(ui, value)
    }
}

/// Tooltip: the documentation of the parameter, and of each option of a choice; the usual values of a number, and what happens
/// beyond them.
fn tooltip(parameter: &Parameter<Parameters>) -> String {
    let options = match &parameter.kind {
        Kind::Choice(options) => options.as_slice(),
        _ => &[],
    };
    let option = |option: &sph_core::parameters::ChoiceOption| format!("\n{}: {}", option.label, option.summary());
    let mut text = parameter.documentation.clone() + &options.iter().map(option).collect::<String>();
    if let Some([low, high]) = parameter.ends {
        text += &format!("\nLow: {low}.\nHigh: {high}.");
    }
    if let Some(range) = parameter.usual {
        let scale = if parameter.slider.percent { 100.0 } else { 1.0 };
        let unit = if parameter.slider.percent { "%" } else { parameter.unit };
        let [low, high] = range.map(|end| format::significant(scale * end));
        text += format!("\nUsually {low} to {high} {unit}").trim_end();
        text += " (the green band).";
    }
    text
}
