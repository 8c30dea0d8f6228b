//! Changes from outside: what acts on the fluid besides its own state, in the order in which it came.

use sph_core::{DroppedBody, Hand, Parameters};
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
    /// A body is dropped.
    Drop(DroppedBody),
}

impl Change {
    /// Memory that it takes in the log, bytes.
    fn bytes(&self) -> u64 {
        let beside = match self {
            Self::Parameters(_) => size_of::<Parameters>(),
            Self::OffCurve(keys) => size_of_val(&keys[..]),
            Self::Hand(_) | Self::Drop(_) => 0,
        };
        (size_of::<(u64, Self)>() + beside) as u64
    }
}

/// Changes since the earliest from which steps may be made again.
#[derive(Debug, Default)]
pub struct Changes {
    /// Completed steps at each change, and the change.
    log: VecDeque<(u64, Change)>,
    /// Number of the first of them.
    first: u64,
    /// Memory that they take, bytes.
    bytes: u64,
}

impl Changes {
    /// Adds a change after `steps`; its number follows that of the last.
    pub fn push(&mut self, steps: u64, change: Change) {
        self.bytes += change.bytes();
        self.log.push_back((steps, change));
    }

    /// Puts `change` in place of the last one if nothing is left of that one's effect: of parameters that are set twice after the same
    /// `steps`, the second counts. Returns false if not.
    pub fn supersede(&mut self, steps: u64, change: &Change) -> bool {
        match (self.log.back_mut(), change) {
            (Some((at, Change::Parameters(last))), Change::Parameters(next)) if *at == steps => {
                last.clone_from(next);
                true
            }
            _ => false,
        }
    }

    /// The change of this number, and the steps before it; `None` after the last.
    pub fn get(&self, number: u64) -> Option<&(u64, Change)> {
        self.log.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// True if one of the changes before this number is a hand that acted after so many `steps`.
    pub fn has_hand(&self, steps: u64, number: u64) -> bool {
        let before = self.log.iter().take(number.saturating_sub(self.first) as usize).rev();
        before.take_while(|(at, _)| *at == steps).any(|(_, change)| matches!(change, Change::Hand(_)))
    }

    /// Removes the changes from this number on.
    pub fn truncate(&mut self, number: u64) {
        let kept = (number.saturating_sub(self.first) as usize).min(self.log.len());
        self.bytes -= self.log.drain(kept..).map(|(_, change)| change.bytes()).sum::<u64>();
        self.first = self.first.min(number);
        self.shrink();
    }

    /// Removes the changes before this number.
    pub fn forget_before(&mut self, number: u64) {
        let count = (number.saturating_sub(self.first) as usize).min(self.log.len());
        self.bytes -= self.log.drain(..count).map(|(_, change)| change.bytes()).sum::<u64>();
        self.first += count as u64;
        self.shrink();
    }

    /// Gives back memory of a log that has become much shorter.
    fn shrink(&mut self) {
        if self.log.capacity() > 64 + 4 * self.log.len() {
            self.log.shrink_to(2 * self.log.len());
        }
    }

    /// Number of the first change that is still known.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Memory that the changes take, bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
