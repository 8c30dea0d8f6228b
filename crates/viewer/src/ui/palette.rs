//! Command palette: a search over all commands, looks, colours, parameters, lessons and scenes.

use super::lessons::{self, LESSONS, Lesson};
use super::theme::{self, ThemeChoice};
use super::widgets::format;
use super::{Action, Model, Obstacles, SceneEntry, State, looks};
use crate::command::Command;
use crate::session::{Notice, Snapshot};
use egui::{
    Align, Align2, Button, Frame, Id, Key, Label, Layout, Margin, Modal, RichText, ScrollArea, Sense, TextEdit, Ui, UiBuilder,
    vec2,
};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::parameters::{Choice as _, Kind, Parameter, Parameters, Value};
use sph_io::{ColorField, Look};
use sph_render;

// Window of the palette.

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
    let obstacles = Obstacles::of(state, model.snapshot);
    let against = |entry: Entry<'_>| if let Entry::Command(command) = entry { obstacles.against(command) } else { None };
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
            ui.label(RichText::new("No matches").color(theme::of(ui).text_quiet));
        }
        for (index, &entry) in entries.iter().enumerate() {
            let remark =
                RichText::new(remark(ui, entry, state.edited.parameters.as_ref())).small().color(theme::of(ui).text_quiet);
            let quiet = theme::of(ui).text_quiet;
            let name = RichText::new(entry.name());
            let name = if against(entry).is_some() { name.color(quiet) } else { name };
            let row = Button::selectable(index == chosen, name).right_text(remark).truncate();
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
        let text = against(entry).map_or_else(|| description(entry), |reason| format!("Not possible now. {reason}"));
        let text = RichText::new(text).small().color(theme::of(ui).text_quiet);
        let builder = UiBuilder::new().max_rect(footer).layout(Layout::top_down(Align::Min));
        ui.scope_builder(builder, |ui| ui.add(Label::new(text).wrap()));
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
        Entry::Theme(_) => "Theme".to_owned(),
        Entry::Lesson(_) => "Lesson".to_owned(),
        entry => entry.kind().unwrap_or_default().to_owned(),
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
        Value::Number(number) => format::grouped(f64::from(number)),
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
        Entry::Command(command) => match Obstacles::of(state, model.snapshot).notice(command) {
            Some(notice) => state.notices.push(notice),
            None => actions.push(Action::Command(command)),
        },
        Entry::Parameter(parameter) => state.show_parameter(parameter),
        Entry::Look(look) if looks::is_possible(look, model.snapshot) => state.display.look = look,
        Entry::Look(_) => state.notices.push(Notice::info(sph_render::NO_WATER)),
        Entry::Color(field) => color_by(field, state, model.snapshot),
        Entry::Structure(structure) => search_with(structure, state, model.snapshot, actions),
        Entry::Theme(theme) => state.theme = theme,
        Entry::Lesson(lesson) => lessons::begin(lesson, state, model, actions),
        Entry::Scene(scene) => actions.push(Action::Load(scene.path.clone())),
    }
}

/// Searches with `structure` what the Grid panel shows, and shows it.
fn search_with(structure: Structure, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let (Some(grid), Some(scene)) = (state.edited_grid(), &snapshot.scene) else { return };
    let wanted = GridParameters { structure, ..grid };
    // As the panel does.
    let is_fluid = state.point_search.chosen.is_none();
    let wanted = if is_fluid { wanted.adapted_from(&grid, &scene.setup.discretization) } else { wanted };
    state.edit_grid(wanted, scene.setup.points.as_ref(), actions);
    state.shown.side_panel = true;
    state.dock.show("grid");
}

/// Colours the particles by `field`, or says why their colours are not seen or all alike.
fn color_by(field: ColorField, state: &mut State, snapshot: &Snapshot) {
    let Some((scene, parameters)) = snapshot.scene.as_ref().zip(snapshot.parameters.as_ref()) else { return };
    if !sph_color::is_offered(field, &scene.setup, parameters) {
        let title = format!("{}: the same for all particles of this scene", sph_color::label(field));
        return state.notices.push(Notice::info(title));
    }
    state.display.choose_color(field, snapshot);
}

