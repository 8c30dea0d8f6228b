//! `sph tune`: search for the grid that makes a scene's neighbour search fastest on this machine. The trials are in
//! `sph_core::tuning`; the modules here start, print and plot them.

mod charts;
mod report;

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::Failure;
use crate::arguments::{self, SceneArgs, ThreadArgs, steps};
use crate::output::{Claims, PlotFile};
use crate::progress::TrialsProgress;
use crate::searched::Searched;
use crate::simulate::{Goal, Interrupt, Progress, Simulator, announce};
use crate::{console, scenes};
use clap::Args;
use report::Report;
use sph_core::neighbors::Structure;
use sph_core::tuning::{Plan, Results, Sweep};
use sph_io::{Scene, SceneEdits};

/// Arguments of `sph tune`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Steps before the trials, which set the fluid in motion
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = steps)]
    steps: u64,
    /// Neighbour-search structures to try: `all`, or names separated by commas, each with all its options [default: all except
    /// brute_force and the variants of bucket_hash that register particles everywhere]
    #[arg(long, value_name = "LIST", value_parser = arguments::select)]
    structures: Option<Selection>,
    /// Whose search: fluid or the name of a cloth or of balls [default: fluid, or the first cloth or balls]
    #[arg(long, value_name = "NAME")]
    search_of: Option<String>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object with every trial instead of a table
    #[arg(long)]
    json: bool,
    /// Write an SVG map of the cost over table size and cell spacing, for the best structure that has a table
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Write an SVG chart of the cost of every structure over table size, and over cell spacing
    #[arg(long, value_name = "FILE.svg")]
    curves: Option<PathBuf>,
    /// Write the best grid to the scene file
    #[arg(long)]
    save: bool,
}

/// Structures to try. A separate type, because clap treats a `Vec` as an option given several times.
type Selection = Arc<[Structure]>;

