//! Outcome of a simulation, and its summary for the user.

use crate::{Failure, console};
use sph_core::remedies::{Remedy, remedies};
use sph_core::{Exchange, Parameters, Phase, PhaseTimes, Rounded, StepBound, StepError, StepStats};
use sph_io::grouped;
use std::fmt::Write;
use std::time::Duration;

/// Mean density error above which a warning is printed.
const MAX_DENSITY_ERROR: f32 = 0.05;

/// Residual of the implicit viscosity, relative to its change of velocity, above which a warning is printed.
const MAX_VISCOUS_RESIDUAL: f32 = 0.1;

/// Outcome of a simulation: how it ended, with totals and maxima over its steps.
#[derive(Debug, Default)]
pub struct Outcome {
    ending: Ending,
    /// Wall-clock time, outputs included.
    pub wall: Duration,
    steps: u64,
    time: f64,
    /// Wall-clock time of the steps alone.
    stepping: Duration,
    phases: PhaseTimes,
    /// Steps of this run: fewer than `steps` if it was resumed.
    made: u64,
    /// True if there was fluid, whose density error counts.
    had_fluid: bool,
    density_error: f32,
    peak_density_error: f32,
    /// Number of steps longer than a limit allows.
    too_long: u64,
    exceeded: Option<(StepBound, f32)>,
    /// Number of steps whose implicit viscosity was not solved, and the largest residual.
    unsolved: u64,
    viscous_residual: f32,
    /// Totals of the particles that came and went.
    exchange: Exchange,
}

#[derive(Debug, Default)]
enum Ending {
    /// Reached its goal, or still running.
    #[default]
    Reached,
    /// A clean end was requested.
    Interrupted,
    /// The simulation or an output failed.
    Failed(Failure),
}

impl Outcome {
    /// Records a failure, unless there is one already: the first is the cause.
    pub fn fail(&mut self, failure: Failure) {
        if !matches!(self.ending, Ending::Failed(_)) {
            self.ending = Ending::Failed(failure);
        }
    }

    /// Records an interruption.
    pub fn interrupt(&mut self) {
        self.ending = Ending::Interrupted;
    }

    /// True if the run has ended before its goal.
    pub fn is_ended(&self) -> bool {
        !matches!(self.ending, Ending::Reached)
    }

