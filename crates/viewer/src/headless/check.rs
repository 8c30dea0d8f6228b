//! `sph check`: reads scene files and reports for each if it can be simulated.

use super::arguments::OverrideArgs;
use super::{Failure, console};
use crate::scenes;
use clap::Args;
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

/// Executes `sph check`: a line on standard output for every valid scene, a report on standard error for every other.
///
/// # Errors
/// If a scene cannot be used.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scenes, overrides } = options;
    let mut all_valid = true;
    for path in scenes {
        match scenes::open(Some(path), &overrides.overrides) {
            Ok(scene) => console::print(&format!("{}: {}", path.display(), describe(&scene)))?,
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
