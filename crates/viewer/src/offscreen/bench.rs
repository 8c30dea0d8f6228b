//! `sph bench --render`: milliseconds of each pass of a picture, and the cost of 100,000 particles as spheres beside that of the simplest
//! instanced quads.

use super::render::size;
use super::{OffscreenRenderer, Surfaces};
use clap::Args;
use glam::{UVec3, Vec3};
use serde_json::{Value, json};
use sph_commands::simulate::{Interrupt, Simulator};
use sph_commands::{Failure, bench, console};
use sph_io::{Look, Scene};
use sph_render::camera::Camera;
use sph_render::{
    Frame, Gpu, PassClock, PassTime, PictureOptions, ReadError, Renderer, Stopwatch, Subject, Yardstick, drawn_look,
};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Particles of the comparison along x, y and z: 100,000 in all.
const COUNTS: UVec3 = UVec3::new(50, 40, 50);

/// Pictures drawn before the measured ones: the first compile pipelines and allocate.
const WARM_UP: usize = 2;

/// Arguments of a benchmark of neighbour searches. The arguments of pictures name them too: clap forgives a missing `--render` beside
/// one of them.
const OF_SEARCHES: [&str; 7] = ["structures", "movers", "trace", "plot", "steps", "result", "compare"];

/// Arguments of `sph bench --render`.
#[derive(Clone, Debug, Args)]
pub struct RenderArgs {
    /// Measure pictures: milliseconds of each pass, and 100,000 spheres compared with the simplest instanced quads
    #[arg(long, conflicts_with_all = OF_SEARCHES)]
    pub render: bool,
    /// With --render: pictures to measure of each kind
    #[arg(long, value_name = "N", default_value_t = 20, requires = "render", conflicts_with_all = OF_SEARCHES, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pictures: u32,
    /// With --render: width and height of a picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", requires = "render", conflicts_with_all = OF_SEARCHES, value_parser = size)]
    size: [u32; 2],
    /// With --render: look of the fluid; can be repeated
    #[arg(long, value_name = "LOOK", default_value = "spheres", requires = "render", conflicts_with_all = OF_SEARCHES)]
    look: Vec<Look>,
}

/// Arguments of `sph bench`: of a step and of pictures.
#[derive(Clone, Debug, Args)]
// Each group of arguments needs a name of its own, which clap takes from the type.
#[group(id = "steps_and_pictures")]
pub struct Options {
    #[command(flatten)]
    steps: bench::Options,
    #[command(flatten)]
    pictures: RenderArgs,
}

/// Executes `sph bench`, of pictures if `--render` is given.
///
/// # Errors
/// If the scene cannot be used, there is no GPU driver, the simulation failed, or nothing was measured.
pub fn execute(Options { steps, pictures }: &Options) -> Result<(), Failure> {
    if !pictures.render {
        return bench::execute(steps);
    }
    let interrupt = Interrupt::install()?;
    let (scene, simulator) = steps.warmed_up(interrupt)?;
    let report = measure(pictures, &scene, &simulator, interrupt)?;
    steps.print(|| report.json(), || report.table())
}

/// Times of several pictures of one kind.
pub struct Measured {
    name: String,
    /// Look that was asked for, if the scene is drawn in another one.
    asked: Option<Look>,
    particles: usize,
    /// Times of the passes of each picture, in the same order in all.
    pictures: Vec<Vec<PassTime>>,
}

/// Times of all kinds of pictures.
pub struct Report {
    adapter: String,
    clock: PassClock,
    size: [u32; 2],
    looks: Vec<Measured>,
    spheres: Measured,
    quads: Measured,
}

/// Measures pictures of the present state of `simulator`, and those of 100,000 particles.
///
/// # Errors
/// If there is no GPU driver, a look cannot be drawn, or the run was interrupted.
pub fn measure(options: &RenderArgs, scene: &Scene, simulator: &Simulator, interrupt: Interrupt) -> Result<Report, Failure> {
    let RenderArgs { pictures, size, look, .. } = options;
    let count = *pictures as usize;
    let mut looks = Vec::new();
    for &look in look {
        let surfaces = Surfaces::for_look(Some(look), scene, None)?;
        let mut renderer = OffscreenRenderer::new(scene, *size, None, Some(look), (None, surfaces), PictureOptions::default())?;
        let view = simulator.engine().view();
        let pool = simulator.pool();
        renderer.prepare(&view, &pool)?;
        let times = repeat(count, interrupt, || {
            // The ellipsoids of water are computed anew for each picture.
            let is_water = renderer.look().look == Look::Water;
            let start = Instant::now();
            if is_water {
                renderer.prepare(&view, &pool)?;
            }
            let ellipsoids = PassTime { pass: "ellipsoids", time: start.elapsed() };
            let passes = renderer.time(&view)?;
            Ok(Some(ellipsoids).filter(|_| is_water).into_iter().chain(passes).collect())
        })?;
        let dimensions = scene.setup.discretization.dimensions;
        let drawn = drawn_look(look, Subject { dimensions, transparent: false, particles: false }).look;
        let (name, asked) = (drawn.name().to_owned(), Some(look).filter(|&look| look != drawn));
        looks.push(Measured { name, asked, particles: view.particles.len(), pictures: times });
    }
    let gpu = Gpu::headless().map_err(|error| Failure::Input(error.to_string()))?;
    let [spheres, quads] = compare(&gpu, *size, count, interrupt)?;
    let clock = Stopwatch::new(&gpu).clock();
    Ok(Report { adapter: gpu.description(), clock, size: *size, looks, spheres, quads })
}

