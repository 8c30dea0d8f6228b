//! Palette: the tools over the upper left corner of the 3D view, with the settings of the one in use.

use super::{Tool, Tools, settings};
use crate::command::Command;
use crate::ui::widgets::legend;
use crate::ui::{Action, theme};
use egui::{Area, Button, Frame, Id, Margin, Order, Rect, Ui, pos2, vec2};

/// Width of the row of tools, points.
const TOOLS: f32 = 425.0;

/// Lays out the palette at the top left of `view`, clear of the legend at its right, and returns its rectangle: a row with the settings
/// beside or below it, or in narrow views columns.
pub fn palette_ui(ui: &Ui, view: Rect, tools: &mut Tools, actions: &mut Vec<Action>) -> Rect {
    let place = pos2(view.left() + theme::SPACE, view.top() + theme::SPACE);
    let room = view.width() - legend::SIZE.x - 3.0 * theme::SPACE;
    let area = Area::new(Id::unique("tools")).order(Order::Middle).fixed_pos(place).constrain(false);
    let frame =
        Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6.0).inner_margin(Margin::same(4));
    let shown = area.show(ui.ctx(), |ui| {
        frame.show(ui, |ui| {
            let width = settings::width(tools.tool);
            if room >= TOOLS + width {
                ui.horizontal(|ui| {
                    tools_ui(ui, tools.tool, actions);
                    ui.add_space(theme::SPACE);
                    settings::row_ui(ui, tools);
                });
                return;
            }
            if room >= TOOLS {
                ui.horizontal(|ui| tools_ui(ui, tools.tool, actions));
            } else {
                ui.vertical(|ui| tools_ui(ui, tools.tool, actions));
            }
            if width == 0.0 {
                return;
            }
            // Below the text of the first tool, not the edge of its button.
            let indent = ui.spacing().button_padding.x;
            if room >= width + indent {
                // As high as its widgets, not as the palette was.
                ui.horizontal(|ui| {
                    ui.add_space(indent);
                    settings::row_ui(ui, tools);
                });
            } else {
                ui.horizontal_top(|ui| {
                    ui.add_space(indent);
                    settings::column_ui(ui, tools);
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
