//! `sph bench`: wall-clock time of each phase of a step, as medians over many steps, on one or several numbers of threads; with
//! `--structures` and `--movers` that of the neighbour-search structures, with `--trace` a timeline, with `--result` a
//! file to share, and with `--compare` what differs from another's. `--render`, which times pictures, is
//! added by the program that draws them.

mod comparison;
mod movers;
mod structures;
mod trace;

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::Failure;
use crate::arguments::{self, SceneArgs, ThreadArgs, steps};
use crate::output::{Claims, PlotFile, check_writable};
use crate::searched::Searched;
use crate::simulate::{Goal, Interrupt, Progress, Simulator, announce};
use crate::{console, scenes};
use clap::Args;
use serde_json::{Value, json};
use sph_core::neighbors::{SearchStats, Structure};
use sph_core::point_sets::{PointSet, SearchAmongOthers};
use sph_core::{Ceilings, Memory, Phase, Simd, StepStats};
use sph_io::{BenchResult, Machine, Measured, Scene, Source, StepTimes, bytes_in_words, grouped};
use trace::TraceFile;

/// Arguments of `sph bench`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Steps to measure
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = steps)]
    steps: u64,
    /// Steps before the measured ones, which fill the caches and set the fluid in motion
    #[arg(long, value_name = "N", default_value_t = 20)]
    warm_up: u32,
    /// Threads of the simulation; several numbers, such as 1,2, are measured alternately [default: one per core]
    #[arg(long, value_name = "N,…", allow_negative_numbers = true, value_delimiter = ',', value_parser = crate::arguments::threads)]
    threads: Vec<u16>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Compare neighbour-search structures: `all`, or names separated by commas
    #[arg(long, value_name = "LIST", value_parser = arguments::select)]
    structures: Option<Selection>,
    /// With --structures: whose search, fluid or the name of a cloth or of balls [default: fluid, or the first cloth or balls]
    #[arg(long, value_name = "NAME", requires = "structures")]
    search_of: Option<String>,
    /// Compare incremental updates with rebuilding, for an increasing share of particles that change cells
    #[arg(long, conflicts_with = "structures")]
    movers: bool,
    /// With --structures or --movers: write the comparison as an SVG chart
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Write a timeline of the phases of every measured step as a Chrome trace, for viewers such as ui.perfetto.dev
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["structures", "movers"])]
    trace: Option<PathBuf>,
    /// Write a result to share: scene, settings, machine, versions and times in one file, which --compare and the window open
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["structures", "movers"])]
    result: Option<PathBuf>,
    /// Compare two results, or one with a new measurement of its scene (or of SCENE): the settings that differ, and the times side by
    /// side
    #[arg(long, value_name = "RESULT", num_args = 1..=2, conflicts_with_all = ["structures", "movers"])]
    compare: Vec<PathBuf>,
}

/// Structures to compare. A separate type, because clap treats a `Vec` as an option given several times.
type Selection = std::sync::Arc<[Structure]>;

impl Options {
    /// Opens the scene and starts its simulation on the first number of threads.
    fn open(&self, interrupt: Interrupt) -> Result<(Scene, Simulator), Failure> {
        let Self { scene, plot, trace, result, compare, threads, .. } = self;
        interrupt.while_setting_up(|| {
            // A measurement that is compared repeats that of the result.
            let path = scene.scene.as_deref().or(compare.first().map(PathBuf::as_path));
            let scene = scenes::open(path, &scene.overrides.overrides)?;
            let mut claims = Claims::of_inputs(&scene);
            plot.iter().try_for_each(|path| claims.file("--plot", path))?;
            trace.iter().try_for_each(|path| claims.file("--trace", path))?;
            result.iter().try_for_each(|path| claims.file("--result", path))?;
            result.iter().try_for_each(|path| check_writable("the result", path))?;
            let simulator = Simulator::new(&scene, ThreadArgs { threads: threads.first().copied() })?;
            Ok((scene, simulator))
        })
    }

