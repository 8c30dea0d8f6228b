//! How far all runs together have come.

use crate::headless::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Mutex;

/// Parts that the bar is divided into.
const RESOLUTION: f64 = 1000.0;

/// A bar on a terminal; elsewhere a line for each run that is done.
pub struct Meter {
    bar: Option<ProgressBar>,
    runs: usize,
    /// Fractions done of each run, and how much of the whole the run is.
    state: Mutex<State>,
}

struct State {
    fractions: Vec<f64>,
    weights: Vec<f64>,
    done: usize,
}

impl Meter {
    /// Begins with runs that take times in the proportion of `weights`.
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

    /// Run `index` is done to this part.
    pub fn update(&self, index: usize, fraction: f64) {
        let (Some(bar), Ok(mut state)) = (&self.bar, self.state.lock()) else { return };
        state.fractions[index] = fraction;
        let all: f64 = state.fractions.iter().zip(&state.weights).map(|(fraction, weight)| fraction * weight).sum();
        bar.set_position((RESOLUTION * all) as u64);
    }

    /// Run `index`, called `name`, is done, after so many seconds.
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

    /// Clears the bar, so that what is said next stands alone.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
