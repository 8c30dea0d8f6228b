//! How many of a number of trials have been made: a bar on a terminal, a line every two seconds into a log.

use crate::headless::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const LINE_PERIOD: Duration = Duration::from_secs(2);

/// Shows progress on standard error.
pub struct TrialsProgress {
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl TrialsProgress {
    /// Begins with none of `total`.
    pub fn new(total: usize) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:16} {pos} of {len} trials, {eta} left: {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr()).with_style(style)
        });
        Self { bar, shown: Instant::now() }
    }

    /// Takes in that `done` of `total` are made, and shows it with `what` comes now when it is time to.
    pub fn update(&mut self, done: usize, total: usize, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(what.to_owned());
        } else if self.shown.elapsed() >= LINE_PERIOD {
            console::say(&format!("{done} of {total} trials: {what}"));
            self.shown = Instant::now();
        }
    }

    /// Clears the bar, so that what is said next stands alone.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
