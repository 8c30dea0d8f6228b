//! Progress of a run, or of trials: a bar on a terminal, a line every two seconds otherwise.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use crate::console;
use crate::simulate::Goal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sph_io::grouped;

/// Number of parts of the bar.
const RESOLUTION: u64 = 1000;
/// Time between two updates of the bar: smooth for the eye, at negligible cost.
const BAR_PERIOD: Duration = Duration::from_millis(100);
/// Time between two lines if there is no terminal.
const LINE_PERIOD: Duration = Duration::from_secs(2);

/// Shows progress toward a goal on standard error.
pub struct Progress {
    goal: Goal,
    bar: Option<ProgressBar>,
    start: Moment,
    /// Last update.
    shown: Moment,
}

/// Simulated time and step number at an instant.
#[derive(Clone, Copy, Debug)]
struct Moment {
    instant: Instant,
    time: f64,
    steps: u64,
}

impl Progress {
    /// Starts at time 0 and step 0.
    pub fn new(goal: Goal) -> Self {
        Self::after(goal, 0.0, 0)
    }

    /// Starts at `time` s and `steps` steps.
    pub fn after(goal: Goal, time: f64, steps: u64) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:16} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(RESOLUTION), ProgressDrawTarget::stderr()).with_style(style)
        });
        let start = Moment { instant: Instant::now(), time, steps };
        Self { goal, bar, start, shown: start }
    }

    /// Updates the display to `time` s and `steps` steps, if it is due.
    pub fn update(&mut self, time: f64, steps: u64) {
        let elapsed = self.shown.instant.elapsed();
        if elapsed < if self.bar.is_some() { BAR_PERIOD } else { LINE_PERIOD } || steps == self.shown.steps {
            return;
        }
        let now = Moment { instant: Instant::now(), time, steps };
        let line = describe(self.goal, self.start, self.shown, now);
        match &self.bar {
            Some(bar) => {
                bar.set_message(line);
                bar.set_position((self.goal.fraction(time, steps) * RESOLUTION as f64) as u64);
            }
            None => console::say(&line),
        }
        self.shown = now;
    }

    /// Clears the bar before other output.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// One line: remaining time, extrapolated from the run so far; position; and the rate since the `last` line, outputs included.
fn describe(goal: Goal, start: Moment, last: Moment, now: Moment) -> String {
    let Moment { time, steps, .. } = now;
    let [before, fraction] = [start, now].map(|moment| goal.fraction(moment.time, moment.steps));
    let left = (now.instant - start.instant).as_secs_f64() * (1.0 - fraction) / (fraction - before).max(1e-9);
    let position = match goal {
        Goal::Time(until) => format!("t = {time:.3} of {until:.3} s, step {}", grouped(steps)),
        Goal::Steps(count) => format!("t = {time:.3} s, step {} of {}", grouped(steps), grouped(count)),
    };
    let elapsed = (now.instant - last.instant).as_secs_f64().max(1e-9);
    let rate = significant((steps - last.steps) as f64 / elapsed);
    let speed = significant(3600.0 * (time - last.time) / elapsed);
    // The most important part comes first: a narrow terminal cuts the end off.
    format!("{:3.0} %, {} left: {position}, {rate} steps/s, {speed} s simulated per hour", 100.0 * fraction, duration(left))
}

/// A number with three significant digits, a larger one with all digits before the point.
fn significant(number: f64) -> String {
    if number >= 1000.0 {
        return grouped(number.round() as u64);
    }
    let digits = (2.0 - number.abs().max(1e-6).log10().floor()).clamp(0.0, 8.0);
    format!("{number:.*}", digits as usize)
}

/// A duration in seconds below two minutes, then in minutes, hours or days; not more precise than "over a year".
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3600.0),
        s if s < 3.2e7 => format!("{:.0} days", s / 86_400.0),
        _ => "over a year".to_owned(),
    }
}

/// Time between two lines if there is no terminal.
const TRIALS_LINE_PERIOD: Duration = Duration::from_secs(2);

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
        } else if self.shown.elapsed() >= TRIALS_LINE_PERIOD {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_position_rate_and_remaining_time() {
        let start = Moment { instant: Instant::now(), time: 0.0, steps: 0 };
        let at =
            |seconds: u64, time: f64, steps: u64| Moment { instant: start.instant + Duration::from_secs(seconds), time, steps };
        let line = describe(Goal::Time(2.0), start, start, at(1, 0.5, 250));
        assert_eq!(line, " 25 %, 3 s left: t = 0.500 of 2.000 s, step 250, 250 steps/s, 1,800 s simulated per hour");
        let line = describe(Goal::Steps(100), start, at(590, 0.49, 49), at(600, 0.5, 50));
        assert_eq!(line, " 50 %, 10 min left: t = 0.500 s, step 50 of 100, 0.100 steps/s, 3.60 s simulated per hour");
        // Resumed in the middle: half of the rest took a minute.
        let line = describe(Goal::Steps(100), at(0, 0.5, 50), at(0, 0.5, 50), at(60, 0.75, 75));
        assert!(line.starts_with(" 75 %, 60 s left"), "{line}");
    }
}
