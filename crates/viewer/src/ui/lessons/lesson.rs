//! Data of a lesson: steps with texts and tasks.

use super::reading::{Metric, Reading};
use super::requirements::Requirements;
use crate::ui::widgets::highlight::Control;
use sph_core::neighbors::GridParameters;

/// A lesson: a few steps about one topic.
#[derive(Debug)]
pub struct Lesson {
    /// Title in the menu and on the card.
    pub title: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Requirements on the grid for the texts to be true.
    pub(super) requirements: Requirements,
    pub(super) steps: &'static [Step],
}

/// Contents of one card.
#[derive(Debug)]
pub struct Step {
    pub(super) heading: &'static str,
    /// Text of one to three sentences, with numbers of the latest reading.
    pub(super) text: fn(&Reading) -> String,
    /// Control that the card points at.
    pub(super) control: Option<Control>,
    /// Task of the user; `None` for a card that only explains.
    pub(super) task: Option<Task>,
}

/// A task of the user, checked by readings of the simulation.
#[derive(Debug)]
pub struct Task {
    /// Instruction in one sentence; from the reading at the start of the step.
    pub(super) ask: fn(&Reading) -> String,
    /// True if the task is done; from the reading at the start of the step, and the latest.
    pub(super) done: fn(&Reading, &Reading) -> bool,
    /// Performs the task for the user; from the reading at the start of the step.
    pub(super) perform: fn(&Reading, &mut GridParameters),
    /// Metrics to compare afterwards.
    pub(super) metrics: &'static [Metric],
    /// Indices and names of earlier steps to compare with; if empty, the reading before the task.
    pub(super) beside: &'static [(usize, &'static str)],
    /// Text for the result, from the named readings: the latest is last, after at least one other.
    pub(super) outcome: fn(&[(&str, &Reading)]) -> String,
}
