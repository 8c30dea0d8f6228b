//! The lesson under way: taken along with the simulation, and shown.

use super::progress::Progress;
use super::{card, wish};
use crate::ui::widgets::highlight;
use crate::ui::widgets::highlight::Control;
use crate::ui::{Action, Model, Side, State};
use egui::{Rect, Ui};

/// Takes the lesson as far as the simulation has come; before the panels are laid out, which show what it points at.
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
    let shown = highlight::want(ui.ctx(), control);
    // What the card points at is shown once; after that the user may hide it.
    if !shown && control.is_some() {
        match control {
            Some(Control::BuildTime | Control::QueryTime) => state.show_plots = true,
            _ => {
                state.show_side_panel = true;
                state.comparing.side = Side::A;
            }
        }
    }
}

/// The card, and the outline around what it points at; after everything else has been laid out.
pub fn lesson_ui(ui: &Ui, area: Rect, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let Some(mut progress) = state.lesson.take() else { return };
    highlight::paint(ui);
    let shown = card::Shown { grid: state.parameters.map(|parameters| parameters.grid), side: state.comparing.side };
    let wish = card::card_ui(ui, area, &progress, model.snapshot, shown);
    let goes_on = wish.is_none_or(|wish| wish::grant(wish, &mut progress, state, actions));
    state.lesson = goes_on.then_some(progress);
}
