//! Legend of the particle colours: choice of the field, the colour map, and its range, with ends that can be typed.

use super::format::{self, parse};
use super::list_value_ui;
use crate::session::Notice;
use crate::ui::{Display, Model, theme};
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{
    Align, Color32, ComboBox, DragValue, FontId, Frame, Label, Layout, Margin, Painter, Popup, Rect, Response, RichText, Role,
    ScrollArea, Sense, Shape, Stroke, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use sph_color::{self, ColorField, ColorMap, ColorMapName, Scale};
use sph_core::parameters::{Choice, ChoiceOption};
use sph_io::MAX_COLOR_END;

/// Width of the gradient, points.
const WIDTH: f32 = 190.0;

/// Size of the legend with its frame, points.
pub const SIZE: Vec2 = vec2(WIDTH + 2.0 * theme::SPACE, 80.0);

/// Least width and height of an area for the legend, points: in a narrower one it would take more than two fifths of the width.
const LEAST_WIDTH: f32 = 520.0;
pub const LEAST_HEIGHT: f32 = 120.0;

/// Height of the list of names, points: two lines.
const NAMES_HEIGHT: f32 = 38.0;

/// Height of the list of quantities, points: room for all of them.
const LIST_HEIGHT: f32 = 360.0;

/// Number of steps of the gradient; colours between are interpolated.
const STEPS: u32 = 48;

/// True if the legend fits into `area`.
pub fn fits(area: Rect) -> bool {
    area.width() >= LEAST_WIDTH && area.height() >= LEAST_HEIGHT
}

/// Place of the legend in the upper right corner of `area`.
pub fn place(area: Rect) -> Rect {
    Rect::from_min_size(area.right_top() + vec2(-theme::SPACE - SIZE.x, theme::SPACE), SIZE)
}

/// Lays out the legend in the upper right corner of `area` if it fits. Returns what there is to say about ends that were typed.
pub fn legend_ui(ui: &mut Ui, area: Rect, display: &mut Display, model: &Model<'_>) -> Option<Notice> {
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
                let mut chosen = display.color;
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    field_ui(ui, &mut chosen, model).labelled_by(label.id)
                });
                if chosen != display.color {
                    display.choose_color(chosen, model.snapshot);
                }
            });
            let Some(scene) = &model.snapshot.scene else { return };
            if let Some(named) = sph_color::named_colors(display.color, scene) {
                names_ui(ui, &named);
                return;
            }
            map_ui(ui, display.color, &mut display.scale);
            notice = range_ui(ui, display.color, &mut display.scale, model);
        });
    });
    notice
}

// Legend in one line, for views without room for the whole one: the colour map with the numbers at its ends. The menu of the looks has
// the choice of the field.

/// Height of the line, least width of one and of one with the name of the field, and least width of the gradient, points.
pub const LINE_HEIGHT: f32 = 24.0;
const LEAST_LINE: f32 = 184.0;
const LEAST_NAMED: f32 = 280.0;
const LEAST_GRADIENT: f32 = 32.0;

/// Greatest width of the line, points.
const MOST_LINE: f32 = 360.0;

/// True if `line` has room for the legend.
pub fn fits_in_line(line: Rect) -> bool {
    line.width() >= LEAST_LINE && line.height() >= LINE_HEIGHT
}

