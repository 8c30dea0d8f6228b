//! Top bar with its menus, and the panel "Keys and mouse".

use super::theme::{self, ThemeChoice};
use super::widgets::{format, greyed_ui, menu_row, tooltip_beside};
use super::{Action, Model, Obstacles, State, lessons, looks, tuning};
use crate::command::{self, Command};
use crate::session::{Rates, Snapshot, Stage};
use egui::{Atom, Button, Frame, Grid, IdSalt, Margin, MenuBar, Panel, RichText, Ui, vec2};
use sph_core::parameters::Choice as _;
use sph_io::{Look, SolidStyle};
use sph_render;

// Top bar: menus and rates.

/// Least width of the window that shows the frame rate, the speed, and the time, points.
const LEAST_WIDTHS: [f32; 3] = [760.0, 620.0, 560.0];

/// Lays out the top bar.
pub fn top_bar_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let frame = Frame::new().fill(theme::of(ui).panel).inner_margin(Margin::symmetric(8, 4));
    Panel::top("top bar").frame(frame).show(ui, |ui| {
        let width = ui.available_width();
        MenuBar::new().ui(ui, |ui| {
            menus_ui(ui, state, model, actions);
            // The style of buttons instead of menus.
            ui.reset_style();
            unsaved_ui(ui, state, model.snapshot, actions);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let tunes = model.snapshot.tuning.as_ref().is_some_and(|tuning| tuning.stage == Stage::Running);
                rates_ui(ui, width - if tunes { tuning::CHIP_WIDTH } else { 0.0 }, model);
                tuning::chip_ui(ui, &mut state.tuning, model.snapshot, actions);
            });
        });
    });
}

fn menus_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let obstacles = Obstacles::of(state, model.snapshot);
    // The file menu is the only place where many see the film's options before it starts.
    let film = format!("{}\n{}", Command::ToggleFilm.tooltip(), state.pictures.film_plan());
    let mut item = |ui: &mut Ui, command: Command, checked: Option<bool>| {
        let keys = command.shortcut_text(ui.ctx());
        let tooltip = if command == Command::ToggleFilm { &film } else { command.tooltip() };
        greyed_ui(ui, obstacles.against(command), |ui| {
            let button = menu_row(ui, checked, command.label(), keys);
            if tooltip_beside(button, tooltip).clicked() {
                actions.push(Action::Command(command));
            }
        });
    };
    ui.menu_button("File", |ui| {
        ui.set_min_width(230.0);
        item(ui, Command::ToggleGallery, None);
        item(ui, Command::Open, None);
        item(ui, Command::Reload, None);
        item(ui, Command::Save, None);
        item(ui, Command::SaveSceneAs, None);
        item(ui, Command::OpenState, None);
        item(ui, Command::SaveState, None);
        ui.separator();
        item(ui, Command::OpenResult, None);
        item(ui, Command::SaveResult, None);
        item(ui, Command::ExportPlot, None);
        ui.separator();
        item(ui, Command::SaveRecording, None);
        item(ui, Command::Screenshot, None);
        item(ui, Command::SavePictureAs, None);
        item(ui, Command::ToggleFilm, None);
        item(ui, Command::TogglePictures, Some(state.pictures.open));
        ui.separator();
        item(ui, Command::Quit, None);
    });
    ui.menu_button("Edit", |ui| {
        ui.set_min_width(230.0);
        // After a hand, it says what undoes that.
        let can_undo = state.edited.edits.can_undo() || state.edited.edits.hand_followed() || state.spacing.is_made();
        let can_redo = state.edited.edits.can_redo()
            || state.edited.edits.can_return()
            || state.spacing.can_be_made_again(state.edited.edits.latest());
        for (command, can, idle) in
            [(Command::Undo, can_undo, "There is nothing to undo."), (Command::Redo, can_redo, "There is nothing to redo.")]
        {
            greyed_ui(ui, (!can).then_some(idle), |ui| item(ui, command, None));
        }
        ui.separator();
        item(ui, Command::TogglePalette, None);
    });
    ui.menu_button("Simulation", |ui| {
        ui.set_min_width(230.0);
        let moves = [Command::StepOnce, Command::StepBack, Command::GoToStart, Command::GoToEnd, Command::CompareWithStart];
        for command in [Command::PlayPause].into_iter().chain(moves).chain([Command::Reset, Command::ResetParameters]) {
            item(ui, command, None);
        }
        ui.separator();
        item(ui, Command::CompareGrids, Some(state.is_comparing()));
    });
    ui.menu_button("View", |ui| {
        ui.set_min_width(200.0);
        item(ui, Command::ToggleSidePanel, Some(state.shown.side_panel));
        item(ui, Command::TogglePlots, Some(state.shown.plots));
        item(ui, Command::ToggleTank, Some(state.display.aids.walls != SolidStyle::Hidden));
        item(ui, Command::ToggleTuning, Some(state.tuning.open));
        item(ui, Command::ToggleResult, Some(state.result.open));
        ui.separator();
        for look in looks::LOOKS {
            looks_row_ui(ui, look, &mut state.display.look, model);
        }
        ui.separator();
        item(ui, Command::ToggleCells, Some(state.view.cells));
        item(ui, Command::ToggleSlice, Some(state.view.cells && state.view.sliced));
        item(ui, Command::ToggleBucketMap, Some(state.view.map));
        item(ui, Command::ClearSelection, None);
        ui.separator();
        item(ui, Command::FrameAll, None);
        item(ui, Command::ResetLayout, None);
        item(ui, Command::ToggleFullscreen, None);
        let space = Atom::custom(IdSalt::new("tick"), vec2(10.0, 10.0));
        ui.menu_button((space, "Theme"), |ui| {
            for choice in ThemeChoice::ALL {
                tooltip_beside(ui.radio_value(&mut state.theme, choice, choice.label()), choice.tooltip());
            }
        });
        ui.separator();
        item(ui, Command::ToggleHelp, None);
    });
    let scenes = ui.button("Scenes").on_hover_text(Command::ToggleGallery.tooltip());
    if scenes.clicked() {
        actions.push(Action::Command(Command::ToggleGallery));
    }
    ui.menu_button("Learn", |ui| {
        ui.set_min_width(220.0);
        if lessons::lessons_ui(ui, state, model, actions) {
            ui.close();
        }
    });
}

