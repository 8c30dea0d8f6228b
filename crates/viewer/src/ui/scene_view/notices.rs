//! Cards over the 3D view, one below the other in one place: the film that is made, then messages. Information and refused drops
//! disappear after some seconds; other warnings and errors stay until dismissed or resolved. Badges say what is wrong with the run, and a
//! refused step shows its ways out.

use std::time::{Duration, Instant};

use super::SceneArea;
use crate::command::Command;
use crate::session::{Goal, Notice, Queried, Severity, Snapshot, SpeedLimit, Stage, Subject};
use crate::ui::fluid::{Stiffness, stiffness};
use crate::ui::theme::{self, Colors};
use crate::ui::widgets::format;
use crate::ui::{Action, Framing, State, pictures};
use egui::{
    Align, Button, Color32, FontId, Frame, Label, Layout, Margin, Rect, RichText, ScrollArea, Stroke, TextStyle, Ui, UiBuilder,
    pos2, vec2,
};
use glam::{Vec2, Vec3};
use sph_core::parameters::{Parameter, Parameters};
use sph_core::remedies::Refusal;
use sph_render::camera::Camera;

/// Largest width, that of text which is not wrapped, and least width beside a control, points.
const MOST_WIDTH: f32 = 380.0;
pub(super) const MOST_WIDTH_LAID_OUT: f32 = 620.0;
const LEAST_WIDTH: f32 = 300.0;

/// Largest height of details that are wrapped, points: the rest is reached by scrolling.
const DETAILS_HEIGHT: f32 = 66.0;

/// Height of a card without its details, points.
const HEAD_HEIGHT: f32 = 60.0;

/// Least size of a place clear of the controls, points; where there is less, cards take the whole view.
const LEAST_PLACE: egui::Vec2 = vec2(160.0, 90.0);

/// Largest number of characters of a folder; those in the middle give way.
const FOLDER_LENGTH: usize = 60;

/// Height of the status line and of the badges above it, points.
const LOWER_CONTROLS: f32 = 96.0;

/// Place of the cards in the 3D view at `area`: below or beside the `tools`, and beside the `legend` if that leaves room.
pub(super) fn cards_area(area: Rect, tools: Rect, legend: Option<Rect>) -> Rect {
    let mut place = area.shrink(theme::SPACE);
    place.max.y -= LOWER_CONTROLS;
    if tools.width() > tools.height() {
        place.min.y = tools.bottom() + theme::SPACE;
    } else {
        place.min.x = tools.right() + theme::SPACE;
    }
    if let Some(legend) = legend {
        let right = legend.left() - theme::SPACE;
        if right - place.left() >= LEAST_WIDTH {
            place.max.x = right;
        } else {
            place.min.y = place.min.y.max(legend.bottom() + theme::SPACE);
        }
    }
    if place.width() < LEAST_PLACE.x || place.height() < LEAST_PLACE.y { area.shrink(theme::SPACE) } else { place }
}

