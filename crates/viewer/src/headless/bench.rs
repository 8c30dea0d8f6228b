//! `sph bench`: what each phase of a step costs, as medians over many steps.

use super::interrupt::Interrupt;
use super::plot_file::PlotFile;
use super::simulate::{Goal, Simulator};
use super::{Failure, console, movers, movers_plot, run, scenes, structures, structures_plot};
use crate::cli::{SceneArgs, ThreadArgs, steps};
use clap::Args;
use serde_json::{Value, json};
use sph_core::neighbors::Structure;
use sph_core::{Phase, StepStats};
use sph_io::Scene;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `sph bench`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Steps to measure
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = steps)]
    steps: u64,
    /// Steps before them that are not measured: caches and the allocator warm up, and the fluid begins to move
    #[arg(long, value_name = "N", default_value_t = 20)]
    warm_up: u32,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Compare neighbour-search structures instead: `all`, or names separated by commas
    #[arg(long, value_name = "LIST", value_parser = structures::select)]
    structures: Option<Selection>,
    /// Compare incremental updates with rebuilding instead, while a growing share of the particles moves into other cells
    #[arg(long, conflicts_with = "structures")]
    movers: bool,
    /// With --structures or --movers: draw the comparison as an SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Structures to compare. A type of its own, because for the command line a list is an option given several times.
type Selection = std::sync::Arc<[Structure]>;

/// Executes `sph bench`. Interrupted, it reports the steps that it has.
///
/// # Errors
/// The scene cannot be used, the simulation failed, or nothing was measured.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scene, steps, warm_up, threads, json, structures, movers, plot } = options;
    if plot.is_some() && structures.is_none() && !movers {
        return Err(Failure::Input("--plot draws a comparison: give --structures LIST or --movers as well".to_owned()));
    }
    let interrupt = Interrupt::install()?;
    let scene = scenes::open(scene.scene.as_deref(), &scene.overrides.overrides)?;
    let mut simulator = Simulator::new(&scene, *threads)?;
    let plot = PlotFile::create(plot.as_deref())?;
    run::announce(&scene, &simulator);
    if cfg!(debug_assertions) {
        console::say("note: this program was built without optimisation; measure with `cargo run --release -- bench`");
    }

    if let Some(structures) = structures {
        let rows = structures::measure(&mut simulator, structures, *steps as usize, interrupt)?;
        let title = format!("{}: {} threads", scene.title, simulator.threads());
        console::print(&if *json { structures::json(&rows).to_string() } else { structures::table(&rows) })?;
        return plot.finish(|| structures_plot::svg(&title, &rows)).map(drop);
    }
    if *movers {
        for _ in 0..*warm_up {
            if let Some(breach) = simulator.step().breach {
                return Err(Failure::Run(format!("the simulation failed: {breach}")));
            }
        }
        let measured = movers::measure(&mut simulator, *steps as usize, interrupt)?;
        let title = format!("{}: {} particles, {} threads", scene.title, measured.particles, simulator.threads());
        console::print(&if *json { movers::json(&measured).to_string() } else { movers::table(&measured) })?;
        return plot.finish(|| movers_plot::svg(&title, &measured)).map(drop);
    }
    let goal = Goal::Steps(steps.saturating_add(u64::from(*warm_up)));
    let mut progress = super::progress::Progress::new(goal);
    let mut measured = Vec::new();
    let outcome = simulator.run(goal, interrupt, |simulation, stats| {
        progress.update(simulation.time(), simulation.steps());
        measured.extend(stats.filter(|stats| stats.step > u64::from(*warm_up)).cloned());
        Ok(())
    });
    progress.finish();
    outcome.conclude(&[])?;
    let Some(last) = measured.last() else {
        return Err(Failure::Run("interrupted before the first measured step".to_owned()));
    };
    let costs = Costs::of(&measured);
    let report =
        Report { scene: &scene, simulator: &simulator, costs: &costs, last, measured: measured.len(), warm_up: *warm_up };
    console::print(&if *json { report.json().to_string() } else { report.table() })
}

/// Wall-clock times of many steps, in order of length.
#[derive(Debug)]
struct Times(Vec<Duration>);

