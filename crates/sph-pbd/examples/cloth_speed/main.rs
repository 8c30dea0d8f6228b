//! Speed of cloth with self-collision: the strip of Ten Minute Physics 15, 30 × 200 vertices that fall and pile up on a floor, for five seconds.
//!
//! `cargo run --release -p sph-pbd --example cloth_speed` prints the vertices a millisecond of this crate on one and two threads, and of the
//! published algorithm (Muller2022a) in two ports of our own: in Rust, and in JavaScript where `node` is installed.

mod published;

use glam::Vec3;
use sph_core::neighbors::AuditPlan;
use sph_core::point_sets::{PointDynamics, PointStep, SolidId, Surface, Surfaces};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Cloths, Grid, usual_grid};
use std::process::Command;
use std::time::Instant;

const FRAMES: usize = 300;
const FRAME: f64 = 1.0 / 60.0;
const COLUMNS: u32 = 200;
const ROWS: u32 = 30;
const SPACING: f32 = 0.01;

/// A floor at height 0.
struct Floor;

impl Surfaces for Floor {
    fn each_near(&self, point: Vec3, reach: f32, _: f32, visit: &mut dyn FnMut(Surface)) {
        if point.y < reach {
            visit(Surface { distance: point.y, normal: Vec3::Y, velocity: Vec3::ZERO, solid: SolidId::Container(0) });
        }
    }

    fn reports_all_surfaces(&self, _: SolidId) -> bool {
        true
    }
}

/// Milliseconds of each frame on `threads` threads, with `substeps` a frame.
fn ours(threads: usize, substeps: f64) -> Vec<f64> {
    let grid = Grid {
        corner: Vec3::new(-0.15, 0.2, 0.0),
        along: SPACING * Vec3::Y,
        across: SPACING * Vec3::X,
        columns: COLUMNS,
        rows: ROWS,
    };
    let mut setup = ClothSetup::grid("strip", &grid);
    setup.thickness = SPACING;
    // A sheet that stands exactly upright has no reason to fall to a side.
    setup.rest_shape = setup.vertices.clone();
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed * 16807 % 2_147_483_647;
        seed as f32 / 2_147_483_647.0
    };
    for vertex in &mut setup.vertices {
        *vertex += 0.001 * SPACING * (2.0 * Vec3::new(random(), random(), random()) - 1.0);
    }
    let sheet = setup.sheet().expect("a valid sheet");
    let vertices = sheet.len();
    let settings = ClothSettings { longest_substep: FRAME / substeps, ..ClothSettings::default() };
    let mut cloths = Cloths::new(vec![sheet], settings);
    let mut sets = cloths.point_sets();
    let grids = [usual_grid(SPACING, vertices)];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let detail = std::env::var("DETAIL").is_ok();
    (0..FRAMES)
        .map(|frame| {
            let step = PointStep {
                time: frame as f64 * FRAME,
                dt: FRAME,
                acceleration: &|_| Vec3::new(0.0, -10.0, 0.0),
                surfaces: &Floor,
                fluid: None,
                impulses: &[],
                grids: &grids,
                hold: None,
                audit: AuditPlan::default(),
            };
            let (report, milliseconds) = pool.install(|| {
                let (started, before) = (Instant::now(), processor_time());
                let report = cloths.advance(&mut sets, &step);
                let wall = 1e3 * started.elapsed().as_secs_f64();
                let used = if threads == 1 { processor_time().zip(before).map(|(now, before)| now - before) } else { None };
                (report, used.unwrap_or(wall))
            });
            if detail && frame % 10 == 0 {
                let search = &report.searches[0];
                println!(
                    "frame {frame}: {milliseconds:.2} ms, build {:?}, query {:?}, radius {:.3}, {} neighbours, {:?}",
                    search.stats.build,
                    search.stats.query,
                    search.radius,
                    search.stats.tally.neighbors,
                    cloths.work()
                );
            }
            milliseconds
        })
        .collect()
}

/// Processor time of this thread so far, ms: what else runs on the machine is no part of it. Linux only.
pub fn processor_time() -> Option<f64> {
    // Leaving the processor brings the count up to date.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(1e-6 * text.split_whitespace().next()?.parse::<f64>().ok()?)
}

fn print(what: &str, mut frames: Vec<f64>) {
    let mean = frames.iter().sum::<f64>() / frames.len() as f64;
    frames.sort_by(f64::total_cmp);
    let (median, worst) = (frames[frames.len() / 2], frames[frames.len() - 1]);
    let vertices = f64::from(COLUMNS * ROWS);
    println!(
        "{what:<44} median {median:7.2} ms/frame ({:6.0} vertices/ms), mean {mean:7.2} ({:6.0}), worst {worst:7.2}",
        vertices / median,
        vertices / mean
    );
}

fn main() {
    print("sph-pbd, 10 substeps, 1 thread", ours(1, 10.0));
    print("sph-pbd, 10 substeps, 2 threads", ours(2, 10.0));
    print("sph-pbd, 16 substeps, 1 thread", ours(1, 16.0));
    print("sph-pbd, 16 substeps, 2 threads", ours(2, 16.0));
    if std::env::var("DETAIL").is_ok() {
        return;
    }
    print("published algorithm in Rust, 10 substeps", published::frames(ROWS as usize, COLUMNS as usize, SPACING, FRAMES));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/cloth_speed/published.js");
    match Command::new("node").args([script, &FRAMES.to_string()]).output() {
        Ok(output) if output.status.success() => {
            println!("published algorithm in JavaScript, 10 substeps {}", String::from_utf8_lossy(&output.stdout).trim());
        }
        _ => println!("published algorithm in JavaScript: node is not installed"),
    }
}