/// Lays out the legend in the middle of `line` if it fits.
pub fn line_ui(ui: &mut Ui, line: Rect, field: ColorField, scale: &Scale, model: &Model<'_>) {
    let Some(scene) = model.snapshot.scene.as_ref().filter(|_| fits_in_line(line)) else { return };
    let plate = Rect::from_center_size(line.center(), vec2(line.width().min(MOST_LINE), LINE_HEIGHT));
    let (text, quiet) = (theme::of(ui).text, theme::of(ui).text_quiet);
    let name = sph_color::label(field);
    let names = sph_color::named_colors(field, scene);
    let (Model { range, beyond_range: beyond, .. }, unit) = (*model, sph_color::unit(field));
    let [low, high] = [0, 1].map(|end| {
        let sign = if beyond[end] { ["≤ ", "≥ "][end] } else { "" };
        format!("{sign}{}", format::grouped(range[end].into()).replace('-', "−"))
    });
    let described = match &names {
        Some(names) => format!("{name}: {}", names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")),
        None => format!("{name}: from {low} to {high} {unit}"),
    };
    ui.painter().rect_filled(plate, 6.0, theme::of(ui).background.gamma_multiply(0.85));
    // A click on it is none on the fluid behind it.
    let response = ui.interact(plate, ui.scope_id().with("legend line"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, described.trim_end()));
    response.on_hover_text(described.trim_end());
    let painter = ui.painter().with_clip_rect(plate.shrink2(vec2(0.75 * theme::SPACE, 0.0)).intersect(ui.clip_rect()));
    let lay_out = |text: String, font: FontId, color: Color32| ui.painter().layout_no_wrap(text, font, color);
    let place = |galley: &std::sync::Arc<egui::Galley>, left: f32| pos2(left, plate.center().y - 0.5 * galley.size().y);
    let gap = 0.75 * theme::SPACE;
    let mut left = plate.left() + gap;
    if plate.width() >= LEAST_NAMED || names.is_some() {
        let galley = lay_out(name.to_owned(), FontId::proportional(12.0), quiet);
        let at = place(&galley, left);
        left += galley.size().x + gap;
        painter.galley(at, galley, quiet);
    }
    if let Some(names) = names {
        for (name, [r, g, b]) in names {
            painter.circle_filled(pos2(left + 4.5, plate.center().y), 4.5, Color32::from_rgb(r, g, b));
            let galley = lay_out(name, FontId::proportional(12.0), text);
            let at = place(&galley, left + 13.0);
            left = at.x + galley.size().x + gap;
            painter.galley(at, galley, text);
        }
        return;
    }
    let number = |text: String| lay_out(text, FontId::monospace(11.0), theme::of(ui).text);
    let (low, high) = (number(low), number(format!("{high} {unit}").trim_end().to_owned()));
    let right = plate.right() - gap - high.size().x;
    let bar = Rect::from_x_y_ranges(left + low.size().x + gap..=right - gap, plate.center().y - 5.0..=plate.center().y + 5.0);
    let (low_at, high_at) = (place(&low, left), place(&high, right));
    painter.galley(low_at, low, text);
    painter.galley(high_at, high, text);
    if bar.width() >= LEAST_GRADIENT {
        paint_gradient(&painter, scale.map(field, &scene.setup.fluids, theme::background(ui).backdrop()), bar);
    }
}

/// Fields in which particles can differ.
pub fn offered(model: &Model<'_>) -> impl Iterator<Item = ColorField> {
    let of_scene = model.snapshot.scene.as_ref().zip(model.snapshot.parameters.as_ref());
    ColorField::ALL
        .into_iter()
        .filter(move |field| of_scene.is_none_or(|(scene, parameters)| sph_color::is_offered(*field, &scene.setup, parameters)))
}

/// Lays out the choice of the field.
fn field_ui(ui: &mut Ui, field: &mut ColorField, model: &Model<'_>) -> Response {
    let combo = ComboBox::from_id_salt("colour field").selected_text(sph_color::label(*field)).width(132.0).height(LIST_HEIGHT);
    let combo = combo.show_ui(ui, |ui| {
        for choice in offered(model) {
            list_value_ui(ui, field, choice, sph_color::label(choice)).on_hover_text(choice.option().documentation);
        }
    });
    combo.response
}

/// Lays out the names of categories with their colours; many share a line, and lines beyond the second are reached by scrolling.
fn names_ui(ui: &mut Ui, named: &[(String, [u8; 3])]) {
    let name_ui = |ui: &mut Ui, (name, [r, g, b]): &(String, [u8; 3])| {
        ui.horizontal(|ui| {
            let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            let outline = Stroke::new(1.0, theme::of(ui).line);
            ui.painter().circle(dot.center(), 4.5, Color32::from_rgb(*r, *g, *b), outline);
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
    let gradient = gradient_ui(ui, scale.map(field, &[], theme::background(ui).backdrop()), size, Sense::click());
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
    paint_gradient(ui.painter(), map, rect);
    response
}

fn paint_gradient(painter: &Painter, map: ColorMap, rect: Rect) {
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
    painter.add(Shape::mesh(mesh));
}

// Range of the particle colours: typed ends, and a pin that holds them.

/// Extent, as a multiple of the automatic one, beyond which all particles have nearly the same colour.
const WIDE: f32 = 100.0;

/// Lays out the two ends of the colour map, each a number to drag or to type, and between them the pin. Returns what there is to say
/// about a typed end.
pub fn range_ui(ui: &mut Ui, field: ColorField, scale: &mut Scale, model: &Model<'_>) -> Option<Notice> {
    let Model { range: [low, high], beyond_range: beyond, .. } = *model;
    let mut range = [low, high];
    let mut is_typed = false;
    let is_fitted = sph_color::is_fitted(field);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 20.0), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut end_ui = |ui: &mut Ui, end: &mut f32, name| {
            let response = end_ui(ui, end, name, high - low);
            is_typed |= response.changed() && !response.dragged();
            response
        };
        end_ui(ui, &mut range[0], ("Lower end", "≤ ", beyond[0]));
        pin_ui(ui, scale, (range, is_fitted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(sph_color::unit(field)).monospace().size(11.0));
            end_ui(ui, &mut range[1], ("Upper end", "≥ ", beyond[1]));
        });
    });
    if range == [low, high] {
        return None;
    }
    let usual = model.snapshot.scene.as_ref().map_or(range, |scene| sph_color::auto_range(field, scene));
    match judge(range) {
        Ok(()) => scale.range = Some(range),
        Err(refusal) => return is_typed.then(|| Notice::warning("The colour range is unchanged", refusal)),
    }
    let extent = usual[1] - usual[0];
    let is_wide = is_typed && range[1] - range[0] > WIDE * extent;
    is_wide.then(|| {
        let text = format!(
            "It is more than {WIDE} times that of the scene, {} {}.",
            format::grouped(extent.into()),
            sph_color::unit(field)
        );
        Notice::warning("The colour range is so wide that all particles look alike", text)
    })
}