impl Times {
    fn of(measured: &[StepStats], time: impl Fn(&StepStats) -> Duration) -> Self {
        let mut times: Vec<Duration> = measured.iter().map(time).collect();
        times.sort_unstable();
        Self(times)
    }

    /// The time that the fraction `rank` of the steps does not exceed, ms: 0 the fastest, 0.5 the median. The steps are not none.
    fn quantile(&self, rank: f64) -> f64 {
        self.0[(rank * (self.0.len() - 1) as f64).round() as usize].as_nanos() as f64 / 1e6
    }

    fn json(&self, particles: usize) -> Value {
        let median = self.quantile(0.5);
        json!({
            "median_ms": median,
            "fastest_ms": self.quantile(0.0),
            "p90_ms": self.quantile(0.9),
            "ns_per_particle": 1e6 * median / particles as f64,
        })
    }

    fn row(&self, name: &str, step: f64, particles: usize) -> String {
        let median = self.quantile(0.5);
        let share = 100.0 * median / step.max(1e-9);
        let nanoseconds = 1e6 * median / particles as f64;
        let (fastest, p90) = (self.quantile(0.0), self.quantile(0.9));
        format!("{name:<12}{median:>10.3}{share:>8.1}{nanoseconds:>14.1}{fastest:>12.3}{p90:>10.3}")
    }
}

/// The times of each phase and of whole steps.
struct Costs {
    phases: Vec<(Phase, Times)>,
    step: Times,
}

impl Costs {
    fn of(measured: &[StepStats]) -> Self {
        Self {
            phases: Phase::ALL.map(|phase| (phase, Times::of(measured, |stats| stats.phases[phase]))).into(),
            step: Times::of(measured, |stats| stats.phases.total()),
        }
    }
}

struct Report<'a> {
    scene: &'a Scene,
    simulator: &'a Simulator,
    costs: &'a Costs,
    /// The last measured step, for what hardly changes from step to step.
    last: &'a StepStats,
    measured: usize,
    warm_up: u32,
}

impl Report<'_> {
    fn table(&self) -> String {
        let Self { costs, last, measured, warm_up, .. } = self;
        let grid = last.search.parameters;
        let mut text = format!("{} after {warm_up} of warm-up\n", console::counted(*measured as u64, "step"));
        let _ = writeln!(
            text,
            "{}, {} hash, {} buckets, cell size {} m, load factor {:.3}, hash quality {:.2}, {:.2} candidates a neighbour",
            grid.structure.name(),
            grid.hash.name(),
            last.search.occupancy.table_size,
            grid.cell_size,
            last.search.occupancy.load_factor(),
            last.search.occupancy.hash_quality(),
            last.search.candidates_per_neighbor(),
        );
        let _ = writeln!(
            text,
            "\n{:<12}{:>10}{:>8}{:>14}{:>12}{:>10}",
            "phase", "median ms", "%", "ns/particle", "fastest ms", "p90 ms"
        );
        let step = costs.step.quantile(0.5);
        for (phase, times) in &costs.phases {
            let _ = writeln!(text, "{}", times.row(phase.name(), step, last.particles));
        }
        // Of the steps, not the sum of the medians above, from which it differs a little.
        text + &costs.step.row("step", step, last.particles)
    }

    fn json(&self) -> Value {
        let Self { scene, simulator, costs, last, measured, warm_up } = self;
        let particles = last.particles;
        let phases: serde_json::Map<_, _> =
            costs.phases.iter().map(|(phase, times)| (phase.name().to_owned(), times.json(particles))).collect();
        let grid = last.search.parameters;
        json!({
            "scene": scene.name,
            "version": env!("CARGO_PKG_VERSION"),
            "optimized": !cfg!(debug_assertions),
            "threads": simulator.threads(),
            "particles": particles,
            "boundary_particles": simulator.simulation().boundary().len(),
            "steps": measured,
            "warm_up": warm_up,
            "phases": phases,
            "step": costs.step.json(particles),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_sorted_times() {
        let times = Times((1..=5).map(Duration::from_millis).collect());
        assert_eq!(times.quantile(0.0), 1.0);
        assert_eq!(times.quantile(0.5), 3.0);
        assert_eq!(times.quantile(0.9), 5.0);
        assert_eq!(Times(vec![Duration::from_millis(7)]).quantile(0.5), 7.0);
    }
}