fn looks_row_ui(ui: &mut Ui, look: Look, chosen: &mut Look, model: &Model<'_>) {
    let row = ui.add_enabled_ui(looks::is_possible(look, model.snapshot), |ui| {
        menu_row(ui, Some(*chosen == look), look.label(), String::new())
    });
    let row = tooltip_beside(row.inner, look.option().documentation).on_disabled_hover_text(sph_render::NO_WATER);
    if row.clicked() {
        *chosen = look;
    }
}

/// Lays out the mark of unsaved parameters; nothing is to its right that it would move.
fn unsaved_ui(ui: &mut Ui, state: &State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let Some(scene) = &snapshot.scene else { return };
    let names = state.edited.unsaved(scene);
    if names.is_empty() {
        return;
    }
    let mark = Button::new(RichText::new("• Unsaved").color(theme::of(ui).warning)).frame(false);
    let keys = Command::Save.shortcut_text(ui.ctx());
    let tooltip = format!("Changed since the scene was opened or saved: {}.\nClick to save ({keys}).", names.join(", "));
    if ui.add(mark).on_hover_text(tooltip).clicked() {
        actions.push(Action::Command(Command::Save));
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
        // So that slow steps do not read as 0.
        let rate = match steps_per_second {
            rate if rate < 9.95 => format!("{rate:.1}"),
            rate => format::count(rate.round() as u64),
        };
        let steps = ui.monospace(format!("{rate:>6} steps/s"));
        steps.on_hover_text(format!("Simulation steps per second, on {} threads", snapshot.threads));
    }
    if width >= speed_width {
        ui.monospace(format!("{speed:5.3}×")).on_hover_text("Simulated time per wall-clock time");
    }
    if width >= time_width {
        ui.monospace(RichText::new(format!("{:8.3} s", snapshot.time)).color(theme::of(ui).accent))
            .on_hover_text("Simulated time");
    }
}

// Panel "Keys and mouse": keys, mouse controls, lessons.

const MOUSE: [(&str, &str); 7] = [
    ("Left drag", "Rotate the view"),
    ("Right or middle drag, Shift+drag", "Pan the view"),
    ("Wheel, pinch", "Zoom"),
    ("Ctrl+wheel", "Radius of the tool"),
    ("Click on a particle", "Show its neighbour query"),
    ("Ctrl+click, Ctrl+drag", "Plot values of particles"),
    ("Double click", "Frame all"),
];

/// Lays out the contents of the panel.
pub fn help_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    rows_ui(ui);
    ui.separator();
    ui.label("Lessons");
    if lessons::lessons_ui(ui, state, model, actions) {
        state.shown.help = false;
    }
}

fn rows_ui(ui: &mut Ui) {
    // Columns of half the panel, in which long texts wrap: nothing is cut in a narrow one.
    let width = 0.5 * (ui.available_width() - theme::SPACE);
    let grid = Grid::new("keys").num_columns(2).spacing([theme::SPACE, 0.5 * theme::SPACE]).max_col_width(width);
    grid.show(ui, |ui| {
        heading_ui(ui, "Mouse");
        for (action, effect) in MOUSE {
            row_ui(ui, action, effect);
        }
        for group in [KeyGroup::Simulation, KeyGroup::Tools, KeyGroup::View, KeyGroup::Files] {
            heading_ui(ui, group.name());
            for command in Command::ALL.into_iter().filter(|&command| KeyGroup::of(command) == group) {
                let keys: Vec<String> = command.shortcuts().iter().map(|keys| command::shortcut_text(ui.ctx(), keys)).collect();
                if !keys.is_empty() {
                    row_ui(ui, &keys.join(" or "), command.label());
                }
            }
        }
    });
}

/// Group of the list of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyGroup {
    Simulation,
    Tools,
    View,
    Files,
}

impl KeyGroup {
    fn name(self) -> &'static str {
        match self {
            Self::Simulation => "Simulation",
            Self::Tools => "Tools",
            Self::View => "View and panels",
            Self::Files => "Files and pictures",
        }
    }

    fn of(command: Command) -> Self {
        use Command as C;
        match command {
            C::PlayPause | C::StepOnce | C::StepBack | C::GoToStart | C::GoToEnd | C::CompareWithStart | C::Reset => {
                Self::Simulation
            }
            C::ResetParameters | C::Undo | C::Redo | C::CompareGrids => Self::Simulation,
            C::Use(_) => Self::Tools,
            C::ToggleGallery | C::Open | C::Reload | C::Save | C::SaveSceneAs | C::OpenState | C::SaveState | C::Quit => {
                Self::Files
            }
            C::SaveRecording | C::SaveResult | C::OpenResult | C::ExportPlot => Self::Files,
            C::Screenshot | C::SavePictureAs | C::ChoosePicturesFolder | C::ToggleFilm => Self::Files,
            _ => Self::View,
        }
    }
}

fn heading_ui(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).strong());
    ui.end_row();
}

fn row_ui(ui: &mut Ui, keys: &str, effect: &str) {
    ui.label(RichText::new(keys).color(theme::of(ui).accent));
    ui.label(effect);
    ui.end_row();
}
