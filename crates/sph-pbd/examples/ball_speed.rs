//! Speed of balls: steps per second of balls at rest on one and two threads, candidates and time of every structure, and of some at every
//! spacing. The tables in `docs/guide/balls.md` are those of `-- 10000 3`.
//!
//! `cargo run --release -p sph-pbd --example ball_speed [-- BALLS [SECONDS]]`: number of balls, 100,000 unless given, and time for which they fall.

use glam::Vec3;
use rayon::ThreadPoolBuilder;
use sph_core::neighbors::{AuditPlan, GridParameters, HashFunction, SphereSearch, Storage, Structure, Walk};
use sph_core::point_sets::{PointDynamics, PointSet, PointStep, SolidId, Surface, Surfaces};
use sph_pbd::balls::{BallDynamics, BallMaterial, BallSet, BallsSetup, Placement, Radii};
use std::time::Instant;

/// Length of a step, s.
const DT: f64 = 1.0 / 60.0;

/// Steps that are timed.
const STEPS: usize = 20;

/// A basin of this width without a lid.
struct Basin(f32);

impl Surfaces for Basin {
    fn each_near(&self, point: Vec3, reach: f32, _part: f32, visit: &mut dyn FnMut(Surface)) {
        let far = Vec3::splat(self.0) - point;
        let walls = [(point.y, Vec3::Y), (point.x, Vec3::X), (far.x, Vec3::NEG_X), (point.z, Vec3::Z), (far.z, Vec3::NEG_Z)];
        let nearest = walls.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("five walls");
        // A point outside meets no wall, as with containers.
        if (0.0..reach).contains(&nearest.0) {
            let (distance, normal) = nearest;
            visit(Surface { distance, normal, velocity: Vec3::ZERO, solid: SolidId::Container(0) });
        }
    }
}

struct Pile {
    sets: Vec<PointSet>,
    dynamics: BallDynamics,
    basin: Basin,
    grid: GridParameters,
}

impl Pile {
    /// Balls of radii 1 : `ratio`, spread evenly in their logarithm, that have fallen into a basin and come to rest.
    fn settled(count: usize, ratio: f32, seconds: f64) -> Self {
        let smallest = 0.01;
        // The mean of r³, and a basin about as deep as wide when it is filled to a quarter.
        let cube = smallest * smallest * smallest * (ratio.powi(3) - 1.0) / (3.0 * ratio.ln());
        let volume = 4.19 * cube * count as f32;
        let width = (volume / 0.6).cbrt();
        let setup = BallsSetup {
            name: "balls".to_owned(),
            count,
            radii: Radii::LogUniform { min: smallest, max: smallest * ratio },
            seed: 1,
            placement: Placement::Fill { min: Vec3::ZERO, max: Vec3::new(width, 2.2 * width, width) },
            density: 2500.0,
            material: BallMaterial { friction: 0.5, rolling_friction: 0.02, restitution: 0.2 },
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            color: None,
        };
        let start = Instant::now();
        let balls = setup.build().expect("room for all balls");
        eprintln!("{count} balls placed in {:.1} s", start.elapsed().as_secs_f64());
        let set = BallSet { material: setup.material, ..BallSet::default() };
        let (structure, hash) = (Structure::SortedCells, HashFunction::Muller);
        let cell_size = usual_cell_size(&balls.points.radii);
        let table_size = (2 * count) as u32;
        let grid = GridParameters { structure, table_size, cell_size, hash, bucket_capacity: 16 };
        let mut pile = Self { sets: vec![balls.points], dynamics: BallDynamics::new(vec![set]), basin: Basin(width), grid };
        for step in 0..(seconds / DT) as usize {
            let start = Instant::now();
            let searches = pile.step();
            if step % 10 == 0 {
                eprintln!("step {step}: {:.0} ms, {searches} searches", 1e3 * start.elapsed().as_secs_f64());
            }
        }
        pile
    }

    fn step(&mut self) -> u32 {
        let step = PointStep {
            time: 0.0,
            dt: DT,
            acceleration: &|_| Vec3::new(0.0, -9.81, 0.0),
            surfaces: &self.basin,
            fluid: None,
            impulses: &[],
            grids: &[self.grid],
            hold: None,
            audit: AuditPlan::default(),
        };
        self.dynamics.advance(&mut self.sets, &step);
        self.dynamics.balls().searches()
    }

    fn fastest(&self) -> f32 {
        self.sets[0].velocities.iter().map(|velocity| velocity.length()).fold(0.0, f32::max)
    }
}

/// Twice the radius of a ball of mean volume.
fn usual_cell_size(radii: &[f32]) -> f32 {
    2.0 * (radii.iter().map(|radius| radius.powi(3)).sum::<f32>() / radii.len() as f32).cbrt()
}

/// Median and smallest of times, ms.
fn median(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[0])
}

/// Spacings that are tried, in widths of a ball of mean volume.
const SPACINGS: [f32; 7] = [8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.125];

/// Time of a search (ms) from which on smaller spacings are not tried: a ball in all cells that it covers would take minutes.
const LONG: f64 = 100.0;

/// Times that a search is repeated; the fastest counts.
const REPEATS: usize = 5;

/// Cost of a search.
struct Cost {
    spacing: f32,
    candidates: f64,
    build: f64,
    query: f64,
}

