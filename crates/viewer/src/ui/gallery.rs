//! Gallery of scenes: cards in groups, each with a picture and what the scene needs, and a search.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::widgets::{format, hint_ui};
use super::{Action, Model, State, theme};
use crate::command::Command;
use egui::{
    Align, ColorImage, CornerRadius, Frame, Id, Image, Key, Layout, Margin, Modal, Rect, Response, RichText, ScrollArea, Sense,
    Stroke, StrokeKind, TextEdit, TextStyle, TextWrapMode, TextureHandle, TextureOptions, Ui, WidgetText, pos2, vec2,
};
use sph_core::{BlockShape, Dimensions, Setup};
use sph_io::Look;

/// Groups of the shipped scenes, in the order shown; others follow by name, and last the scenes that name none.
const GROUPS: [&str; 9] = [
    "First steps",
    "Splashes",
    "Waves and moving walls",
    "Bodies",
    "Cloth",
    "Balls",
    "Inflow and outflow",
    "Viscous and several fluids",
    "Closed flows",
];

/// Heading of the scenes that name no group.
const OTHERS: &str = "Your scenes";

/// A scene that can be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneEntry {
    /// Path of the file.
    pub path: PathBuf,
    /// Title, or the file name if the scene has none or cannot be read.
    pub title: String,
    /// Description; may be empty.
    pub description: String,
    /// Group; empty for that of scenes that name none.
    pub group: String,
    /// Size and cost of the scene; `None` if it cannot be read.
    pub needs: Option<SceneNeeds>,
    /// Picture, if there is one.
    pub thumbnail: Option<Arc<ColorImage>>,
}

/// Size and cost of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneNeeds {
    /// Number of space dimensions.
    pub dimensions: Dimensions,
    /// Numbers of particles of fluid, of vertices of cloth and of balls, each with its noun.
    pub counts: Vec<(u64, &'static str)>,
    /// True if emitters add fluid: there are at most so many particles, and fewer at the start.
    pub grows: bool,
    /// True if the number of particles of fluid is an upper bound, as with blocks that are no boxes.
    pub is_rough: bool,
    /// Memory, bytes.
    pub memory: u64,
    /// Computing time of a step on this machine, s.
    pub step: f64,
}

impl SceneEntry {
    /// The scene at `path`, named by the file: one that cannot be read.
    pub fn new(path: PathBuf) -> Self {
        let title = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().replace('_', " ");
        Self { path, title, description: String::new(), group: String::new(), needs: None, thumbnail: None }
    }

    /// The same scene with this title, unless it is blank.
    #[must_use]
    pub fn titled(self, title: &str) -> Self {
        if title.trim().is_empty() { self } else { Self { title: title.to_owned(), ..self } }
    }

    /// Group under which the scene is shown.
    fn shown_group(&self) -> &str {
        if self.group.trim().is_empty() { OTHERS } else { &self.group }
    }

    /// Grade of the worst match among the words of `search`; `None` unless each is in the title, the description, the group or the file's
    /// name.
    fn grade(&self, search: &str) -> Option<Grade> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let title = format::plain(&self.title);
        let others = format::plain(&format!("{} {} {name}", self.description, self.shown_group()));
        let grade = |word: &str| {
            let in_title =
                place(word, &title).map(|place| [Grade::TitleWord, Grade::TitleStart, Grade::InTitle][place as usize]);
            let in_others = place(word, &others).map(|place| [Grade::Word, Grade::Start, Grade::Inside][place as usize]);
            in_title.into_iter().chain(in_others).min()
        };
        let search = format::plain(search);
        search.split_whitespace().map(grade).try_fold(Grade::TitleWord, |worst, grade| Some(worst.max(grade?)))
    }
}

/// Part of a text that matches a word of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A word of the text.
    Whole,
    /// The start of one.
    Start,
    /// Anything else.
    Inside,
}