/// The same particles as spheres and as quads, in turns, so that a machine that slows down slows both.
fn compare(gpu: &Gpu, size: [u32; 2], count: usize, interrupt: Interrupt) -> Result<[Measured; 2], Failure> {
    let spacing = 0.02;
    let extent = COUNTS.as_vec3() * spacing;
    let place = |index: u32| {
        let at = UVec3::new(index % COUNTS.x, index / COUNTS.x % COUNTS.y, index / (COUNTS.x * COUNTS.y));
        (at.as_vec3() + 0.5) * spacing
    };
    let positions: Vec<Vec3> = (0..COUNTS.element_product()).map(place).collect();
    let values: Vec<f32> = positions.iter().map(|position| position.y / extent.y).collect();
    let camera = Camera::frame(Vec3::ZERO, extent, size[0] as f32 / size[1] as f32);
    let boxes = [(Vec3::ZERO, extent)];
    let spheres = Frame::new(&positions, 0.5 * spacing, &camera);
    let frame = Frame { values: &values, boxes: &boxes, show_boxes: false, ..spheres };
    let (mut renderer, mut yardstick) = (Renderer::new(gpu), Yardstick::new(gpu, size));
    let (mut spheres, mut quads) = (Vec::new(), Vec::new());
    repeat(count, interrupt, || {
        let is_sphere = |time: &PassTime| matches!(time.pass, "prepare" | "particles");
        spheres.push(renderer.time(gpu, size, &frame).map_err(unreadable)?.into_iter().filter(is_sphere).collect());
        quads.push(yardstick.time(gpu, &frame).map_err(unreadable)?.to_vec());
        Ok(())
    })?;
    let measured = |name: &str, mut pictures: Vec<Vec<PassTime>>| {
        pictures.drain(..WARM_UP);
        Measured { name: name.to_owned(), asked: None, particles: positions.len(), pictures }
    };
    Ok([measured("spheres", spheres), measured("instanced quads", quads)])
}

/// Draws `count` pictures after the warm-up.
fn repeat<T>(count: usize, interrupt: Interrupt, mut draw: impl FnMut() -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let mut all = Vec::with_capacity(count);
    for number in 0..WARM_UP + count {
        if interrupt.requested() {
            return Err(Failure::Run("interrupted before every picture was measured".to_owned()));
        }
        let drawn = draw()?;
        if number >= WARM_UP {
            all.push(drawn);
        }
    }
    Ok(all)
}

fn unreadable(error: ReadError) -> Failure {
    Failure::Run(error.to_string())
}

impl Measured {
    /// Names of the passes with the sorted times of each, and those of whole pictures, ms.
    fn rows(&self) -> Vec<(&str, Vec<f64>)> {
        let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
        let sorted = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times
        };
        let passes = self.pictures.first().map_or(&[][..], Vec::as_slice);
        let column = |pass: usize| self.pictures.iter().map(|times| milliseconds(times[pass].time)).collect();
        let mut rows: Vec<_> = passes.iter().enumerate().map(|(index, time)| (time.pass, sorted(column(index)))).collect();
        let whole = self.pictures.iter().map(|times| times.iter().map(|time| milliseconds(time.time)).sum()).collect();
        rows.push(("picture", sorted(whole)));
        rows
    }

    /// Fastest whole picture, ms: the measure that other programs on the machine disturb least.
    fn fastest(&self) -> f64 {
        self.rows().last().map_or(0.0, |(_, times)| times[0])
    }

    fn table(&self) -> String {
        let asked = self.asked.map(|look| format!(" (instead of {}, which needs three dimensions)", look.name()));
        let particles = console::counted(self.particles as u64, "particle");
        let mut text = format!("\n{}{}, {particles}\n", self.name, asked.unwrap_or_default());
        let _ = writeln!(text, "{:<12}{:>10}{:>12}{:>10}", "pass", "median ms", "fastest ms", "p90 ms");
        for (name, times) in self.rows() {
            let at = |rank: f64| times[(rank * (times.len() - 1) as f64).round() as usize];
            let _ = writeln!(text, "{name:<12}{:>10.3}{:>12.3}{:>10.3}", at(0.5), at(0.0), at(0.9));
        }
        text
    }

    fn json(&self) -> Value {
        let passes = self.rows().into_iter().map(|(name, times)| {
            let cost = json!({ "median_ms": times[times.len() / 2], "fastest_ms": times[0] });
            (name.to_owned(), cost)
        });
        json!({ "look": self.name, "particles": self.particles, "passes": passes.collect::<serde_json::Map<_, _>>() })
    }
}

impl Report {
    fn ratio(&self) -> f64 {
        self.spheres.fastest() / self.quads.fastest().max(1e-9)
    }

    fn clock(&self) -> &'static str {
        match self.clock {
            PassClock::Device => "timestamps of the device; \"prepare\" and \"upload\" by the processor's clock",
            PassClock::Processor => "the processor's clock around submission and wait",
        }
    }

    /// The report for people.
    pub fn table(&self) -> String {
        let [width, height] = self.size;
        let mut text = format!("drawn with {}, {width}x{height} pixels\ntimes: {}\n", self.adapter, self.clock());
        for measured in self.looks.iter().chain([&self.spheres, &self.quads]) {
            text += &measured.table();
        }
        let _ = writeln!(
            text,
            "\n{} as spheres take {:.2} times as long as the simplest instanced quads (fastest of each)",
            console::counted(self.spheres.particles as u64, "particle"),
            self.ratio()
        );
        text
    }

    /// The report for programs.
    pub fn json(&self) -> Value {
        json!({
            "adapter": self.adapter,
            "clock": match self.clock { PassClock::Device => "device", PassClock::Processor => "processor" },
            "size": self.size,
            "looks": self.looks.iter().map(Measured::json).collect::<Vec<_>>(),
            "spheres": self.spheres.json(),
            "quads": self.quads.json(),
            "spheres_over_quads": self.ratio(),
        })
    }
}