    /// The scene and its simulation after the steps of warm-up, for a measurement of another kind: of pictures.
    ///
    /// # Errors
    /// If the scene cannot be used, several numbers of threads are given, or the simulation failed.
    pub fn warmed_up(&self, interrupt: Interrupt) -> Result<(Scene, Simulator), Failure> {
        if self.threads.len() > 1 {
            return Err(Failure::Input("--render takes a single number of threads".to_owned()));
        }
        let (scene, mut simulator) = self.open(interrupt)?;
        announce(&scene, &simulator);
        say_if_not_optimised();
        simulator.warm_up(self.warm_up)?;
        Ok((scene, simulator))
    }

    /// Prints a report as the arguments ask for.
    ///
    /// # Errors
    /// If standard output cannot be written to.
    pub fn print(&self, json: impl FnOnce() -> Value, table: impl FnOnce() -> String) -> Result<(), Failure> {
        console::print(&if self.json { json().to_string() } else { table() })
    }
}

fn say_if_not_optimised() {
    if cfg!(debug_assertions) {
        console::say("note: this build is not optimised; measure with `cargo run --release -- bench`");
    }
}

/// Executes `sph bench`. If interrupted, it reports the steps measured so far.
///
/// # Errors
/// If the scene cannot be used, the simulation failed, or nothing was measured.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { steps, warm_up, threads, json, structures, movers, plot, trace, result, compare, .. } = options;
    if plot.is_some() && structures.is_none() && !movers {
        return Err(Failure::Input("--plot draws a comparison: it needs --structures LIST or --movers".to_owned()));
    }
    let is_shared = result.is_some() || !compare.is_empty();
    if threads.len() > 1 && (structures.is_some() || *movers || trace.is_some() || is_shared) {
        let of = "--structures, --movers, --trace, --result and --compare";
        return Err(Failure::Input(format!("{of} take a single number of threads")));
    }
    let others = comparison::read(compare)?;
    if let [first, second] = &others[..] {
        if let Some(scene) = &options.scene.scene {
            let scene = scene.display();
            return Err(Failure::Input(format!("two results are compared without a measurement: leave out the scene {scene}")));
        }
        if result.is_some() || trace.is_some() {
            return Err(Failure::Input(
                "two results are compared without a measurement: leave out --result and --trace".to_owned(),
            ));
        }
        return console::print(&comparison::print(*json, &[first, second]));
    }
    let interrupt = Interrupt::install()?;
    let (scene, mut simulator) = options.open(interrupt)?;
    let plot = PlotFile::create(plot.as_deref(), interrupt)?;
    announce(&scene, &simulator);
    say_if_not_optimised();

    if let Some(structures) = structures {
        let searched = Searched::find(simulator.engine(), scene.setup.points.as_ref(), options.search_of.as_deref())?;
        let rows = structures::measure(&mut simulator, &searched, structures, *steps as usize, interrupt)?;
        let of = if searched == Searched::Fluid { String::new() } else { format!(", {}", searched.name()) };
        let title = format!("{}{of}: {}", scene.title, console::counted(simulator.threads() as u64, "thread"));
        let (table, json_of) = (|| structures::table(&searched, &rows), || structures::json(&searched, &rows));
        console::print(&if *json { json_of().to_string() } else { table() })?;
        return plot.finish(|| structures::svg(&title, &rows)).map(drop);
    }
    if *movers {
        simulator.warm_up(*warm_up)?;
        let measured = movers::measure(&mut simulator, *steps as usize, interrupt)?;
        let title = format!(
            "{}: {}, {}",
            scene.title,
            console::counted(measured.particles as u64, "particle"),
            console::counted(simulator.threads() as u64, "thread")
        );
        console::print(&if *json { movers::json(&measured).to_string() } else { movers::table(&measured) })?;
        return plot.finish(|| movers::svg(&title, &measured)).map(drop);
    }
    if threads.len() > 1 {
        let rest = threads[1..].iter().map(|&threads| Simulator::new(&scene, ThreadArgs { threads: Some(threads) }));
        let simulators = std::iter::once(Ok(simulator)).chain(rest).collect::<Result<Vec<_>, _>>()?;
        return compare_threads(&scene, simulators, (*warm_up, *steps as usize), *json, interrupt);
    }
    let mut trace = TraceFile::create(trace.as_deref(), &scene.title, interrupt)?;
    if trace.is_some() {
        simulator.record_timeline();
    }
    let goal = Goal::Steps(steps.saturating_add(u64::from(*warm_up)));
    let mut progress = Progress::new(goal);
    let mut measured = Vec::new();
    let mut outcome = simulator.run(goal, interrupt, |engine, stats| {
        progress.update(engine.time(), engine.steps());
        let Some(stats) = stats.filter(|stats| stats.step > u64::from(*warm_up)) else { return Ok(()) };
        measured.push(stats.clone());
        trace.as_mut().map_or(Ok(()), |trace| trace.add(engine, stats))
    });
    progress.finish();
    let mut written = Vec::new();
    match trace.map(TraceFile::finish) {
        Some(Ok(path)) => written.push(path.display().to_string()),
        Some(Err(failure)) => outcome.fail(failure),
        None => {}
    }
    outcome.conclude(&written)?;
    let Some(last) = measured.last() else {
        return Err(Failure::Run("interrupted before the first measured step".to_owned()));
    };
    let costs = Costs::of(&measured);
    let ceilings = simulator.install(Ceilings::measure);
    if is_shared {
        let shared = shared(&scene, &simulator, &measured);
        if let Some(path) = result {
            shared.save(path).map_err(|error| Failure::output("the result", path, &error))?;
            console::say(&format!("wrote {}", path.display()));
        }
        if let [other] = &others[..] {
            return console::print(&comparison::print(*json, &[other, &shared]));
        }
    }
    let (measured, warm_up) = (measured.len(), *warm_up);
    let report = Report { scene: &scene, simulator: &simulator, costs: &costs, last, measured, warm_up, ceilings };
    console::print(&if *json { report.json().to_string() } else { report.table() })
}