/// Best place of `word` in `text`; `None` if it is not there. Both are in lower case.
fn place(word: &str, text: &str) -> Option<Place> {
    let words = || text.split(|letter: char| !letter.is_alphanumeric());
    if words().any(|other| other == word) {
        Some(Place::Whole)
    } else if words().any(|other| other.starts_with(word)) {
        Some(Place::Start)
    } else {
        text.contains(word).then_some(Place::Inside)
    }
}

/// Quality of a match, the best first: "oil" means a scene with oil rather than a coil, wherever the words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// A word of the title.
    TitleWord,
    /// The start of one.
    TitleStart,
    /// A word of the other texts.
    Word,
    /// The start of one.
    Start,
    /// Within a word of the title.
    InTitle,
    /// Within a word of the other texts.
    Inside,
}

/// State of the gallery.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// True while it is open.
    pub open: bool,
    /// Text searched for.
    pub search: String,
}

impl Gallery {
    /// Opens the gallery with an empty search, or closes it.
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, ..Self::default() };
    }
}

// Layout.

/// Greatest size of the window, points.
const WINDOW: [f32; 2] = [1394.0, 960.0];

/// Width and height of a card, and height of its picture, points.
const CARD: [f32; 2] = [180.0, 166.0];
const PICTURE_HEIGHT: f32 = 112.0;

/// Least width beside the heading for a button that closes the gallery, points.
const LEAST_FOR_CLOSE: f32 = 300.0;

/// Distance between cards, points.
const GAP: f32 = 12.0;

/// Lays out the gallery while it is open.
pub fn gallery_ui(ui: &Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    if !state.gallery.open {
        return;
    }
    let screen = ui.ctx().content_rect();
    let size = vec2(WINDOW[0], WINDOW[1]).min(screen.size() - egui::Vec2::splat(6.0 * theme::SPACE)).max(egui::Vec2::ZERO);
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(14));
    let modal = Modal::new(Id::unique("gallery")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width((size.x - 28.0).max(0.0));
        ui.set_height((size.y - 28.0).max(0.0));
        let look = state.display.next_look();
        contents_ui(ui, &mut state.gallery.search, look, model, actions)
    });
    let keys = Command::ToggleGallery.shortcuts();
    let closes = ui.input_mut(|input| keys.iter().any(|keys| input.consume_shortcut(keys))) || modal.should_close();
    state.gallery.open = !(modal.inner || closes);
}

/// Lays out the search and the cards. Returns true once something has been chosen, or at *Close*.
fn contents_ui(ui: &mut Ui, search: &mut String, look: Look, model: &Model<'_>, actions: &mut Vec<Action>) -> bool {
    let (mut chosen, mut opens_first, mut closes) = (None, false, false);
    ui.horizontal(|ui| {
        ui.heading("Scenes");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // In a very small window Esc closes it alone.
            if ui.available_width() >= LEAST_FOR_CLOSE {
                closes = ui.button("Close").on_hover_text("Close the gallery (Esc).").clicked();
            }
            if ui.button(Command::Open.label()).on_hover_text(Command::Open.tooltip()).clicked() {
                chosen = Some(Action::Command(Command::Open));
            }
            let field = TextEdit::singleline(search).hint_text("Search").desired_width((ui.available_width() - GAP).min(260.0));
            let field = ui.add(field.return_key(None));
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search scenes"));
            if ui.memory(|memory| memory.focused().is_none()) {
                field.request_focus();
            }
            opens_first = field.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        });
    });
    // The pictures of most scenes show water.
    if look != Look::Water {
        let text = format!(
            "Scenes open in the look “{}”. For water, as in these pictures, choose “Water” in the View menu.",
            look.label()
        );
        hint_ui(ui, text);
    }
    ui.add_space(theme::SPACE);
    let shown = matching(model.scenes, search);
    if shown.is_empty() {
        let text =
            if model.scenes.is_empty() { "No scenes folder was found. Open a scene file instead." } else { "No matches" };
        ui.label(RichText::new(text).color(theme::of(ui).text_quiet));
    }
    let current = model.snapshot.scene.as_ref().and_then(|scene| scene.path.as_deref());
    let mut groups = groups(&shown);
    let is_search = !search.trim().is_empty();
    if !is_search {
        sort_groups(&mut groups);
    }
    let first = shown.first().copied().filter(|_| is_search);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let columns = (((ui.available_width() + GAP) / (CARD[0] + GAP)) as usize).max(1);
        for (group, scenes) in &groups {
            ui.label(RichText::new(*group).strong());
            for row in scenes.chunks(columns) {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = GAP;
                    for scene in row {
                        let is_first = first.is_some_and(|first| std::ptr::eq(first, *scene));
                        if card_ui(ui, scene, current, is_first).clicked() {
                            chosen = Some(Action::Load(scene.path.clone()));
                        }
                    }
                });
            }
            ui.add_space(theme::SPACE);
        }
    });
    if let Some(scene) = first.filter(|_| opens_first) {
        chosen = Some(Action::Load(scene.path.clone()));
    }
    let is_chosen = chosen.is_some();
    actions.extend(chosen);
    is_chosen || closes
}