/// Lays out the sign of the film over the 3D view, and the messages, the newest on top: at the right of the panel below the view, or else
/// below the sign.
pub fn cards_ui(ui: &mut Ui, area: SceneArea, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let film = state.pictures.film.as_ref();
    // The ways out of a refused step are seen with what it says, whatever they hide: nothing goes on before one is taken.
    let is_refused = |notice: &Notice| notice.subject == Subject::Step && snapshot.failure.is_some();
    let has_refused = state.notices.iter().any(is_refused);
    // Without a scene they are where it would be.
    let below = area.below.map(|below| below.shrink(0.5 * theme::SPACE)).filter(|_| !has_refused && snapshot.scene.is_some());
    let below = below.filter(|below| below.width() >= LEAST_WIDTH && below.height() >= LEAST_PLACE.y);
    // All have one width.
    let is_wide = has_refused || state.notices.iter().any(|notice| notice.laid_out);
    let most_width = if is_wide { MOST_WIDTH_LAID_OUT } else { MOST_WIDTH };
    let mut place = area.cards;
    if has_refused {
        place.max.y = place.max.y.max(area.view.bottom() - theme::SPACE);
    }
    if let Some(below) = below {
        if place.is_positive() {
            ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Min)), |ui| {
                pictures::badge_ui(ui, film);
            });
        }
        place = below;
        place.min.x = place.min.x.max(place.max.x - most_width);
    }
    let film = film.filter(|_| below.is_none());
    let notices = &mut state.notices;
    if let Some(left) = notices.expire() {
        ui.ctx().request_repaint_after(left);
    }
    if notices.0.is_empty() && film.is_none() || !place.is_positive() {
        return;
    }
    let most_height = if below.is_some() || snapshot.scene.is_none() { place.height() } else { 0.6 * place.height() };
    // Several errors share the place, so that the beginning of each is seen.
    let laid_out = notices.iter().filter(|notice| notice.laid_out).count();
    let share = place.height() / laid_out.max(1) as f32 - HEAD_HEIGHT;
    let most_height = if laid_out > 1 { share.max(DETAILS_HEIGHT).min(most_height) } else { most_height };
    let (mut dismissed, mut way_out) = (None, None);
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Min)), |ui| {
        ScrollArea::vertical().id_salt("cards").max_height(place.height()).min_scrolled_height(0.0).show(ui, |ui| {
            pictures::badge_ui(ui, film);
            for (index, (notice, _)) in notices.0.iter().enumerate().rev() {
                let ways = |ui: &mut Ui| {
                    if is_refused(notice) {
                        way_out = ways_out_ui(ui, snapshot);
                    }
                };
                let most_height = match notice {
                    notice if is_refused(notice) => f32::INFINITY,
                    notice if notice.laid_out => most_height,
                    _ => most_height.min(DETAILS_HEIGHT),
                };
                if notice_ui(ui, notice, index, [most_width, most_height], ways) {
                    dismissed = Some(index);
                }
            }
        });
    });
    if let Some(index) = dismissed {
        notices.0.remove(index);
    }
    if let Some(way) = way_out {
        take(way, state, snapshot, actions);
    }
}

/// Lays out one message of at most this width, with details of at most this height, points, and `more` below it. Returns true if it was dismissed.
fn notice_ui(
    ui: &mut Ui,
    notice: &Notice,
    index: usize,
    [most_width, most_height]: [f32; 2],
    more: impl FnOnce(&mut Ui),
) -> bool {
    let color = theme::of(ui).severity(notice.severity);
    let frame = Frame::new()
        .fill(theme::of(ui).panel)
        .stroke(Stroke::new(1.0, color))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 8))
        .outer_margin(Margin::symmetric(0, 2));
    let mut dismissed = false;
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width().min(most_width - 2.0 * 12.0));
        egui::Sides::new().shrink_left().wrap().show(
            ui,
            |ui| ui.label(RichText::new(&notice.title).color(color).strong()),
            |ui| dismissed = ui.small_button("Dismiss").on_hover_text("Esc dismisses all messages.").clicked(),
        );
        if let Some(path) = &notice.path {
            let folder = path.parent().unwrap_or(path).display().to_string();
            let text = RichText::new(format::elided(&folder, FOLDER_LENGTH)).small().color(theme::of(ui).text_quiet);
            ui.add(Label::new(text).truncate()).on_hover_text(path.display().to_string());
        }
        if !notice.details.is_empty() {
            let scroll = ScrollArea::vertical().id_salt(index).max_height(most_height).min_scrolled_height(0.0);
            scroll.show(ui, |ui| {
                let details = notice.details.trim_end();
                if notice.laid_out {
                    laid_out_ui(ui, details);
                } else {
                    ui.add(Label::new(details).wrap().selectable(true));
                }
            });
        }
        more(ui);
    });
    dismissed
}

/// Lays out text of fixed width: lines of a file keep their form and scroll sideways; what is said about them wraps, below the caret
/// where there is no room beside it.
fn laid_out_ui(ui: &mut Ui, text: &str) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let letter = ui.painter().layout_no_wrap("m".to_owned(), TextStyle::Monospace.resolve(ui.style()), Color32::PLACEHOLDER);
    let columns = (ui.available_width() / letter.size().x.max(1.0)) as usize;
    let lines: Vec<&str> = text.lines().flat_map(|line| caret_and_label(line, columns)).flatten().collect();
    for (number, part) in lines.chunk_by(|a, b| is_excerpt(a) == is_excerpt(b)).enumerate() {
        let label = Label::new(RichText::new(part.join("\n")).monospace()).selectable(true);
        if is_excerpt(part[0]) {
            ScrollArea::horizontal().id_salt(number).show(ui, |ui| ui.add(label.extend()));
        } else {
            ui.add(label.wrap());
        }
    }
}

/// True for a line of an excerpt: a number or space, then a bar.
fn is_excerpt(line: &str) -> bool {
    line.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ' ').starts_with('|')
}

