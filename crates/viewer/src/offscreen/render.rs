//! The command `sph render`: its arguments and execution, the colours of its pictures, and where they go.

use std::path::{Path, PathBuf};

use super::grid::{Cut, GridOptions, coloring, cut};
use super::{Angles, OffscreenRenderer, Surfaces};
use clap::Args;
use sph_commands::arguments::{SceneArgs, ThreadArgs, positive};
use sph_commands::output::Claims;
use sph_commands::simulate::{Goal, Interrupt, Progress, Schedule, Simulator, announce};
use sph_commands::{Failure, console, scenes};
use sph_core::parameters::Choice;
use sph_io::export::surface::SurfaceSettings;
use sph_io::{ClipPlane, ColorField, ColorMapName, FrameFiles, Look, MAX_COLOR_END, PointColors, SolidStyle, View, grouped};
use sph_render::film::{self, PictureSink, VideoFormat};
use sph_render::grid_boxes::CellColoring;
use sph_render::{MOST_PIXELS, Picture, PictureOptions};

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
    #[arg(long, alias = "duration", value_name = "SECONDS", allow_negative_numbers = true, value_parser = positive)]
    until: Option<f64>,
    /// Degrees from the front (positive moves the eye towards +x), degrees above the horizon, and distance in metres from the
    /// centre of the scene (without it, the whole scene fits into the picture) [default: the scene's view]
    #[arg(long, value_name = "YAW,PITCH[,DISTANCE]", allow_hyphen_values = true, value_parser = camera)]
    camera: Option<Angles>,
    /// Keyframes of the camera, such as "0:30,20; 1.5:120,35,2": times in seconds, with angles and distances as for --camera
    #[arg(long, value_name = "T:YAW,PITCH[,DISTANCE];…", allow_hyphen_values = true, value_parser = keyframes, conflicts_with = "camera")]
    camera_path: Option<Keyframes>,
    /// Leave out the background
    #[arg(long)]
    transparent: bool,
    /// Draw the colour legend and the simulated time into the pictures
    #[arg(long)]
    legend: bool,
    /// Draw the occupied cells of the grid, coloured by occupancy, bucket or collision
    #[arg(long, value_name = "COLORING", value_parser = coloring)]
    grid: Option<CellColoring>,
    /// With --grid: show only the layer of cells at this position, in metres, and the particles in it, such as z=0.25
    #[arg(long, value_name = "AXIS=POSITION", requires = "grid", value_parser = cut)]
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
    let mut renderer = OffscreenRenderer::new(&scene, *size, *camera, look, (grid, surfaces), pictures)?;
    renderer.set_path(camera_path.as_ref().map(|keyframes| super::camera_path(&scene, *size, keyframes)));
    let mut simulator = interrupt.while_setting_up(|| Simulator::new(&scene, *threads))?;
    film.open(*size, *fps)?;
    announce(&scene, &simulator);
    console::say(&format!("drawing with {}", renderer.description()));
    let drawn = renderer.look();
    if let Some(reason) = drawn.reason {
        console::say(&format!("look: {}. {reason}", drawn.look.name()));
    }

    let end = until.unwrap_or(scene.duration);
    let goal = Goal::Time(end);
    let mut progress = Progress::new(goal);
    let interval = 1.0 / fps;
    if end < interval {
        let suited = rate_for(end);
        let hint = format!("`--fps {suited}` draws {FEW}");
        console::say(&format!(
            "the run of {end} s is shorter than the time between two pictures at {fps} per second: only its start and its end are drawn; {hint}"
        ));
    }
    // A run shorter than that shows its end at least.
    let mut schedule = Schedule::every(interval.min(end));
    let mut pictures = 0u64;
    let pool = simulator.pool();
    let mut outcome = simulator.run(goal, interrupt, |engine, _| {
        progress.update(engine.time(), engine.steps());
        renderer.follow(engine, &pool);
        let Some(number) = schedule.due(engine.time()) else { return Ok(()) };
        renderer.prepare(&engine.view(), &pool)?;
        let picture = renderer.picture(&engine.view())?;
        film.add(&picture, number, pictures == 0)?;
        pictures += 1;
        Ok(())
    });
    progress.finish();
    if let Err(failure) = film.finish() {
        outcome.fail(failure);
    }
    for line in renderer.legend() {
        console::say(&line);
    }
    outcome.conclude(&[format!("{} in {}{}", console::counted(pictures, "picture"), film.names(), schedule.skipped_note())])
}

