//! Playback: the bar below the 3D view, with the timeline of kept moments.

use std::cell::RefCell;

use crate::command::Command;
use crate::session::{Goal, Moment, Snapshot, SpeedLimit, Timeline};
use crate::ui::widgets::{Field, Icon, format, greyed_ui, hint_ui, icon_button, list_value_ui, parse};
use crate::ui::{Action, theme};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Button, ComboBox, CursorIcon, DragValue, Frame, Key, Label, Margin, Panel, PopupCloseBehavior, Rect, RectAlign, Response,
    RichText, Sense, Stroke, Tooltip, Ui, pos2, vec2,
};

/// State of the bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaybackView {
    /// Time in the field, s; `None` until a user has typed one.
    run_to: Option<f64>,
    /// Moment that a user has left to look at the start.
    pub left: Option<Moment>,
    /// Kept moment last asked for by dragging.
    asked: Option<u64>,
}

impl PlaybackView {
    /// Goal of a command that compares with the start: the start, or, from there, the moment that was left. `None` if the start is not
    /// kept.
    pub fn flip(&mut self, snapshot: &Snapshot) -> Option<Goal> {
        let start = snapshot.timeline.kept.first()?.steps;
        let left = self.left.take().filter(|_| snapshot.steps == start);
        if left.is_none() {
            self.left = Some(Moment { time: snapshot.time, steps: snapshot.steps });
        }
        Some(Goal::Steps(left.map_or(start, |left| left.steps)))
    }

    /// True while the start is shown in place of a moment that was left for it.
    fn shows_start(&self, snapshot: &Snapshot) -> bool {
        self.left.is_some() && snapshot.timeline.kept.first().is_some_and(|start| start.steps == snapshot.steps)
    }
}

// The bar: the timeline, and below it the buttons.

/// Height of the row of buttons, and of the timeline with it, without margins, points.
const ROW: f32 = 22.0;
const ROWS: f32 = 50.0;

/// Margins above and below, together, points.
const MARGINS: f32 = 6.0;

/// Least widths of a bar with the memory, with the look at the start, with the field for a time, with the simulated time, with all buttons,
/// and with the choice of the speed, points. The menu has what is nowhere else of what a bar has no room for.
const LEAST_WIDTHS: [f32; 6] = [800.0, 650.0, 560.0, 430.0, 330.0, 232.0];

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
            greyed_ui(ui, snapshot.scene.is_none().then_some("Open a scene first."), |ui| {
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
    let play = if snapshot.stands_still() { Icon::Play } else { Icon::Pause };
    let buttons = [
        (Icon::Start, Command::GoToStart),
        (Icon::StepBack, Command::StepBack),
        (play, Command::PlayPause),
        (Icon::Step, Command::StepOnce),
        (Icon::End, Command::GoToEnd),
        (Icon::Restart, Command::Reset),
    ];
    let [memory_width, flip_width, goal_width, time_width, buttons_width, speed_width] = LEAST_WIDTHS;
    // The others have menus and keys too.
    let is_first = |command| matches!(command, Command::StepBack | Command::PlayPause | Command::StepOnce);
    for (icon, command) in buttons.into_iter().filter(|&(_, command)| width >= buttons_width || is_first(command)) {
        let button = icon_button(ui, icon, command.label(), vec2(30.0, ROW));
        command_button(ui, button, command, actions);
    }
    if width >= speed_width {
        speed_limit_ui(ui, snapshot.speed_limit, actions);
    }
    if width >= time_width {
        let time = format!("{:9.4} s", snapshot.time);
        let color = if snapshot.time < snapshot.timeline.end.time { theme::of(ui).warning } else { theme::of(ui).accent };
        let hint = format!("Simulated time, after step {}", format::count(snapshot.steps));
        ui.label(RichText::new(time).monospace().color(color)).on_hover_text(hint);
    }
    if width >= goal_width {
        run_to_ui(ui, view, snapshot, actions);
    }
    if width >= flip_width {
        flip_ui(ui, view, snapshot, actions);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if width >= memory_width {
            let menu =
                ui.menu_button(RichText::new(memory(&snapshot.timeline)).small().color(theme::of(ui).text_quiet), |ui| {
                    memory_ui(ui, &snapshot.timeline, actions);
                });
            let count = format::counted(snapshot.timeline.kept.len() as u64, "moment");
            menu.response.on_hover_text(format!("{count} kept, to which you can rewind at once, bit for bit."));
            return;
        }
        let stays_open = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let (more, _) = MenuButton::new("…").config(stays_open).ui(ui, |ui| {
            if width < speed_width {
                speed_limit_ui(ui, snapshot.speed_limit, actions);
            }
            if width < goal_width {
                ui.horizontal(|ui| run_to_ui(ui, view, snapshot, actions));
            }
            if width < flip_width {
                flip_ui(ui, view, snapshot, actions);
            }
            ui.separator();
            hint_ui(ui, memory(&snapshot.timeline));
            memory_ui(ui, &snapshot.timeline, actions);
        });
        more.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "More of playback"));
        more.on_hover_text("More: what this bar has no room for.");
    });
}

