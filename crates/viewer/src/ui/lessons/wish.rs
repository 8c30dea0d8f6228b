//! What a press of one of the card's buttons asks for, and how it is done.

use super::progress::Progress;
use crate::command::Command;
use crate::ui::{Action, Side, State};
use sph_core::neighbors::GridParameters;

/// What a press of one of the card's buttons asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The card before.
    Back,
    /// The next card; after the last one the lesson is over.
    Next,
    /// The task done by the program.
    Perform,
    /// The grid that the lesson is about.
    SetBasis,
    /// The panel about the grid that the lesson watches.
    ShowA,
    /// The simulation running.
    Play,
    /// The lesson over.
    End,
    /// The grid from before the lesson, and the lesson over.
    RestoreAndEnd,
    /// The lesson over, the grid as it is.
    Leave,
}

/// Does what a button asks for; whether the lesson goes on.
pub fn grant(wish: Wish, progress: &mut Progress, state: &mut State, actions: &mut Vec<Action>) -> bool {
    let changed = progress.has_changed(state.parameters.map(|parameters| parameters.grid));
    match wish {
        Wish::Back if progress.is_ending() => progress.set_ending(false),
        Wish::Back => progress.enter(progress.step_index().saturating_sub(1)),
        Wish::Next if progress.is_last() => return false,
        Wish::Next => progress.enter(progress.step_index() + 1),
        Wish::ShowA => state.comparing.side = Side::A,
        Wish::Play => actions.push(Action::Command(Command::PlayPause)),
        Wish::Perform => {
            if let (Some(task), Some(start)) = (progress.task(), progress.start()) {
                edit_grid(state, actions, |grid| (task.perform)(start, grid));
            }
        }
        Wish::SetBasis => {
            if let Some(latest) = progress.latest() {
                edit_grid(state, actions, |grid| progress.lesson().basis.restore(grid, latest));
            }
            // The step is about the grid as it is now.
            progress.enter(progress.step_index());
        }
        Wish::End if changed => progress.set_ending(true),
        Wish::End | Wish::Leave => return false,
        Wish::RestoreAndEnd => {
            edit_grid(state, actions, |grid| *grid = progress.grid());
            return false;
        }
    }
    true
}

fn edit_grid(state: &mut State, actions: &mut Vec<Action>, change: impl FnOnce(&mut GridParameters)) {
    let Some(mut parameters) = state.parameters else { return };
    let before = parameters;
    change(&mut parameters.grid);
    if parameters != before {
        state.edit(parameters, actions);
    }
}
