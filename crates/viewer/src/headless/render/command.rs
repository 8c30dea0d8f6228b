//! The command `sph render`: its arguments and execution.

use super::grid_picture::{self, Cut, GridOptions};
use super::look::{Look, Surfaces};
use super::studio::{Angles, Studio};
use crate::grid_boxes::CellColoring;
use crate::headless::arguments::{SceneArgs, ThreadArgs, positive, size};
use crate::headless::output::{Claims, replace_later};
use crate::headless::simulate::{Goal, Interrupt, Progress, Schedule, Simulator, announce};
use crate::headless::{Failure, console};
use crate::scenes;
use clap::Args;
use sph_io::FrameFiles;
use sph_io::export::surface::SurfaceSettings;
use std::path::PathBuf;

/// Arguments of `sph render`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Folder for the pictures, frame_0000.png and so on; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Width and height of a picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Pictures per second of simulated time; the first shows the initial state
    #[arg(long, value_name = "N", default_value = "10", allow_negative_numbers = true, value_parser = frame_rate)]
    fps: f64,
    /// Simulated time at which to stop [default: the scene's run.duration]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = positive)]
    until: Option<f64>,
    /// Degrees from the front (positive moves the eye towards +x), degrees above the horizon, and distance in metres from the
    /// centre of the scene (default: everything is in the picture) [default: the scene's view]
    #[arg(long, value_name = "YAW,PITCH[,DISTANCE]", allow_hyphen_values = true, value_parser = camera)]
    camera: Option<Angles>,
    /// Draw the occupied cells of the grid, coloured by occupancy, bucket or collision
    #[arg(long, value_name = "COLORING", value_parser = grid_picture::coloring)]
    grid: Option<CellColoring>,
    /// With --grid: show only the layer of cells at this position, in metres, and the particles in it, such as z=0.25
    #[arg(long, value_name = "AXIS=POSITION", requires = "grid", value_parser = grid_picture::cut)]
    slice: Option<Cut>,
    /// Look of the fluid
    #[arg(long, value_name = "LOOK", default_value = "spheres")]
    look: Look,
    /// Settings of the surfaces of --look surface, as for sph run
    #[arg(long, value_name = "SETTINGS")]
    surface: Option<SurfaceSettings>,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Executes `sph render`.
///
/// # Errors
/// If the scene cannot be used, there is no GPU driver, the simulation failed, or a picture could not be written.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scene, out, size, fps, until, camera, grid, slice, look, surface, threads } = options;
    let interrupt = Interrupt::install()?;
    let scene = interrupt.while_setting_up(|| scenes::open(scene.scene.as_deref(), &scene.overrides.overrides))?;
    let frames = FrameFiles::new(out, "png");
    Claims::of_inputs(&scene).frames("--out", &frames)?;
    let grid = grid.map(|coloring| GridOptions { coloring, cut: *slice });
    let surfaces = Surfaces::for_look(*look, &scene, *surface)?;
    let mut studio = Studio::new(&scene, *size, *camera, (grid, surfaces))?;
    let mut simulator = interrupt.while_setting_up(|| Simulator::new(&scene, *threads))?;
    sph_io::make_folder(out).map_err(|error| Failure::output("into", out, &error))?;
    frames.remove_abandoned();
    announce(&scene, &simulator);
    console::say(&format!("drawing with {}", studio.description()));

    let goal = Goal::Time(until.unwrap_or(scene.duration));
    let mut progress = Progress::new(goal);
    let mut schedule = Schedule::every(1.0 / fps);
    let mut pictures = 0u64;
    let pool = simulator.pool();
    let outcome = simulator.run(goal, interrupt, |engine, _| {
        progress.update(engine.time(), engine.steps());
        let Some(number) = schedule.due(engine.time()) else { return Ok(()) };
        let path = out.join(format!("frame_{number:04}.png"));
        studio.prepare(&engine.view(), &pool)?;
        let picture = studio.picture(&engine.view())?;
        picture.save_png(&path).map_err(|error| Failure::output("the picture", &path, &error))?;
        if pictures == 0 {
            replace_later(&frames, number)?;
        }
        pictures += 1;
        Ok(())
    });
    progress.finish();
    for line in studio.legend() {
        console::say(&line);
    }
    outcome.conclude(&[format!("{} in {}{}", console::counted(pictures, "picture"), out.display(), schedule.skipped_note())])
}

fn frame_rate(text: &str) -> Result<f64, String> {
    match positive(text)? {
        fps if fps <= 10_000.0 => Ok(fps),
        _ => Err("expected at most 10000".to_owned()),
    }
}

/// Parses a camera, `30,20` or `30,20,2.5`.
fn camera(text: &str) -> Result<Angles, String> {
    let numbers: Option<Vec<f32>> =
        text.split(',').map(|number| number.trim().parse().ok().filter(|n: &f32| n.is_finite())).collect();
    let (yaw, pitch, distance) = match numbers.as_deref() {
        Some(&[yaw, pitch]) => (yaw, pitch, None),
        Some(&[yaw, pitch, distance]) => (yaw, pitch, Some(distance)),
        _ => return Err("expected YAW,PITCH or YAW,PITCH,DISTANCE, such as 30,20,2.5".to_owned()),
    };
    // Excludes the poles, at which the up direction is undefined.
    if pitch.abs() >= 89.0 {
        return Err("the second number, the angle above the horizon, must be within 89 degrees".to_owned());
    }
    if distance.is_some_and(|distance| distance <= 0.0) {
        return Err("the third number, the distance, must be positive".to_owned());
    }
    Ok(Angles { yaw: yaw.to_radians(), pitch: pitch.to_radians(), distance })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras() {
        let angles = camera("-90, 45,2").unwrap();
        assert!((angles.yaw + std::f32::consts::FRAC_PI_2).abs() < 1e-6, "{angles:?}");
        assert!((angles.pitch - std::f32::consts::FRAC_PI_4).abs() < 1e-6, "{angles:?}");
        assert_eq!(angles.distance, Some(2.0));
        assert_eq!(camera("0,0").unwrap().distance, None);
        for bad in ["", "1", "0,90", "0,0,0", "0,0,-1", "a,b", "nan,0", "1,2,3,4"] {
            assert!(camera(bad).is_err(), "{bad}");
        }
    }
}
