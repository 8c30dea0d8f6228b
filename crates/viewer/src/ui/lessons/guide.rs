//! Current lesson: its update by the simulation, and its layout.

use super::progress::Progress;
use super::{card, request};
use crate::ui::widgets::highlight;
use crate::ui::widgets::highlight::Control;
use crate::ui::{Action, Model, Plotted, Side, State};
use egui::Ui;

/// Updates the lesson from the snapshot; called before the panels are laid out, because they show the control it points at.
pub fn follow(ui: &Ui, state: &mut State, model: &Model<'_>) {
    let control = match &mut state.lesson {
        Some(progress) => {
            if let Some(notice) = progress.follow(model.snapshot, state.revision == model.snapshot.revision) {
                state.notices.push(notice);
            }
            if progress.is_impossible() {
                state.lesson = None;
            }
            state.lesson.as_ref().and_then(Progress::control)
        }
        None => None,
    };
    state.show_lesson = state.lesson.is_some();
    let shown = highlight::set_target(ui.ctx(), control);
    // The panel with the control is opened once; the user may hide it afterwards.
    if !shown && control.is_some() {
        match control {
            Some(Control::BuildTime | Control::QueryTime) => {
                state.show_plots = true;
                state.plotted = Plotted::Costs;
                state.dock.show("performance");
            }
            _ => {
                state.show_side_panel = true;
                state.comparing.side = Side::A;
                state.dock.show("grid");
            }
        }
    }
}

/// Lays out the outline around the control of the lesson; called after all panels.
pub fn outline_ui(ui: &Ui) {
    highlight::paint(ui);
}

/// Lays out the panel.
pub fn lesson_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let Some(mut progress) = state.lesson.take() else { return };
    let shown = card::PanelState { grid: state.parameters.map(|parameters| parameters.grid), side: state.comparing.side };
    let request = card::card_ui(ui, &progress, model.snapshot, shown);
    let goes_on = request.is_none_or(|request| request::apply(request, &mut progress, state, actions));
    state.lesson = goes_on.then_some(progress);
}
