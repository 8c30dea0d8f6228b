//! `sph run`: simulates and writes the requested outputs.

use super::Failure;
use crate::arguments::{SceneArgs, ThreadArgs, positive, steps};
use crate::output::{self, Checkpoints, Claims, ExportArgs, ExportTarget, Exports, OutputPosition, ProbesFile, StatsFile};
use crate::simulate::{Goal, Interrupt, Progress, Replay, Schedule, Simulator, announce};
use crate::{console, scenes};
use clap::{ArgGroup, Args};
use sph_core::{Engine, StepStats};
use sph_io::{Checkpoint, Scene};
use std::path::{Path, PathBuf};

/// Arguments of `sph run`.
#[derive(Clone, Debug, Args)]
#[command(group(ArgGroup::new("sampled").multiple(true)))]
pub struct Options {
    #[command(flatten)]
    scene: SceneArgs,
    /// Simulated time at which to stop [default: the scene's run.duration]
    #[arg(long, alias = "duration", value_name = "SECONDS", allow_negative_numbers = true, value_parser = positive)]
    until: Option<f64>,
    /// Stop after this many steps
    #[arg(long, value_name = "N", conflicts_with = "until", allow_negative_numbers = true, value_parser = steps)]
    steps: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write the particles (KIND ply, csv, vtk, npz, bgeo), the fluid's surface (surface), sheets of cloth (cloth) or the bodies' motion
    /// (gltf) into a folder; can be repeated
    #[arg(long, value_name = "KIND=DIR", group = "sampled")]
    export: Vec<ExportTarget>,
    #[command(flatten)]
    exported: ExportArgs,
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
    /// Save the whole simulation to this file at the end, at a signal, and at the intervals of --checkpoint-every
    /// [default with --checkpoint-every: the scene's name with .checkpoint; with --resume: that file]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Simulated time between two checkpoints, each of which replaces the last
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = interval)]
    checkpoint_every: Option<f64>,
    /// Continue from a checkpoint, which contains its scene, instead of starting a scene
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Replay the tools and parameter changes of a session recorded in the window, to its end unless --until or --steps is
    /// given; then compare fluid, bodies, cloths and balls with the recording, bit for bit
    #[arg(long, value_name = "FILE.jsonl")]
    replay: Option<PathBuf>,
    /// Behaviour when the disk is full: stop, or wait until there is space
    #[arg(long, value_name = "ACTION", default_value = "stop")]
    on_full_disk: output::OnFullDisk,
}

/// Executes `sph run`.
///
/// # Errors
/// If the scene cannot be used, the simulation failed, or an output could not be written.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { until, steps, export, exported, probes, every, stats, on_full_disk, .. } = options;
    let interrupt = Interrupt::install()?;
    output::prepare_for_full_disk(*on_full_disk, interrupt);
    let Start { scene, mut simulator, resumed, checkpoint, replayed } = interrupt.while_setting_up(|| Start::new(options))?;
    let schedule = match &resumed {
        Some(checkpoint) => Schedule::every(*every).after(checkpoint.state.time),
        None => Schedule::every(*every),
    };
    let before = (interrupt, resumed.as_ref());
    let mut outputs = Outputs {
        exports: Exports::create(export, exported, schedule.clone(), (&scene, &simulator))?,
        probes: probes.as_deref().map(|path| ProbesFile::create(path, &scene, schedule, before)).transpose()?,
        stats: stats.as_deref().map(|path| StatsFile::create(path, interrupt, resumed.as_ref())).transpose()?,
        checkpoints: checkpoint,
        earlier: resumed.as_ref().map(OutputPosition::of).unwrap_or_default(),
    };
    if outputs.checkpoints.is_some() {
        outputs.probes.iter_mut().for_each(ProbesFile::keep_incomplete);
        outputs.stats.iter_mut().for_each(StatsFile::keep_incomplete);
    }
    announce(&scene, &simulator);
    if options.replay.is_some() {
        Replay::remarks(&scene, &options.scene.overrides.overrides).iter().for_each(|remark| console::say(remark));
    }

    let goal = match (steps, until, replayed) {
        (Some(steps), ..) => Goal::Steps(*steps),
        (None, None, Some(end)) => Goal::Steps(end),
        (None, until, _) => Goal::Time(until.unwrap_or(scene.duration)),
    };
    let mut progress = Progress::after(goal, simulator.engine().time(), simulator.engine().steps());
    let mut outcome = simulator.run(goal, interrupt, |engine, stats| {
        progress.update(engine.time(), engine.steps());
        // The state that a run is resumed from has been written by the run before it.
        if stats.is_none() && resumed.is_some() { Ok(()) } else { outputs.update(engine, stats) }
    });
    progress.finish();
    // The statistics of a failed run serve its diagnosis: they are completed as well.
    let mut written = Vec::new();
    if !outcome.has_failed()
        && let Err(failure) = outputs.save_checkpoint(simulator.engine())
    {
        outcome.fail(failure);
    }
    if let Err(failure) = outputs.finish(&mut written) {
        outcome.fail(failure);
    }
    match simulator.verdict() {
        Ok(verdict) => verdict.iter().for_each(|verdict| console::say(verdict)),
        Err(failure) => outcome.fail(failure),
    }
    console::say(&outcome.costs());
    outcome.conclude(&written)
}

/// Start of a run: a scene, or a checkpoint.
struct Start {
    scene: Scene,
    simulator: Simulator,
    resumed: Option<Checkpoint>,
    checkpoint: Option<Checkpoints>,
    /// Completed steps at the end of the recording that is replayed.
    replayed: Option<u64>,
}

