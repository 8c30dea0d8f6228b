//! Card of a lesson: a small window over the 3D view.

use super::lesson::Task;
use super::progress::Progress;
use super::reading::{Metric, Reading};
use super::request::Request;
use crate::session::Snapshot;
use crate::ui::widgets::{Icon, hint_ui, legend};
use crate::ui::{Side, theme};
use egui::containers::{AreaState, WindowDrag};
use egui::{
    Align, Align2, Button, Color32, Frame, Grid, Id, Layout, Margin, Pos2, Rect, RichText, ScrollArea, Sense, Stroke, Ui, Vec2,
    Window, vec2,
};
use sph_core::neighbors::GridParameters;

/// State of the Grid panel.
#[derive(Clone, Copy, Debug)]
pub struct PanelState {
    /// Grid A, as the sliders show it.
    pub grid: Option<GridParameters>,
    /// Side whose grid the sliders edit.
    pub side: Side,
}

/// Width of the text, points.
const WIDTH: f32 = 332.0;

/// Free height below the card for the status line, points.
const BELOW: f32 = 44.0;

/// Height of title, buttons and margins, points.
const CHROME: f32 = 84.0;

/// Number of frames until the size of a new card is stable.
const UNSTABLE_FRAMES: u8 = 3;

/// Height of the text below which the result replaces the explanation, points.
const ROOM_FOR_ALL: f32 = 285.0;

/// Width of a column of metrics, points.
const METRIC_WIDTH: f32 = 60.0;

/// Least height of the scrolled text, points.
const LEAST_TEXT: f32 = 60.0;

/// Lays out the card, initially in the lower right corner of `area`. Returns the request of a pressed button.
pub fn card_ui(ui: &Ui, area: Rect, progress: &Progress, snapshot: &Snapshot, shown: PanelState) -> Option<Request> {
    let width = WIDTH.min(area.width() - 4.0 * theme::SPACE);
    if width < 120.0 || area.height() < CHROME {
        return None;
    }
    let room = text_height(area);
    let mut request = None;
    let frame = Frame::window(ui.style()).fill(theme::of(ui).panel).stroke(Stroke::new(1.0, theme::of(ui).accent_dim));
    let window = Window::new(RichText::new(progress.lesson().title).strong())
        .id(id())
        .frame(frame)
        .collapsible(false)
        .resizable(false)
        // egui positions only windows that can be dragged anywhere.
        .drag_area(WindowDrag::Anywhere)
        .pivot(Align2::RIGHT_BOTTOM)
        .constrain_to(area);
    let window = match new_corner(ui, area) {
        Some(corner) => window.current_pos(corner),
        None => window,
    };
    let size = AreaState::load(ui.ctx(), id()).and_then(|state| state.size);
    window.show(ui.ctx(), |ui| {
        ui.set_width(width);
        // A new id resets the scroll position for each step.
        let salt = (progress.step_index(), progress.is_ending());
        ScrollArea::vertical().id_salt(salt).max_height(room).show(ui, |ui| {
            ui.set_width(width);
            if progress.is_ending() {
                ui.label("The lesson has changed the grid. Do you want to restore the previous grid?");
            } else {
                contents_ui(ui, progress, snapshot, shown, room, &mut request);
            }
        });
        ui.add_space(0.5 * theme::SPACE);
        if progress.is_ending() {
            ending_ui(ui, &mut request);
        } else {
            buttons_ui(ui, progress, shown.grid, &mut request);
        }
    });
    if AreaState::load(ui.ctx(), id()).and_then(|state| state.size) != size {
        // The corner is correct only in the frame after the size has changed.
        ui.ctx().request_repaint();
    }
    request
}

fn id() -> Id {
    Id::unique("lesson")
}

/// Initial position of the card's lower right corner.
fn corner(area: Rect) -> Pos2 {
    area.right_bottom() - vec2(theme::SPACE, BELOW)
}