/// The scenes that match `search`, the best first; equal ones as they are.
fn matching<'a>(scenes: &'a [SceneEntry], search: &str) -> Vec<&'a SceneEntry> {
    let mut graded: Vec<_> = scenes.iter().filter_map(|scene| Some((scene.grade(search)?, scene))).collect();
    graded.sort_by_key(|(grade, _)| *grade);
    // Letters within words count where no word begins with them.
    if graded.first().is_some_and(|(best, _)| *best < Grade::InTitle) {
        graded.retain(|(grade, _)| *grade < Grade::InTitle);
    }
    graded.into_iter().map(|(_, scene)| scene).collect()
}

/// The scenes by group, each in the place of its first scene.
fn groups<'a>(scenes: &[&'a SceneEntry]) -> Vec<(&'a str, Vec<&'a SceneEntry>)> {
    let mut groups: Vec<(&str, Vec<&SceneEntry>)> = Vec::new();
    for scene in scenes {
        match groups.iter_mut().find(|(group, _)| *group == scene.shown_group()) {
            Some((_, scenes)) => scenes.push(scene),
            None => groups.push((scene.shown_group(), vec![scene])),
        }
    }
    groups
}

/// Puts the groups into the order in which they are shown without a search.
fn sort_groups(groups: &mut [(&str, Vec<&SceneEntry>)]) {
    let rank =
        |group: &str| GROUPS.iter().position(|known| *known == group).unwrap_or(GROUPS.len() + usize::from(group == OTHERS));
    groups.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)).then(a.cmp(b)));
}

/// Lays out the card of a scene. `is_first`: true for the one that Enter opens.
fn card_ui(ui: &mut Ui, scene: &SceneEntry, current: Option<&Path>, is_first: bool) -> Response {
    let (card, response) = ui.allocate_exact_size(vec2(CARD[0], CARD[1]), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, ui.is_enabled(), &scene.title));
    if ui.is_rect_visible(card) {
        let colors = theme::of(ui);
        let is_current = current == Some(&scene.path);
        let visuals = ui.style().interact(&response);
        let outline = match (is_current, is_first || response.has_focus(), response.hovered()) {
            (true, ..) => Stroke::new(2.0, colors.accent),
            (false, true, _) => Stroke::new(2.0, colors.text_quiet),
            (false, false, true) => visuals.bg_stroke,
            (false, false, false) => Stroke::new(1.0, colors.line),
        };
        let rounding = CornerRadius::same(6);
        ui.painter().rect_filled(card, rounding, visuals.weak_bg_fill);
        let (picture, text) = card.split_top_bottom_at_y(card.top() + PICTURE_HEIGHT);
        picture_ui(ui, picture, scene);
        text_ui(ui, text.shrink2(vec2(8.0, 5.0)), scene);
        ui.painter().rect_stroke(card, rounding, outline, StrokeKind::Inside);
    }
    let file = scene.path.file_name().unwrap_or_default().to_string_lossy();
    let description = if scene.description.is_empty() { file.into_owned() } else { format!("{}\n{file}", scene.description) };
    response.on_hover_text(description)
}