/// The line, or its carets and their label apart where it is longer than `columns`.
fn caret_and_label(line: &str, columns: usize) -> [Option<&str>; 2] {
    let carets = line.find("| ").map_or("", |bar| line[bar + 1..].trim_start());
    let label = carets.trim_start_matches('^');
    if carets.starts_with('^') && label.starts_with(' ') && line.chars().count() > columns {
        [Some(&line[..line.len() - label.len()]), Some(label.trim_start())]
    } else {
        [Some(line), None]
    }
}

// The current messages: information and refused drops expire, other warnings and errors stay.

/// Maximum number of messages; the oldest is dropped.
const CAPACITY: usize = 4;

/// Time for which a message that expires is shown.
const SHORT_TIME: Duration = Duration::from_secs(6);

/// True if it goes by itself: the 3D view that it covers is needed, and nothing is to be done about it.
fn expires(notice: &Notice) -> bool {
    notice.severity == Severity::Info || notice.subject == Subject::Drop
}

/// Current messages, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices(pub(super) Vec<(Notice, Instant)>);

impl Notices {
    /// Adds a message. Removes an equal message, and messages about the same subject.
    pub fn push(&mut self, notice: Notice) {
        self.settle(notice.subject);
        self.0.retain(|(shown, _)| *shown != notice);
        if self.0.len() == CAPACITY {
            self.0.remove(0);
        }
        self.0.push((notice, Instant::now()));
    }

    /// Removes the messages about `subject`; [`Subject::Other`] removes nothing.
    pub fn settle(&mut self, subject: Subject) {
        self.0.retain(|(notice, _)| notice.subject != subject || subject == Subject::Other);
    }

    /// Removes all messages; false if there are none.
    pub fn dismiss(&mut self) -> bool {
        let any = !self.0.is_empty();
        self.0.clear();
        any
    }

    /// Current messages, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.0.iter().map(|(notice, _)| notice)
    }

    /// Removes expired messages. Returns the time until the next one expires.
    pub(super) fn expire(&mut self) -> Option<Duration> {
        let left = |since: &Instant| SHORT_TIME.saturating_sub(since.elapsed());
        self.0.retain(|(notice, since)| !expires(notice) || !left(since).is_zero());
        self.0.iter().filter(|(notice, _)| expires(notice)).map(|(_, since)| left(since)).min()
    }
}

// Badges over the 3D view: what is wrong with the run at present, and what would help.

/// Height of a badge, points.
const HEIGHT: f32 = 24.0;

/// Height of the status line with the space around it, points.
const STATUS: f32 = 40.0;

/// Share of the speed asked for below which the machine is said not to keep up.
const BEHIND: f64 = 0.8;

/// A badge.
struct Badge {
    text: String,
    tooltip: String,
    color: Color32,
    /// Parameter to show at a click.
    parameter: &'static Parameter<Parameters>,
}

/// Lays out the badges over the lower left corner of `area`, above the status line. A click shows the parameter that would help.
pub fn badges_ui(ui: &mut Ui, area: Rect, state: &mut State, snapshot: &Snapshot) {
    let badges = badges(ui, state, snapshot);
    let corner = area.left_bottom() + vec2(theme::SPACE, -STATUS - 2.0 * (HEIGHT + 4.0));
    let size = vec2((area.width() - 2.0 * theme::SPACE).max(0.0), 2.0 * (HEIGHT + 4.0));
    let place = Rect::from_min_size(corner, size);
    if !area.contains_rect(place) {
        return;
    }
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::bottom_up(Align::Min)), |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for badge in badges.into_iter().flatten() {
            let text = RichText::new(badge.text).color(badge.color);
            let button = Button::new(text).fill(theme::of(ui).background).stroke((1.0, badge.color)).truncate();
            if ui.add(button.min_size(vec2(0.0, HEIGHT))).on_hover_text(badge.tooltip).clicked() {
                state.show_parameter(badge.parameter);
            }
        }
    });
}

fn badges(ui: &Ui, state: &State, snapshot: &Snapshot) -> [Option<Badge>; 2] {
    [softness(state, snapshot, theme::of(ui)), slowness(snapshot, theme::of(ui))]
}

/// Height of the badges that are shown, points.
pub(super) fn badges_height(ui: &Ui, state: &State, snapshot: &Snapshot) -> f32 {
    badges(ui, state, snapshot).iter().flatten().count() as f32 * (HEIGHT + 4.0)
}

