//! Progress of all runs together.

use crate::headless::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Mutex;

/// Number of parts of the progress bar.
const RESOLUTION: f64 = 1000.0;

/// Progress bar on a terminal; otherwise one line per finished run.
pub struct Meter {
    bar: Option<ProgressBar>,
    runs: usize,
    /// Completed fraction and weight of each run.
    state: Mutex<State>,
}

struct State {
    fractions: Vec<f64>,
    weights: Vec<f64>,
    done: usize,
}

impl Meter {
    /// Starts for runs whose times are in the proportion of `weights`.
    pub fn new(weights: &[f64]) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:16} {percent:>3} %  {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(RESOLUTION as u64), ProgressDrawTarget::stderr()).with_style(style)
        });
        let total: f64 = weights.iter().sum();
        let weights: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        Self { bar, runs: weights.len(), state: Mutex::new(State { fractions: vec![0.0; weights.len()], weights, done: 0 }) }
    }

    /// Sets the completed fraction of run `index`.
    pub fn update(&self, index: usize, fraction: f64) {
        let (Some(bar), Ok(mut state)) = (&self.bar, self.state.lock()) else { return };
        state.fractions[index] = fraction;
        let all: f64 = state.fractions.iter().zip(&state.weights).map(|(fraction, weight)| fraction * weight).sum();
        bar.set_position((RESOLUTION * all) as u64);
    }

    /// Reports that run `index`, called `name`, finished after `seconds`.
    pub fn done(&self, index: usize, name: &str, seconds: f64) {
        self.update(index, 1.0);
        let Ok(mut state) = self.state.lock() else { return };
        state.done += 1;
        let line = format!("{} of {} runs done: {name}, {seconds:.0} s", state.done, self.runs);
        match &self.bar {
            Some(bar) => bar.set_message(line),
            None => console::say(&line),
        }
    }

    /// Clears the bar before other output.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
