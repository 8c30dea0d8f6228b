//! Top bar: menus, playback controls, simulation speed.

use super::scene_list_ui;
use crate::command::Command;
use crate::session::{Rates, Snapshot, SpeedLimit};
use crate::ui::widgets::{Icon, icon_button, tick_button};
use crate::ui::{Action, Model, State, lessons, theme};
use egui::{Button, ComboBox, Frame, Margin, MenuBar, Panel, RichText, Ui, vec2};

/// Least width of the window that shows the frame rate, the speed, and the time, points.
const LEAST_WIDTHS: [f32; 3] = [760.0, 620.0, 560.0];

/// Lays out the top bar.
pub fn top_bar_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let frame = Frame::new().fill(theme::PANEL).inner_margin(Margin::symmetric(8, 4));
    Panel::top("top bar").frame(frame).show(ui, |ui| {
        let width = ui.available_width();
        MenuBar::new().ui(ui, |ui| {
            menus_ui(ui, state, model, actions);
            ui.separator();
            // The style of buttons instead of menus.
            ui.reset_style();
            playback_ui(ui, model.snapshot, actions);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| rates_ui(ui, width, model));
        });
    });
}

fn menus_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let mut item = |ui: &mut Ui, command: Command, checked: Option<bool>| {
        let keys = command.shortcut_text(ui.ctx());
        let button = match checked {
            Some(on) => tick_button(ui, on, command.label(), keys),
            None => ui.add(Button::new(command.label()).shortcut_text(keys)),
        };
        if button.on_hover_text(command.tooltip()).clicked() {
            actions.push(Action::Command(command));
        }
    };
    ui.menu_button("File", |ui| {
        ui.set_min_width(230.0);
        item(ui, Command::Open, None);
        item(ui, Command::Save, None);
        item(ui, Command::OpenState, None);
        item(ui, Command::SaveState, None);
        ui.separator();
        item(ui, Command::Screenshot, None);
        item(ui, Command::SavePictureAs, None);
        item(ui, Command::ToggleRecording, None);
        item(ui, Command::TogglePictures, Some(state.pictures.open));
        ui.separator();
        item(ui, Command::Quit, None);
    });
    ui.menu_button("Simulation", |ui| {
        ui.set_min_width(230.0);
        for command in [Command::PlayPause, Command::StepOnce, Command::Reset, Command::ResetParameters] {
            item(ui, command, None);
        }
        ui.separator();
        item(ui, Command::CompareGrids, Some(state.is_comparing()));
    });
    ui.menu_button("View", |ui| {
        ui.set_min_width(200.0);
        item(ui, Command::ToggleSidePanel, Some(state.show_side_panel));
        item(ui, Command::TogglePlots, Some(state.show_plots));
        item(ui, Command::ToggleTank, Some(state.show_tank));
        item(ui, Command::ToggleTuning, Some(state.tuning.open));
        ui.separator();
        item(ui, Command::ToggleCells, Some(state.view.cells));
        item(ui, Command::ToggleSlice, Some(state.view.cells && state.view.sliced));
        item(ui, Command::ToggleBucketMap, Some(state.view.map));
        item(ui, Command::ClearSelection, None);
        ui.separator();
        item(ui, Command::FrameAll, None);
        item(ui, Command::ToggleFullscreen, None);
        ui.separator();
        item(ui, Command::ToggleHelp, None);
    });
    let scenes = ui.menu_button("Scenes", |ui| {
        ui.set_min_width(220.0);
        scene_list_ui(ui, model, actions);
    });
    ui.menu_button("Learn", |ui| {
        ui.set_min_width(220.0);
        if lessons::lessons_ui(ui, state, model.snapshot) {
            ui.close();
        }
    });
    // Files may have changed since the list was last shown.
    let open = scenes.inner.is_some();
    if open && !state.scenes_open {
        actions.push(Action::ListScenes);
    }
    state.scenes_open = open;
}

fn playback_ui(ui: &mut Ui, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    ui.add_enabled_ui(snapshot.scene.is_some(), |ui| {
        let play = if snapshot.paused { Icon::Play } else { Icon::Pause };
        let buttons = [(play, Command::PlayPause), (Icon::Step, Command::StepOnce), (Icon::Restart, Command::Reset)];
        ui.spacing_mut().item_spacing.x = 0.5 * theme::SPACE;
        for (icon, command) in buttons {
            let button = icon_button(ui, icon, command.label(), vec2(30.0, 22.0));
            let keys = command.shortcut_text(ui.ctx());
            if button.on_hover_text(format!("{} ({keys})\n{}", command.label(), command.tooltip())).clicked() {
                actions.push(Action::Command(command));
            }
        }
        speed_limit_ui(ui, snapshot.speed_limit, actions);
    });
}

fn speed_limit_ui(ui: &mut Ui, current: SpeedLimit, actions: &mut Vec<Action>) {
    let name = |limit: SpeedLimit| match limit {
        SpeedLimit::Times(1.0) => "Real time".to_owned(),
        SpeedLimit::Times(times) => format!("× {times}"),
        SpeedLimit::Unlimited => "Unlimited".to_owned(),
    };
    let mut chosen = current;
    let combo = ComboBox::from_id_salt("speed limit").selected_text(name(current)).width(92.0).show_ui(ui, |ui| {
        for limit in SpeedLimit::ALL {
            ui.selectable_value(&mut chosen, limit, name(limit));
        }
    });
    let name = || egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Speed limit");
    combo.response.widget_info(name);
    combo.response.on_hover_text("Upper limit of the simulation speed; large scenes may run slower.");
    if chosen != current {
        actions.push(Action::SetSpeedLimit(chosen));
    }
}

/// Lays out the rates from right to left, each with constant width.
fn rates_ui(ui: &mut Ui, width: f32, model: &Model<'_>) {
    let snapshot = model.snapshot;
    if snapshot.scene.is_none() {
        return;
    }
    let Rates { steps_per_second, speed } = snapshot.rates;
    ui.spacing_mut().item_spacing.x = 2.0 * theme::SPACE;
    let [frames_width, speed_width, time_width] = LEAST_WIDTHS;
    if width >= frames_width {
        let frames = ui.monospace(format!("{:3.0} fps", model.frames_per_second));
        frames.on_hover_text(format!("Frames per second, drawn by {}", model.adapter));
        let steps = ui.monospace(format!("{steps_per_second:5.0} steps/s"));
        steps.on_hover_text(format!("Simulation steps per second, on {} threads", snapshot.threads));
    }
    if width >= speed_width {
        ui.monospace(format!("×{speed:5.3}")).on_hover_text("Simulated time per wall-clock time");
    }
    if width >= time_width {
        ui.monospace(RichText::new(format!("{:8.3} s", snapshot.time)).color(theme::ACCENT)).on_hover_text("Simulated time");
    }
}