/// State of the palette.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// True while it is open.
    pub open: bool,
    /// Text searched for.
    pub text: String,
    /// Index of the entry that the return key chooses.
    pub chosen: usize,
}

impl Palette {
    /// Opens the palette with an empty search, or closes it.
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, ..Self::default() };
    }
}

// Entries of the palette.

/// Score of an entry whose description contains the pattern, below that of a good match of the name.
const IN_DESCRIPTION: i32 = -20;

/// Least score per letter of a match that is not scattered over the name.
const LEAST_A_LETTER: i32 = 3;

/// What is taken from the score of a scattered match.
const SCATTERED: i32 = 100;

/// An entry.
#[derive(Clone, Copy)]
enum Entry<'a> {
    /// Command to run.
    Command(Command),
    /// Parameter to show.
    Parameter(&'static Parameter<Parameters>),
    /// Look to give the fluid.
    Look(Look),
    /// Quantity to colour the particles by.
    Color(ColorField),
    /// Structure to search with.
    Structure(Structure),
    /// Theme to give the window.
    Theme(ThemeChoice),
    /// Lesson to begin.
    Lesson(&'static Lesson),
    /// Scene to open.
    Scene(&'a SceneEntry),
}

impl Entry<'_> {
    /// Name.
    pub fn name(&self) -> &str {
        match self {
            Self::Command(command) => command.label(),
            Self::Parameter(parameter) => parameter.label,
            Self::Look(look) => look.label(),
            Self::Color(field) => sph_color::label(*field),
            Self::Structure(structure) => structure.label(),
            Self::Theme(theme) => theme.command(),
            Self::Lesson(lesson) => lesson.title,
            Self::Scene(scene) => &scene.title,
        }
    }

    /// What it is, if not a command or a parameter, which are found by their own names. Lessons are in the menu "Learn".
    fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Command(_) | Self::Parameter(_) | Self::Theme(_) => None,
            Self::Look(_) => Some("Look"),
            Self::Color(_) => Some("Colour"),
            Self::Structure(_) => Some("Structure"),
            Self::Lesson(_) => Some("Learn Lesson"),
            Self::Scene(_) => Some("Scene"),
        }
    }

    /// Description; of a parameter, its key in scene files.
    pub fn description(&self) -> String {
        match self {
            Self::Command(command) => command.tooltip().to_owned(),
            Self::Parameter(parameter) => parameter.key.to_owned(),
            Self::Look(look) => format!("Look: {}", look.option().documentation),
            Self::Color(field) => format!("Colour: {}", field.option().documentation),
            Self::Structure(structure) => format!("Structure: {}", structure.option().documentation),
            Self::Theme(theme) => theme.tooltip().to_owned(),
            Self::Lesson(lesson) => format!("Lesson: {}", lesson.summary),
            Self::Scene(scene) => scene.path.display().to_string(),
        }
    }

    fn score(&self, pattern: &str) -> Option<i32> {
        // Long texts contain the letters of almost anything, so their words count as they are.
        let wanted = format::plain(pattern.trim());
        let description = format::plain(&self.description());
        // Names of files have underscores where people type spaces.
        let described = description.contains(&wanted) || description.replace('_', " ").contains(&wanted);
        let of_name = score(pattern, self.name());
        // "col" finds all colours; the name itself counts a little more.
        let of_kind = self.kind().and_then(|kind| score(pattern, &format!("{kind} {}", self.name()))).map(|score| score - 1);
        // Letters that are scattered over a name say less than words of the description.
        let letters = pattern.chars().filter(|letter| !letter.is_whitespace()).count() as i32;
        let rated = |score: i32| if score < LEAST_A_LETTER * letters { score - SCATTERED } else { score };
        of_name.max(of_kind).map(rated).max(described.then_some(IN_DESCRIPTION))
    }
}

