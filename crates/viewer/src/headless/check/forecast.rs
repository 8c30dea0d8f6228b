//! Memory, time step, steps and computing time of a run, before it starts.

use sph_core::{TimeStepLimit, ViscosityModel};
use sph_io::{Scene, bytes_in_words, grouped};

const DAY: f64 = 86_400.0;

/// A line on the memory and the steps of a run.
pub fn line(scene: &Scene) -> String {
    let forecast = scene.setup.forecast();
    let memory = bytes_in_words(scene.setup.memory_estimate());
    let (dt, limit, steps) = (forecast.step.dt, forecast.step.limit.name(), count(forecast.steps(scene.duration)));
    let (time, cores) = (duration(seconds(scene)), in_words(cores()));
    format!("  run: about {memory} of memory, {steps} steps of {dt:.1e} s (limit: {limit}), {time} on {cores}")
}

/// A warning of a run of more than a day, with what would shorten it.
pub fn warning(scene: &Scene) -> Option<String> {
    let seconds = seconds(scene);
    let advice = || match scene.setup.forecast().step.limit {
        TimeStepLimit::Viscous if scene.setup.parameters.fluid.viscosity_model != ViscosityModel::Implicit => {
            "explicit viscosity sets the time step: `fluid.viscosity_model = \"implicit\"` allows longer ones"
        }
        TimeStepLimit::Sound => {
            "sound sets the time step: a lower `fluid.sound_speed`, or `solver.method = \"dfsph\"`, allows longer ones"
        }
        TimeStepLimit::Capillary => "surface tension sets the time step: a larger `particles.spacing` allows longer ones",
        TimeStepLimit::Fixed | TimeStepLimit::Maximum => "the scene's own `time_step` keeps the steps short",
        _ => "a larger `particles.spacing` means fewer particles and longer steps",
    };
    (seconds > DAY).then(|| format!("  warning: the run would take {}; {}", duration(seconds), advice()))
}

/// Computing time of the run on all cores, s.
fn seconds(scene: &Scene) -> f64 {
    let forecast = scene.setup.forecast();
    forecast.steps(scene.duration) * forecast.seconds_per_step / cores() as f64
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn in_words(cores: usize) -> String {
    if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") }
}

/// A number of steps with two digits.
fn count(steps: f64) -> String {
    if steps < 1e9 {
        let unit = 10f64.powf(steps.max(10.0).log10().floor() - 1.0);
        grouped(((steps / unit).round() * unit) as u64)
    } else {
        format!("{steps:.1e}")
    }
}

/// A length of time in words, in the unit that suits it.
fn duration(seconds: f64) -> String {
    let units = [(1.0, "s"), (60.0, "min"), (3600.0, "h"), (DAY, "days"), (365.25 * DAY, "years")];
    let (unit, name) = units.into_iter().rev().find(|&(unit, _)| seconds >= 2.0 * unit).unwrap_or(units[0]);
    match seconds / unit {
        value if value < 1.0 => "less than 1 s".to_owned(),
        value if value < 1e5 => format!("{value:.0} {name}"),
        value => format!("{value:.0e} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_few_digits() {
        assert_eq!([5.0, 78.0, 1234.0, 56_789_012.0, 3e12].map(count), ["5", "78", "1,200", "57,000,000", "3.0e12"]);
        let times = [0.2, 90.0, 7300.0, 3.0 * DAY, 1e9].map(duration);
        assert_eq!(times, ["less than 1 s", "90 s", "2 h", "3 days", "32 years"]);
    }
}
