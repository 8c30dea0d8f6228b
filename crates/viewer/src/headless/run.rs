//! `sph run`: simulates and writes the requested outputs.

use super::Failure;
use super::arguments::{SceneArgs, ThreadArgs, positive, steps};
use super::output::{Claims, ExportTarget, Exports, ProbesFile, StatsFile};
use super::simulate::{Goal, Interrupt, Progress, Simulator, announce};
use crate::scenes;
use clap::{ArgGroup, Args};
use sph_core::{Engine, StepStats};
use std::path::PathBuf;

/// Arguments of `sph run`.
#[derive(Clone, Debug, Args)]
#[command(group(ArgGroup::new("sampled").multiple(true)))]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Simulated time at which to stop [default: the scene's run.duration]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = positive)]
    until: Option<f64>,
    /// Stop after this many steps instead
    #[arg(long, value_name = "N", conflicts_with = "until", allow_negative_numbers = true, value_parser = steps)]
    steps: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write the particles into a folder, one file per frame; KIND is ply or csv; may be given more than once
    #[arg(long, value_name = "KIND=DIR", group = "sampled")]
    export: Vec<ExportTarget>,
    /// Write the readings of the scene's probes as comma-separated values
    #[arg(long, value_name = "FILE.csv", group = "sampled")]
    probes: Option<PathBuf>,
    /// Simulated time between two exported frames, and between two rows of the probes
    #[arg(long, value_name = "SECONDS", requires = "sampled", default_value = "0.04", allow_negative_numbers = true,
        value_parser = interval)]
    every: f64,
    /// Write the statistics of every step, one JSON object per line; - is standard output
    #[arg(long, value_name = "FILE.jsonl")]
    stats: Option<PathBuf>,
}

/// Executes `sph run`.
///
/// # Errors
/// If the scene cannot be used, the simulation failed, or an output could not be written.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { scene, until, steps, threads, export, probes, every, stats } = options;
    let interrupt = Interrupt::install()?;
    let (scene, mut simulator) = interrupt.while_setting_up(|| {
        let scene = scenes::open(scene.scene.as_deref(), &scene.overrides.overrides)?;
        let mut claims = Claims::of_inputs(&scene);
        export.iter().try_for_each(|target| target.claim(&mut claims))?;
        probes.iter().try_for_each(|path| claims.file("--probes", path))?;
        stats.iter().try_for_each(|path| claims.file("--stats", path))?;
        let simulator = Simulator::new(&scene, *threads)?;
        Ok::<_, Failure>((scene, simulator))
    })?;
    let mut outputs = Outputs {
        exports: Exports::create(export, *every)?,
        probes: probes.as_deref().map(|path| ProbesFile::create(path, &scene, *every, interrupt)).transpose()?,
        stats: stats.as_deref().map(|path| StatsFile::create(path, interrupt)).transpose()?,
    };
    announce(&scene, &simulator);

    let goal = steps.map_or(Goal::Time(until.unwrap_or(scene.duration)), Goal::Steps);
    let mut progress = Progress::new(goal);
    let mut outcome = simulator.run(goal, interrupt, |engine, stats| {
        progress.update(engine.time(), engine.steps());
        outputs.update(engine, stats)
    });
    progress.finish();
    // The statistics of a failed run serve its diagnosis: they are completed as well.
    let mut written = Vec::new();
    if let Err(failure) = outputs.finish(&mut written) {
        outcome.fail(failure);
    }
    outcome.conclude(&written)
}

/// Parses the time between two frames, s. At less than 1e-4 s a typing error would fill the disk before it is noticed.
fn interval(text: &str) -> Result<f64, String> {
    match positive(text)? {
        seconds if seconds >= 1e-4 => Ok(seconds),
        _ => Err("expected at least 0.0001 s".to_owned()),
    }
}

struct Outputs {
    exports: Exports,
    probes: Option<ProbesFile>,
    stats: Option<StatsFile>,
}

impl Outputs {
    fn update(&mut self, engine: &dyn Engine, stats: Option<&StepStats>) -> Result<(), Failure> {
        if let (Some(file), Some(stats)) = (&mut self.stats, stats) {
            file.write(stats)?;
        }
        if let Some(file) = &mut self.probes {
            file.update(engine)?;
        }
        self.exports.update(engine)
    }

    /// Completes every file; appends a line for each to `written`.
    fn finish(self, written: &mut Vec<String>) -> Result<(), Failure> {
        let Self { exports, probes, stats } = self;
        written.extend(exports.written());
        // Each file is completed even if the other fails.
        let probes = probes.map_or(Ok(None), ProbesFile::finish);
        if let Some(file) = stats {
            written.extend(file.finish()?);
        }
        written.extend(probes?);
        Ok(())
    }
}