/// Greatest width of the badges that are shown, points; 0 without any.
pub(super) fn badges_width(ui: &Ui, state: &State, snapshot: &Snapshot) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    let width = |badge: Badge| ui.painter().layout_no_wrap(badge.text, font.clone(), badge.color).size().x;
    let widths = badges(ui, state, snapshot).into_iter().flatten().map(width);
    widths.map(|width| width + 2.0 * ui.spacing().button_padding.x).fold(0.0, f32::max)
}

fn softness(state: &State, snapshot: &Snapshot, colors: &Colors) -> Option<Badge> {
    let (found, ratio) = stiffness(state.edited.parameters.as_ref()?, snapshot.stats.as_ref())?;
    let parameter = Parameters::entry("fluid.sound_speed");
    let (text, tooltip, color) = match found {
        Stiffness::Unstable => (
            "The fluid is faster than its speed of sound".to_owned(),
            "Unstable: reset the fluid, then increase the speed of sound or the artificial viscosity.",
            colors.error,
        ),
        Stiffness::TooLow => (
            format!("Fluid too soft: sound is {ratio:.1} × its maximum speed"),
            "It is compressed by more than 1 %. A speed of sound of 10 × the maximum speed keeps it stiff; click to change it.",
            colors.warning,
        ),
        _ => return None,
    };
    Some(Badge { text, tooltip: tooltip.to_owned(), color, parameter })
}

fn slowness(snapshot: &Snapshot, colors: &Colors) -> Option<Badge> {
    let (rates, stats) = (&snapshot.rates, snapshot.stats.as_ref()?);
    let SpeedLimit::Times(asked) = snapshot.speed_limit else { return None };
    let runs = !snapshot.paused && !snapshot.loading && snapshot.failure.is_none() && rates.steps_per_second > 0.0;
    let speed = rates.speed;
    // Trials take time from the fluid, and are what the badge advises.
    let tunes = snapshot.tuning.as_ref().is_some_and(|tuning| tuning.stage == Stage::Running);
    if !runs || tunes || speed >= BEHIND * f64::from(asked) {
        return None;
    }
    let name = if f64::from(asked) == 1.0 { "real time".to_owned() } else { format!("{asked}×") };
    let tooltip = format!(
        "{} steps/s of {} each; {name} needs {} steps/s.\n\
         Fewer particles help most: use a larger spacing in the scene. Longer steps help too; limited by: {}.\n\
         Auto-tune (A) finds the fastest grid. Click to show the time step.",
        format::count(rates.steps_per_second.round() as u64),
        format::seconds(f64::from(stats.dt)),
        format::count((f64::from(asked) / f64::from(stats.dt).max(1e-12)).round() as u64),
        stats.dt_limit.label(),
    );
    let speed = if speed < 0.001 { "< 0.001×".to_owned() } else { format!("{speed:.3}×") };
    let text = format!("Slower than {name}: {speed}");
    Some(Badge { text, tooltip, color: colors.warning, parameter: Parameters::entry("time_step.cfl_factor") })
}

// A refused step: its particle in the 3D view, and the ways out.

/// Simulated time that the button goes back, s.
const BACK: f64 = 1.0;

/// Distance of the camera to a particle that is shown, particle spacings.
const NEAR: f32 = 24.0;

/// Radius of the mark, points.
const MARK: f32 = 11.0;

/// A way out that has been chosen.
#[derive(Clone, Debug)]
pub(super) enum WayOut {
    Do(Action),
    Edit(Box<Parameters>),
    Show(u32, Vec3),
}

/// Lays out the ways out of a failure as buttons; returns the one that was pressed.
pub(super) fn ways_out_ui(ui: &mut Ui, snapshot: &Snapshot) -> Option<WayOut> {
    let mut chosen = None;
    ui.add_space(0.5 * theme::SPACE);
    ui.horizontal_wrapped(|ui| {
        if let Some(refusal) = &snapshot.refusal {
            chosen = refusal_ui(ui, refusal, snapshot);
        }
        if ui.button(Command::Reset.label()).on_hover_text(Command::Reset.tooltip()).clicked() {
            chosen = Some(WayOut::Do(Action::Command(Command::Reset)));
        }
    });
    chosen
}