/// Number of pictures that show a short run as motion.
const FEW: u32 = 20;

/// Pictures per second that show a run of `duration` (s) in [`FEW`] pictures, with one digit.
fn rate_for(duration: f64) -> f64 {
    let rate = f64::from(FEW) / duration;
    let unit = 10f64.powf(rate.log10().floor());
    ((rate / unit).round() * unit).min(MOST_RATE)
}

/// Most pictures per second.
const MOST_RATE: f64 = 10_000.0;

fn frame_rate(text: &str) -> Result<f64, String> {
    match positive(text)? {
        fps if fps <= MOST_RATE => Ok(fps),
        _ => Err(format!("expected at most {MOST_RATE}")),
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
            text.split_once(':').ok_or("expected TIME:YAW,PITCH[,DISTANCE] separated by ;, such as 0:30,20; 2:90,35")?;
        let time = time.trim().parse().ok().filter(|time: &f64| time.is_finite());
        Ok((time.ok_or("expected a time in seconds before the colon")?, camera(angles)?))
    };
    text.split(';').map(keyframe).collect()
}

// Colours of the particles in the pictures of `sph render`, and aids to see inside the fluid.

/// Arguments on colours, aids and solids; each replaces that of the scene's view.
#[derive(Clone, Copy, Debug, Args)]
pub struct ColorArgs {
    /// Quantity that the particles' colours show: speed, density, density_error, pressure, vorticity, spin, neighbors, bucket,
    /// age, id, fluid, body, radius, stretch [default: the scene's view.color]
    #[arg(long, value_name = "QUANTITY", value_parser = choice::<ColorField>)]
    color: Option<ColorField>,
    /// Colour map: water, ember, diverging, viridis, cividis, turbo [default: the one that suits the quantity]
    #[arg(long, value_name = "MAP", value_parser = choice::<ColorMapName>)]
    color_map: Option<ColorMapName>,
    /// Values at the two ends of the colour map, in the unit of the quantity [default: from the scene]
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, value_parser = range)]
    range: Option<[f32; 2]>,
    /// Show only the fluid below this plane, in metres, such as z=0.25; with `,flip` appended, only the fluid above
    #[arg(long, value_name = "AXIS=POSITION", conflicts_with = "slice", value_parser = clip)]
    clip: Option<ClipPlane>,
    /// Draw the velocities of an evenly spaced selection of particles as arrows
    #[arg(long)]
    arrows: bool,
    /// Style of the walls: shaded, glass, wireframe, hidden [default: the scene's view.walls, else wireframe]
    #[arg(long, value_name = "STYLE", value_parser = choice::<SolidStyle>)]
    walls: Option<SolidStyle>,
    /// Style of the bodies in three dimensions: shaded, glass, wireframe, hidden [default: the scene's view.bodies, else shaded, or as
    /// particles with --slice]
    #[arg(long, value_name = "STYLE", value_parser = choice::<SolidStyle>)]
    bodies: Option<SolidStyle>,
    /// Colours of cloth and balls: own, quantity [default: the scene's view.point_colors, else the quantity, but for the speed their own, if
    /// they have any]
    #[arg(long, value_name = "COLORS", value_parser = choice::<PointColors>)]
    point_colors: Option<PointColors>,
}

