//! `--on-full-disk`: what a run does when the disk is full.

use crate::headless::console;
use crate::headless::simulate::Interrupt;
use clap::ValueEnum;

/// Action when the disk is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Action {
    /// End the run; files under their final names stay complete.
    Stop,
    /// Wait until there is space.
    Wait,
}

/// Prepares the action for all files of this process.
pub fn prepare(action: Action, interrupt: Interrupt) {
    if action == Action::Wait {
        let tell = || console::say("the disk is full: waiting for space; Ctrl-C ends the run");
        sph_io::wait_for_space(interrupt.cancel_flag(), tell);
    }
}