/// Entries that match `pattern`, the best first; equal ones as they are in menus and tables: commands, themes, looks, colours, structures,
/// parameters, lessons, scenes.
fn matching<'a>(pattern: &str, scenes: &'a [SceneEntry]) -> Vec<Entry<'a>> {
    let commands = Command::ALL.into_iter().filter(|&command| command != Command::TogglePalette).map(Entry::Command);
    let parameters = Parameters::table().iter().map(Entry::Parameter);
    let lessons = LESSONS.iter().map(|&lesson| Entry::Lesson(lesson));
    let all = commands
        .chain(ThemeChoice::ALL.map(Entry::Theme))
        .chain(looks::LOOKS.map(Entry::Look))
        .chain(ColorField::ALL.map(Entry::Color));
    let all = all
        .chain(Structure::USUAL.map(Entry::Structure))
        .chain(parameters)
        .chain(lessons)
        .chain(scenes.iter().map(Entry::Scene));
    if pattern.trim().is_empty() {
        return all.collect();
    }
    let mut scored: Vec<_> = all.filter_map(|entry| Some((entry.score(pattern)?, entry))).collect();
    scored.sort_by_key(|&(points, _)| std::cmp::Reverse(points));
    scored.into_iter().map(|(_, entry)| entry).collect()
}

// Fuzzy matching: the letters of a pattern in their order within a name.

/// Score of a letter that follows the letter matched before.
const ADJACENT: i32 = 8;

/// Score of the first letter of a word.
const WORD_START: i32 = 10;

/// Most points that are lost for letters skipped between two matches.
const MOST_SKIPPED: usize = 6;

/// Score of `name` for `pattern`, the higher the better; `None` unless each word of the pattern has its letters in the name, in
/// their order. Case is ignored.
fn score(pattern: &str, name: &str) -> Option<i32> {
    let name: Vec<char> = format::plain(name).chars().collect();
    let words = pattern.split_whitespace().map(|word| score_word(&format::plain(word), &name));
    let total: i32 = words.sum::<Option<i32>>()?;
    // Of equal matches the shortest name.
    Some(total - name.len() as i32 / 8)
}

/// Best score over all places where the first letter may match; the others match as early as they can.
fn score_word(word: &str, name: &[char]) -> Option<i32> {
    let first = word.chars().next()?;
    let starts = (0..name.len()).filter(|&index| name[index] == first);
    starts.filter_map(|start| score_from(word, name, start)).max()
}