/// Executes `sph tune`. If interrupted, it reports the trials made so far, and saves nothing.
///
/// # Errors
/// If the scene cannot be used or saved, the simulation failed, or nothing was measured.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scene, steps, structures, search_of, threads, json, plot, curves, save } = options;
    let interrupt = Interrupt::install()?;
    let scene = interrupt.while_setting_up(|| scenes::open(scene.scene.as_deref(), &scene.overrides.overrides))?;
    if *save && scene.path.is_none() {
        return Err(Failure::Input("there is no file to save to: the scene is built into the program".to_owned()));
    }
    let structures = structures.as_deref().map_or_else(Plan::promising, <[Structure]>::to_vec);
    if plot.is_some() && structures == [Structure::BruteForce] {
        let advice = "--plot draws costs over table size and cell spacing, but brute force has neither: add another structure";
        return Err(Failure::Input(advice.to_owned()));
    }
    let mut claims = Claims::of_inputs(&scene);
    plot.iter().try_for_each(|path| claims.file("--plot", path))?;
    curves.iter().try_for_each(|path| claims.file("--curves", path))?;
    let mut simulator = interrupt.while_setting_up(|| Simulator::new(&scene, *threads))?;
    let searched = Searched::find(simulator.engine(), scene.setup.points.as_ref(), search_of.as_deref())?;
    let [plot, curves] = [plot, curves].map(|path| PlotFile::create(path.as_deref(), interrupt));
    let (plot, curves) = (plot?, curves?);
    announce(&scene, &simulator);
    if let Some(path) = scene.path.as_ref().filter(|_| *save) {
        console::say(&format!("the best grid will be saved to {}", path.display()));
    }
    if cfg!(debug_assertions) {
        console::say("note: this build is not optimised; measure with `cargo run --release -- tune`");
    }
    let goal = Goal::Steps(*steps);
    let mut progress = Progress::new(goal);
    let outcome = simulator.run(goal, interrupt, |engine, _| {
        progress.update(engine.time(), engine.steps());
        Ok(())
    });
    progress.finish();
    outcome.conclude(&[])?;

    let started = Instant::now();
    let results = sweep(&scene, &simulator, &searched, structures, interrupt)?;
    if results.best().is_none() {
        return Err(Failure::Run("interrupted before anything was measured".to_owned()));
    }
    let seconds = started.elapsed().as_secs_f64();
    let report = Report { scene: &scene, simulator: &simulator, searched: &searched, results: &results, seconds };
    let points = match &searched {
        Searched::Fluid => format!("{} particles", results.particles),
        Searched::Set(_, name, _) => format!("search of {name}, {} points", results.particles),
    };
    let title = format!("{}: {points}, {}", scene.title, console::counted(simulator.threads() as u64, "thread"));
    console::print(&if *json { report.json().to_string() } else { report.table() })?;
    if *save {
        store(&scene, &simulator, &searched, &results)?;
    }
    let plot = plot.finish(|| charts::heat_map(&title, &results, structure_of_map(&results)))?;
    let curves = curves.finish(|| charts::curve_charts(&title, &results))?;
    for path in plot.into_iter().chain(curves) {
        console::say(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// Makes the trials of what is searched, until all are made or an interruption.
///
/// # Errors
/// There is nothing to search.
fn sweep(
    scene: &Scene,
    simulator: &Simulator,
    searched: &Searched,
    structures: Vec<Structure>,
    interrupt: Interrupt,
) -> Result<Arc<Results>, Failure> {
    let sweep = Sweep::of(&simulator.engine().view(), &scene.setup, searched.set(), structures);
    // An empty search costs nothing, so that every grid would be the best.
    let Some(mut sweep) = sweep.filter(|sweep| sweep.results().particles > 0) else {
        let name = searched.name();
        return Err(Failure::Input(format!(
            "there is nothing of `{name}` to search after --steps; take more of them, or another --search-of"
        )));
    };
    let mut progress = TrialsProgress::new(sweep.results().total);
    while !interrupt.requested() && simulator.install(|| sweep.next_trial()) {
        let results = sweep.results();
        let last = results.finals.last().or(results.trials.last());
        let name = last.map_or_else(String::new, |trial| trial.grid.structure.to_string());
        progress.update(results.done(), results.total, &name);
    }
    progress.finish();
    Ok(sweep.results().clone())
}

/// The structure of the heat map: the best of those with a table, as the others have a single column.
fn structure_of_map(results: &Results) -> Structure {
    let total = |structure: &Structure| results.best_of(*structure).map_or(f64::INFINITY, |(_, cost)| cost.total_ms());
    let rank = |structure: &&Structure| (!structure.has_table(), total(structure));
    let structures = results.plan.structures.iter().filter(|&&structure| structure != Structure::BruteForce);
    structures
        .min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal))
        .copied()
        .unwrap_or(Structure::SpatialHash)
}

/// Writes the best grid into the scene's file: under `[grid]`, or under `[cloth.grid]` or `[ball.grid]` for the search of points.
fn store(scene: &Scene, simulator: &Simulator, searched: &Searched, results: &Results) -> Result<(), Failure> {
    let (Some(path), Some((grid, _))) = (&scene.path, results.best()) else { return Ok(()) };
    if !results.is_complete() {
        console::say("nothing saved: not every configuration has been tried");
    } else if results.improvement().is_none() {
        console::say("nothing to save: the scene's grid is as good as the best");
    } else {
        let mut parameters = scene.setup.parameters;
        let mut set_grids = Vec::new();
        match searched {
            Searched::Fluid => parameters.grid = grid,
            Searched::Set(_, _, together) => {
                set_grids = simulator.engine().view().set_grids.to_vec();
                set_grids[together.clone()].fill(grid);
            }
        }
        let edits = SceneEdits { parameters: &parameters, set_grids: &set_grids, ..SceneEdits::none(scene) };
        sph_io::save_scene(path, &edits, scene).map_err(|error| Failure::Run(error.to_string()))?;
        console::say(&format!("saved the best grid to {}", path.display()));
    }
    Ok(())
}