/// The result of `measured` steps, which are at least one.
fn shared(scene: &Scene, simulator: &Simulator, measured: &[StepStats]) -> BenchResult {
    let engine = simulator.engine();
    let figures = Measured::of(Source::Bench, measured.iter(), engine.view().walls.len(), &engine.memory());
    let machine = Machine::present(simulator.threads());
    BenchResult::new(scene, engine.parameters(), engine.off_curve(), machine, figures.expect("at least one step"))
}

/// Measures the same steps on every simulator's threads, alternately.
fn compare_threads(
    scene: &Scene,
    mut simulators: Vec<Simulator>,
    (warm_up, steps): (u32, usize),
    json: bool,
    interrupt: Interrupt,
) -> Result<(), Failure> {
    let measured = measure_scaling(&mut simulators, (warm_up as usize, steps), interrupt)?;
    let costs: Vec<Costs> = measured.iter().map(|stats| Costs::of(stats)).collect();
    let report = |((simulator, stats), costs): ((&'_ Simulator, &Vec<StepStats>), &'_ Costs)| {
        let (last, ceilings) = (stats.last().expect("at least one step"), simulator.install(Ceilings::measure));
        let report = Report { scene, simulator, costs, last, measured: steps, warm_up, ceilings };
        (report.conditions(), report.json())
    };
    let reports: Vec<_> = simulators.iter().zip(&measured).zip(&costs).map(report).collect();
    if json {
        let runs: Vec<_> = reports.into_iter().map(|(_, json)| json).collect();
        return console::print(&serde_json::json!({ "runs": runs }).to_string());
    }
    let threads: Vec<usize> = simulators.iter().map(Simulator::threads).collect();
    let particles = simulators[0].engine().view().particles.len();
    let steps = console::counted(steps as u64, "step");
    let table = scaling_table(&threads, &costs, particles);
    let mut text = format!("{steps} with each number of threads, after {warm_up} of warm-up\n\n{table}\n");
    // All lines but the last, with the ceilings, are the same for all.
    for (number, (conditions, _)) in reports.iter().enumerate() {
        let new = conditions.lines().skip(if number == 0 { 0 } else { conditions.lines().count() - 1 });
        new.for_each(|line| text += &format!("{line}\n"));
    }
    console::print(text.trim_end())
}

// Output of one measurement of `sph bench`.

/// A measurement, as a table or as JSON.
struct Report<'a> {
    pub scene: &'a Scene,
    pub simulator: &'a Simulator,
    pub costs: &'a Costs,
    /// The last measured step, for values that hardly change from step to step.
    pub last: &'a StepStats,
    pub measured: usize,
    pub warm_up: u32,
    pub ceilings: Ceilings,
}

