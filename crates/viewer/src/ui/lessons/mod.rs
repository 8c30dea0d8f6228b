//! Guided lessons: a card over the 3D view explains, points at a control, and waits until the running simulation shows that it was
//! used. A lesson pauses nothing and resets nothing; it changes the grid only where the user asks it to.

mod basis;
mod card;
mod cell_spacing;
mod fixed_buckets;
mod menu;
mod progress;
mod reading;
mod table_size;

pub use crate::ui::highlight::{Control, place};
pub use menu::lessons_ui;
pub use progress::Progress;

use super::{Action, Model, State};
use crate::ui::{Side, highlight};
use basis::Basis;
use egui::{Rect, Ui};
use reading::{Figure, Reading};
use sph_core::neighbors::GridParameters;

/// Every lesson, in the order of the menu.
pub const LESSONS: [&Lesson; 3] = [&table_size::LESSON, &cell_spacing::LESSON, &fixed_buckets::LESSON];

/// A few steps about one idea.
#[derive(Debug)]
pub struct Lesson {
    /// Name in the menu and on the card.
    pub title: &'static str,
    /// One line on what one learns.
    pub summary: &'static str,
    /// What has to hold all the time for the texts to be true.
    basis: Basis,
    steps: &'static [Step],
}

/// What one card says.
#[derive(Debug)]
struct Step {
    heading: &'static str,
    /// One to three sentences, with the numbers of the latest step.
    text: fn(&Reading) -> String,
    /// What the card points at.
    control: Option<Control>,
    /// What there is to do; without it the card only explains.
    task: Option<Task>,
}

/// Something to do, judged by what the simulation did with it.
#[derive(Debug)]
struct Task {
    /// What to do, in one sentence; from the reading at the beginning of the step.
    ask: fn(&Reading) -> String,
    /// Whether it was done: from the reading at the beginning of the step, and the latest.
    done: fn(&Reading, &Reading) -> bool,
    /// The same by the program's hand; from the reading at the beginning of the step.
    perform: fn(&Reading, &mut GridParameters),
    /// What is compared afterwards.
    figures: &'static [Figure],
    /// Earlier steps that are compared with, and what each is called; without any, the moment before.
    beside: &'static [(usize, &'static str)],
    /// What that shows; the latest reading comes last, after at least one other.
    outcome: fn(&[(&str, &Reading)]) -> String,
}

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
    let goes_on = wish.is_none_or(|wish| progress.grant(wish, state, actions));
    state.lesson = goes_on.then_some(progress);
}