impl ColorArgs {
    /// Puts the arguments that are given in place of those of `view`.
    pub fn apply(self, view: &mut View) {
        if let Some(color) = self.color.filter(|&color| color != view.color) {
            // Ends in another unit.
            *view = View { color, color_map: None, range: None, ..*view };
        }
        view.color_map = self.color_map.or(view.color_map);
        view.range = self.range.or(view.range);
        view.clip = self.clip.or(view.clip);
        view.arrows |= self.arrows;
        view.walls = self.walls.or(view.walls);
        view.bodies = self.bodies.or(view.bodies);
        view.point_colors = self.point_colors.or(view.point_colors);
    }
}

/// Parses a clip plane, `z=0.25` or `z=0.25,flip`.
fn clip(text: &str) -> Result<ClipPlane, String> {
    let (plane, flipped) = text.strip_suffix(",flip").map_or((text, false), |plane| (plane, true));
    let Cut { axis, position } = cut(plane)?;
    Ok(ClipPlane { axis, position, flipped })
}

/// Parses the name of a choice.
fn choice<C: Choice>(text: &str) -> Result<C, String> {
    let names = || C::VALUES.iter().map(|value| value.option().name).collect::<Vec<_>>().join(", ");
    C::by_name(text).ok_or_else(|| format!("expected one of {}", names()))
}

/// Parses a range, `0,2.5`.
fn range(text: &str) -> Result<[f32; 2], String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f32| number.is_finite());
    let ends = text.split_once(',').and_then(|(low, high)| Some([number(low)?, number(high)?]));
    let [low, high] = ends
        .filter(|[low, high]| low < high)
        .ok_or_else(|| "expected LOW,HIGH, the lower number first, such as 0,2.5".to_owned())?;
    if low.abs().max(high.abs()) > MAX_COLOR_END {
        return Err(format!("expected numbers from -{MAX_COLOR_END:e} to {MAX_COLOR_END:e}"));
    }
    Ok([low, high])
}

// Where the pictures of `sph render` go: to numbered files, to a video, or to both.

/// The outputs of a run's pictures.
pub struct Film {
    out: Option<(PathBuf, FrameFiles)>,
    video: Option<(PathBuf, Option<Box<dyn PictureSink>>)>,
}

impl Film {
    /// Claims the outputs of `--out` and `--video`.
    ///
    /// # Errors
    /// If there is none, or one of them would overwrite something else.
    pub fn claim(out: Option<&Path>, video: Option<&Path>, transparent: bool, mut claims: Claims) -> Result<Self, Failure> {
        if out.is_none() && video.is_none() {
            return Err(Failure::Input("give --out DIR for PNG files, --video FILE for a video, or both".to_owned()));
        }
        let out = out.map(|out| (out.to_owned(), FrameFiles::new(out, "png")));
        if let Some((_, frames)) = &out {
            claims.frames("--out", frames)?;
        }
        if let Some(video) = video {
            let format = VideoFormat::of(video).map_err(|error| Failure::Input(format!("--video: {error}")))?;
            if transparent && !format.keeps_transparency() {
                let text = "--transparent: a video has no transparency; give --video a name that ends in .png";
                return Err(Failure::Input(text.to_owned()));
            }
            claims.file("--video", video)?;
        }
        Ok(Self { out, video: video.map(|video| (video.to_owned(), None)) })
    }

