//! Rows of the panels: numbers and choices, parameters from their table, marks on sliders, words about typed numbers.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use super::format::{self, parse};
use super::{Icon, icon_button, list_value_ui, outline, tooltip_beside};
use crate::ui::theme;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{
    Align, Area, Color32, DragValue, Frame, Id, Label, Layout, Order, Rect, Response, RichText, Sides, Slider, SliderClamping,
    Stroke, TextStyle, Ui, pos2, vec2,
};
use sph_core::parameters::{Kind, Parameter, Parameters, Slider as SliderRange, Value};

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
                // The exponents of the font of text stand closer than those of the font of numbers.
                if (self.format)(before).contains('×') {
                    ui.style_mut().drag_value_text_style = TextStyle::Body;
                }
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
                if outline::takes_focus(ui) {
                    field.request_focus();
                    // All of it is selected, so that what is typed takes its place.
                    let mut state = TextEditState::default();
                    let end = CCursor::new((self.format)(*value).chars().count());
                    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::default(), end)));
                    state.store(ui.ctx(), field.id);
                }
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
        outline::note(ui, self.label, label.rect.union(field.rect).union(slider.rect));
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

/// True if a value differs from the scene's by more than rounding to `f32` in the simulation.
fn differs(value: f64, scene: f64) -> bool {
    (value - scene).abs() > 1e-6 * scene.abs()
}

/// Lays out the label of a row; a dot in the margin marks a value that is not the scene's.
fn changed_label_ui(ui: &mut Ui, label: &str, is_changed: bool) -> Response {
    let response = ui.label(label);
    if is_changed {
        let dot = response.rect.left_center() - vec2(0.75 * theme::SPACE, 0.0);
        ui.painter().with_clip_rect(ui.clip_rect().expand(theme::SPACE)).circle_filled(dot, 2.5, theme::of(ui).warning);
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
    choice_of_scene_ui(ui, label, tooltip, (value, None), all, |_| "")
}

/// Lays out such a choice, with a button that restores the scene's. `explain` gives the tooltip of an option, which may be empty.
pub fn choice_of_scene_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    tooltip: &str,
    (value, scene): (&mut T, Option<T>),
    all: &[(T, &str)],
    explain: impl Fn(T) -> &'static str,
) -> bool {
    let before = *value;
    let is_changed = scene.is_some_and(|scene| scene != before);
    let (name, combo) = Sides::new().shrink_left().truncate().show(
        ui,
        |ui| changed_label_ui(ui, label, is_changed).on_hover_text(tooltip),
        |ui| {
            let name = all.iter().find(|(option, _)| option == value).map_or("", |(_, name)| name);
            let size = vec2(choice_width(ui, label, name), ui.spacing().interact_size.y);
            let combo = ui.allocate_ui(size, |ui| {
                let combo = egui::ComboBox::from_id_salt(label).selected_text(name).width(size.x).truncate();
                combo.show_ui(ui, |ui| {
                    for (option, name) in all {
                        let entry = list_value_ui(ui, value, *option, name);
                        let text = explain(*option);
                        if !text.is_empty() {
                            tooltip_beside(entry, text);
                        }
                    }
                })
            });
            let combo = combo.inner;
            // The layout runs from right to left.
            if let Some(scene) = scene {
                choice_reset_ui(ui, value, scene, is_changed);
            }
            combo.response
        },
    );
    outline::note(ui, label, name.rect.union(combo.rect));
    combo.labelled_by(name.id);
    *value != before
}

/// Width of a choice beside its `label`, points. Neither the label nor the `name` of what is chosen is cut as long as there is room for both.
fn choice_width(ui: &Ui, label: &str, name: &str) -> f32 {
    let width = |text: &str, style: TextStyle| {
        ui.painter().layout_no_wrap(text.to_owned(), style.resolve(ui.style()), Color32::PLACEHOLDER).size().x
    };
    let spacing = ui.spacing();
    let needed = width(name, TextStyle::Button) + 2.0 * spacing.button_padding.x + spacing.icon_spacing + spacing.icon_width;
    let [usual, least_label, reset] = [130.0, 60.0, 20.0];
    let room = ui.available_width() - reset - 2.0 * spacing.item_spacing.x;
    let beside = usual.min(room - width(label, TextStyle::Body));
    needed.max(beside).min((room - least_label).max(reset))
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
        ui.label(RichText::new(label).color(theme::of(ui).text_quiet));
        // Truncated, so that no number makes the panel wider.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(value).monospace()).truncate())
        });
    });
    outline::note(ui, label, row.response.rect);
    row.response.on_hover_text(tooltip);
}

