//! The command `sph render`: its arguments and execution.

use super::coloring::ColorArgs;
use super::film::Film;
use super::grid_picture::{self, Cut, GridOptions};
use super::studio::{self, Angles, PictureOptions, Studio};
use super::surfaces::Surfaces;
use crate::grid_boxes::CellColoring;
use crate::headless::arguments::{SceneArgs, ThreadArgs, positive, size};
use crate::headless::output::Claims;
use crate::headless::simulate::{Goal, Interrupt, Progress, Schedule, Simulator, announce};
use crate::headless::{Failure, console};
use crate::scenes;
use clap::Args;
use sph_io::Look;
use sph_io::export::surface::SurfaceSettings;
use std::path::PathBuf;

/// Arguments of `sph render`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Folder for the pictures, frame_0000.png and so on; created if missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the pictures to a video: an animated PNG if the name ends in .png; .mp4, .webm, .mkv, .mov or .avi through ffmpeg
    #[arg(long, value_name = "FILE")]
    video: Option<PathBuf>,
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
    /// Keyframes of the camera, such as "0:30,20; 1.5:120,35,2": times in seconds, with angles and distances as for --camera
    #[arg(long, value_name = "T:YAW,PITCH[,DISTANCE];…", allow_hyphen_values = true, value_parser = keyframes, conflicts_with = "camera")]
    camera_path: Option<Keyframes>,
    /// Leave out the background: only what is in the scene covers the picture
    #[arg(long)]
    transparent: bool,
    /// Burn the legend of the colours and the simulated time into the pictures
    #[arg(long)]
    legend: bool,
    /// Draw the occupied cells of the grid, coloured by occupancy, bucket or collision
    #[arg(long, value_name = "COLORING", value_parser = grid_picture::coloring)]
    grid: Option<CellColoring>,
    /// With --grid: show only the layer of cells at this position, in metres, and the particles in it, such as z=0.25
    #[arg(long, value_name = "AXIS=POSITION", requires = "grid", value_parser = grid_picture::cut)]
    slice: Option<Cut>,
    /// Look of the fluid: water, spheres, points or surface; in two dimensions water is drawn as spheres [default: the
    /// scene's, else water, or spheres on a software driver]
    #[arg(long, value_name = "LOOK")]
    look: Option<Look>,
    /// Settings of the surfaces of --look surface, as for sph run
    #[arg(long, value_name = "SETTINGS")]
    surface: Option<SurfaceSettings>,
    #[command(flatten)]
    colors: ColorArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Keyframes of a camera. A separate type, because clap treats a `Vec` as an option given several times.
type Keyframes = std::sync::Arc<[(f64, Angles)]>;

/// Executes `sph render`.
///
/// # Errors
/// If the scene cannot be used, there is no GPU driver, the simulation failed, or a picture could not be written.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scene, out, video, size, fps, until, camera, camera_path, transparent, .. } = options;
    let Options { legend, grid, slice, look, surface, colors, threads, .. } = options;
    let interrupt = Interrupt::install()?;
    let mut scene = interrupt.while_setting_up(|| scenes::open(scene.scene.as_deref(), &scene.overrides.overrides))?;
    colors.apply(&mut scene.view);
    let mut film = Film::claim(out.as_deref(), video.as_deref(), *transparent, Claims::of_inputs(&scene))?;
    let grid = grid.map(|coloring| GridOptions { coloring, cut: *slice });
    let look = look.or(scene.view.look);
    let surfaces = Surfaces::for_look(look, &scene, *surface)?;
    let pictures = PictureOptions { transparent: *transparent, captions: *legend };
    let mut studio = Studio::new(&scene, *size, *camera, look, (grid, surfaces), pictures)?;
    studio.set_path(camera_path.as_ref().map(|keyframes| studio::camera_path(&scene, *size, keyframes)));
    let mut simulator = interrupt.while_setting_up(|| Simulator::new(&scene, *threads))?;
    film.open(*size, *fps)?;
    announce(&scene, &simulator);
    console::say(&format!("drawing with {}", studio.description()));
    let drawn = studio.look();
    if let Some(reason) = drawn.reason {
        console::say(&format!("look: {}. {reason}", drawn.look.name()));
    }

    let goal = Goal::Time(until.unwrap_or(scene.duration));
    let mut progress = Progress::new(goal);
    let mut schedule = Schedule::every(1.0 / fps);
    let mut pictures = 0u64;
    let pool = simulator.pool();
    let mut outcome = simulator.run(goal, interrupt, |engine, _| {
        progress.update(engine.time(), engine.steps());
        studio.follow(engine, &pool);
        let Some(number) = schedule.due(engine.time()) else { return Ok(()) };
        studio.prepare(&engine.view(), &pool)?;
        let picture = studio.picture(&engine.view())?;
        film.add(&picture, number, pictures == 0)?;
        pictures += 1;
        Ok(())
    });
    progress.finish();
    if let Err(failure) = film.finish() {
        outcome.fail(failure);
    }
    for line in studio.legend() {
        console::say(&line);
    }
    outcome.conclude(&[format!("{} in {}{}", console::counted(pictures, "picture"), film.names(), schedule.skipped_note())])
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

/// Parses keyframes of a camera, `0:30,20; 1.5:120,35,2`.
fn keyframes(text: &str) -> Result<Keyframes, String> {
    let keyframe = |text: &str| {
        let (time, angles) =
            text.split_once(':').ok_or("expected TIME:YAW,PITCH[,DISTANCE] with ; between, such as 0:30,20; 2:90,35")?;
        let time = time.trim().parse().ok().filter(|time: &f64| time.is_finite());
        Ok((time.ok_or("expected a time in seconds before the colon")?, camera(angles)?))
    };
    text.split(';').map(keyframe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camera_paths() {
        let path = keyframes("0:0,10; 1.5: 90,-20,3").unwrap();
        assert_eq!((path.len(), path[1].0, path[1].1.distance), (2, 1.5, Some(3.0)));
        for bad in ["", "30,20", "0:30", "x:30,20", "0:30,20;", "nan:0,0", "0:30,20 2:1,1"] {
            assert!(keyframes(bad).is_err(), "{bad}");
        }
    }

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