impl Report<'_> {
    pub fn table(&self) -> String {
        let Self { costs, last, measured, warm_up, .. } = self;
        let mut text = format!("{} after {warm_up} of warm-up\n", console::counted(*measured as u64, "measured step"));
        let _ = writeln!(
            text,
            "\n{:<12}{:>10}{:>8}{:>14}{:>12}{:>10}",
            "phase", "median ms", "%", "ns/particle", "fastest ms", "p90 ms"
        );
        let step = costs.step.median_ms;
        for (phase, times) in &costs.phases {
            let _ = writeln!(text, "{}", times_row(phase.name(), times, step, last.particles));
        }
        // Median over steps; it differs a little from the sum of the medians above.
        let _ = write!(text, "{}\n\n{}", times_row("step", &costs.step, step, last.particles), self.conditions().trim_end());
        text
    }

    /// Conditions of the measurement besides the scene, one per line; below the times, which are what a user looks for.
    pub fn conditions(&self) -> String {
        let Self { simulator, last, ceilings, .. } = self;
        let mut text = if last.particles > 0 { search(&last.search) } else { String::new() };
        text += &self.searches_of_sets();
        let memory = simulator.engine().memory();
        let parts = memory.parts();
        let list = |amount: &dyn Fn(usize) -> String| {
            parts.iter().map(|(name, bytes)| format!("{name} {}", amount(*bytes))).collect::<Vec<_>>().join(", ")
        };
        let _ = match last.particles {
            0 => writeln!(
                text,
                "memory: {} ({})",
                bytes_in_words(memory.total() as u64),
                list(&|bytes| bytes_in_words(bytes as u64))
            ),
            particles => {
                let each = |bytes: usize| format!("{:.0}", bytes as f64 / particles as f64);
                writeln!(text, "memory: {} bytes per particle ({})", each(memory.total()), list(&each))
            }
        };
        let Ceilings { flops, bandwidth } = ceilings;
        let _ = writeln!(
            text,
            "machine: {}, {}; peak {:.0} GFLOP/s, {:.1} GB/s from memory",
            Simd::best().name(),
            console::counted(simulator.threads() as u64, "thread"),
            flops / 1e9,
            bandwidth / 1e9,
        );
        text
    }

    /// The searches of point sets in the last step, a line each.
    fn searches_of_sets(&self) -> String {
        let view = self.simulator.engine().view();
        let Some(points) = &self.scene.setup.points else { return String::new() };
        let mut text = String::new();
        for sets in points.searches() {
            let first = sets.start;
            let Some(search) = view.set_searches.get(first) else { continue };
            let count: usize = view.sets[sets.clone()].iter().map(PointSet::len).sum();
            let others = if sets.len() > 1 { format!(" and {} more", sets.len() - 1) } else { String::new() };
            let (stats, grid) = (&search.stats, search.stats.parameters);
            let [build, query] = [stats.build, stats.query].map(|time| 1e3 * time.as_secs_f64());
            let repeated =
                if search.searches > 1 { format!(", {} searches in the step", search.searches) } else { String::new() };
            let _ = writeln!(
                text,
                "search of {}{others}: {} points, {}, cell size {} m, {:.2} candidates per pair, build {build:.3} ms, query {query:.3} ms{repeated}",
                view.sets[first].name,
                grouped(count as u64),
                grid.structure,
                grid.cell_size,
                stats.candidates_per_neighbor(),
            );
            if let Some(SearchAmongOthers { queries, tally, .. }) = search.among_others {
                let _ = writeln!(
                    text,
                    "search of {}{others} among balls: {} queries, {:.2} candidates per ball found",
                    view.sets[first].name,
                    grouped(queries),
                    tally.candidates_per_neighbor(),
                );
            }
        }
        text
    }

    pub fn json(&self) -> Value {
        let Self { scene, simulator, costs, last, measured, warm_up, ceilings } = self;
        let particles = last.particles;
        let phases: serde_json::Map<_, _> =
            costs.phases.iter().map(|(phase, times)| (phase.name().to_owned(), times_json(times, particles))).collect();
        let grid = last.search.parameters;
        json!({
            "scene": scene.name,
            "version": env!("CARGO_PKG_VERSION"),
            "optimized": !cfg!(debug_assertions),
            "threads": simulator.threads(),
            "particles": particles,
            "boundary_particles": simulator.engine().view().walls.len(),
            "steps": measured,
            "warm_up": warm_up,
            "phases": phases,
            "step": times_json(&costs.step, particles),
            "memory": memory(&simulator.engine().memory(), particles),
            "vector_instructions": Simd::best().name(),
            "ceilings": { "gflops": ceilings.flops / 1e9, "gigabytes_per_second": ceilings.bandwidth / 1e9 },
            "search": {
                "structure": grid.structure.name(),
                "hash": grid.hash.name(),
                "table_size": last.search.occupancy.table_size,
                "cell_size": grid.cell_size,
                "load_factor": last.search.occupancy.load_factor(),
                "hash_quality": last.search.occupancy.hash_quality(),
                "candidates_per_neighbor": last.search.candidates_per_neighbor(),
            },
        })
    }
}