fn flip_ui(ui: &mut Ui, view: &PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let flip = ui.add(Button::new("Show start").selected(view.shows_start(snapshot)));
    command_button(ui, flip, Command::CompareWithStart, actions);
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
    let typed = typed.into_inner();
    let is_number = typed.as_ref().is_none_or(|text| parse(text, unit, false).is_some());
    words.comment(ui, &field, typed, before);
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "Time to run to"));
    if field.changed() {
        view.run_to = Some(time);
    }
    let hint = "Run to this simulated time at full speed and pause, or rewind to it. The first state at or after it is shown: \
        steps are not shortened.";
    let is_entered = field.lost_focus() && is_number && ui.input(|input| input.key_pressed(Key::Enter));
    if ui.button("Run to").on_hover_text(hint).clicked() || is_entered {
        actions.push(Action::Seek(Goal::Time(time)));
    }
}

// The timeline: kept moments, the present one, and the latest.

/// Height of the row, of the rail, and radius of the handle, points.
const HEIGHT: f32 = 20.0;
const RAIL: f32 = 6.0;
const HANDLE: f32 = 7.0;

/// Lays out the timeline. A click or a drag goes to the nearest kept moment.
fn timeline_ui(ui: &mut Ui, view: &mut PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let timeline = &snapshot.timeline;
    let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::slider(ui.is_enabled(), snapshot.time, "Timeline"));
    let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    let axis = Axis::new(row, timeline, snapshot.time);
    scrub(&response, axis, view, snapshot, actions);
    if ui.is_rect_visible(row) {
        paint(ui, axis, timeline, snapshot.time, &response);
    }
    let pointer = response.hover_pos();
    if let Some((pointer, kept)) = pointer.and_then(|pointer| Some((pointer, timeline.nearest(axis.time(pointer.x))?))) {
        // Above the rail: below it are the time and the fields that scrubbing changes.
        let mut tooltip = Tooltip::for_enabled(&response);
        tooltip.popup = tooltip.popup.anchor(pos2(pointer.x, row.top())).align(RectAlign::TOP).gap(4.0);
        let moment = format!("{:.4} s, step {}", kept.time, format::count(kept.steps));
        tooltip.show(|ui| ui.add(Label::new(moment).extend()));
    }
}

/// Time axis.
#[derive(Clone, Copy)]
struct Axis {
    rail: Rect,
    /// Simulated times of its ends, s.
    from: f64,
    to: f64,
}

impl Axis {
    fn new(row: Rect, timeline: &Timeline, present: f64) -> Self {
        let rail = Rect::from_center_size(row.center(), vec2((row.width() - 2.0 * HANDLE).max(1.0), RAIL));
        let from = timeline.kept.first().map_or(present, |first| first.time.min(present));
        Self { rail, from, to: timeline.end.time.max(present).max(from + 1e-9) }
    }

    fn x(self, time: f64) -> f32 {
        self.rail.left() + ((time - self.from) / (self.to - self.from)) as f32 * self.rail.width()
    }

    fn time(self, x: f32) -> f64 {
        let part = f64::from((x - self.rail.left()) / self.rail.width()).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }
}

/// Asks for the kept moment under the pointer, once.
fn scrub(response: &Response, axis: Axis, view: &mut PlaybackView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let is_held = response.is_pointer_button_down_on() || response.dragged();
    if !is_held && !response.clicked() {
        view.asked = None;
        return;
    }
    let Some(pointer) = response.interact_pointer_pos() else { return };
    // The right end is the latest moment, kept or not.
    let time = axis.time(pointer.x);
    let steps = if time >= axis.to { Some(snapshot.timeline.end.steps) } else { None };
    let steps = steps.or_else(|| snapshot.timeline.nearest(time).map(|kept| kept.steps));
    if let Some(steps) = steps.filter(|&steps| view.asked != Some(steps)) {
        view.asked = Some(steps);
        actions.push(Action::Seek(Goal::Steps(steps)));
    }
}