    /// True if the simulation or an output has failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.ending, Ending::Failed(_))
    }

    /// Table of the time that each phase took, the longest first, and of the time between steps: outputs, probes, the progress
    /// line. Empty without steps.
    pub fn costs(&self) -> String {
        if self.made == 0 {
            return String::new();
        }
        let mut rows: Vec<_> = Phase::ALL.iter().map(|&phase| (phase.name(), self.phases[phase].as_secs_f64())).collect();
        rows.push(("between steps", self.wall.saturating_sub(self.stepping).as_secs_f64()));
        rows.retain(|(_, seconds)| *seconds > 0.0);
        rows.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let all = self.wall.as_secs_f64().max(f64::MIN_POSITIVE);
        let row = |(name, seconds): (&str, f64)| {
            let each = 1e3 * seconds / self.made.max(1) as f64;
            format!("{name:<14}{seconds:>10.1}{:>8.1}{each:>14.3}", 100.0 * seconds / all)
        };
        let heading = format!("{:<14}{:>10}{:>8}{:>14}", "phase", "s", "%", "ms per step");
        std::iter::once(heading).chain(rows.into_iter().map(row)).collect::<Vec<_>>().join("\n")
    }

    /// The failure, if it failed.
    pub fn failure(self) -> Option<Failure> {
        match self.ending {
            Ending::Failed(failure) => Some(failure),
            Ending::Reached | Ending::Interrupted => None,
        }
    }

    /// Adds the statistics of a step.
    pub fn add(&mut self, stats: &StepStats) {
        if stats.error.is_none() {
            self.steps = stats.step;
            self.time = stats.time;
            self.stepping += stats.phases.total();
            Phase::ALL.into_iter().for_each(|phase| self.phases[phase] += stats.phases[phase]);
            self.made += 1;
            self.had_fluid |= stats.particles > 0;
            self.density_error = stats.density_error;
            self.peak_density_error = self.peak_density_error.max(stats.density_error);
            if let Some(bound) = stats.dt_exceeds {
                self.too_long += 1;
                self.exceeded = Some((bound, stats.dt));
            }
            if stats.viscosity_solve.error > MAX_VISCOUS_RESIDUAL {
                self.unsolved += 1;
                self.viscous_residual = self.viscous_residual.max(stats.viscosity_solve.error);
            }
            let Exchange { emitted, withheld, drained } = stats.exchange;
            self.exchange.emitted += emitted;
            self.exchange.withheld += withheld;
            self.exchange.drained += drained;
        }
    }

    /// Prints the summary, warnings, and the files written, one line each.
    ///
    /// # Errors
    /// The failure of the run.
    pub fn conclude(self, written: &[String]) -> Result<(), Failure> {
        let heading = match &self.ending {
            Ending::Reached => "done".to_owned(),
            Ending::Interrupted => format!("interrupted at t = {:.4} s; all written files are complete", self.time),
            Ending::Failed(Failure::Unread) => return Err(Failure::Unread),
            Ending::Failed(_) => "stopped".to_owned(),
        };
        console::say(&format!("{heading}: {}", self.summary()));
        if let Some((StepBound { limit, dt }, taken)) = self.exceeded {
            let steps = console::counted(self.too_long, "step");
            let limit = limit.label();
            console::say(&format!(
                "warning: {steps} exceeded a limit: the last was {} s long, but the {limit} allows {} s",
                Rounded(taken),
                Rounded(dt)
            ));
        }
        if self.peak_density_error > MAX_DENSITY_ERROR {
            let percent = 100.0 * self.peak_density_error;
            let remedy = match self.exceeded {
                Some(_) => "shorten the steps",
                None => {
                    "with WCSPH raise the speed of sound; with the other solvers shorten the steps or raise `max_iterations`, if solves reach it, or \
                     else lower the tolerance"
                }
            };
            console::say(&format!("warning: the mean density error reached {percent:.0} %: {remedy}"));
        }
        if self.unsolved > 0 {
            let (steps, percent) = (console::counted(self.unsolved, "step"), 100.0 * self.viscous_residual);
            let message =
                "the fluid was less viscous than requested; raise `fluid.max_viscosity_iterations` or shorten the steps";
            console::say(&format!("warning: implicit viscosity kept a residual of up to {percent:.0} % in {steps}: {message}"));
        }
        let Exchange { emitted, withheld, drained } = self.exchange;
        if self.exchange != Exchange::default() {
            let [emitted, drained] = [emitted, drained].map(|count| console::counted(count as u64, "particle"));
            console::say(&format!("emitters added {emitted}, drains removed {drained}"));
        }
        if withheld > 0 {
            let withheld = console::counted(withheld as u64, "particle");
            let reason = "the particle limit was reached, or fluid was in the way";
            console::say(&format!("warning: emitters withheld {withheld}: {reason}"));
        }
        for line in written {
            console::say(&format!("wrote {line}"));
        }
        match self.ending {
            Ending::Failed(failure) => Err(failure),
            Ending::Reached | Ending::Interrupted => Ok(()),
        }
    }

    fn summary(&self) -> String {
        let ms_per_step = 1e3 * self.stepping.as_secs_f64() / self.made.max(1) as f64;
        let (steps, wall) = (console::counted(self.steps, "step"), self.wall.as_secs_f64());
        let mut text = format!("{steps}, {:.4} s simulated in {wall:.1} s, {ms_per_step:.2} ms per step", self.time);
        if self.had_fluid {
            let [error, peak] = [self.density_error, self.peak_density_error].map(|error| 100.0 * error);
            text += &format!(", density error {error:.2} % (at most {peak:.2} %)");
        }
        text
    }
}

/// Describes a refused step: time, particle, reason, and advice.
pub fn explain(error: StepError, stats: &StepStats, parameters: &Parameters) -> Failure {
    let mut text = format!("the simulation failed at t = {:.6} s, in step {}\n", stats.time, grouped(stats.step + 1));
    if let StepError::Search(error) = error {
        let _ = write!(text, "  why: {error}");
        return Failure::Run(text);
    }
    let bound = match stats.dt_exceeds {
        Some(StepBound { limit, dt }) => format!("the {} allows {} s", limit.label(), Rounded(dt)),
        None => format!("limited by: {}", stats.dt_limit.label()),
    };
    let _ = writeln!(text, "  why: {error} (dt = {} s; {bound})", Rounded(stats.dt));
    let remedies = remedies(stats, parameters).into_iter().zip(std::iter::once("  try:").chain(std::iter::repeat("      ")));
    let lines = remedies
        .map(|(Remedy { effect, key, value, now }, margin)| format!("{margin} {effect}: --set {key}={value} (now {now})"));
    text.push_str(&lines.collect::<Vec<_>>().join("\n"));
    Failure::Run(text)
}
