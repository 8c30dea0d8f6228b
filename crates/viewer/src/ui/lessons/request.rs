//! Requests of the card's buttons.

use super::progress::Progress;
use crate::command::Command;
use crate::ui::{Action, Side, State};
use sph_core::neighbors::GridParameters;

/// Request of a button of the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Go to the previous card.
    Back,
    /// Go to the next card; after the last one, end the lesson.
    Next,
    /// Perform the task for the user.
    Perform,
    /// Change the grid to meet the requirements of the lesson.
    MeetRequirements,
    /// Show grid A in the panel.
    ShowA,
    /// Run the simulation.
    Play,
    /// End the lesson; ask first if the grid has changed.
    End,
    /// Restore the grid from before the lesson, and end the lesson.
    RestoreAndEnd,
    /// End the lesson and keep the grid.
    Leave,
}

/// Executes a request. Returns true if the lesson continues.
pub fn apply(request: Request, progress: &mut Progress, state: &mut State, actions: &mut Vec<Action>) -> bool {
    let changed = progress.has_changed(state.parameters.map(|parameters| parameters.grid));
    match request {
        Request::Back if progress.is_ending() => progress.set_ending(false),
        Request::Back => progress.enter(progress.step_index().saturating_sub(1)),
        Request::Next if progress.is_last() => return false,
        Request::Next => progress.enter(progress.step_index() + 1),
        Request::ShowA => state.comparing.side = Side::A,
        Request::Play => actions.push(Action::Command(Command::PlayPause)),
        Request::Perform => {
            if let (Some(task), Some(start)) = (progress.task(), progress.start()) {
                edit_grid(state, actions, |grid| (task.perform)(start, grid));
            }
        }
        Request::MeetRequirements => {
            if let Some(latest) = progress.latest() {
                edit_grid(state, actions, |grid| progress.lesson().requirements.restore(grid, latest));
            }
            // Restart the step with the changed grid.
            progress.enter(progress.step_index());
        }
        Request::End if changed => progress.set_ending(true),
        Request::End | Request::Leave => return false,
        Request::RestoreAndEnd => {
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