/// Paints the picture of a scene at the top of its card, or a tank of water in place of one.
fn picture_ui(ui: &Ui, area: Rect, scene: &SceneEntry) {
    let rounding = CornerRadius { nw: 6, ne: 6, sw: 0, se: 0 };
    match &scene.thumbnail {
        Some(image) => {
            let texture = texture(ui, &scene.path, image);
            // The middle of a picture of another shape.
            let [width, height] = [texture.size()[0] as f32, texture.size()[1] as f32];
            let scale = (area.width() / width).max(area.height() / height);
            let part = vec2(area.width() / (scale * width), area.height() / (scale * height));
            let uv = Rect::from_center_size(pos2(0.5, 0.5), part);
            Image::new((texture.id(), area.size())).uv(uv).corner_radius(rounding).paint_at(ui, area);
        }
        None => {
            let colors = theme::of(ui);
            ui.painter().rect_filled(area, rounding, colors.background);
            let tank = Rect::from_center_size(area.center(), vec2(0.5 * area.width(), 0.4 * area.height()));
            ui.painter().rect_filled(tank.split_top_bottom_at_fraction(0.4).1, 0, colors.accent_dim);
            let [low, high] = [tank.left_bottom(), tank.right_bottom()];
            ui.painter().line(vec![tank.left_top(), low, high, tank.right_top()], Stroke::new(1.5, colors.text_quiet));
        }
    }
}

/// The picture on the graphics device, loaded when it is first shown, and again when its file has been read again.
fn texture(ui: &Ui, path: &Path, image: &Arc<ColorImage>) -> TextureHandle {
    let id = Id::unique(("thumbnail", path));
    let loaded = ui.data(|data| data.get_temp::<(Arc<ColorImage>, TextureHandle)>(id));
    if let Some((_, texture)) = loaded.filter(|(shown, _)| Arc::ptr_eq(shown, image)) {
        return texture;
    }
    let texture = ui.ctx().load_texture(path.to_string_lossy(), image.clone(), TextureOptions::LINEAR);
    ui.data_mut(|data| data.insert_temp(id, (image.clone(), texture.clone())));
    texture
}

/// Paints the title of a scene and what it needs; the card itself tells screen readers the title.
fn text_ui(ui: &Ui, area: Rect, scene: &SceneEntry) {
    let colors = theme::of(ui);
    let [what, needs] = match &scene.needs {
        Some(needs) => needs.lines(),
        None => ["Cannot be read: click to see why.".to_owned(), String::new()],
    };
    let quiet = |text: String| RichText::new(text).small().color(colors.text_quiet);
    let mut top = area.left_top();
    for line in [RichText::new(&scene.title).color(colors.text), quiet(what), quiet(needs)] {
        let line = WidgetText::from(line).into_galley(ui, Some(TextWrapMode::Truncate), area.width(), TextStyle::Body);
        let height = line.size().y;
        ui.painter().galley(top, line, colors.text);
        top.y += height + 1.0;
    }
}