/// Largest height of the text; the card does not cover the legend if the area is high enough.
fn text_height(area: Rect) -> f32 {
    let all = area.height() - BELOW - CHROME;
    let below_legend = all - legend::SIZE.y - 2.0 * theme::SPACE;
    if legend::fits(area) && below_legend >= 2.0 * LEAST_TEXT { below_legend } else { all }.max(LEAST_TEXT)
}

/// New position of the card's lower right corner, if it must move: the initial position until its size is stable, then along
/// with the corner of `area`.
fn new_corner(ui: &Ui, area: Rect) -> Option<Pos2> {
    let edge = area.right_bottom();
    let (before, frames) = ui.ctx().data_mut(|data| {
        let known = data.get_temp::<(Pos2, u8)>(id()).unwrap_or((edge, 0));
        data.insert_temp(id(), (edge, known.1.saturating_add(1)));
        known
    });
    let now = AreaState::load(ui.ctx(), id()).and_then(|state| state.pivot_pos);
    match now {
        Some(corner) if frames >= UNSTABLE_FRAMES => (before != edge).then(|| corner + (edge - before)),
        _ => Some(corner(area)),
    }
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
        if snapshot.paused {
            play_ui(ui, request);
        }
        return;
    };
    let brief = room < ROOM_FOR_ALL && progress.comparison().is_some();
    if !brief {
        ui.label((step.text)(latest));
    }
    let missing = shown.grid.map(|grid| progress.lesson().requirements.missing(&grid, latest)).unwrap_or_default();
    if !missing.is_empty() {
        ui.label(RichText::new(format!("This step needs {}.", missing.join(", and "))).color(theme::of(ui).warning));
        if ui.button("Set that for me").clicked() {
            *request = Some(Request::MeetRequirements);
        }
        return;
    }
    if shown.side != Side::A {
        ui.label(RichText::new("The sliders edit grid B; the lesson is about grid A.").color(theme::of(ui).warning));
        if ui.button("Show grid A").clicked() {
            *request = Some(Request::ShowA);
        }
        return;
    }
    if let Some(task) = progress.task() {
        task_ui(ui, progress, task, (!brief).then_some(start), request);
    }
    if progress.control().is_some() && ui.ctx().content_rect().width() < theme::SIDE_PANEL_WIDTH + theme::LEAST_SCENE[0] {
        hint_ui(ui, "The window is too narrow to show this control.");
    }
    if snapshot.paused && !progress.is_done() {
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
    let right = |ui: &mut Ui, text: RichText| {
        let layout = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(vec2(METRIC_WIDTH, 14.0), layout, |ui| ui.label(text));
    };
    ui.spacing_mut().interact_size.y = 14.0;
    Grid::new(("metrics", columns.len())).num_columns(columns.len() + 1).spacing([6.0, 2.0]).show(ui, |ui| {
        ui.label("");
        for (name, _) in columns {
            right(ui, small((*name).to_owned(), theme::of(ui).text_quiet));
        }
        ui.end_row();
        for metric in metrics {
            ui.label(small(metric.label().to_owned(), theme::of(ui).text_quiet));
            for (index, (_, reading)) in columns.iter().enumerate() {
                let color = if index + 1 == columns.len() { theme::of(ui).text } else { theme::of(ui).text_quiet };
                right(ui, small(metric.text(reading), color).monospace());
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
        if progress.step_index() > 0 {
            button(ui, Button::new("Back"), Request::Back);
        }
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
    ui.horizontal(|ui| {
        let choices =
            [(primary(ui, "Restore the grid"), Request::RestoreAndEnd), (Button::new("Keep it as it is"), Request::Leave)];
        for (button, meaning) in choices {
            if ui.add(button).clicked() {
                *request = Some(meaning);
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Back").clicked() {
                *request = Some(Request::Back);
            }
        });
    });
}

/// Button of the main choice.
fn primary<'a>(ui: &Ui, text: &'a str) -> Button<'a> {
    let colors = theme::of(ui);
    Button::new(RichText::new(text).color(colors.text)).fill(colors.accent_dim)
}
