//! Progress of a run: a bar on a terminal, a line every two seconds otherwise.

use super::simulator::Goal;
use crate::headless::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

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
    started: Instant,
    /// Time and step number of the last update.
    shown: (Instant, u64),
}

impl Progress {
    /// Starts at time 0 and step 0.
    pub fn new(goal: Goal) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:16} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(RESOLUTION), ProgressDrawTarget::stderr()).with_style(style)
        });
        let now = Instant::now();
        Self { goal, bar, started: now, shown: (now, 0) }
    }

    /// Updates the display to `time` s and `steps` steps, if it is due.
    pub fn update(&mut self, time: f64, steps: u64) {
        let (last, last_steps) = self.shown;
        let elapsed = last.elapsed();
        if elapsed < if self.bar.is_some() { BAR_PERIOD } else { LINE_PERIOD } || steps == last_steps {
            return;
        }
        let fraction = self.goal.fraction(time, steps);
        let pace = elapsed.as_secs_f64() / (steps - last_steps) as f64;
        let line = describe(self.goal, time, steps, pace, self.started.elapsed().as_secs_f64());
        match &self.bar {
            Some(bar) => {
                bar.set_message(line);
                bar.set_position((fraction * RESOLUTION as f64) as u64);
            }
            None => console::say(&line),
        }
        self.shown = (Instant::now(), steps);
    }

    /// Clears the bar before other output.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// One line: position, speed (`pace`, s per step), and remaining time, extrapolated from the first `elapsed` seconds.
fn describe(goal: Goal, time: f64, steps: u64, pace: f64, elapsed: f64) -> String {
    let fraction = goal.fraction(time, steps);
    let left = elapsed * (1.0 - fraction) / fraction.max(1e-9);
    let position = match goal {
        Goal::Time(until) => format!("t = {time:.3} of {until:.3} s, step {steps}"),
        Goal::Steps(count) => format!("t = {time:.3} s, step {steps} of {count}"),
    };
    // The most important part comes first: a narrow terminal cuts the end off.
    format!("{:3.0} %, {} left: {position}, {:.2} ms per step", 100.0 * fraction, duration(left), 1e3 * pace)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_position_speed_and_remaining_time() {
        let line = describe(Goal::Time(2.0), 0.5, 250, 0.004, 1.0);
        assert_eq!(line, " 25 %, 3 s left: t = 0.500 of 2.000 s, step 250, 4.00 ms per step");
        let line = describe(Goal::Steps(100), 0.5, 50, 0.004, 600.0);
        assert_eq!(line, " 50 %, 10 min left: t = 0.500 s, step 50 of 100, 4.00 ms per step");
    }
}
