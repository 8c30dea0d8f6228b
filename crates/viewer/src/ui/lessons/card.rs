//! The card of a lesson: a small window over the 3D view.

use super::lesson::Task;
use super::progress::Progress;
use super::reading::{Figure, Reading};
use super::wish::Wish;
use crate::session::Snapshot;
use crate::ui::widgets::{Icon, hint_ui, legend};
use crate::ui::{Side, theme};
use egui::containers::{AreaState, WindowDrag};
use egui::{
    Align, Align2, Button, Color32, Frame, Grid, Id, Layout, Margin, Pos2, Rect, RichText, ScrollArea, Sense, Stroke, Ui, Vec2,
    Window, vec2,
};
use sph_core::neighbors::GridParameters;

/// What the Grid panel shows.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// The simulation's own grid, as the sliders have it.
    pub grid: Option<GridParameters>,
    /// Whose grid the sliders change.
    pub side: Side,
}

/// Width of the text, points.
const WIDTH: f32 = 332.0;

/// Free space below the card, for the line of status, points.
const BELOW: f32 = 44.0;

/// Height of the card without its text: title, buttons, margins, points.
const CHROME: f32 = 84.0;

/// Frames until a new card has found its size.
const UNSETTLED: u8 = 3;

/// Height of the text below which an explanation makes way for what came of it, points.
const ROOM_FOR_ALL: f32 = 250.0;

/// Width of a column of figures, points.
const FIGURE_WIDTH: f32 = 60.0;

/// Least height of the text that is worth scrolling, points.
const LEAST_TEXT: f32 = 60.0;

/// The card, in the lower right corner of `area` until it is dragged elsewhere; what was asked for with it.
pub fn card_ui(ui: &Ui, area: Rect, progress: &Progress, snapshot: &Snapshot, shown: Shown) -> Option<Wish> {
    let width = WIDTH.min(area.width() - 4.0 * theme::SPACE);
    if width < 120.0 || area.height() < CHROME {
        return None;
    }
    let room = text_height(area);
    let mut wish = None;
    let frame = Frame::window(ui.style()).fill(theme::PANEL).stroke(Stroke::new(1.0, theme::ACCENT_DIM));
    let window = Window::new(RichText::new(progress.lesson().title).strong())
        .id(id())
        .frame(frame)
        .collapsible(false)
        .resizable(false)
        // Only an area that is dragged anywhere lets itself be placed too.
        .drag_area(WindowDrag::Anywhere)
        .pivot(Align2::RIGHT_BOTTOM)
        .constrain_to(area);
    let window = match place(ui, area) {
        Some(place) => window.current_pos(place),
        None => window,
    };
    let size = AreaState::load(ui.ctx(), id()).and_then(|state| state.size);
    window.show(ui.ctx(), |ui| {
        ui.set_width(width);
        // Each card begins at its top.
        let salt = (progress.step_index(), progress.is_ending());
        ScrollArea::vertical().id_salt(salt).max_height(room).show(ui, |ui| {
            ui.set_width(width);
            if progress.is_ending() {
                ui.label("The grid is not the one from before the lesson. Do you want that one back?");
            } else {
                contents_ui(ui, progress, snapshot, shown, room, &mut wish);
            }
        });
        ui.add_space(0.5 * theme::SPACE);
        if progress.is_ending() {
            ending_ui(ui, &mut wish);
        } else {
            buttons_ui(ui, progress, shown.grid, &mut wish);
        }
    });
    if AreaState::load(ui.ctx(), id()).and_then(|state| state.size) != size {
        // Its corner keeps its place only once its size is known.
        ui.ctx().request_repaint();
    }
    wish
}

fn id() -> Id {
    Id::unique("lesson")
}

/// Where the card's lower right corner is at first.
fn corner(area: Rect) -> Pos2 {
    area.right_bottom() - vec2(theme::SPACE, BELOW)
}

/// Height that the text may have: the card leaves the legend free where it can.
fn text_height(area: Rect) -> f32 {
    let all = area.height() - BELOW - CHROME;
    let below_legend = all - legend::SIZE.y - 2.0 * theme::SPACE;
    if legend::fits(area) && below_legend >= 2.0 * LEAST_TEXT { below_legend } else { all }.max(LEAST_TEXT)
}

/// Where the card's lower right corner has to go, if it has to move: to its first place until its size is known, and along with the
/// corner of `area`.
fn place(ui: &Ui, area: Rect) -> Option<Pos2> {
    let edge = area.right_bottom();
    let (before, frames) = ui.ctx().data_mut(|data| {
        let known = data.get_temp::<(Pos2, u8)>(id()).unwrap_or((edge, 0));
        data.insert_temp(id(), (edge, known.1.saturating_add(1)));
        known
    });
    let now = AreaState::load(ui.ctx(), id()).and_then(|state| state.pivot_pos);
    match now {
        Some(place) if frames >= UNSETTLED => (before != edge).then(|| place + (edge - before)),
        _ => Some(corner(area)),
    }
}

