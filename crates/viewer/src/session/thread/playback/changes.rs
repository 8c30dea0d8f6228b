//! Changes from outside: what acts on the fluid besides its own state, in the order in which it came.

use sph_core::{Hand, Parameters};
use std::collections::VecDeque;

/// A change from outside, made between two steps.
#[derive(Clone, Debug)]
pub enum Change {
    /// These parameters are in force.
    Parameters(Box<Parameters>),
    /// The parameters with these keys are off their curves, all others on theirs.
    OffCurve(Vec<&'static str>),
    /// A hand acts for one step.
    Hand(Hand),
}

/// Changes since the earliest from which steps may be made again.
#[derive(Debug, Default)]
pub struct Changes {
    /// Completed steps at each change, and the change.
    log: VecDeque<(u64, Change)>,
    /// Number of the first of them.
    first: u64,
}

impl Changes {
    /// Adds a change after `steps`; its number follows that of the last.
    pub fn push(&mut self, steps: u64, change: Change) {
        self.log.push_back((steps, change));
    }

    /// The change of this number, and the steps before it; `None` after the last.
    pub fn get(&self, number: u64) -> Option<&(u64, Change)> {
        self.log.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// Removes the changes from this number on.
    pub fn truncate(&mut self, number: u64) {
        self.log.truncate(number.saturating_sub(self.first) as usize);
        self.first = self.first.min(number);
    }

    /// Removes the changes before this number.
    pub fn forget_before(&mut self, number: u64) {
        let count = (number.saturating_sub(self.first) as usize).min(self.log.len());
        self.log.drain(..count);
        self.first += count as u64;
    }

    /// Number of the first change that is still known.
    pub fn first(&self) -> u64 {
        self.first
    }
}
