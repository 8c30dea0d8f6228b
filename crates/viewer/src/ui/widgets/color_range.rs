//! Range of the particle colours: typed ends, and a pin that holds them.

use super::format;
use super::number::parse;
use crate::color::{self, ColorField, Scale};
use crate::session::Notice;
use crate::ui::{Model, theme};
use egui::{Align, DragValue, Layout, Response, RichText, Ui, vec2};
use sph_io::MAX_COLOR_END;

/// Extent, as a multiple of the automatic one, beyond which all particles have nearly the same colour.
const WIDE: f32 = 100.0;

/// Lays out the two ends of the colour map, each a number to drag or to type, and between them the pin. Returns what there is to say
/// about a typed end.
pub fn range_ui(ui: &mut Ui, field: ColorField, scale: &mut Scale, model: &Model<'_>) -> Option<Notice> {
    let Model { range: [low, high], beyond_range: beyond, .. } = *model;
    let mut range = [low, high];
    let mut is_typed = false;
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 20.0), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut end_ui = |ui: &mut Ui, end: &mut f32, name| {
            let response = end_ui(ui, end, name, high - low);
            is_typed |= response.changed() && !response.dragged();
        };
        end_ui(ui, &mut range[0], ("Lower end", "≤ ", beyond[0]));
        pin_ui(ui, scale, range);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(color::unit(field)).monospace().size(11.0));
            end_ui(ui, &mut range[1], ("Upper end", "≥ ", beyond[1]));
        });
    });
    if range == [low, high] {
        return None;
    }
    let usual = model.snapshot.scene.as_ref().map_or(range, |scene| color::auto_range(field, scene));
    match judge(range) {
        Ok(()) => scale.range = Some(range),
        Err(refusal) => return is_typed.then(|| Notice::warning("The range of the colours stays as it was", refusal)),
    }
    let extent = usual[1] - usual[0];
    let is_wide = is_typed && range[1] - range[0] > WIDE * extent;
    is_wide.then(|| {
        let text = format!(
            "It is more than {WIDE} times that of the scene, {} {}.",
            format::grouped(extent.into()),
            color::unit(field)
        );
        Notice::warning("The range of the colours is so wide that all particles look alike", text)
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
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, format!("{name} of the colours")));
    field.on_hover_text(format!("{name} of the colours: drag, or click to type. Values beyond it have its colour."))
}

/// Lays out the pin: pressed, the ends stay as they are; released, they follow from the scene.
fn pin_ui(ui: &mut Ui, scale: &mut Scale, range: [f32; 2]) {
    let held = scale.range.is_some();
    let text = RichText::new(if held { "held" } else { "hold" }).size(11.0).color(if held {
        theme::of(ui).accent
    } else {
        theme::of(ui).text_quiet
    });
    let pin = ui.selectable_label(held, text);
    if pin.on_hover_text("Hold the ends as they are; released, they follow from the scene.").clicked() {
        scale.range = if held { None } else { Some(range) };
    }
}
