//! `sph check`: reads scene files and reports for each if it can be simulated.

use super::arguments::OverrideArgs;
use super::{Failure, console};
use crate::scenes;
use clap::Args;
use sph_core::{Dimensions, Setup};
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

/// Executes `sph check`: a line on standard output for every valid scene and for each of its bodies, a report on standard error
/// for every other scene.
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
                bodies(&scene.setup).try_for_each(|line| console::print(&line))?;
                scene.remarks.iter().try_for_each(|remark| console::print(&format!("  remark: {remark}")))?;
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

/// Mass of each body, and moments of inertia about its centre.
fn bodies(setup: &Setup) -> impl Iterator<Item = String> {
    let dimensions = setup.discretization.dimensions;
    setup.bodies.iter().enumerate().map(move |(index, body)| {
        let inertia = body.inertia(dimensions);
        let [x, y, z] = [0, 1, 2].map(|axis| rounded(inertia.col(axis)[axis]));
        let mass = rounded(body.mass(dimensions));
        match dimensions {
            Dimensions::Two => format!("  body {index}: {mass} kg/m, moment of inertia {z} kg m about its centre"),
            Dimensions::Three => {
                format!("  body {index}: {mass} kg, moments of inertia [{x}, {y}, {z}] kg m² about its centre")
            }
        }
    })
}

/// Value with four significant digits.
fn rounded(value: f32) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value.into())
}