fn paint(ui: &Ui, axis: Axis, timeline: &Timeline, present: f64, response: &Response) {
    let painter = ui.painter();
    let part =
        |from: f64, to: f64| Rect::from_min_max(pos2(axis.x(from), axis.rail.top()), pos2(axis.x(to), axis.rail.bottom()));
    painter.rect_filled(axis.rail, 3.0, theme::of(ui).control);
    // The start is apart once others have given way.
    let oldest = match &*timeline.kept {
        [start, second, third, ..] if second.time - start.time > 2.0 * (third.time - second.time) => second.time,
        kept => kept.first().map_or(present, |start| start.time),
    };
    painter.rect_filled(part(oldest.min(timeline.end.time), timeline.end.time), 3.0, theme::of(ui).accent_dim);
    if oldest < present {
        painter.rect_filled(part(oldest, present), 3.0, theme::of(ui).accent.gamma_multiply(0.7));
    }
    if let Some(start) = timeline.kept.first() {
        painter.circle_filled(pos2(axis.x(start.time), axis.rail.center().y), 0.6 * RAIL, theme::of(ui).accent_dim);
    }
    let center = pos2(axis.x(present), axis.rail.center().y);
    let (fill, stroke) = if ui.is_enabled() {
        (theme::of(ui).accent, ui.style().interact(response).fg_stroke.color)
    } else {
        (theme::of(ui).control, theme::of(ui).line)
    };
    painter.circle(center, HANDLE, fill, Stroke::new(1.0, stroke));
}

/// Lays out the choice of the largest speed.
fn speed_limit_ui(ui: &mut Ui, current: SpeedLimit, actions: &mut Vec<Action>) {
    let name = |limit: SpeedLimit| match limit {
        SpeedLimit::Times(1.0) => "Real time".to_owned(),
        SpeedLimit::Times(times) => format!("× {times}"),
        SpeedLimit::Unlimited => "Unlimited".to_owned(),
    };
    let mut chosen = current;
    let combo =
        ComboBox::from_id_salt("speed limit").selected_text(name(current)).width(92.0).height(280.0).show_ui(ui, |ui| {
            for limit in SpeedLimit::ALL {
                list_value_ui(ui, &mut chosen, limit, &name(limit));
            }
        });
    let name = || egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Speed limit");
    combo.response.widget_info(name);
    combo.response.on_hover_text("Upper limit of the simulation speed; large scenes may run slower.");
    if chosen != current {
        actions.push(Action::SetSpeedLimit(chosen));
    }
}

// Memory of the kept moments, and the bound on it.

/// Bytes of a unit of the field.
const MEBIBYTE: u64 = 1 << 20;

/// Largest memory that can be asked for, in units of the field.
const MOST: u64 = 1 << 20;

/// Memory of the kept moments, in words.
fn memory(timeline: &Timeline) -> String {
    let kept = format::bytes(timeline.bytes as usize);
    if timeline.has_failed {
        format!("History: {kept}, stopped")
    } else {
        format!("History: {kept} of {}", format::bytes(timeline.limit as usize))
    }
}

/// Lays out the field for the bound of the memory.
fn memory_ui(ui: &mut Ui, timeline: &Timeline, actions: &mut Vec<Action>) {
    ui.set_max_width(280.0);
    let mut size = timeline.limit / MEBIBYTE;
    ui.horizontal(|ui| {
        let label = ui.label("Memory for the history");
        let field = ui.add(DragValue::new(&mut size).range(0..=MOST).suffix(" MiB")).labelled_by(label.id);
        if field.changed() {
            actions.push(Action::SetPlaybackMemory(size * MEBIBYTE));
        }
    });
    let saved = if timeline.bytes > 0 { timeline.unpacked_bytes as f64 / timeline.bytes as f64 } else { 1.0 };
    hint_ui(
        ui,
        format!(
            "The oldest moments are discarded first, except the start. Compression reduces them by a factor of {saved:.1}."
        ),
    );
}