impl Start {
    /// Reads the scene or the checkpoint, and claims the places of all outputs.
    fn new(options: &Options) -> Result<Self, Failure> {
        let Options { scene, threads, export, exported, probes, stats, checkpoint, checkpoint_every, resume, replay, .. } =
            options;
        let (mut scene, resumed) = match resume {
            Some(path) => {
                check_resumed_alone(path, scene)?;
                let checkpoint = Checkpoint::load(path).map_err(|error| Failure::input("resume", path, &error))?;
                (checkpoint.scene.clone(), Some(checkpoint))
            }
            None => (scenes::open(scene.scene.as_deref(), &scene.overrides.overrides)?, None),
        };
        let mut claims = Claims::of_inputs(&scene);
        let default = checkpoint_every.map(|_| PathBuf::from(format!("{}.checkpoint", scene.name)));
        let place = checkpoint.clone().or_else(|| resume.clone()).or(default);
        if let Some(path) = resume.as_ref().filter(|path| place.as_ref() != Some(path)) {
            claims.input("--resume", path);
        }
        replay.iter().for_each(|path| claims.input("--replay", path));
        place.iter().try_for_each(|path| claims.file("--checkpoint", path))?;
        export.iter().try_for_each(|target| target.claim(exported, &scene, &mut claims))?;
        probes.iter().try_for_each(|path| claims.file("--probes", path))?;
        stats.iter().try_for_each(|path| claims.file("--stats", path))?;
        let dropped = resumed.as_ref().map_or(0, |checkpoint| checkpoint.state.dropped.len());
        let replay = replay.as_ref().map(|path| Replay::load(path, &mut scene, dropped)).transpose()?;
        let mut simulator = match (&resumed, resume) {
            (Some(checkpoint), Some(path)) => Simulator::resume(&scene, checkpoint.state.clone(), path, *threads)?,
            _ => Simulator::new(&scene, *threads)?,
        };
        let replayed = replay.as_ref().and_then(Replay::end);
        replay.map_or(Ok(()), |replay| simulator.set_replay(replay))?;
        let schedule = checkpoint_every.map(|every| Schedule::every(every).after(simulator.engine().time()));
        let checkpoint = place.map(|path| Checkpoints::new(path, &scene, schedule));
        Ok(Self { scene, simulator, resumed, checkpoint, replayed })
    }
}

/// Refuses a scene or overrides beside the checkpoint at `path`.
fn check_resumed_alone(path: &Path, SceneArgs { scene, overrides }: &SceneArgs) -> Result<(), Failure> {
    let set = overrides.overrides.iter().map(|change| format!("--set {}", change.path));
    let surplus: Vec<_> = scene.iter().map(|scene| scene.display().to_string()).chain(set).collect();
    if surplus.is_empty() {
        return Ok(());
    }
    let (path, surplus) = (path.display(), surplus.join(" and "));
    Err(Failure::Input(format!(
        "a checkpoint contains its scene and all values: leave out {surplus}, as in `sph run --resume {path}`, and name the outputs again"
    )))
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
    checkpoints: Option<Checkpoints>,
    /// Position of the outputs at the checkpoint that the run is resumed from.
    earlier: OutputPosition,
}

impl OutputPosition {
    /// Its position of the outputs.
    fn of(checkpoint: &Checkpoint) -> Self {
        let Checkpoint { averages, stats, probes, .. } = checkpoint;
        Self { averages: averages.clone(), stats: *stats, probes: *probes }
    }

    /// The position now; it stays where it is for an output that this run does not write, so that a later one can go on with it.
    fn now(&self, probes: Option<&mut ProbesFile>, stats: Option<&mut StatsFile>) -> Result<Self, Failure> {
        let (averages, probes) = match probes {
            Some(file) => file.position()?,
            None => (self.averages.clone(), self.probes),
        };
        let stats = stats.map_or(Ok(self.stats), StatsFile::position)?;
        Ok(Self { averages, stats, probes })
    }
}

impl Outputs {
    /// Saves a checkpoint at the end, if checkpoints are wanted.
    fn save_checkpoint(&mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let Self { probes, stats, checkpoints, earlier, .. } = self;
        let Some(checkpoints) = checkpoints else { return Ok(()) };
        checkpoints.save(engine, earlier.now(probes.as_mut(), stats.as_mut())?)
    }

    fn update(&mut self, engine: &dyn Engine, stats: Option<&StepStats>) -> Result<(), Failure> {
        if let (Some(file), Some(stats)) = (&mut self.stats, stats) {
            file.write(stats)?;
        }
        if let Some(file) = &mut self.probes {
            file.update(engine)?;
        }
        self.exports.update(engine)?;
        let Self { probes, stats, checkpoints, earlier, .. } = self;
        let Some(checkpoints) = checkpoints else { return Ok(()) };
        checkpoints.update(engine, || earlier.now(probes.as_mut(), stats.as_mut()))
    }

    /// Completes every file; appends a line for each to `written`.
    fn finish(self, written: &mut Vec<String>) -> Result<(), Failure> {
        let Self { exports, probes, stats, checkpoints, earlier: _ } = self;
        written.extend(exports.written());
        // Each file is completed even if the other fails.
        let probes = probes.map_or(Ok(None), ProbesFile::finish);
        if let Some(file) = stats {
            written.extend(file.finish()?);
        }
        written.extend(probes?);
        written.extend(checkpoints.and_then(|checkpoints| checkpoints.written()));
        Ok(())
    }
}
