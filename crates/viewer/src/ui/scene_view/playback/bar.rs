//! The bar: the timeline, and below it the buttons.

use super::memory::memory_ui;
use super::speed::speed_limit_ui;
use super::timeline::timeline_ui;
use super::view::PlaybackView;
use crate::command::Command;
use crate::session::{Goal, Snapshot};
use crate::ui::widgets::{Field, Icon, format, icon_button, parse};
use crate::ui::{Action, theme};
use egui::{Button, DragValue, Frame, Margin, Panel, RichText, Ui, vec2};
use std::cell::RefCell;

/// Height of the row of buttons, and of the timeline with it, without margins, points.
const ROW: f32 = 22.0;
const ROWS: f32 = 50.0;

/// Margins above and below, together, points.
const MARGINS: f32 = 6.0;

/// Least widths of a bar with the memory, with the field for a time, and with the simulated time, points.
const LEAST_WIDTHS: [f32; 3] = [780.0, 640.0, 400.0];

/// Width of the field for a time, points.
const FIELD_WIDTH: f32 = 84.0;

/// Largest time to run to, s.
const LATEST: f64 = 1e6;

/// Lays out the bar at the lower edge of `ui`: with the timeline if the 3D view keeps its least height, else a row of buttons if there
/// is room for that.
pub fn playback_ui(ui: &mut Ui, view: &mut PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let room = ui.available_height() - theme::LEAST_SCENE[1] - MARGINS;
    let Some(height) = [ROWS, ROW].into_iter().find(|&height| room >= height) else { return };
    let frame = Frame::new().fill(theme::of(ui).panel).inner_margin(Margin::symmetric(8, (0.5 * MARGINS) as i8));
    Panel::bottom("playback").exact_size(height + MARGINS).resizable(false).show_separator_line(false).frame(frame).show(
        ui,
        |ui| {
            ui.add_enabled_ui(snapshot.scene.is_some(), |ui| {
                if height == ROWS {
                    timeline_ui(ui, view, snapshot, actions);
                }
                ui.horizontal(|ui| buttons_ui(ui, view, snapshot, actions));
            });
        },
    );
}

fn buttons_ui(ui: &mut Ui, view: &mut PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let width = ui.available_width();
    ui.spacing_mut().item_spacing.x = 0.5 * theme::SPACE;
    let play = if snapshot.paused { Icon::Play } else { Icon::Pause };
    let buttons = [
        (Icon::Start, Command::GoToStart),
        (Icon::StepBack, Command::StepBack),
        (play, Command::PlayPause),
        (Icon::Step, Command::StepOnce),
        (Icon::End, Command::GoToEnd),
        (Icon::Restart, Command::Reset),
    ];
    for (icon, command) in buttons {
        let button = icon_button(ui, icon, command.label(), vec2(30.0, ROW));
        command_button(ui, button, command, actions);
    }
    speed_limit_ui(ui, snapshot.speed_limit, actions);
    let [memory_width, goal_width, time_width] = LEAST_WIDTHS;
    if width >= time_width {
        let time = format!("{:9.4} s", snapshot.time);
        let color = if snapshot.time < snapshot.timeline.end.time { theme::of(ui).warning } else { theme::of(ui).accent };
        let hint = format!("Simulated time, after step {}", snapshot.steps);
        ui.label(RichText::new(time).monospace().color(color)).on_hover_text(hint);
    }
    if width >= goal_width {
        run_to_ui(ui, view, snapshot, actions);
        let flip = ui.add(Button::new("Show start").selected(view.shows_start(snapshot)));
        command_button(ui, flip, Command::CompareWithStart, actions);
    }
    if width >= memory_width {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| memory_ui(ui, &snapshot.timeline, actions));
    }
}

fn command_button(ui: &Ui, button: egui::Response, command: Command, actions: &mut Vec<Action>) {
    let keys = command.shortcut_text(ui.ctx());
    if button.on_hover_text(format!("{} ({keys})\n{}", command.label(), command.tooltip())).clicked() {
        actions.push(Action::Command(command));
    }
}

/// Time that the field offers before one is typed, s: one of 1, 2, 5, 10, 20… that lies well ahead, so that it seldom changes.
fn next_goal(latest: f64) -> f64 {
    let mut goals = (0..6).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    goals.find(|&goal| goal > 1.1 * latest).unwrap_or(LATEST)
}

/// Lays out the field for a time and the button that runs to it.
fn run_to_ui(ui: &mut Ui, view: &mut PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let mut time = view.run_to.unwrap_or_else(|| next_goal(snapshot.timeline.end.time));
    let (before, typed) = (time, RefCell::new(None));
    let unit = " s";
    let number = DragValue::new(&mut time).range(0.0..=LATEST).speed(0.02).max_decimals(4).suffix(unit);
    let number = number.update_while_editing(false).custom_parser(|text| {
        typed.replace(Some(text.to_owned()));
        parse(text, unit, false)
    });
    let field = ui.add_sized([FIELD_WIDTH, ROW], number);
    let allowed = 0.0..=LATEST;
    let words = Field { unit, is_count: false, allowed: allowed.clone(), slider: allowed, format: format::grouped };
    words.comment(ui, &field, typed.into_inner(), before);
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "Time to run to"));
    if field.changed() {
        view.run_to = Some(time);
    }
    let hint = "Run to this simulated time as fast as it goes, and pause; or go back to it. \
                The first state at or after it is shown: steps are not shortened to meet it.";
    if ui.button("Run to").on_hover_text(hint).clicked() {
        actions.push(Action::Seek(Goal::Time(time)));
    }
}