/// Checks the ends of a range.
fn judge([low, high]: [f32; 2]) -> Result<(), String> {
    if [low, high].iter().any(|end| end.is_nan() || end.abs() > MAX_COLOR_END) {
        return Err(format!("An end is beyond ±{MAX_COLOR_END:e}."));
    }
    if low >= high {
        let [low, high] = [low, high].map(|end| format::grouped(end.into()));
        return Err(format!("The lower end, {low}, must be below the upper one, {high}."));
    }
    Ok(())
}

/// Lays out an end; `sign` marks that there are values beyond it.
fn end_ui(ui: &mut Ui, end: &mut f32, (name, sign, beyond): (&str, &str, bool), extent: f32) -> Response {
    let prefix = if beyond { sign } else { "" };
    let field = DragValue::new(end)
        .prefix(prefix)
        .speed(0.005 * extent)
        .custom_formatter(|value, _| format::grouped(value))
        .custom_parser(|text| parse(text.trim_start_matches(['≤', '≥', ' ']), "", false))
        .update_while_editing(false);
    let field = ui.add(field);
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, format!("{name} of the colour range")));
    let beyond = if beyond { "Some particles are beyond it; they have its colour." } else { "No particle is beyond it." };
    field.on_hover_text(format!("{name} of the colour range: drag, or click to type. {beyond}"))
}

/// Lays out the pin: pressed, the ends stay as they are; released, they follow from the scene.
fn pin_ui(ui: &mut Ui, scale: &mut Scale, (range, is_fitted): ([f32; 2], bool)) {
    let held = scale.range.is_some();
    // Longer words would not fit between long numbers.
    let (text, color) = if held { ("Locked", theme::of(ui).accent) } else { ("Lock", theme::of(ui).text_quiet) };
    let pin = ui.selectable_label(held, RichText::new(text).size(11.0).color(color));
    pin.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), held, "Lock range"));
    let unlocked = if is_fitted {
        "Unlocked, it spans the values of most particles, without the lowest and highest 2 %, and is steady over time."
    } else {
        "Unlocked, it suits the scene."
    };
    if pin.on_hover_text(format!("Keep this range. {unlocked}")).clicked() {
        scale.range = if held { None } else { Some(range) };
    }
}
