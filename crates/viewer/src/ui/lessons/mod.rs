//! Guided lessons: a card in a panel explains, points at a control, and waits until the simulation has run with the
//! requested change. A lesson neither pauses nor resets the simulation; it changes the grid only at the user's request.

mod lesson;
mod list;
mod points;
mod progress;

pub use super::widgets::outline::{Control, target_rect};
pub use lesson::{Lesson, Searched};
pub use list::LESSONS;
pub use progress::Progress;

use super::widgets::{Icon, hint_ui, outline};
use super::{Action, Model, Plotted, SceneEntry, Side, State, theme};
use crate::session::{Notice, Snapshot};
use egui::text::LayoutJob;
use egui::{
    Align, Button, Color32, FontId, Frame, Grid, Label, Layout, Margin, RichText, ScrollArea, Sense, TextFormat, Ui, UiBuilder,
    Vec2, vec2,
};
use lesson::{Metric, Reading, Task};
use progress::Request;
use sph_core::neighbors::GridParameters;

// Current lesson: its update by the simulation, and its layout.

/// Updates the lesson from the snapshot; called before the panels are laid out, because they show the control it points at.
pub fn follow(ui: &Ui, state: &mut State, model: &Model<'_>) {
    begin_next(state, model.snapshot);
    let control = match &mut state.lesson {
        Some(progress) => {
            let is_up_to_date = match progress.lesson().searched {
                Searched::Fluid => state.edited.revision == model.snapshot.revision,
                Searched::Cloth | Searched::Balls => state.edited.point_grids.are_up_to_date(model.snapshot),
            };
            if let Some(notice) = progress.follow(model.snapshot, is_up_to_date) {
                state.notices.push(notice);
            }
            if progress.is_impossible() {
                state.lesson = None;
            }
            state.lesson.as_ref().and_then(Progress::control)
        }
        None => None,
    };
    state.shown.lesson = state.lesson.is_some();
    let shown = outline::set_target(ui.ctx(), control);
    // The panel with the control is opened once; the user may hide it afterwards.
    if !shown && control.is_some() {
        match control {
            Some(Control::BuildTime | Control::QueryTime) => {
                state.shown.plots = true;
                state.plots.plotted = Plotted::Costs;
                state.dock.show("performance");
            }
            _ => {
                state.shown.side_panel = true;
                if let Some(searched) = state.lesson.as_ref().map(|progress| progress.lesson().searched) {
                    progress::show(searched, state, model.snapshot);
                }
                state.dock.show("grid");
            }
        }
    }
}

/// Lays out the outline around the control of the lesson; called after all panels.
pub fn outline_ui(ui: &Ui) {
    outline::paint(ui);
}

/// Lays out the panel.
pub fn lesson_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let Some(mut progress) = state.lesson.take() else { return };
    let searched = progress.lesson().searched;
    let is_elsewhere = match searched {
        Searched::Fluid => state.edited_side() != Side::A || state.point_search.chosen.is_some(),
        Searched::Cloth | Searched::Balls => {
            state.edited_side() != Side::A || state.point_search.chosen != searched.set(model.snapshot)
        }
    };
    let shown = PanelState { grid: progress::shown_grid(searched, state, model.snapshot), is_elsewhere };
    let request = card_ui(ui, &progress, model.snapshot, shown);
    let goes_on = request.is_none_or(|request| progress::apply(request, &mut progress, (state, model), actions));
    state.lesson = goes_on.then_some(progress);
}

// Menu of lessons, in the top bar and the help window.

/// A lesson that waits for its scene.
#[derive(Clone, Copy, Debug)]
pub struct NextLesson {
    lesson: &'static Lesson,
    /// Generation of the scene before.
    generation: u64,
}

/// Begins `lesson`: at once, or in the shipped scene that has what it is about if the present one has not.
pub fn begin(lesson: &'static Lesson, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    state.next_lesson = None;
    if let Some(progress) = Progress::begin(lesson, model.snapshot) {
        state.lesson = Some(progress);
        return;
    }
    let is_example = |scene: &&SceneEntry| scene.path.file_stem().is_some_and(|stem| stem == lesson.searched.example());
    match model.scenes.iter().find(is_example) {
        Some(scene) => {
            state.next_lesson = Some(NextLesson { lesson, generation: model.snapshot.generation });
            actions.push(Action::Load(scene.path.clone()));
        }
        None => state.notices.push(Notice::info(format!("This lesson needs a scene with {}", lesson.searched.name()))),
    }
}

