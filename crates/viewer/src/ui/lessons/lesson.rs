//! A lesson as data: its steps, what each says, and what there is to do in it.

use super::basis::Basis;
use super::reading::{Figure, Reading};
use crate::ui::widgets::highlight::Control;
use sph_core::neighbors::GridParameters;

/// A few steps about one idea.
#[derive(Debug)]
pub struct Lesson {
    /// Name in the menu and on the card.
    pub title: &'static str,
    /// One line on what one learns.
    pub summary: &'static str,
    /// What has to hold all the time for the texts to be true.
    pub(super) basis: Basis,
    pub(super) steps: &'static [Step],
}

/// What one card says.
#[derive(Debug)]
pub struct Step {
    pub(super) heading: &'static str,
    /// One to three sentences, with the numbers of the latest step.
    pub(super) text: fn(&Reading) -> String,
    /// What the card points at.
    pub(super) control: Option<Control>,
    /// What there is to do; without it the card only explains.
    pub(super) task: Option<Task>,
}

/// Something to do, judged by what the simulation did with it.
#[derive(Debug)]
pub struct Task {
    /// What to do, in one sentence; from the reading at the beginning of the step.
    pub(super) ask: fn(&Reading) -> String,
    /// Whether it was done: from the reading at the beginning of the step, and the latest.
    pub(super) done: fn(&Reading, &Reading) -> bool,
    /// The same by the program's hand; from the reading at the beginning of the step.
    pub(super) perform: fn(&Reading, &mut GridParameters),
    /// What is compared afterwards.
    pub(super) figures: &'static [Figure],
    /// Earlier steps that are compared with, and what each is called; without any, the moment before.
    pub(super) beside: &'static [(usize, &'static str)],
    /// What that shows; the latest reading comes last, after at least one other.
    pub(super) outcome: fn(&[(&str, &Reading)]) -> String,
}