    /// Opens the outputs for pictures of `size` pixels, `fps` a second.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    pub fn open(&mut self, size: [u32; 2], fps: f64) -> Result<(), Failure> {
        if let Some((folder, frames)) = &self.out {
            sph_io::make_folder(folder).map_err(|error| Failure::output("into", folder, &error))?;
            frames.remove_abandoned();
        }
        if let Some((path, sink)) = &mut self.video {
            let opened = VideoFormat::of(path).map_err(std::io::Error::other);
            let opened = opened.and_then(|format| film::open(format, path, size, fps));
            *sink = Some(opened.map_err(|error| Failure::output("the video", path, &error))?);
        }
        Ok(())
    }

    /// Writes the picture `number`; the `first` replaces those of an earlier run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, picture: &Picture, number: u64, first: bool) -> Result<(), Failure> {
        if let Some((folder, frames)) = &self.out {
            let path = folder.join(format!("frame_{number:04}.png"));
            picture.save_png(&path).map_err(|error| Failure::output("the picture", &path, &error))?;
            if first {
                sph_commands::output::replace_later(frames, number)?;
            }
        }
        if let Some((path, Some(sink))) = &mut self.video {
            sink.add(picture).map_err(|error| Failure::output("the video", path, &error))?;
        }
        Ok(())
    }

    /// Completes the video.
    ///
    /// # Errors
    /// If it cannot be completed.
    pub fn finish(&mut self) -> Result<(), Failure> {
        let Some((path, sink)) = &mut self.video else { return Ok(()) };
        let outcome = sink.take().map_or(Ok(()), |sink| sink.finish().map(drop));
        outcome.map_err(|error| Failure::output("the video", path, &error))
    }

    /// Names of the outputs.
    pub fn names(&self) -> String {
        let out = self.out.iter().map(|(folder, _)| folder);
        let names = out.chain(self.video.iter().map(|(path, _)| path)).map(|path| path.display().to_string());
        names.collect::<Vec<_>>().join(" and ")
    }
}

/// Parses the size of a picture, `1280x720`.
///
/// # Errors
/// If `text` is not one.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=MOST_PIXELS).contains(side));
    let sides = text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| format!("expected WIDTHxHEIGHT, each 1 to {} pixels, such as 1280x720", grouped(MOST_PIXELS.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("1280x720"), Ok([1280, 720]));
        for bad in ["1280", "x", "0x10", "10x-1", "1e3x10", "99999x1", "16385x1"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        // The guide names the largest.
        let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/pictures.md"));
        let most = format!("any up to {},{:03} pixels", MOST_PIXELS / 1000, MOST_PIXELS % 1000);
        assert!(size(&format!("{MOST_PIXELS}x1")).is_ok() && guide.expect("a page").contains(&most), "{most}");
    }

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

    #[test]
    fn arguments_replace_the_view_of_the_scene() {
        let scene = View {
            color: ColorField::Pressure,
            color_map: Some(ColorMapName::Turbo),
            range: Some([0.0, 9.0]),
            ..View::default()
        };
        let applied = |color, color_map, range| {
            let mut view = scene;
            ColorArgs { color, color_map, range, clip: None, arrows: false, walls: None, bodies: None, point_colors: None }
                .apply(&mut view);
            (view.color, view.color_map, view.range)
        };
        assert_eq!(applied(None, None, None), (ColorField::Pressure, Some(ColorMapName::Turbo), Some([0.0, 9.0])));
        assert_eq!(applied(Some(ColorField::Speed), None, None), (ColorField::Speed, None, None));
        let viridis = Some(ColorMapName::Viridis);
        assert_eq!(applied(Some(ColorField::Pressure), viridis, None), (ColorField::Pressure, viridis, Some([0.0, 9.0])));
    }

    #[test]
    fn ranges_and_names() {
        assert_eq!(range("-1, 2.5"), Ok([-1.0, 2.5]));
        for bad in ["", "1", "2,1", "1,1", "a,b", "0,inf", "1,2,3", "0,1e20"] {
            assert!(range(bad).is_err(), "{bad}");
        }
        assert_eq!(clip("y=-1"), Ok(ClipPlane { axis: 1, position: -1.0, flipped: false }));
        assert_eq!(clip("x=0.5,flip"), Ok(ClipPlane { axis: 0, position: 0.5, flipped: true }));
        assert!(clip("x=0.5,flop").is_err() && clip("flip").is_err());
        assert_eq!(choice::<ColorMapName>("cividis"), Ok(ColorMapName::Cividis));
        assert!(choice::<ColorField>("colour").unwrap_err().contains("pressure"));
    }
}
