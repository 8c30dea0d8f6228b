//! The inputs that act on the fluid, in the order in which they came.

use sph_core::Input;
use std::collections::VecDeque;

/// Memory that an input takes in the log, bytes.
fn bytes(input: &Input) -> u64 {
    (size_of::<(u64, Input)>() + input.heap_bytes()) as u64
}

/// Inputs since the earliest from which steps may be made again. A hand has an entry for each step before which it acts.
#[derive(Debug, Default)]
pub struct InputLog {
    /// Completed steps at each input, and the input.
    log: VecDeque<(u64, Input)>,
    /// Number of the first of them.
    first: u64,
    /// Memory that they take, bytes.
    bytes: u64,
}

impl InputLog {
    /// Adds an input after `steps`; its number follows that of the last.
    pub fn push(&mut self, steps: u64, input: Input) {
        self.bytes += bytes(&input);
        self.log.push_back((steps, input));
    }

    /// Puts `input` in place of the last one if nothing is left of that one's effect: of parameters that are set twice after the same
    /// `steps`, the second counts. Returns false if not.
    pub fn supersede(&mut self, steps: u64, input: &Input) -> bool {
        match (self.log.back_mut(), input) {
            (Some((at, Input::Parameters(last))), Input::Parameters(next)) if *at == steps => {
                last.clone_from(next);
                true
            }
            _ => false,
        }
    }

    /// The input of this number, and the steps before it; `None` after the last.
    pub fn get(&self, number: u64) -> Option<&(u64, Input)> {
        self.log.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// True if one of the inputs before this number is a hand that acted after so many `steps`.
    pub fn has_hand(&self, steps: u64, number: u64) -> bool {
        let before = self.log.iter().take(number.saturating_sub(self.first) as usize).rev();
        before.take_while(|(at, _)| *at == steps).any(|(_, input)| matches!(input, Input::Hand(_)))
    }

    /// Removes the inputs from this number on.
    pub fn truncate(&mut self, number: u64) {
        let kept = (number.saturating_sub(self.first) as usize).min(self.log.len());
        self.bytes -= self.log.drain(kept..).map(|(_, input)| bytes(&input)).sum::<u64>();
        self.first = self.first.min(number);
        self.shrink();
    }

    /// Removes the inputs before this number.
    pub fn forget_before(&mut self, number: u64) {
        let count = (number.saturating_sub(self.first) as usize).min(self.log.len());
        self.bytes -= self.log.drain(..count).map(|(_, input)| bytes(&input)).sum::<u64>();
        self.first += count as u64;
        self.shrink();
    }

    /// Gives back memory of a log that has become much shorter.
    fn shrink(&mut self) {
        if self.log.capacity() > 64 + 4 * self.log.len() {
            self.log.shrink_to(2 * self.log.len());
        }
    }

    /// Number of the first input that is still known.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Memory that the inputs take, bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
