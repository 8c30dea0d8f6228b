//! Palette: the tools over the upper left corner of the 3D view, with the settings of the one in use.

use super::{Tool, Tools};
use crate::command::Command;
use crate::ui::widgets::legend;
use crate::ui::{Action, theme};
use egui::{Area, Button, Frame, Id, Margin, Order, Rect, Slider, Ui, pos2, vec2};
use sph_core::DroppedShape;

/// Width of the row of tools, and of the settings beside it, points.
const TOOLS: f32 = 425.0;
const SETTINGS: f32 = 480.0;

/// Lays out the palette at the top left of `view`, clear of the legend at its right, and returns its rectangle: a row with the settings
/// beside or below it, or in narrow views a column.
pub fn palette_ui(ui: &Ui, view: Rect, tools: &mut Tools, actions: &mut Vec<Action>) -> Rect {
    let place = pos2(view.left() + theme::SPACE, view.top() + theme::SPACE);
    let room = view.width() - legend::SIZE.x - 3.0 * theme::SPACE;
    let area = Area::new(Id::unique("tools")).order(Order::Middle).fixed_pos(place).constrain(false);
    let frame =
        Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6.0).inner_margin(Margin::same(4));
    let shown = area.show(ui.ctx(), |ui| {
        frame.show(ui, |ui| {
            if room >= TOOLS + SETTINGS {
                ui.horizontal(|ui| {
                    tools_ui(ui, tools.tool, actions);
                    settings_ui(ui, tools);
                });
            } else if room >= TOOLS {
                ui.horizontal(|ui| tools_ui(ui, tools.tool, actions));
                if tools.tool.has_radius() {
                    ui.horizontal(|ui| settings_ui(ui, tools));
                }
            } else {
                ui.vertical(|ui| {
                    tools_ui(ui, tools.tool, actions);
                    settings_ui(ui, tools);
                });
            }
        });
    });
    shown.response.rect
}

fn tools_ui(ui: &mut Ui, present: Tool, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing = vec2(0.5 * theme::SPACE, 0.25 * theme::SPACE);
    for tool in Tool::ALL {
        let command = Command::Use(tool);
        let button = ui.add(Button::selectable(present == tool, tool.label()));
        let keys = command.shortcut_text(ui.ctx());
        if button.on_hover_text(format!("{} ({keys})\n{}", tool.label(), tool.tooltip())).clicked() {
            actions.push(Action::Command(command));
        }
    }
}

fn settings_ui(ui: &mut Ui, tools: &mut Tools) {
    let [low, high] = Tools::RADII;
    if tools.tool.has_radius() {
        ui.spacing_mut().slider_width = 70.0;
        let percent = |value: f64, _: std::ops::RangeInclusive<usize>| format!("{:.0} %", 100.0 * value);
        let slider = Slider::new(&mut tools.radius, low..=high).text("Radius").custom_formatter(percent);
        ui.add(slider).on_hover_text("Radius in parts of the scene's height. Ctrl + wheel changes it too.");
    }
    if tools.tool == Tool::Drop {
        for shape in DroppedShape::ALL {
            let tooltip = "Shape of the body; in two dimensions a square or a disc.";
            ui.selectable_value(&mut tools.shape, shape, shape.label()).on_hover_text(tooltip);
        }
        let [low, high] = Tools::DENSITIES;
        let slider = Slider::new(&mut tools.density, low..=high).logarithmic(true).text("Density").suffix(" × fluid");
        ui.add(slider).on_hover_text(
            "Density over that of the fluid, of the densest one if there are several. 0.5, in water 500 kg/m³, floats half immersed; above \
             1 the body sinks.",
        );
    }
    if matches!(tools.tool, Tool::Push | Tool::Pull) {
        let [low, high] = Tools::STRENGTHS;
        let slider = Slider::new(&mut tools.strength, low..=high).logarithmic(true).text("Strength").suffix(" g");
        ui.add(slider).on_hover_text("Acceleration at the middle, in multiples of gravity.");
    }
}