impl Cost {
    /// Cost of finding the pairs of a pile with cells of `spacing` (m); `None` if there are too many cells.
    fn of(pile: &Pile, structure: Structure, spacing: f32) -> Option<Self> {
        let set = &pile.sets[0];
        // As a step searches: with a margin of 5 %.
        let reaches: Vec<f32> = set.radii.iter().map(|radius| 1.05 * radius).collect();
        let ids: Vec<u32> = (0..set.len() as u32).collect();
        let mut search = SphereSearch::new(&GridParameters { structure, cell_size: spacing, ..pile.grid });
        let mut best: Option<Self> = None;
        for _ in 0..REPEATS {
            search.find(&set.positions, &reaches, &ids).ok()?;
            let stats = search.stats();
            let (build, query) = (stats.build.as_secs_f64() * 1e3, stats.query.as_secs_f64() * 1e3);
            let candidates = stats.tally.candidates as f64 / stats.tally.neighbors as f64;
            if best.as_ref().is_none_or(|best| build + query < best.total()) {
                best = Some(Self { spacing, candidates, build, query });
            }
        }
        best
    }

    /// Costs of `structure` at each of [`SPACINGS`] that does not take too long; `None` where there are too many cells.
    fn at_each_spacing(pile: &Pile, structure: Structure, mean: f32) -> Vec<Option<Self>> {
        let mut costs = Vec::new();
        for spacing in SPACINGS {
            let cost = Self::of(pile, structure, spacing * mean);
            let is_long = cost.as_ref().is_some_and(|cost| cost.total() > LONG);
            costs.push(cost);
            if is_long {
                break;
            }
        }
        costs
    }

    fn total(&self) -> f64 {
        self.build + self.query
    }
}

/// Every structure at the spacing that suits it best.
fn structures(pile: &Pile, ratio: f32) {
    let mean = usual_cell_size(&pile.sets[0].radii);
    println!("\n| structure, radii 1 : {ratio} | best spacing | candidates a pair | build (ms) | query (ms) | together (ms) |");
    println!("|---|---|---|---|---|---|");
    for structure in Structure::all() {
        let brute = structure == Structure::BruteForce;
        if brute && pile.sets[0].len() > 20_000 {
            println!("| {structure} | – | {:.1e} in all | – | – | not run |", (pile.sets[0].len() as f64).powi(2));
            continue;
        }
        let costs = match brute {
            true => vec![Cost::of(pile, structure, mean)],
            false => Cost::at_each_spacing(pile, structure, mean),
        };
        match costs.into_iter().flatten().min_by(|a, b| a.total().total_cmp(&b.total())) {
            Some(cost) => {
                let spacing = if brute { "–".to_owned() } else { format!("{}", cost.spacing / mean) };
                let Cost { candidates, build, query, .. } = cost;
                println!("| {structure} | {spacing} | {candidates:.1} | {build:.1} | {query:.1} | {:.1} |", cost.total());
            }
            None => println!("| {structure} | too many cells |"),
        }
    }
}

/// Some structures at every spacing.
fn spacings(pile: &Pile, ratio: f32) {
    let mean = usual_cell_size(&pile.sets[0].radii);
    let shown = [
        Structure::BlockMap(Storage::Linked, Walk::Blocks),
        Structure::BlockMap(Storage::Linked, Walk::Points),
        Structure::SpatialHash,
        Structure::SortedCells,
    ];
    let names: Vec<String> = shown.iter().map(|structure| format!("{structure}")).collect();
    println!("\n| spacing, radii 1 : {ratio} | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(shown.len()));
    let costs = shown.map(|structure| Cost::at_each_spacing(pile, structure, mean));
    for (number, spacing) in SPACINGS.into_iter().enumerate() {
        let cells = costs.each_ref().map(|costs| match costs.get(number) {
            Some(Some(cost)) => format!("{:.1}, {:.1} ms", cost.candidates, cost.total()),
            Some(None) => "too many cells".to_owned(),
            None => "takes too long".to_owned(),
        });
        println!("| {spacing} | {} |", cells.join(" | "));
    }
}

fn main() {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let seconds = std::env::args().nth(2).and_then(|seconds| seconds.parse().ok()).unwrap_or(4.0);
    for ratio in [10.0_f32, 20.0] {
        let start = Instant::now();
        let mut pile = Pile::settled(count, ratio, seconds);
        println!(
            "\n{count} balls of radii 1 : {ratio}, fallen for {seconds} s (in {:.0} s): fastest {:.2} m/s, {} pairs near",
            start.elapsed().as_secs_f64(),
            pile.fastest(),
            pile.dynamics.balls().contact_count()
        );
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let mut searches = 0;
            let times = (0..STEPS).map(|_| {
                let start = Instant::now();
                searches += pool.install(|| pile.step());
                start.elapsed().as_secs_f64() * 1e3
            });
            let (median, least) = median(times.collect());
            println!(
                "{threads} threads: {median:.1} ms a step in the median, {least:.1} at least: {:.1} and {:.1} steps a second; {searches} \
                 searches in {STEPS} steps",
                1e3 / median,
                1e3 / least
            );
        }
        let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        pool.install(|| {
            structures(&pile, ratio);
            spacings(&pile, ratio);
        });
    }
}