/// Lays out a line of explanation in small grey text.
pub fn hint_ui(ui: &mut Ui, text: impl Into<String>) {
    ui.label(RichText::new(text.into()).small().color(theme::of(ui).text_quiet));
}

// Rows that edit a parameter, with label, tooltip, unit, range and slider from the table of parameters.

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
        let SliderRange { low, high, resolution, logarithmic, percent } = parameter.slider;
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

    /// Replaces the range of usual values of all scenes by that of this one, and the words about it in the tooltip.
    pub fn usual_here(self, usual: Option<[f64; 2]>, words: &str) -> Self {
        let tooltip = format!("{}\n{words}", tooltip_without_usual(self.parameter));
        Self { usual, tooltip, ..self }
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
        outline::row_ui(ui, self.parameter.key, |ui| self.part_ui(ui, parameters, scene))
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
                let explain =
                    |name| options.iter().find(|option| option.name == name).map_or("", |option| option.documentation.trim());
                let changed = choice_of_scene_ui(ui, parameter.label, &self.tooltip, (&mut chosen, of_scene), &all, explain);
                changed && parameter.set(parameters, Value::Choice(chosen))
            }
            // Vectors and optional numbers have their own rows.
            _ => false,
        }
    }

    fn number_ui(&self, ui: &mut Ui, value: &mut f64, scene: f64) -> bool {
        let SliderRange { resolution, logarithmic, percent, .. } = self.parameter.slider;
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
    let mut text = tooltip_without_usual(parameter);
    if let Some(range) = parameter.usual {
        let scale = if parameter.slider.percent { 100.0 } else { 1.0 };
        let unit = if parameter.slider.percent { "%" } else { parameter.unit };
        let [low, high] = range.map(|end| format::significant(scale * end));
        text += format!("\nUsually {low} to {high} {unit}").trim_end();
        text += " (the green band).";
    }
    text
}

/// Tooltip without the usual values.
fn tooltip_without_usual(parameter: &Parameter<Parameters>) -> String {
    let options = match &parameter.kind {
        Kind::Choice(options) => options.as_slice(),
        _ => &[],
    };
    let option = |option: &sph_core::parameters::ChoiceOption| {
        let summary = option.summary();
        // Some begin with the name.
        if summary.starts_with(option.label) { format!("\n{summary}") } else { format!("\n{}: {summary}", option.label) }
    };
    let text = parameter.documentation.clone() + &options.iter().map(option).collect::<String>();
    let mut text = text.replace('`', "");
    if let Some([low, high]) = parameter.ends {
        text += &format!("\nLow: {low}.\nHigh: {high}.");
    }
    text
}

// Marks on the rail of a slider: the usual values, and the scene's.

/// Range and scale of a slider.
pub struct Scale {
    /// Range.
    pub range: RangeInclusive<f64>,
    /// True for a logarithmic scale.
    pub logarithmic: bool,
    /// Smallest positive value of a logarithmic scale from 0.
    pub finest: f64,
}

impl Scale {
    /// Place of `value` along the slider, 0 to 1; values beyond its range are at its ends.
    fn place(&self, value: f64) -> f32 {
        let (low, high) = (*self.range.start(), *self.range.end());
        let value = value.clamp(low.min(high), high);
        let place = if self.logarithmic {
            let least = if low > 0.0 { low } else { self.finest.min(high) };
            (value.max(least) / least).ln() / (high / least).ln()
        } else {
            (value - low) / (high - low)
        };
        if place.is_finite() { place as f32 } else { 0.0 }
    }

    /// Paints the marks over the slider at `rect`: a band below the rail for the usual values, a tick for the scene's.
    pub fn paint(&self, ui: &Ui, rect: Rect, usual: Option<[f64; 2]>, scene: Option<f64>) {
        // egui insets the rail by the radius of the handle.
        let rail = rect.shrink2(vec2(rect.height() / 2.5, 0.0));
        let x = |value: f64| egui::lerp(rail.x_range(), self.place(value));
        let y = rect.center().y + 7.0;
        if let Some([low, high]) = usual.filter(|[low, high]| *high > *self.range.start() && *low < *self.range.end()) {
            let band = Rect::from_min_max(pos2(x(low), y - 1.0), pos2(x(high).max(x(low) + 2.0), y + 1.0));
            ui.painter().rect_filled(band, 1.0, theme::of(ui).good.gamma_multiply(0.45));
        }
        if let Some(scene) = scene {
            ui.painter().vline(x(scene), y - 3.0..=y + 2.0, Stroke::new(2.0, theme::of(ui).text_quiet));
        }
    }
}

// Words about a typed number that was not taken as it is.

/// Time for which the words stay, s.
const TIME: f64 = 6.0;

