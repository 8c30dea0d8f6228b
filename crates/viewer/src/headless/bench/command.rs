//! The command `sph bench`: its arguments and execution.

use super::costs::Costs;
use super::pictures::{self, RenderArgs};
use super::report::Report;
use super::trace::TraceFile;
use super::{movers, movers_plot, scaling, structures, structures_plot};
use crate::headless::arguments::{SceneArgs, ThreadArgs, steps};
use crate::headless::output::{Claims, PlotFile};
use crate::headless::simulate::{Goal, Interrupt, Progress, Simulator, announce};
use crate::headless::{Failure, console, structure_names};
use crate::scenes;
use clap::Args;
use sph_core::neighbors::Structure;
use sph_core::{Ceilings, StepStats};
use sph_io::Scene;
use std::path::PathBuf;

/// Arguments of `sph bench`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Steps to measure
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = steps)]
    steps: u64,
    /// Warm-up steps before the measured ones: for caches and the allocator, and for the fluid to start moving
    #[arg(long, value_name = "N", default_value_t = 20)]
    warm_up: u32,
    /// Threads of the simulation; several numbers, such as 1,2, are measured in turns [default: one per core]
    #[arg(long, value_name = "N,…", allow_negative_numbers = true, value_delimiter = ',', value_parser = crate::headless::arguments::threads)]
    threads: Vec<u16>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Compare neighbour-search structures instead: `all`, or names separated by commas
    #[arg(long, value_name = "LIST", value_parser = structure_names::select)]
    structures: Option<Selection>,
    /// Compare incremental updates with rebuilding instead, for an increasing share of particles that change cell
    #[arg(long, conflicts_with = "structures")]
    movers: bool,
    /// With --structures or --movers: draw the comparison as an SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Write the time span of each phase of every measured step, for viewers of Chrome traces such as ui.perfetto.dev
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["structures", "movers"])]
    trace: Option<PathBuf>,
    #[command(flatten)]
    render: RenderArgs,
}

/// Structures to compare. A separate type, because clap treats a `Vec` as an option given several times.
type Selection = std::sync::Arc<[Structure]>;

/// Executes `sph bench`. If interrupted, it reports the steps measured so far.
///
/// # Errors
/// If the scene cannot be used, the simulation failed, or nothing was measured.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scene, steps, warm_up, threads, json, structures, movers, plot, trace, render } = options;
    if plot.is_some() && structures.is_none() && !movers {
        return Err(Failure::Input("--plot draws a comparison: give --structures LIST or --movers as well".to_owned()));
    }
    if threads.len() > 1 && (structures.is_some() || *movers || trace.is_some() || render.render) {
        return Err(Failure::Input("--structures, --movers, --trace and --render take one number of threads".to_owned()));
    }
    let interrupt = Interrupt::install()?;
    let (scene, mut simulator) = interrupt.while_setting_up(|| {
        let scene = scenes::open(scene.scene.as_deref(), &scene.overrides.overrides)?;
        let mut claims = Claims::of_inputs(&scene);
        plot.iter().try_for_each(|path| claims.file("--plot", path))?;
        trace.iter().try_for_each(|path| claims.file("--trace", path))?;
        let simulator = Simulator::new(&scene, ThreadArgs { threads: threads.first().copied() })?;
        Ok::<_, Failure>((scene, simulator))
    })?;
    let plot = PlotFile::create(plot.as_deref(), interrupt)?;
    announce(&scene, &simulator);
    if cfg!(debug_assertions) {
        console::say("note: this program was built without optimisation; measure with `cargo run --release -- bench`");
    }

    if let Some(structures) = structures {
        let rows = structures::measure(&mut simulator, structures, *steps as usize, interrupt)?;
        let title = format!("{}: {}", scene.title, console::counted(simulator.threads() as u64, "thread"));
        console::print(&if *json { structures::json(&rows).to_string() } else { structures::table(&rows) })?;
        return plot.finish(|| structures_plot::svg(&title, &rows)).map(drop);
    }
    if *movers {
        simulator.warm_up(*warm_up)?;
        let measured = movers::measure(&mut simulator, *steps as usize, interrupt)?;
        let title = format!(
            "{}: {} particles, {}",
            scene.title,
            measured.particles,
            console::counted(simulator.threads() as u64, "thread")
        );
        console::print(&if *json { movers::json(&measured).to_string() } else { movers::table(&measured) })?;
        return plot.finish(|| movers_plot::svg(&title, &measured)).map(drop);
    }
    if render.render {
        simulator.warm_up(*warm_up)?;
        let report = pictures::measure(render, &scene, &simulator, interrupt)?;
        return console::print(&if *json { report.json().to_string() } else { report.table() });
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
    let (measured, warm_up) = (measured.len(), *warm_up);
    let report = Report { scene: &scene, simulator: &simulator, costs: &costs, last, measured, warm_up, ceilings };
    console::print(&if *json { report.json().to_string() } else { report.table() })
}

/// Measures the same steps on every simulator's threads, in turns.
fn compare_threads(
    scene: &Scene,
    mut simulators: Vec<Simulator>,
    (warm_up, steps): (u32, usize),
    json: bool,
    interrupt: Interrupt,
) -> Result<(), Failure> {
    let measured = scaling::measure(&mut simulators, (warm_up as usize, steps), interrupt)?;
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
    let mut text = format!("{} after {warm_up} of warm-up on each\n", console::counted(steps as u64, "step"));
    // All lines but the last, with the ceilings, are the same for all.
    for (number, (conditions, _)) in reports.iter().enumerate() {
        let new = conditions.lines().skip(if number == 0 { 0 } else { conditions.lines().count() - 1 });
        new.for_each(|line| text += &format!("{line}\n"));
    }
    let threads: Vec<usize> = simulators.iter().map(Simulator::threads).collect();
    let particles = simulators[0].engine().view().particles.len();
    console::print(&format!("{text}\n{}", scaling::table(&threads, &costs, particles)))
}
