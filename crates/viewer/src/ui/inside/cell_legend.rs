//! Legend of the cell colours, below the legend of the particle colours.

use crate::grid_boxes::{self, CellColoring};
use crate::ui::widgets::legend;
use crate::ui::{Model, State, theme};
use egui::{Align, Color32, Frame, Layout, Margin, Rect, RichText, Sense, Ui, UiBuilder, vec2};

/// Height of the legend, points.
pub const HEIGHT: f32 = 60.0;

/// Number of steps of the gradient.
const STEPS: u32 = 24;

/// Lays out the legend while cells are drawn; if it does not fit into `area`, as one line centred in `line`.
pub fn cell_legend_ui(ui: &mut Ui, area: Rect, line: Option<Rect>, state: &State, model: &Model<'_>) {
    let view = &state.view;
    let contents = state.comparing.side.inspection(model.snapshot).and_then(|inspection| inspection.contents.as_ref());
    if !contents.is_some_and(|contents| view.cells && view.selected.is_none() && contents.cell_size > 0.0) {
        return;
    }
    if !legend::fits(area) {
        if let Some(line) = line {
            line_ui(ui, line, view.coloring, view.top);
        }
        return;
    }
    let corner = area.right_top() + vec2(-theme::SPACE - legend::SIZE.x, legend::SIZE.y + 2.0 * theme::SPACE);
    let rect = Rect::from_min_size(corner, vec2(legend::SIZE.x, HEIGHT));
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)), |ui| {
        let frame =
            Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6).inner_margin(Margin::same(8));
        frame.show(ui, |ui| {
            ui.set_width(legend::SIZE.x - 3.0 * theme::SPACE);
            ui.label(RichText::new(title(view.coloring)).color(theme::of(ui).text_quiet));
            match view.coloring {
                CellColoring::Occupancy => occupancy_ui(ui, view.top),
                CellColoring::Bucket => {}
                CellColoring::Collision => collision_ui(ui),
            }
        });
    });
}

/// Lays out the legend as one line.
fn line_ui(ui: &mut Ui, line: Rect, coloring: CellColoring, top: u32) {
    let width = match coloring {
        CellColoring::Occupancy => 244.0,
        CellColoring::Bucket => 170.0,
        CellColoring::Collision => 322.0,
    };
    if line.width() < width {
        return;
    }
    let frame_rect = Rect::from_center_size(line.center(), vec2(width, line.height()));
    ui.painter().rect_filled(frame_rect, 6.0, theme::of(ui).background.gamma_multiply(0.85));
    let layout = Layout::left_to_right(Align::Center);
    let builder = UiBuilder::new().max_rect(frame_rect.shrink2(vec2(theme::SPACE, 0.0))).layout(layout);
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 0.75 * theme::SPACE;
        ui.label(RichText::new(title(coloring)).color(theme::of(ui).text_quiet));
        match coloring {
            CellColoring::Occupancy => {
                ui.label(RichText::new("1").monospace().size(11.0));
                gradient_ui(ui, 84.0, top);
                ui.label(RichText::new(top.to_string()).monospace().size(11.0));
            }
            CellColoring::Bucket => {}
            CellColoring::Collision => collision_ui(ui),
        }
    });
}

fn title(coloring: CellColoring) -> &'static str {
    match coloring {
        CellColoring::Occupancy => "Particles per cell",
        CellColoring::Bucket => "Bucket of the cell",
        CellColoring::Collision => "Cells per bucket",
    }
}

fn occupancy_ui(ui: &mut Ui, top: u32) {
    gradient_ui(ui, ui.available_width(), top);
    egui::Sides::new().show(
        ui,
        |ui| ui.label(RichText::new("1").monospace().size(11.0)),
        |ui| ui.label(RichText::new(top.to_string()).monospace().size(11.0)),
    );
}

fn gradient_ui(ui: &mut Ui, width: f32, top: u32) {
    let (bar, _) = ui.allocate_exact_size(vec2(width, 10.0), Sense::hover());
    for step in 0..STEPS {
        let edge = |step: u32| bar.left() + bar.width() * step as f32 / STEPS as f32;
        let points = 1.0 + (top.max(2) - 1) as f32 * (step as f32 + 0.5) / STEPS as f32;
        let part = Rect::from_x_y_ranges(edge(step)..=edge(step + 1), bar.y_range());
        ui.painter().rect_filled(part, 0.0, color(grid_boxes::occupancy_color(points.round() as u32, top)));
    }
}

fn collision_ui(ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.5 * theme::SPACE;
        for (sharing, name) in [(1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5 or more")] {
            let (swatch, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect_filled(swatch, 2.0, color(grid_boxes::collision_color(sharing)));
            ui.label(RichText::new(name).size(11.0));
        }
    });
}

fn color([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}
