//! Window of the palette.

use super::entry::{Entry, matching};
use crate::color::{self, ColorField};
use crate::command::Command;
use crate::render;
use crate::session::{Notice, Snapshot};
use crate::ui::lessons::Progress;
use crate::ui::widgets::format;
use crate::ui::{Action, Model, State, looks, theme};
use egui::{Align2, Button, Frame, Id, Key, Label, Margin, Modal, RichText, ScrollArea, Sense, TextEdit, Ui, vec2};
use sph_core::parameters::{Kind, Parameter, Parameters, Value};
use sph_io::Look;

/// Greatest width of the window, points.
const WIDTH: f32 = 460.0;

/// Greatest height of the list, points.
const LIST_HEIGHT: f32 = 340.0;

/// Height of the text about the chosen entry, points: two lines.
const FOOTER_HEIGHT: f32 = 34.0;

/// Lays out the palette while it is open: a field to type in, and what matches.
pub fn palette_ui(ui: &Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    if !state.palette.open {
        return;
    }
    let screen = ui.ctx().content_rect();
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(10));
    let area = Modal::default_area(Id::unique("palette")).anchor(Align2::CENTER_TOP, [0.0, 0.08 * screen.height()]);
    let modal = Modal::new(Id::unique("palette")).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width((screen.width() - 6.0 * theme::SPACE).clamp(0.0, WIDTH));
        contents_ui(ui, state, model, (screen.height() - 180.0).clamp(0.0, LIST_HEIGHT))
    });
    let keys = Command::TogglePalette.shortcuts();
    let closes = ui.input_mut(|input| keys.iter().any(|keys| input.consume_shortcut(keys))) || modal.should_close();
    match modal.inner {
        Some(entry) => {
            state.palette.open = false;
            choose(entry, state, model, actions);
        }
        None if closes => state.palette.open = false,
        None => {}
    }
}

/// Lays out the field and the list. Returns the entry that was chosen.
fn contents_ui<'a>(ui: &mut Ui, state: &mut State, model: &Model<'a>, height: f32) -> Option<Entry<'a>> {
    let (up, down, enter) = ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(egui::Modifiers::NONE, key);
        (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter))
    });
    let field = TextEdit::singleline(&mut state.palette.text)
        .hint_text("Command, parameter, look, lesson or scene")
        .desired_width(f32::INFINITY)
        .return_key(None);
    let field = ui.add(field);
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search"));
    field.request_focus();
    if field.changed() {
        state.palette.chosen = 0;
    }
    let entries = matching(&state.palette.text, model.scenes);
    let last = entries.len().saturating_sub(1);
    let chosen = &mut state.palette.chosen;
    *chosen = match (up, down) {
        (true, false) => chosen.checked_sub(1).unwrap_or(last),
        (false, true) if *chosen >= last => 0,
        (false, true) => *chosen + 1,
        _ => (*chosen).min(last),
    };
    let chosen = *chosen;
    let mut taken = enter.then(|| entries.get(chosen).copied()).flatten();
    ui.add_space(0.5 * theme::SPACE);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if entries.is_empty() {
            ui.label(RichText::new("Nothing has this name.").color(theme::of(ui).text_quiet));
        }
        for (index, &entry) in entries.iter().enumerate() {
            let remark = RichText::new(remark(ui, entry, state.parameters.as_ref())).small().color(theme::of(ui).text_quiet);
            let row = Button::selectable(index == chosen, entry.name()).right_text(remark).truncate();
            let row = ui.add(row.min_size(vec2(ui.available_width(), 24.0)));
            if index == chosen && (up || down) {
                row.scroll_to_me(None);
            }
            if row.clicked() {
                taken = Some(entry);
            }
        }
    });
    // Not a tooltip, which would lie over the rows that the arrow keys choose from.
    let (footer, _) = ui.allocate_exact_size(vec2(ui.available_width(), FOOTER_HEIGHT), Sense::hover());
    if let Some(&entry) = entries.get(chosen) {
        let text = RichText::new(description(entry)).small().color(theme::of(ui).text_quiet);
        ui.place(footer, Label::new(text).wrap());
    }
    taken
}

/// Text at the right of an entry: keys, key and value, or "Scene".
fn remark(ui: &Ui, entry: Entry<'_>, parameters: Option<&Parameters>) -> String {
    match entry {
        Entry::Command(command) => command.shortcut_text(ui.ctx()),
        Entry::Parameter(parameter) => {
            // Solvers have parameters of the same name.
            let solver = parameter.table().strip_prefix("solver.").map(|name| format!("{name}: ")).unwrap_or_default();
            parameters.map_or_else(String::new, |parameters| solver + &value(parameter, parameters))
        }
        Entry::Look(_) => "Look".to_owned(),
        Entry::Color(_) => "Colour".to_owned(),
        Entry::Lesson(_) => "Lesson".to_owned(),
        Entry::Scene(_) => "Scene".to_owned(),
    }
}

/// Text below the list about the chosen entry.
fn description(entry: Entry<'_>) -> String {
    match entry {
        Entry::Parameter(parameter) => format!("{}: {}", parameter.key, parameter.documentation),
        entry => entry.description(),
    }
}

/// Present value of a parameter, with its unit.
fn value(parameter: &Parameter<Parameters>, parameters: &Parameters) -> String {
    let text = match parameter.get(parameters) {
        Value::Number(number) => format::significant(f64::from(number)),
        Value::Count(count) => format::count(count.into()),
        Value::Vector(vector) => format::significant(f64::from(vector.length())),
        Value::Choice(name) => {
            let options = if let Kind::Choice(options) = &parameter.kind { options.as_slice() } else { &[] };
            options.iter().find(|option| option.name == name).map_or(name, |option| option.label).to_owned()
        }
        Value::Absent => String::new(),
    };
    if text.is_empty() { text } else { format!("{text} {}", parameter.unit).trim_end().to_owned() }
}

fn choose(entry: Entry<'_>, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    match entry {
        Entry::Command(command) => actions.push(Action::Command(command)),
        Entry::Parameter(parameter) => state.show_parameter(parameter),
        Entry::Look(look) if looks::is_possible(look, model.snapshot) => state.look = look,
        Entry::Look(_) => state.notices.push(Notice::info(render::NO_WATER)),
        Entry::Color(field) => color_by(field, state, model.snapshot),
        Entry::Lesson(lesson) => state.lesson = Progress::begin(lesson, model.snapshot),
        Entry::Scene(scene) => actions.push(Action::Load(scene.path.clone())),
    }
}

/// Colours the particles by `field`, or says why their colours are not seen or all alike.
fn color_by(field: ColorField, state: &mut State, snapshot: &Snapshot) {
    let Some((scene, parameters)) = snapshot.scene.as_ref().zip(snapshot.parameters.as_ref()) else { return };
    if !color::is_offered(field, &scene.setup, parameters) {
        let title = format!("{}: the particles of this scene do not differ in it", color::label(field));
        return state.notices.push(Notice::info(title));
    }
    state.scale.choose(&mut state.color, field);
    if !state.look.has_colors() {
        state.look = Look::Spheres;
    }
}
