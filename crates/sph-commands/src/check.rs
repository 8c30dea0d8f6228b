//! `sph check`: reads scene files and reports for each if it can be simulated, of what it consists, what a run would take, and what in it
//! is likely not meant.

use std::path::PathBuf;

use super::Failure;
use crate::arguments::OverrideArgs;
use crate::{console, scenes};
use clap::Args;
use sph_core::parameters::{Parameter, Parameters};
use sph_core::{CountsByKind, Dimensions, ParticleCounts, TimeStepLimit, ViscosityModel};
use sph_io::{Scene, bytes_in_words, grouped};

/// Arguments of `sph check`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Scene files
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
}

/// Executes `sph check`: a paragraph on standard output for every valid scene, a report on standard error for every other one.
///
/// # Errors
/// If a scene cannot be used.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scenes, overrides } = options;
    let mut all_valid = true;
    for path in scenes {
        match scenes::open(Some(path), &overrides.overrides) {
            Ok(scene) => {
                console::print(&format!("{}: {}", path.display(), describe(&scene)))?;
                count_lines(&scene).iter().try_for_each(|line| console::print(line))?;
                console::print(&forecast_line(&scene))?;
                curves(&scene).try_for_each(|line| console::print(&line))?;
                bodies(&scene).try_for_each(|line| console::print(&line))?;
                let remarks =
                    scene.remarks.iter().cloned().chain(scene.setup.review().into_iter().map(|remark| remark.to_string()));
                remarks.map(|remark| format!("  remark: {remark}")).try_for_each(|line| console::print(&line))?;
                warning(&scene).map_or(Ok(()), |line| console::print(&line))?;
            }
            Err(error) => {
                all_valid = false;
                console::say(&Failure::from(error).report(console::wants_color()));
            }
        }
    }
    if all_valid { Ok(()) } else { Err(Failure::Reported) }
}

fn describe(scene: &Scene) -> String {
    let counts = scene.setup.particle_counts();
    let dimensions = scene.setup.discretization.dimensions.count();
    let particles = console::particles(counts.fluid, "at most ", counts.boundary, &scene.setup);
    let most = most_particles(scene).fluid;
    let emitted = if most > counts.fluid {
        format!(", with those of the emitters at most {} fluid particles", grouped(most))
    } else {
        String::new()
    };
    format!("ok: {dimensions}D, {particles}{emitted}, {} s of simulated time", scene.duration)
}

/// Range of each parameter that changes over time, and its times.
fn curves(scene: &Scene) -> impl Iterator<Item = String> {
    scene.setup.curves.iter().map(|curve| {
        let Parameter { key, unit, .. } = Parameters::entry(curve.key());
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let ends = [curve.points().first(), curve.points().last()].into_iter().flatten();
        let ends: Vec<String> = ends.map(|(time, value)| format!("{value}{unit} at {time} s")).collect();
        format!("  {key} follows a curve of {} points, from {}", curve.points().len(), ends.join(" to "))
    })
}

/// Mass of each body, and moments of inertia about its centre.
fn bodies(scene: &Scene) -> impl Iterator<Item = String> {
    let dimensions = scene.setup.discretization.dimensions;
    scene.setup.bodies.iter().enumerate().map(move |(index, body)| {
        let inertia = body.inertia(dimensions);
        let [x, y, z] = [0, 1, 2].map(|axis| rounded(inertia.col(axis)[axis]));
        let mass = rounded(body.mass(dimensions));
        let name = body_name(scene, index);
        let moves = if body.dynamics.is_some() { ", moved by forces" } else { "" };
        match dimensions {
            Dimensions::Two => format!("  {name}: {mass} kg/m, moment of inertia {z} kg m about its centre{moves}"),
            Dimensions::Three => {
                format!("  {name}: {mass} kg, moments of inertia [{x}, {y}, {z}] kg m² about its centre{moves}")
            }
        }
    })
}

/// Value with four significant digits.
fn rounded(value: f32) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value.into())
}

// Numbers of particles of a scene by what they are of, where there is more than one fluid or solid.

/// Lines on the particles by kind; none that would repeat the totals.
fn count_lines(scene: &Scene) -> Vec<String> {
    let setup = &scene.setup;
    let CountsByKind { fluids, containers, bodies } = setup.counts_by_kind();
    let mut lines = Vec::new();
    if fluids.len() > 1 {
        let named = setup.fluids.iter().zip(fluids).map(|(fluid, count)| format!("{} {}", grouped(count), fluid.name));
        lines.push(format!("  fluid: {}", named.collect::<Vec<_>>().join(", ")));
    }
    if containers.len() + bodies.len() > 1 {
        let containers =
            containers.iter().enumerate().map(|(index, count)| format!("{} of container {index}", grouped(*count)));
        let bodies =
            bodies.iter().enumerate().map(|(index, count)| format!("{} of {}", grouped(*count), body_name(scene, index)));
        lines.push(format!("  boundary: at most {}", containers.chain(bodies).collect::<Vec<_>>().join(", ")));
    }
    lines
}

/// A body by its number, and its name if it has one.
fn body_name(scene: &Scene, index: usize) -> String {
    match scene.body_names.get(index) {
        Some(Some(name)) => format!("body {index} `{name}`"),
        _ => format!("body {index}"),
    }
}

// Memory, time step, steps and computing time of a run, before it starts.

const DAY: f64 = 86_400.0;

/// A line on the memory and the steps of a run.
fn forecast_line(scene: &Scene) -> String {
    let most = most_particles(scene);
    let forecast = scene.setup.forecast_of(most);
    let memory = bytes_in_words(scene.setup.memory_of(most));
    let (dt, limit, steps) = (forecast.step.dt, forecast.step.limit.label(), count(forecast.steps(scene.duration)));
    let (time, cores) = (duration(seconds(scene)), in_words(cores()));
    format!("  run: about {memory} of memory, {steps} steps of {} s (limit: {limit}), {time} on {cores}", two_digits(dt))
}

/// A warning of a run of more than a day, with what would shorten it.
fn warning(scene: &Scene) -> Option<String> {
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

/// Numbers of particles of the scene when it has most.
fn most_particles(scene: &Scene) -> ParticleCounts {
    scene.setup.most_particles(scene.duration)
}

/// Computing time of the run on all cores, s: at most, as if all particles were there from the start.
fn seconds(scene: &Scene) -> f64 {
    let forecast = scene.setup.forecast_of(most_particles(scene));
    forecast.steps(scene.duration) * forecast.seconds_per_step / cores() as f64
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn in_words(cores: usize) -> String {
    if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") }
}

/// A length of time with two digits: `0.0022`, `8.2e-5`.
fn two_digits(seconds: f32) -> String {
    let text = format!("{seconds:.1e}");
    text.parse().ok().filter(|value: &f64| (1e-4..1e5).contains(value)).map_or(text, |value| value.to_string())
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
        assert_eq!([0.002_21, 1.66e-2, 8.2e-5].map(two_digits), ["0.0022", "0.017", "8.2e-5"]);
        let times = [0.2, 90.0, 7300.0, 3.0 * DAY, 1e9].map(duration);
        assert_eq!(times, ["less than 1 s", "90 s", "2 h", "3 days", "32 years"]);
    }
}
