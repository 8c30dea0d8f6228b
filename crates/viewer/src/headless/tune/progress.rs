//! Progress of trials: a bar on a terminal, a line every two seconds otherwise.

use crate::headless::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Time between two lines if there is no terminal.
const LINE_PERIOD: Duration = Duration::from_secs(2);

/// Shows progress on standard error.
pub struct TrialsProgress {
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl TrialsProgress {
    /// Starts with no trial of `total`.
    pub fn new(total: usize) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:16} {pos} of {len} trials, {eta} left: {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr()).with_style(style)
        });
        Self { bar, shown: Instant::now() }
    }

    /// Sets the number of trials made; shows it, with `name` of the latest structure, when it is due.
    pub fn update(&mut self, done: usize, total: usize, name: &str) {
        if let Some(bar) = &self.bar {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(name.to_owned());
        } else if self.shown.elapsed() >= LINE_PERIOD {
            console::say(&format!("{done} of {total} trials: {name}"));
            self.shown = Instant::now();
        }
    }

    /// Clears the bar before other output.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
