//! Panel "Result": a result that was opened, beside the present scene: settings, of which those that differ are marked, and times.

use std::path::PathBuf;
use std::sync::Arc;

use super::widgets::{format, hint_ui};
use super::{Action, Model, Obstacles, Side, State, theme};
use crate::command::Command;
use egui::{Button, Grid, Label, RichText, Ui};
use sph_io::{BenchResult, Figure, Setting};

/// A result that was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenedResult {
    /// File.
    pub path: PathBuf,
    /// Contents.
    pub result: Arc<BenchResult>,
}

/// State of the panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultView {
    /// True while the panel is open.
    pub open: bool,
    /// Result; `None` before the first was opened.
    pub opened: Option<OpenedResult>,
    /// True to show settings that are equal, too.
    pub all: bool,
    /// True if the session has been asked to measure.
    is_asked: bool,
}

impl ResultView {
    /// Shows `opened`.
    pub fn show(&mut self, opened: OpenedResult) {
        (self.open, self.opened) = (true, Some(opened));
    }

    /// Asks the session to measure while the panel is open.
    pub fn ask(&mut self, actions: &mut Vec<Action>) {
        if self.is_asked != self.open {
            self.is_asked = self.open;
            actions.push(Action::Measure(self.open));
        }
    }
}

/// Lays out the contents of the panel.
pub fn result_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let obstacles = Obstacles::of(state, model.snapshot);
    ui.horizontal_wrapped(|ui| {
        for command in [Command::OpenResult, Command::SaveResult] {
            let reason = obstacles.against(command);
            let button = ui.add_enabled(reason.is_none(), Button::new(command.label())).on_hover_text(command.tooltip());
            if button.on_disabled_hover_text(reason.unwrap_or_default()).clicked() {
                actions.push(Action::Command(command));
            }
        }
    });
    let Some(OpenedResult { path, result }) = state.result.opened.clone() else {
        ui.add_space(0.5 * theme::SPACE);
        ui.label(
            "A result holds a scene, its settings, the machine, the versions and the times of a step. Save one to share \
             it, or open one to compare it with the present scene.",
        );
        return;
    };
    ui.add_space(0.5 * theme::SPACE);
    ui.label(RichText::new(&result.scene.title).strong()).on_hover_text(path.display().to_string());
    let measured = &result.measured;
    let particles = format::count(measured.particles);
    let steps = if measured.steps == 1 { "1 step".to_owned() } else { format!("{} steps", format::count(measured.steps)) };
    let by = measured.by.label();
    hint_ui(
        ui,
        format!("{particles} particles, {steps} by {by}, {}", result.program.date.replace('T', " ").trim_end_matches('Z')),
    );
    ui.horizontal_wrapped(|ui| {
        let load = "Open the scene that was measured, with its settings. Asks before discarding unsaved changes.";
        if ui.button("Load its scene").on_hover_text(load).clicked() {
            actions.push(Action::Load(path.clone()));
        }
        let present = state.edited.parameters;
        let merged = present.map(|parameters| result.with_grid(parameters));
        ui.add_enabled_ui(merged.is_some() && merged != present, |ui| {
            let tooltip = "Use the grid of the result from the next step on, without a reset.";
            let button = ui.button("Use its grid").on_hover_text(tooltip).on_disabled_hover_text("It is in use.");
            if let (true, Some(merged)) = (button.clicked(), merged) {
                state.comparing.side = Side::A;
                state.edited.edit(merged, actions);
            }
        });
    });
    let Some(present) = &model.snapshot.result else {
        ui.separator();
        hint_ui(ui, "The comparison begins with the next step of the present scene.");
        return;
    };
    ui.separator();
    // Rows as low as their text.
    ui.spacing_mut().interact_size.y = 14.0;
    settings_ui(ui, &mut state.result.all, &result.settings_beside(present));
    ui.separator();
    figures_ui(ui, &result.figures_beside(present));
}

/// Lays out the figures with their ratios.
fn figures_ui(ui: &mut Ui, figures: &[Figure]) {
    let quiet = theme::of(ui).text_quiet;
    let mut under = "";
    Grid::new("figures").num_columns(4).spacing([theme::SPACE, 2.0]).show(ui, |ui| {
        for figure in figures {
            if figure.section != under {
                under = figure.section;
                ui.label(RichText::new(under).small().strong());
                for heading in ["result", "present", "ratio"] {
                    ui.label(RichText::new(heading).small().color(quiet));
                }
                ui.end_row();
            }
            let name = if figure.unit.is_empty() { figure.label.clone() } else { format!("{}, {}", figure.label, figure.unit) };
            ui.label(name);
            for value in figure.values {
                ui.monospace(number(value));
            }
            ui.monospace(figure.ratio().map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}×")));
            ui.end_row();
        }
    });
}

/// Heading of what is no setting but tells when and how long was measured.
const MEASUREMENT: &str = "Measurement";

/// Lays out the settings, of which those that differ are marked.
fn settings_ui(ui: &mut Ui, all: &mut bool, settings: &[Setting]) {
    // Date and steps of two measurements differ anyway.
    let is_setting = |row: &&Setting| row.section != MEASUREMENT;
    let differing = settings.iter().filter(is_setting).filter(|row| row.differs()).count();
    let equal = settings.iter().filter(|row| !row.differs()).count();
    ui.horizontal_wrapped(|ui| {
        let count = if differing == 1 { "1 setting differs".to_owned() } else { format!("{differing} settings differ") };
        ui.label(RichText::new(count).strong());
        ui.checkbox(all, format!("Show the {equal} that are equal"));
    });
    let colors = theme::of(ui);
    let (mark, quiet) = (colors.warning, colors.text_quiet);
    let width = (ui.available_width() / 3.0 - theme::SPACE).max(40.0);
    let mut under = "";
    Grid::new("settings").num_columns(3).max_col_width(width).spacing([theme::SPACE, 2.0]).show(ui, |ui| {
        for row in settings.iter().filter(|row| *all || row.differs()) {
            if row.section != under {
                under = row.section;
                ui.label(RichText::new(under).small().strong());
                for heading in ["result", "present"] {
                    ui.label(RichText::new(heading).small().color(quiet));
                }
                ui.end_row();
            }
            let label = RichText::new(&row.label);
            ui.add(Label::new(if row.differs() { label.color(mark) } else { label }).wrap());
            for value in &row.values {
                let text = if value.is_empty() { "–" } else { value };
                ui.add(Label::new(text).wrap());
            }
            ui.end_row();
        }
    });
}

/// A whole or large number in groups of three digits, any other with three digits after the point.
fn number(value: f64) -> String {
    if value.fract() == 0.0 || value >= 1e3 { format::count(value as u64) } else { format!("{value:.3}") }
}