fn contents_ui(ui: &mut Ui, progress: &Progress, snapshot: &Snapshot, shown: Shown, room: f32, wish: &mut Option<Wish>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    let step = progress.step();
    ui.label(RichText::new(step.heading).heading().strong());
    let Some((latest, start)) = progress.readings() else {
        ui.label("The lesson goes on as soon as a step has been made.");
        if snapshot.paused {
            play_ui(ui, wish);
        }
        return;
    };
    let brief = room < ROOM_FOR_ALL && progress.comparison().is_some();
    if !brief {
        ui.label((step.text)(latest));
    }
    let missing = shown.grid.map(|grid| progress.lesson().basis.missing(&grid, latest)).unwrap_or_default();
    if !missing.is_empty() {
        ui.label(RichText::new(format!("For this the lesson needs {}.", missing.join(", and "))).color(theme::WARNING));
        if ui.button("Set that for me").clicked() {
            *wish = Some(Wish::SetBasis);
        }
        return;
    }
    if shown.side != Side::A {
        ui.label(RichText::new("The sliders change grid B; the lesson watches grid A.").color(theme::WARNING));
        if ui.button("Show grid A").clicked() {
            *wish = Some(Wish::ShowA);
        }
        return;
    }
    if let Some(task) = progress.task() {
        task_ui(ui, progress, task, (!brief).then_some(start), wish);
    }
    if progress.control().is_some() && ui.ctx().content_rect().width() < theme::SIDE_PANEL_WIDTH + theme::LEAST_SCENE[0] {
        hint_ui(ui, "The window is too narrow for the panel that this is about.");
    }
    if snapshot.paused && !progress.is_done() {
        play_ui(ui, wish);
    }
}

fn play_ui(ui: &mut Ui, wish: &mut Option<Wish>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("The simulation is paused. Press play.").color(theme::WARNING));
        if ui.button("Play").clicked() {
            *wish = Some(Wish::Play);
        }
    });
}

/// What there is to do, unless there is no room for it (`start` is `None`), and, once it is done, what came of it.
fn task_ui(ui: &mut Ui, progress: &Progress, task: &Task, start: Option<&Reading>, wish: &mut Option<Wish>) {
    let comparison = progress.comparison();
    if let Some(start) = start {
        ask_ui(ui, &(task.ask)(start), comparison.is_some(), wish);
    }
    if let Some(columns) = comparison {
        figures_ui(ui, task.figures, &columns);
        ui.label((task.outcome)(&columns));
    }
}

fn ask_ui(ui: &mut Ui, ask: &str, done: bool, wish: &mut Option<Wish>) {
    let (color, fill) =
        if done { (theme::GOOD, Color32::TRANSPARENT) } else { (theme::TEXT, theme::ACCENT_DIM.gamma_multiply(0.6)) };
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
            *wish = Some(Wish::Perform);
        }
    });
}

fn figures_ui(ui: &mut Ui, figures: &[Figure], columns: &[(&str, &Reading)]) {
    let small = |text: String, color| RichText::new(text).size(12.0).color(color);
    let right = |ui: &mut Ui, text: RichText| {
        let layout = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(vec2(FIGURE_WIDTH, 14.0), layout, |ui| ui.label(text));
    };
    ui.spacing_mut().interact_size.y = 14.0;
    Grid::new(("figures", columns.len())).num_columns(columns.len() + 1).spacing([6.0, 2.0]).show(ui, |ui| {
        ui.label("");
        for (name, _) in columns {
            right(ui, small((*name).to_owned(), theme::TEXT_QUIET));
        }
        ui.end_row();
        for figure in figures {
            ui.label(small(figure.label().to_owned(), theme::TEXT_QUIET));
            for (index, (_, reading)) in columns.iter().enumerate() {
                let color = if index + 1 == columns.len() { theme::TEXT } else { theme::TEXT_QUIET };
                right(ui, small(figure.text(reading), color).monospace());
            }
            ui.end_row();
        }
    });
}

fn buttons_ui(ui: &mut Ui, progress: &Progress, grid: Option<GridParameters>, wish: &mut Option<Wish>) {
    let changed = progress.has_changed(grid);
    ui.horizontal(|ui| {
        let mut button = |ui: &mut Ui, button: Button<'_>, meaning: Wish| {
            if ui.add(button).clicked() {
                *wish = Some(meaning);
            }
        };
        if progress.step_index() > 0 {
            button(ui, Button::new("Back"), Wish::Back);
        }
        if progress.is_last() {
            if changed {
                button(ui, primary("Restore the grid"), Wish::RestoreAndEnd);
                button(ui, Button::new("Finish"), Wish::Leave);
            } else {
                button(ui, primary("Finish"), Wish::Leave);
            }
        } else if progress.is_done() {
            button(ui, primary("Next"), Wish::Next);
        } else {
            button(ui, Button::new("Skip"), Wish::Next);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !progress.is_last() {
                button(ui, Button::new(RichText::new("End lesson").color(theme::TEXT_QUIET)).frame(false), Wish::End);
            }
            dots_ui(ui, progress);
        });
    });
}

/// One dot a step; drawn from the right, as it is laid out.
fn dots_ui(ui: &mut Ui, progress: &Progress) {
    let steps = progress.lesson().steps.len();
    let size = vec2(9.0 * steps as f32, 8.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    for index in 0..steps {
        let center = rect.left_center() + vec2(9.0 * (index as f32 + 0.5), 0.0);
        let (radius, color) = match index.cmp(&progress.step_index()) {
            std::cmp::Ordering::Less => (2.5, theme::ACCENT_DIM),
            std::cmp::Ordering::Equal => (3.5, theme::ACCENT),
            std::cmp::Ordering::Greater => (2.5, theme::LINE),
        };
        ui.painter().circle_filled(center, radius, color);
    }
    response.on_hover_text(format!("Step {} of {steps}", progress.step_index() + 1));
}

fn ending_ui(ui: &mut Ui, wish: &mut Option<Wish>) {
    ui.horizontal(|ui| {
        let choices = [(primary("Restore the grid"), Wish::RestoreAndEnd), (Button::new("Keep it as it is"), Wish::Leave)];
        for (button, meaning) in choices {
            if ui.add(button).clicked() {
                *wish = Some(meaning);
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Back").clicked() {
                *wish = Some(Wish::Back);
            }
        });
    });
}

/// The button that leads on.
fn primary(text: &str) -> Button<'_> {
    Button::new(RichText::new(text).color(theme::TEXT)).fill(theme::ACCENT_DIM)
}