/// The structure, its statistics in the last step, and a hint that another may be faster.
fn search(search: &SearchStats) -> String {
    let grid = search.parameters;
    let name = grid.structure.name();
    let candidates = search.candidates_per_neighbor();
    // Without fluid there is nothing to find.
    let has_neighbors = candidates > 0.0;
    let found = if has_neighbors { format!(", {candidates:.2} candidates per neighbour") } else { String::new() };
    let mut text = format!("grid: {name}, cell size {} m{found}\n", grid.cell_size);
    if grid.structure.has_table() {
        let occupancy = &search.occupancy;
        let (load, quality) = (occupancy.load_factor(), occupancy.hash_quality());
        let (hash, size) = (grid.hash.name(), console::counted(occupancy.table_size as u64, "bucket"));
        let _ = writeln!(text, "table: {size}, {hash} hash, load factor {load:.3}, hash quality {quality:.2}");
    }
    if has_neighbors && grid.structure != Structure::SortedCells {
        let _ = writeln!(text, "tip: sorted_cells may be faster; compare with `--structures {name},sorted_cells`");
    }
    text
}

/// Memory in bytes, in total and by part.
fn memory(memory: &Memory, particles: usize) -> Value {
    let parts: serde_json::Map<_, _> = memory.parts().iter().map(|(name, bytes)| ((*name).to_owned(), json!(bytes))).collect();
    json!({"bytes": memory.total(), "bytes_per_particle": memory.total() as f64 / particles as f64, "parts": parts})
}

// Wall-clock times of steps and of their phases.

/// The times as JSON.
fn times_json(times: &StepTimes, particles: usize) -> Value {
    let StepTimes { median_ms, fastest_ms, p90_ms } = *times;
    json!({
        "median_ms": median_ms,
        "fastest_ms": fastest_ms,
        "p90_ms": p90_ms,
        "ns_per_particle": 1e6 * median_ms / particles as f64,
    })
}