/// Begins the lesson that has waited for its scene, once the scene is there; forgets it if another scene has come.
fn begin_next(state: &mut State, snapshot: &Snapshot) {
    let Some(NextLesson { lesson, generation }) = state.next_lesson else { return };
    let begun = Progress::begin(lesson, snapshot);
    if begun.is_some() || snapshot.generation != generation {
        state.next_lesson = None;
        state.lesson = begun.or(state.lesson.take());
    }
}

/// Lays out one row per lesson: title and summary. Returns true if one was chosen.
pub fn lessons_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> bool {
    let mut begun = false;
    ui.add_enabled_ui(model.snapshot.scene.is_some(), |ui| {
        for lesson in LESSONS {
            let mut text = LayoutJob::default();
            let format = |size, color| TextFormat {
                font_id: FontId::proportional(size),
                color,
                valign: Align::Center,
                ..Default::default()
            };
            text.append(lesson.title, 0.0, format(13.0, theme::of(ui).text));
            text.append("\n", 0.0, format(11.0, theme::of(ui).text));
            text.append(lesson.summary, 0.0, format(11.0, theme::of(ui).text_quiet));
            let is_current = state.lesson.as_ref().is_some_and(|progress| progress.lesson().title == lesson.title);
            let row = ui.add(Button::selectable(is_current, text).wrap_mode(egui::TextWrapMode::Extend));
            if row.on_disabled_hover_text("Open a scene first.").clicked() {
                begin(lesson, state, model, actions);
                begun = true;
            }
        }
    });
    begun
}

// Card of a lesson: the contents of its panel.

/// State of the Grid panel.
#[derive(Clone, Copy, Debug)]
struct PanelState {
    /// Grid of the lesson, as the sliders show it.
    pub grid: Option<GridParameters>,
    /// True if the sliders edit another grid.
    pub is_elsewhere: bool,
}

/// Height of the buttons with the space above them, points.
const BUTTONS: f32 = 36.0;

/// Height of the text below which the result replaces the explanation, points.
const ROOM_FOR_ALL: f32 = 285.0;

/// Width of a column of metrics where there is room, and the least gap before one, points.
const METRIC_WIDTH: f32 = 60.0;
const METRIC_GAP: f32 = 8.0;

/// Least width of their labels, points.
const LEAST_LABEL_WIDTH: f32 = 48.0;

/// Lays out the card: the text, which scrolls, and the buttons below it. Returns the request of a pressed button.
fn card_ui(ui: &mut Ui, progress: &Progress, snapshot: &Snapshot, shown: PanelState) -> Option<Request> {
    let room = (ui.available_height() - BUTTONS).max(0.0);
    let mut request = None;
    // A new id resets the scroll position for each step.
    let salt = (progress.step_index(), progress.is_ending());
    ScrollArea::vertical().id_salt(salt).max_height(room).min_scrolled_height(0.0).auto_shrink([false, true]).show(ui, |ui| {
        hint_ui(ui, progress.lesson().title);
        if progress.is_ending() {
            ui.label("The grid is not as it was before the lesson. Do you want to restore it?");
        } else {
            contents_ui(ui, progress, snapshot, shown, room, &mut request);
        }
    });
    // At the lower edge, wherever the text ends.
    ui.add_space((ui.available_height() - BUTTONS).max(0.0) + 0.5 * theme::SPACE);
    if progress.is_ending() {
        ending_ui(ui, &mut request);
    } else {
        buttons_ui(ui, progress, shown.grid, &mut request);
    }
    request
}

