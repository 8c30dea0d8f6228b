//! Settings of the tool in use: each a label, then its slider and its number.

use super::{Tool, Tools};
use crate::ui::theme;
use crate::ui::widgets::parse;
use egui::{DragValue, Grid, Slider, Ui};
use sph_core::DroppedShape;

/// Width of a slider, and least width of the number beside it, points.
const SLIDER: f32 = 70.0;
const NUMBER: f32 = 52.0;

/// Setting that is a number.
struct Setting {
    label: &'static str,
    tooltip: &'static str,
    range: [f32; 2],
    /// Number that is shown for the value 1, its decimals, and its unit.
    shown: (f64, usize, &'static str),
    logarithmic: bool,
}

const RADIUS: Setting = Setting {
    label: "Radius",
    tooltip: "Radius in parts of the scene's height. Ctrl + wheel changes it too.",
    range: Tools::RADII,
    shown: (100.0, 0, " %"),
    logarithmic: false,
};

const STRENGTH: Setting = Setting {
    label: "Strength",
    tooltip: "Acceleration at the middle, in multiples of gravity.",
    range: Tools::STRENGTHS,
    shown: (1.0, 1, " g"),
    logarithmic: true,
};

const DENSITY: Setting = Setting {
    label: "Density",
    tooltip: "Density over that of the fluid, of the densest one if there are several. 0.5, in water 500 kg/m³, floats half immersed; above \
              1 the body sinks.",
    range: Tools::DENSITIES,
    shown: (1.0, 2, " × fluid"),
    logarithmic: true,
};

/// Width of the settings of `tool` in one row, points.
pub(super) fn width(tool: Tool) -> f32 {
    match tool {
        Tool::Drop => 560.0,
        Tool::Push | Tool::Pull => 400.0,
        Tool::Pour => 200.0,
        Tool::Look | Tool::Tilt | Tool::Move => 0.0,
    }
}

/// Lays out the settings one beside the other.
pub(super) fn row_ui(ui: &mut Ui, tools: &mut Tools) {
    lay_out(ui, tools, |_| ());
}

/// Lays out the settings one below the other, their labels in a column.
pub(super) fn column_ui(ui: &mut Ui, tools: &mut Tools) {
    Grid::new("settings of the tool")
        .num_columns(2)
        .spacing([theme::SPACE, 2.0])
        .show(ui, |ui| lay_out(ui, tools, Ui::end_row));
}

/// Lays out label and controls of every setting, and `end` after each.
fn lay_out(ui: &mut Ui, tools: &mut Tools, end: fn(&mut Ui)) {
    if tools.tool.has_radius() {
        number_ui(ui, &RADIUS, &mut tools.radius);
        end(ui);
    }
    if tools.tool == Tool::Drop {
        ui.label("Shape");
        ui.horizontal(|ui| {
            for shape in DroppedShape::ALL {
                let tooltip = "Shape of the body; in two dimensions a square or a disc.";
                ui.selectable_value(&mut tools.shape, shape, shape.label()).on_hover_text(tooltip);
            }
        });
        end(ui);
        number_ui(ui, &DENSITY, &mut tools.density);
        end(ui);
    }
    if matches!(tools.tool, Tool::Push | Tool::Pull) {
        number_ui(ui, &STRENGTH, &mut tools.strength);
        end(ui);
    }
}

fn number_ui(ui: &mut Ui, setting: &Setting, value: &mut f32) {
    let Setting { label, tooltip, range: [low, high], shown: (scale, decimals, unit), logarithmic } = *setting;
    let label = ui.label(label).on_hover_text(tooltip);
    ui.horizontal(|ui| {
        ui.spacing_mut().slider_width = SLIDER;
        ui.spacing_mut().interact_size.x = NUMBER;
        let slider = Slider::new(value, low..=high).logarithmic(logarithmic).show_value(false);
        ui.add(slider).on_hover_text(tooltip).labelled_by(label.id);
        let speed = if logarithmic { 0.01 * f64::from(*value) } else { 0.002 * f64::from(high - low) };
        let number = DragValue::new(value).range(low..=high).speed(speed).suffix(unit).update_while_editing(false);
        let number = number.custom_formatter(|value, _| format!("{:.decimals$}", scale * value));
        let number = number.custom_parser(|text| parse(text, unit, false).map(|number| number / scale));
        ui.add(number).on_hover_text(tooltip).labelled_by(label.id);
    });
}
