//! `sph check`: reads scene files and reports for each if it can be simulated, of what it consists, what a run would take, and what in it
//! is likely not meant.

mod counts;
mod forecast;

use crate::headless::arguments::OverrideArgs;
use crate::headless::{Failure, console};
use crate::scenes;
use clap::Args;
use sph_core::Dimensions;
use sph_core::parameters::{Parameter, Parameters};
use sph_io::Scene;
use std::path::PathBuf;

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
                counts::lines(&scene).iter().try_for_each(|line| console::print(line))?;
                console::print(&forecast::line(&scene))?;
                curves(&scene).try_for_each(|line| console::print(&line))?;
                bodies(&scene).try_for_each(|line| console::print(&line))?;
                let remarks =
                    scene.remarks.iter().cloned().chain(scene.setup.review().into_iter().map(|remark| remark.to_string()));
                remarks.map(|remark| format!("  remark: {remark}")).try_for_each(|line| console::print(&line))?;
                forecast::warning(&scene).map_or(Ok(()), |line| console::print(&line))?;
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
    let (fluid, walls) = (counts.fluid, counts.boundary);
    format!("ok: {dimensions}D, {fluid} fluid and at most {walls} boundary particles, {} s", scene.duration)
}

/// Range of each parameter that changes over time, and its times.
fn curves(scene: &Scene) -> impl Iterator<Item = String> {
    scene.setup.curves.iter().map(|curve| {
        let Parameter { key, unit, .. } = Parameters::entry(curve.key());
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let ends = [curve.points().first(), curve.points().last()].into_iter().flatten();
        let ends: Vec<String> = ends.map(|(time, value)| format!("{value}{unit} at {time} s")).collect();
        format!("  {key} on a curve of {} points, from {}", curve.points().len(), ends.join(" to "))
    })
}

/// Mass of each body, and moments of inertia about its centre.
fn bodies(scene: &Scene) -> impl Iterator<Item = String> {
    let dimensions = scene.setup.discretization.dimensions;
    scene.setup.bodies.iter().enumerate().map(move |(index, body)| {
        let inertia = body.inertia(dimensions);
        let [x, y, z] = [0, 1, 2].map(|axis| rounded(inertia.col(axis)[axis]));
        let mass = rounded(body.mass(dimensions));
        let name = counts::body_name(scene, index);
        let moves = if body.dynamics.is_some() { ", moves by forces" } else { "" };
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