fn contents_ui(
    ui: &mut Ui,
    progress: &Progress,
    snapshot: &Snapshot,
    shown: PanelState,
    room: f32,
    request: &mut Option<Request>,
) {
    ui.spacing_mut().item_spacing.y = 6.0;
    let step = progress.step();
    ui.label(RichText::new(step.heading).heading().strong());
    let Some((latest, start)) = progress.readings() else {
        ui.label("The lesson continues after the next step.");
        if snapshot.stands_still() {
            play_ui(ui, request);
        }
        return;
    };
    if snapshot.stands_still() && shown.grid.is_some_and(|grid| grid != latest.grid) {
        let text = "The grid has been changed since the latest step: the numbers below are from before.";
        ui.label(RichText::new(text).color(theme::of(ui).warning));
    }
    // In place of the text, which is about the grid that the step needs.
    let missing = shown.grid.map(|grid| progress.lesson().requirements.missing(&grid, latest)).unwrap_or_default();
    if !missing.is_empty() {
        ui.label(RichText::new("This step needs another grid:").color(theme::of(ui).warning));
        // One press makes all the changes.
        for change in missing {
            if ui.button(change).clicked() {
                *request = Some(Request::MeetRequirements);
            }
        }
        return;
    }
    let brief = room < ROOM_FOR_ALL && progress.comparison().is_some();
    if !brief {
        ui.label((step.text)(latest));
    }
    if shown.is_elsewhere {
        let searched = progress.lesson().searched;
        let (text, button) = match searched {
            Searched::Fluid if snapshot.sets.len() == 0 => {
                ("The sliders edit grid B; the lesson is about grid A.".to_owned(), "Show grid A".to_owned())
            }
            _ => {
                let name = searched.name();
                (
                    format!("The sliders edit another search; the lesson is about that of the {name}."),
                    format!("Show the search of the {name}"),
                )
            }
        };
        ui.label(RichText::new(text).color(theme::of(ui).warning));
        if ui.button(button).clicked() {
            *request = Some(Request::ShowGrid);
        }
        return;
    }
    if let Some(task) = progress.task() {
        task_ui(ui, progress, task, (!brief).then_some(start), request);
    }
    if snapshot.stands_still() && !progress.is_done() {
        play_ui(ui, request);
    }
}

fn play_ui(ui: &mut Ui, request: &mut Option<Request>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("The simulation is paused. Press play.").color(theme::of(ui).warning));
        if ui.button("Play").clicked() {
            *request = Some(Request::Play);
        }
    });
}

/// Lays out the task (skipped if `start` is `None`, for lack of space) and, once it is done, its result.
fn task_ui(ui: &mut Ui, progress: &Progress, task: &Task, start: Option<&Reading>, request: &mut Option<Request>) {
    let comparison = progress.comparison();
    if let Some(start) = start {
        ask_ui(ui, &(task.ask)(start), comparison.is_some(), request);
    }
    if let Some(columns) = comparison {
        metrics_ui(ui, task.metrics, &columns);
        ui.label((task.outcome)(&columns));
    }
}

fn ask_ui(ui: &mut Ui, ask: &str, done: bool, request: &mut Option<Request>) {
    let (color, fill) = if done {
        (theme::of(ui).good, Color32::TRANSPARENT)
    } else {
        (theme::of(ui).text, theme::of(ui).accent_dim.gamma_multiply(0.6))
    };
    let margin = if done { Margin::ZERO } else { Margin::symmetric(8, 6) };
    Frame::new().fill(fill).corner_radius(4).inner_margin(margin).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            if done {
                let (rect, _) = ui.allocate_exact_size(Vec2::splat(14.0), Sense::hover());
                Icon::Tick.paint(ui.painter(), rect.shrink(2.0), color);
            }
            ui.vertical(|ui| ui.label(RichText::new(ask).color(color)));
        });
        if !done && ui.button("Do it for me").clicked() {
            *request = Some(Request::Perform);
        }
    });
}