/// Number field that a text is typed into.
pub struct Field<'a> {
    /// Unit after the number, with a leading space, or empty.
    pub unit: &'a str,
    /// True for an integer quantity.
    pub is_count: bool,
    /// Range that the field accepts.
    pub allowed: RangeInclusive<f64>,
    /// Range of the slider.
    pub slider: RangeInclusive<f64>,
    /// Formats the number.
    pub format: fn(f64) -> String,
}

/// Words of a field, and the time until which they are shown, s.
#[derive(Clone, Debug)]
struct Words {
    text: String,
    until: f64,
}

impl Field<'_> {
    /// Words about `text`, typed where the value was `before`; `None` if it is taken as it is, within the slider's range.
    fn words(&self, text: &str, before: f64) -> Option<String> {
        let number = |value: f64| format!("{}{}", (self.format)(value), self.unit);
        let (low, high) = (*self.allowed.start(), *self.allowed.end());
        match parse(text, self.unit, self.is_count) {
            None => Some(format!("“{}” is not a number: {} is kept.", shortened(text), number(before))),
            Some(value) if value < low => Some(format!("{} is too low: {} is used.", text.trim(), number(low))),
            Some(value) if value > high => Some(format!("{} is too high: {} is used.", text.trim(), number(high))),
            Some(value) if !self.slider.contains(&value) => {
                let [low, high] = [*self.slider.start(), *self.slider.end()].map(number);
                Some(format!("Beyond the slider's range, {low} to {high}."))
            }
            Some(_) => None,
        }
    }

    /// Shows words below `field` about the text that was typed into it, if they are needed, for some seconds.
    pub fn comment(&self, ui: &Ui, field: &Response, typed: Option<String>, before: f64) {
        let id = field.id.with("words");
        let now = ui.input(|input| input.time);
        if let Some(text) = typed {
            let words = self.words(&text, before).map(|text| Words { text, until: now + TIME });
            ui.data_mut(|data| {
                data.remove::<Words>(id);
                words.map(|words| data.insert_temp(id, words));
            });
        }
        let Some(words) = ui.data(|data| data.get_temp::<Words>(id)) else { return };
        if now >= words.until || field.dragged() {
            ui.data_mut(|data| data.remove::<Words>(id));
            return;
        }
        ui.ctx().request_repaint_after_secs((words.until - now) as f32);
        words_ui(ui, id, field, &words.text);
    }
}

fn words_ui(ui: &Ui, id: Id, field: &Response, text: &str) {
    let corner = pos2(field.rect.right(), field.rect.bottom() + 2.0);
    let area = Area::new(id).order(Order::Foreground).fixed_pos(corner).pivot(egui::Align2::RIGHT_TOP).interactable(false);
    area.show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(280.0);
            ui.label(RichText::new(text).small().color(theme::of(ui).warning));
        });
    });
}

/// At most twenty letters of a text.
fn shortened(text: &str) -> String {
    const MOST: usize = 20;
    let text = text.trim();
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::format;

    #[test]
    fn places_follow_the_scale() {
        let linear = Scale { range: 2.0..=4.0, logarithmic: false, finest: 0.1 };
        assert_eq!([0.0, 2.0, 2.5, 4.0, 9.0].map(|value| linear.place(value)), [0.0, 0.0, 0.25, 1.0, 1.0]);
        let log = Scale { range: 1.0..=100.0, logarithmic: true, finest: 1.0 };
        assert!((log.place(10.0) - 0.5).abs() < 1e-6);
        let from_zero = Scale { range: 0.0..=1.0, logarithmic: true, finest: 1e-4 };
        assert!(from_zero.place(0.0) == 0.0 && (from_zero.place(0.01) - 0.5).abs() < 1e-6);
        assert_eq!(Scale { range: 1.0..=1.0, logarithmic: false, finest: 1.0 }.place(1.0), 0.0);
    }

    #[test]
    fn what_is_not_taken_is_said() {
        let count = |value: f64| format::count(value.round() as u64);
        let field = Field { unit: "", is_count: true, allowed: 1.0..=16_777_216.0, slider: 1.0..=2048.0, format: count };
        let words = |text: &str| field.words(text, 1000.0);
        assert_eq!(words("99999999"), Some("99999999 is too high: 16,777,216 is used.".to_owned()));
        assert_eq!(words("0"), Some("0 is too low: 1 is used.".to_owned()));
        assert_eq!(words("abc"), Some("“abc” is not a number: 1,000 is kept.".to_owned()));
        assert_eq!(words("5000"), Some("Beyond the slider's range, 1 to 2,048.".to_owned()));
        assert_eq!(words("1,024"), None);
        assert!(words(&"x".repeat(1000)).is_some_and(|words| words.len() < 80));
    }
}
