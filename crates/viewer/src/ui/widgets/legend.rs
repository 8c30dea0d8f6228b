//! Legend of the particle colours: choice of the field, the colour map, and its range.

use super::color_range::range_ui;
use crate::color::{self, ColorField, ColorMap, ColorMapName, Scale};
use crate::session::Notice;
use crate::ui::{Model, theme};
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{
    Align, Color32, ComboBox, Frame, Label, Layout, Margin, Popup, Rect, Response, RichText, Role, ScrollArea, Sense, Shape,
    Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use sph_core::parameters::{Choice, ChoiceOption};

/// Width of the gradient, points.
const WIDTH: f32 = 190.0;

/// Size of the legend with its frame, points.
pub const SIZE: Vec2 = vec2(WIDTH + 3.0 * theme::SPACE, 80.0);

/// Least height of an area for the legend, points.
pub const LEAST_HEIGHT: f32 = 120.0;

/// Height of the list of names, points: two lines.
const NAMES_HEIGHT: f32 = 38.0;

/// Height of the list of quantities, points: room for all of them.
const LIST_HEIGHT: f32 = 360.0;

/// Number of steps of the gradient; colours between are interpolated.
const STEPS: u32 = 48;

/// True if the legend fits into `area`.
pub fn fits(area: Rect) -> bool {
    area.width() >= SIZE.x + 2.0 * theme::SPACE && area.height() >= LEAST_HEIGHT
}

/// Place of the legend in the upper right corner of `area`.
pub fn place(area: Rect) -> Rect {
    Rect::from_min_size(area.right_top() + vec2(-theme::SPACE - SIZE.x, theme::SPACE), SIZE)
}

/// Lays out the legend in the upper right corner of `area` if it fits. Returns what there is to say about ends that were typed.
pub fn legend_ui(ui: &mut Ui, area: Rect, (field, scale): (&mut ColorField, &mut Scale), model: &Model<'_>) -> Option<Notice> {
    if !fits(area) {
        return None;
    }
    let mut notice = None;
    let rect = place(area);
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)), |ui| {
        let frame =
            Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6).inner_margin(Margin::same(8));
        frame.show(ui, |ui| {
            ui.set_width(WIDTH);
            ui.horizontal(|ui| {
                let label = ui.label(RichText::new("Colour").color(theme::of(ui).text_quiet));
                let mut chosen = *field;
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    field_ui(ui, &mut chosen, model).labelled_by(label.id)
                });
                scale.choose(field, chosen);
            });
            let Some(scene) = &model.snapshot.scene else { return };
            if let Some(named) = color::named_colors(*field, scene) {
                names_ui(ui, &named);
                return;
            }
            map_ui(ui, *field, scale);
            notice = range_ui(ui, *field, scale, model);
        });
    });
    notice
}

/// Fields in which particles can differ.
pub fn offered(model: &Model<'_>) -> impl Iterator<Item = ColorField> {
    let of_scene = model.snapshot.scene.as_ref().zip(model.snapshot.parameters.as_ref());
    ColorField::ALL
        .into_iter()
        .filter(move |field| of_scene.is_none_or(|(scene, parameters)| color::is_offered(*field, &scene.setup, parameters)))
}

/// Lays out the choice of the field.
fn field_ui(ui: &mut Ui, field: &mut ColorField, model: &Model<'_>) -> Response {
    let combo = ComboBox::from_id_salt("colour field").selected_text(color::label(*field)).width(132.0).height(LIST_HEIGHT);
    let combo = combo.show_ui(ui, |ui| {
        for choice in offered(model) {
            ui.selectable_value(field, choice, color::label(choice)).on_hover_text(choice.option().documentation);
        }
    });
    combo.response
}

/// Lays out the names of categories with their colours; many share a line, and lines beyond the second are reached by scrolling.
fn names_ui(ui: &mut Ui, named: &[(String, [u8; 3])]) {
    let name_ui = |ui: &mut Ui, (name, [r, g, b]): &(String, [u8; 3])| {
        ui.horizontal(|ui| {
            let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 5.0, Color32::from_rgb(*r, *g, *b));
            ui.add(Label::new(RichText::new(name).size(12.0)).truncate());
        });
    };
    ScrollArea::vertical().id_salt("categories").max_height(NAMES_HEIGHT).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        if named.len() <= 2 {
            named.iter().for_each(|name| name_ui(ui, name));
        } else {
            ui.columns(2, |columns| {
                named.iter().enumerate().for_each(|(number, name)| name_ui(&mut columns[number % 2], name));
            });
        }
    });
}

/// Lays out the gradient; a click opens the list of colour maps.
fn map_ui(ui: &mut Ui, field: ColorField, scale: &mut Scale) {
    let size = vec2(ui.available_width(), 10.0);
    let gradient = gradient_ui(ui, scale.map(field, &[]), size, Sense::click());
    gradient.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Colour map"));
    let gradient = gradient.on_hover_text("Colour map: click to choose another.");
    Popup::menu(&gradient).show(|ui| {
        ui.selectable_value(&mut scale.map, None, "Automatic").on_hover_text("The map that suits the quantity.");
        for name in ColorMapName::ALL {
            let ChoiceOption { label, documentation, .. } = name.option();
            ui.horizontal(|ui| {
                gradient_ui(ui, ColorMap::of(name), vec2(72.0, 12.0), Sense::hover());
                ui.selectable_value(&mut scale.map, Some(name), label).on_hover_text(documentation);
            });
        }
    });
}

/// Paints a colour map from left to right.
fn gradient_ui(ui: &mut Ui, map: ColorMap, size: Vec2, sense: Sense) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, sense);
    let mut mesh = Mesh::default();
    for step in 0..=STEPS {
        let t = step as f32 / STEPS as f32;
        let [r, g, b] = map.sample(t);
        let x = rect.left() + t * rect.width();
        for y in [rect.top(), rect.bottom()] {
            mesh.vertices.push(Vertex { pos: pos2(x, y), uv: WHITE_UV, color: Color32::from_rgb(r, g, b) });
        }
        if step < STEPS {
            let first = 2 * step;
            mesh.indices.extend([first, first + 1, first + 2, first + 2, first + 1, first + 3]);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
    response
}