fn metrics_ui(ui: &mut Ui, metrics: &[Metric], columns: &[(&str, &Reading)]) {
    let small = |text: String, color| RichText::new(text).size(12.0).color(color);
    let measure = |ui: &Ui, text: String, font: FontId| ui.painter().layout_no_wrap(text, font, Color32::WHITE).size().x;
    // A narrow panel breaks the labels rather than join the numbers.
    let wanted = metrics.iter().map(|metric| measure(ui, metric.label().to_owned(), FontId::proportional(12.0)));
    let wanted = wanted.fold(0.0, f32::max);
    let widths = columns.iter().map(|(name, reading)| {
        let texts = metrics.iter().map(|metric| measure(ui, metric.text(reading), FontId::monospace(12.0)));
        texts.chain([measure(ui, (*name).to_owned(), FontId::proportional(12.0))]).fold(0.0, f32::max).ceil()
    });
    let mut widths: Vec<f32> = widths.collect();
    let room = ui.available_width() - columns.len() as f32 * METRIC_GAP;
    if wanted + columns.len() as f32 * METRIC_WIDTH <= room {
        widths.iter_mut().for_each(|width| *width = width.max(METRIC_WIDTH));
    }
    let label_width = (room - widths.iter().sum::<f32>()).clamp(LEAST_LABEL_WIDTH, wanted.max(LEAST_LABEL_WIDTH));
    let right = |ui: &mut Ui, text: RichText, width: f32| {
        let (cell, _) = ui.allocate_exact_size(vec2(width, 14.0), Sense::HOVER);
        let layout = Layout::right_to_left(Align::Center);
        ui.new_child(UiBuilder::new().max_rect(cell).layout(layout)).add(Label::new(text).extend());
    };
    ui.spacing_mut().interact_size.y = 14.0;
    Grid::new(("metrics", columns.len())).num_columns(columns.len() + 1).spacing([METRIC_GAP, 2.0]).show(ui, |ui| {
        ui.label("");
        for ((name, _), &width) in columns.iter().zip(&widths) {
            right(ui, small((*name).to_owned(), theme::of(ui).text_quiet), width);
        }
        ui.end_row();
        for metric in metrics {
            ui.vertical(|ui| {
                ui.set_max_width(label_width);
                ui.add(Label::new(small(metric.label().to_owned(), theme::of(ui).text_quiet)).wrap());
            });
            for (index, ((_, reading), &width)) in columns.iter().zip(&widths).enumerate() {
                let color = if index + 1 == columns.len() { theme::of(ui).text } else { theme::of(ui).text_quiet };
                right(ui, small(metric.text(reading), color).monospace(), width);
            }
            ui.end_row();
        }
    });
}

fn buttons_ui(ui: &mut Ui, progress: &Progress, grid: Option<GridParameters>, request: &mut Option<Request>) {
    let changed = progress.has_changed(grid);
    ui.horizontal(|ui| {
        let mut button = |ui: &mut Ui, button: Button<'_>, meaning: Request| {
            if ui.add(button).clicked() {
                *request = Some(meaning);
            }
        };
        // In every step, so that the next button stays where it is.
        ui.add_enabled_ui(progress.step_index() > 0, |ui| button(ui, Button::new("Back"), Request::Back));
        if progress.is_last() {
            if changed {
                let choice = primary(ui, "Restore the grid");
                button(ui, choice, Request::RestoreAndEnd);
                button(ui, Button::new("Finish"), Request::Leave);
            } else {
                let choice = primary(ui, "Finish");
                button(ui, choice, Request::Leave);
            }
        } else if progress.is_done() {
            let choice = primary(ui, "Next");
            button(ui, choice, Request::Next);
        } else {
            button(ui, Button::new("Skip"), Request::Next);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !progress.is_last() {
                button(ui, Button::new(RichText::new("End lesson").color(theme::of(ui).text_quiet)).frame(false), Request::End);
            }
            dots_ui(ui, progress);
        });
    });
}

/// Lays out one dot per step.
fn dots_ui(ui: &mut Ui, progress: &Progress) {
    let steps = progress.lesson().steps.len();
    let size = vec2(9.0 * steps as f32, 8.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    for index in 0..steps {
        let center = rect.left_center() + vec2(9.0 * (index as f32 + 0.5), 0.0);
        let (radius, color) = match index.cmp(&progress.step_index()) {
            std::cmp::Ordering::Less => (2.5, theme::of(ui).accent_dim),
            std::cmp::Ordering::Equal => (3.5, theme::of(ui).accent),
            std::cmp::Ordering::Greater => (2.5, theme::of(ui).line),
        };
        ui.painter().circle_filled(center, radius, color);
    }
    response.on_hover_text(format!("Step {} of {steps}", progress.step_index() + 1));
}

fn ending_ui(ui: &mut Ui, request: &mut Option<Request>) {
    ui.horizontal_wrapped(|ui| {
        let choices = [
            (Button::new("Back"), Request::Back),
            (primary(ui, "Restore the grid"), Request::RestoreAndEnd),
            (Button::new("Keep the current grid"), Request::Leave),
        ];
        for (button, meaning) in choices {
            if ui.add(button).clicked() {
                *request = Some(meaning);
            }
        }
    });
}

/// Button of the main choice.
fn primary<'a>(ui: &Ui, text: &'a str) -> Button<'a> {
    let colors = theme::of(ui);
    Button::new(RichText::new(text).color(colors.text)).fill(colors.accent_dim)
}