/// The times as a row of the table, with their share of a whole step of `step` ms.
fn times_row(name: &str, times: &StepTimes, step: f64, particles: usize) -> String {
    let StepTimes { median_ms, fastest_ms, p90_ms } = *times;
    let share = 100.0 * median_ms / step.max(1e-9);
    let each = per_particle(median_ms, particles);
    format!("{name:<12}{median_ms:>10.3}{share:>8.1}{each:>14}{fastest_ms:>12.3}{p90_ms:>10.3}")
}

/// Time per fluid particle, ns; a dash without fluid.
fn per_particle(ms: f64, particles: usize) -> String {
    if particles == 0 { "–".to_owned() } else { format!("{:.1}", 1e6 * ms / particles as f64) }
}

/// The times of each phase and of whole steps.
struct Costs {
    pub phases: Vec<(Phase, StepTimes)>,
    pub step: StepTimes,
}

impl Costs {
    pub fn of(measured: &[StepStats]) -> Self {
        let times = |time: &dyn Fn(&StepStats) -> Duration| StepTimes::of(measured.iter().map(time).collect());
        Self {
            phases: Phase::ALL.map(|phase| (phase, times(&|stats| stats.phases[phase]))).into(),
            step: times(&|stats| stats.phases.total()),
        }
    }
}

// `sph bench --threads 1,2`: the same steps on several numbers of threads, in turns.

/// Steps on one number of threads per turn: few, so that a machine that slows down slows all of them.
const TURN: usize = 5;

/// Makes `warm_up` and then `steps` steps with each of `simulators`, which differ only in their threads; returns the statistics
/// of the latter.
///
/// # Errors
/// If the simulation failed or was interrupted.
fn measure_scaling(
    simulators: &mut [Simulator],
    (warm_up, steps): (usize, usize),
    interrupt: Interrupt,
) -> Result<Vec<Vec<StepStats>>, Failure> {
    let mut measured: Vec<Vec<StepStats>> = simulators.iter().map(|_| Vec::new()).collect();
    let all = warm_up.saturating_add(steps);
    for first in (0..all).step_by(TURN) {
        for (simulator, measured) in simulators.iter_mut().zip(&mut measured) {
            for step in first..all.min(first.saturating_add(TURN)) {
                if interrupt.requested() {
                    return Err(Failure::Run("interrupted before every number of threads was measured".to_owned()));
                }
                let stats = simulator.step();
                if let Some(error) = stats.error {
                    return Err(Failure::Run(format!("the simulation failed: {error}")));
                }
                if step >= warm_up {
                    measured.push(stats);
                }
            }
        }
    }
    Ok(measured)
}

/// Medians of every phase, ns per particle (ms without fluid), one column per number of threads; and the speed-up of the last over the first.
fn scaling_table(threads: &[usize], costs: &[Costs], particles: usize) -> String {
    let has_fluid = particles > 0;
    let mut text = format!("{:<12}", if has_fluid { "ns/particle" } else { "median ms" });
    for threads in threads {
        let _ = write!(text, "{:>12}", crate::console::counted(*threads as u64, "thread"));
    }
    let _ = writeln!(text, "{:>12}", "speed-up");
    let mut row = |name: &str, medians: Vec<f64>| {
        let _ = write!(text, "{name:<12}");
        for median in &medians {
            let median = if has_fluid { per_particle(*median, particles) } else { format!("{median:.3}") };
            let _ = write!(text, "{median:>12}");
        }
        let speedup = medians[0] / medians[medians.len() - 1].max(1e-9);
        let _ = writeln!(text, "{:>12}", if medians[0] > 0.0 { format!("{speedup:.2}") } else { "–".to_owned() });
    };
    for phase in Phase::ALL {
        row(phase.name(), costs.iter().map(|costs| costs.phases[phase as usize].1.median_ms).collect());
    }
    row("step", costs.iter().map(|costs| costs.step.median_ms).collect());
    text
}