fn refusal_ui(ui: &mut Ui, refusal: &Refusal, snapshot: &Snapshot) -> Option<WayOut> {
    let mut chosen = None;
    if let Some((id, position)) = refusal.particle
        && ui.button("Show particle").on_hover_text("Move the camera to it and follow its query.").clicked()
    {
        chosen = Some(WayOut::Show(id, position));
    }
    if !snapshot.timeline.kept.is_empty() {
        let hint = "Go back by a second of simulated time, or to the start, with the parameters it had then.";
        if ui.button("Rewind 1 s").on_hover_text(hint).clicked() {
            chosen = Some(WayOut::Do(Action::Seek(Goal::Time((snapshot.time - BACK).max(0.0)))));
        }
    }
    let parameters = snapshot.parameters.as_ref()?;
    for remedy in &refusal.remedies {
        let Some(changed) = remedy.apply(parameters) else { continue };
        let hint = format!("For {}. Now {}. In scene files: {}", remedy.effect, remedy.now, remedy.key);
        if ui.button(remedy.words()).on_hover_text(hint).clicked() {
            chosen = Some(WayOut::Edit(Box::new(changed)));
        }
    }
    chosen
}

/// Does what was chosen.
pub(super) fn take(way: WayOut, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    match way {
        WayOut::Do(action) => actions.push(action),
        WayOut::Edit(parameters) => state.edited.edit(*parameters, actions),
        WayOut::Show(id, position) => {
            let spacing = snapshot.scene.as_ref().map_or(0.05, |scene| scene.setup.discretization.particle_spacing);
            state.display.camera.target = position;
            state.display.camera.distance = NEAR * spacing;
            state.display.framing = Framing::Free;
            state.show_search_of(None);
            state.view.selected = Some(Queried::Particle(id));
        }
    }
}

/// Marks the particle because of which a step was refused in the 3D view at `area`.
pub(super) fn mark_ui(ui: &Ui, area: Rect, camera: &Camera, snapshot: &Snapshot) {
    let Some((id, position)) = snapshot.refusal.as_ref().and_then(|refusal| refusal.particle) else { return };
    let Some(place) = camera.project(position, area.aspect_ratio()) else { return };
    let place = area.center() + 0.5 * area.size() * to_screen(place);
    let painter = ui.painter().with_clip_rect(area);
    let colors = theme::of(ui);
    // A ring of the background on both sides, and a plate: water and foam have any colour.
    painter.circle_stroke(place, MARK, Stroke::new(6.0, colors.background));
    painter.circle_stroke(place, MARK, Stroke::new(2.0, colors.error));
    let galley = painter.layout_no_wrap(format!("particle {id}"), FontId::proportional(12.0), colors.error);
    let size = galley.size() + vec2(theme::SPACE, 0.5 * theme::SPACE);
    // On the other side where it would be cut.
    let right = place.x + 1.5 * MARK;
    let left = if right + size.x > area.right() { place.x - 1.5 * MARK - size.x } else { right };
    let plate = Rect::from_min_size(pos2(left, place.y - 0.5 * size.y), size);
    painter.rect_filled(plate, 4.0, colors.background);
    painter.galley(plate.center() - 0.5 * galley.size(), galley, colors.error);
}

/// Normalised device coordinates, whose y points up, as a part of half the area.
fn to_screen(place: Vec2) -> egui::Vec2 {
    egui::vec2(place.x, -place.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_label_goes_below_its_carets() {
        let line = "  | ^^^ did you mean `spacing`?";
        assert_eq!(caret_and_label(line, 80), [Some(line), None]);
        assert_eq!(caret_and_label(line, 20), [Some("  | ^^^"), Some("did you mean `spacing`?")]);
        for other in ["3 | spaing = 0.02 # as ^^^ before, and long", "  = help: a line that is longer", "  |", ""] {
            assert_eq!(caret_and_label(other, 20), [Some(other), None]);
        }
        let excerpts = ["12 | a = 1", "  |", "  | ^^^"].map(is_excerpt);
        assert!(
            excerpts == [true; 3]
                && !["  = help: a | b", " --> a.toml:1:2", "error: 3 | 4"].iter().any(|line| is_excerpt(line))
        );
    }

    #[test]
    fn information_and_refused_drops_expire() {
        let mut notices = Notices::default();
        notices.push(Notice::info("saved"));
        notices.push(Notice::warning("no room", "").about(Subject::Drop));
        notices.push(Notice::warning("slow", ""));
        assert!(notices.expire().is_some_and(|left| left <= SHORT_TIME) && notices.iter().count() == 3);
        for (_, since) in &mut notices.0 {
            *since = since.checked_sub(SHORT_TIME).expect("the clock is older");
        }
        assert_eq!(notices.expire(), None);
        assert!(notices.iter().map(|notice| notice.title.as_str()).eq(["slow"]));
    }
}
