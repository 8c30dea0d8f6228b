//! How far a run has come: a bar on a terminal, a line every two seconds into a log.

use super::simulator::Goal;
use crate::headless::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Parts that the bar is divided into.
const RESOLUTION: u64 = 1000;
/// Between two pictures of the bar: often enough to look alive, too seldom to cost anything.
const BAR_PERIOD: Duration = Duration::from_millis(100);
/// Between two lines where there is no terminal.
const LINE_PERIOD: Duration = Duration::from_secs(2);

/// Shows progress toward a goal on standard error.
pub struct Progress {
    goal: Goal,
    bar: Option<ProgressBar>,
    started: Instant,
    /// When, and after how many steps, progress was last shown.
    shown: (Instant, u64),
}

impl Progress {
    /// Begins at no time and no step.
    pub fn new(goal: Goal) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:16} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(RESOLUTION), ProgressDrawTarget::stderr()).with_style(style)
        });
        let now = Instant::now();
        Self { goal, bar, started: now, shown: (now, 0) }
    }

    /// Takes in that the simulation is at `time` s after `steps` steps, and shows it when it is time to.
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

    /// Clears the bar, so that what is said next stands alone.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// One line: where, how fast (`pace`, s a step), how long still if the rest goes like the first `elapsed` seconds.
fn describe(goal: Goal, time: f64, steps: u64, pace: f64, elapsed: f64) -> String {
    let fraction = goal.fraction(time, steps);
    let left = elapsed * (1.0 - fraction) / fraction.max(1e-9);
    let position = match goal {
        Goal::Time(until) => format!("t = {time:.3} of {until:.3} s, step {steps}"),
        Goal::Steps(count) => format!("t = {time:.3} s, step {steps} of {count}"),
    };
    // What matters most comes first: a narrow terminal cuts the end off.
    format!("{:3.0} %, {} left: {position}, {:.2} ms a step", 100.0 * fraction, duration(left), 1e3 * pace)
}

/// Seconds below two minutes, then minutes, hours, days; beyond a year the number means nothing.
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
    fn a_line_tells_where_how_fast_and_how_long() {
        let line = describe(Goal::Time(2.0), 0.5, 250, 0.004, 1.0);
        assert_eq!(line, " 25 %, 3 s left: t = 0.500 of 2.000 s, step 250, 4.00 ms a step");
        let line = describe(Goal::Steps(100), 0.5, 50, 0.004, 600.0);
        assert_eq!(line, " 50 %, 10 min left: t = 0.500 s, step 50 of 100, 4.00 ms a step");
    }
}