fn score_from(word: &str, name: &[char], start: usize) -> Option<i32> {
    let (mut total, mut next) = (0, start);
    for (number, letter) in word.chars().enumerate() {
        let index = next + name[next..].iter().position(|&other| other == letter)?;
        let starts_word = index == 0 || !name[index - 1].is_alphanumeric();
        total += match (starts_word, number > 0 && index == next) {
            (true, _) => WORD_START,
            (false, true) => ADJACENT,
            (false, false) => -((index - next).min(MOST_SKIPPED) as i32),
        };
        next = index + 1;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_every_parameter_is_found_by_its_name() {
        for command in Command::ALL.into_iter().filter(|&command| command != Command::TogglePalette) {
            let found = matching(command.label(), &[]);
            assert_eq!(found.first().map(Entry::name), Some(command.label()), "{command:?}");
        }
        for parameter in Parameters::table() {
            let found = matching(parameter.key, &[]);
            let place = found.iter().position(|entry| matches!(entry, Entry::Parameter(other) if other.key == parameter.key));
            assert!(place.is_some_and(|place| place < 3), "{}: {place:?}", parameter.key);
        }
    }

    #[test]
    fn looks_themes_and_lessons_are_found() {
        assert!(matches!(matching("points", &[])[0], Entry::Look(Look::Points)));
        let count = |pattern: &str| matching(pattern, &[]).iter().filter(|entry| matches!(entry, Entry::Look(_))).count();
        assert_eq!(count("look"), looks::LOOKS.len());
        for field in ColorField::ALL {
            let found = matching(&format!("Colour: {}", field.option().documentation), &[]);
            assert!(matches!(found[0], Entry::Color(other) if other == field), "{field:?}");
        }
        for structure in Structure::USUAL {
            let found = matching(structure.label(), &[]);
            assert!(found.iter().any(|entry| matches!(entry, Entry::Structure(other) if *other == structure)), "{structure:?}");
        }
        assert!(matches!(matching("theme light", &[])[0], Entry::Theme(ThemeChoice::Light)));
        assert!(matches!(matching("uniform grid", &[])[0], Entry::Structure(Structure::UniformGrid)));
        let lessons = matching("lesson", &[]).into_iter().filter(|entry| matches!(entry, Entry::Lesson(_)));
        assert_eq!(lessons.count(), LESSONS.len());
    }

    #[test]
    fn kinds_and_descriptions_come_before_scattered_letters() {
        let scenes = [
            SceneEntry::new("scenes/rayleigh_taylor_2d.toml".into()).titled("Rayleigh–Taylor instability, 2D"),
            SceneEntry::new("scenes/viscous_coil.toml".into()).titled("Viscous coil"),
        ];
        assert!(matches!(matching("learn", &scenes)[0], Entry::Lesson(_)));
        let found = matching("col", &scenes);
        let scene = found.iter().position(|entry| matches!(entry, Entry::Scene(_))).expect("c, o and l are in it");
        assert!(found[..scene].iter().filter(|entry| matches!(entry, Entry::Color(_))).count() == ColorField::ALL.len());
    }

    #[test]
    fn the_switches_of_the_panel_rendering_are_found() {
        for (pattern, command) in [
            ("smooth", Command::ToggleSmooth),
            ("slow motion", Command::ToggleSmooth),
            ("arrows", Command::ToggleArrows),
            ("clip", Command::ToggleClip),
        ] {
            assert!(matches!(matching(pattern, &[])[0], Entry::Command(found) if found == command), "{pattern}");
        }
    }

    #[test]
    fn a_film_is_found_with_its_settings() {
        let found = matching("film", &[]);
        let place =
            |wanted: Command| found.iter().position(|entry| matches!(entry, Entry::Command(command) if *command == wanted));
        assert!(place(Command::ToggleFilm) == Some(0) && place(Command::TogglePictures).is_some_and(|place| place < 4));
    }

    #[test]
    fn scenes_are_found_by_title_and_file() {
        let scenes = [SceneEntry::new("scenes/wave_3.toml".into()).titled("Breaking wave")];
        for pattern in ["breaking", "wave_3"] {
            assert!(matches!(matching(pattern, &scenes)[0], Entry::Scene(_)), "{pattern}");
        }
        let scenes = [SceneEntry::new("scenes/vortices.toml".into()).titled("Taylor–Green vortices")];
        assert!(matches!(matching("taylor-green", &scenes)[0], Entry::Scene(_)), "a hyphen stands for a dash");
    }

    #[test]
    fn letters_match_in_order_and_words_in_any() {
        assert!(score("kv", "Kinematic viscosity").is_some());
        assert!(score("visc kin", "Kinematic viscosity").is_some());
        assert_eq!(score("vk", "Kinematic viscosity"), None);
        assert_eq!(score("ü", "Kinematic viscosity"), None);
        assert!(score("", "anything") == Some(-1) && score("  ", "x") == Some(0));
    }

    #[test]
    fn starts_of_words_and_runs_of_letters_come_first() {
        let better = |pattern: &str, best: &str, other: &str| {
            assert!(score(pattern, best) > score(pattern, other), "{pattern}: {best} before {other}");
        };
        better("cell", "Cell spacing", "Cancel selection");
        better("so", "Speed of sound", "Density tolerance so");
        better("open", "Open scene…", "Drop an enemy");
        better("grid", "Compare grids", "Gravity in depth");
        better("plots", "Plots", "Plots of the probes and more");
    }
}