impl SceneNeeds {
    /// Forecast for `setup`, simulated for `duration`, s, on this machine.
    pub fn of(setup: &Setup, duration: f64) -> Self {
        let counts = setup.most_particles(duration);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let points = setup.points.as_ref().map_or_else(Vec::new, |points| points.source().counts_by_kind());
        let fluid = (setup.has_fluid() || points.is_empty()).then_some((counts.fluid, "particles"));
        Self {
            dimensions: setup.discretization.dimensions,
            counts: fluid.into_iter().chain(points).collect(),
            grows: counts.fluid > setup.particle_counts().fluid,
            is_rough: setup.blocks.iter().any(|block| block.shape != BlockShape::Box),
            memory: setup.memory_of(counts),
            step: setup.forecast_of(counts).seconds_per_step / cores as f64,
        }
    }

    /// Numbers of particles and points: `1,250 particles`, `up to 4,181 particles, 1,681 cloth vertices`.
    pub fn counts_text(&self) -> String {
        let text = |&(count, kind): &(u64, &str)| {
            let up_to = match kind {
                "particles" if self.grows => "up to ",
                "particles" if self.is_rough => "~",
                _ => "",
            };
            format!("{up_to}{} {kind}", format::count(count))
        };
        self.counts.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    /// Two lines, short enough for a card: counts, and cost.
    fn lines(&self) -> [String; 2] {
        let &Self { dimensions, memory, step, .. } = self;
        let dimensions = if dimensions == Dimensions::Two { "2D" } else { "3D" };
        [
            self.counts_text().replace("up to ", "≤ ").replace("cloth vertices", "vertices"),
            format!("{dimensions}, {}, ~{} per step", format::bytes(memory as usize), format::rough_seconds(step)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, group: &str) -> SceneEntry {
        SceneEntry { group: group.to_owned(), ..SceneEntry::new(format!("scenes/{name}.toml").into()) }
    }

    #[test]
    fn groups_come_in_their_order_and_scenes_without_one_last() {
        let entries = [
            entry("mine", ""),
            entry("b", "Splashes"),
            entry("own", "Another"),
            entry("a", "First steps"),
            entry("c", "Splashes"),
        ];
        let mut groups = groups(&matching(&entries, ""));
        sort_groups(&mut groups);
        let shown: Vec<(&str, Vec<&str>)> = groups
            .into_iter()
            .map(|(group, scenes)| (group, scenes.iter().map(|scene| scene.title.as_str()).collect()))
            .collect();
        assert_eq!(
            shown,
            [("First steps", vec!["a"]), ("Splashes", vec!["b", "c"]), ("Another", vec!["own"]), (OTHERS, vec!["mine"])]
        );
    }

    #[test]
    fn whole_words_come_first_and_titles_before_descriptions() {
        let described = |scene: SceneEntry, description: &str| SceneEntry { description: description.to_owned(), ..scene };
        let scenes = [
            entry("viscous_coil", "Viscous and several fluids"),
            described(entry("drop", "First steps"), "A ball of water falls"),
            entry("balls_of_many_sizes", "Balls"),
            entry("spoiled", "Splashes"),
            described(entry("oil_on_water_2d", "Viscous and several fluids").titled("Water into oil, 2D"), "It lifts the oil"),
        ];
        let found = |search: &str| matching(&scenes, search).iter().map(|scene| scene.title.as_str()).collect::<Vec<_>>();
        assert_eq!(found("oil"), ["Water into oil, 2D"]);
        // Within words, where no word begins with it.
        assert_eq!(found("poil"), ["spoiled"]);
        assert_eq!(found("Ball"), ["balls of many sizes", "drop"]);
        assert_eq!(found("water falls"), ["drop"]);
        assert_eq!(found("drop"), ["drop"]);
        assert_eq!(found(" ").len(), scenes.len());
    }

    #[test]
    fn a_search_looks_at_titles_descriptions_groups_and_files() {
        let scene = SceneEntry { description: "A jet rises".to_owned(), ..entry("old_fountain", "Inflow and outflow") }
            .titled("Fountain");
        for search in ["", "fount", "JET", "inflow rises", "old_"] {
            assert!(scene.grade(search).is_some(), "{search}");
        }
        assert_eq!(scene.grade("jet dam"), None);
    }
}
