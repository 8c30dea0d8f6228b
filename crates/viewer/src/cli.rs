//! The command line: its commands and arguments.

use crate::app;
use crate::headless::arguments::{SceneArgs, ThreadArgs};
use crate::headless::authoring::{import, new};
use crate::headless::output::{Claims, check_writable};
use crate::headless::simulate::Interrupt;
use crate::headless::{Failure, bench, check, console, render, run, surface, tune, validate};
use crate::scenes;
use clap::{Args, Parser, Subcommand};
use sph_io::Override;
use std::path::PathBuf;
use std::process::ExitCode;

/// A fluid simulator that you can see inside.
#[derive(Debug, Parser)]
#[command(name = "sph", version, args_conflicts_with_subcommands = true, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    window: WindowArgs,
}

const EXIT_STATUS: &str = "\
Without a command, SCENE opens in a window.

Exit status: 0 done; 1 the simulation failed or a file could not be written; 2 bad arguments or scene, no GPU driver, no \
display; 128 and the signal's number if a signal ended it, with its outputs complete: 130 after Ctrl-C, 143 after SIGTERM.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate without a window
    Run(run::Options),
    /// Simulate without a window and save pictures
    Render(render::Options),
    /// Check scene files without simulating
    Check(check::Options),
    /// Write a commented scene to start from
    New(new::Options),
    /// Turn a scene of SPlisHSPlasH into a scene file
    Import(import::Options),
    /// Make surface meshes of exported particles
    Surface(surface::Options),
    /// Measure the time of each phase of a step
    Bench(bench::Options),
    /// Find the grid that makes the neighbour search fastest on this machine
    Tune(tune::Options),
    /// Compare with experiments and analytical solutions
    Validate(validate::Options),
    /// Print the JSON Schema of scene files
    Schema(SchemaArgs),
}

#[derive(Debug, Args)]
struct WindowArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write the statistics of every step to this file, one JSON object per line
    #[arg(long, value_name = "FILE.jsonl")]
    stats: Option<PathBuf>,
    /// Print what a frame of the window takes, a line a second on standard error
    #[arg(long)]
    frame_stats: bool,
    /// Arrange the panels as in a first start
    #[arg(long)]
    reset_layout: bool,
    /// Record the session into this file when the window closes, for `sph run --replay`
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<PathBuf>,
    /// Known here only to say where it is
    #[arg(long, value_name = "FILE.jsonl", hide = true)]
    replay: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct SchemaArgs {
    /// Accepted for uniformity with the other commands: the schema does not depend on any scene
    #[arg(long = "set", value_name = "PATH=VALUE", hide = true)]
    _overrides: Vec<Override>,
}

/// Parses the command line, executes it, and returns the exit status. Bad arguments exit at once with status 2.
pub fn main() -> ExitCode {
    // wgpu and winit log a lot; RUST_LOG enables it.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let outcome = match Cli::parse() {
        Cli { command: None, window } => open_window(window),
        Cli { command: Some(command), .. } => command.execute(),
    };
    if let Err(failure) = &outcome {
        console::say(&failure.report(console::wants_color()));
    }
    // Ended by a signal: what a batch system has to know, however complete the outputs are.
    let status = Interrupt::exit_status().unwrap_or(outcome.map_or_else(|failure| failure.exit_status(), |()| 0));
    ExitCode::from(status)
}

impl Command {
    fn execute(self) -> Result<(), Failure> {
        match self {
            Self::Run(options) => run::execute(&options),
            Self::Render(options) => render::execute(&options),
            Self::Check(options) => check::execute(&options),
            Self::New(options) => new::execute(&options),
            Self::Import(options) => import::execute(&options),
            Self::Surface(options) => surface::execute(&options),
            Self::Bench(options) => bench::execute(&options),
            Self::Tune(options) => tune::execute(&options),
            Self::Validate(options) => validate::execute(&options),
            Self::Schema(_) => console::print(&sph_io::json_schema()),
        }
    }
}

fn open_window(arguments: WindowArgs) -> Result<(), Failure> {
    let WindowArgs { scene: SceneArgs { scene, overrides }, threads, stats, record, replay, frame_stats, reset_layout } =
        arguments;
    if replay.is_some() {
        let advice = "a recording is replayed without a window: `sph run SCENE --replay FILE.jsonl`";
        return Err(Failure::Input(advice.to_owned()));
    }
    if let Some(word) = scene.as_deref().filter(|path| path.extension().is_none() && !path.exists()) {
        // Most likely a misspelt command, or one after an option.
        let word = word.display();
        return Err(Failure::Input(format!("there is no scene file and no command {word}; `sph --help` lists the commands")));
    }
    // An unusable scene is reported first, with or without a display.
    let opened = scenes::open(scene.as_deref(), &overrides.overrides)?;
    opened.remarks.iter().for_each(|remark| console::say(&format!("  remark: {remark}")));
    let mut claims = Claims::of_inputs(&opened);
    stats.iter().try_for_each(|path| claims.file("--stats", path))?;
    record.iter().try_for_each(|path| claims.file("--record", path))?;
    record.iter().try_for_each(|path| check_writable("the session recording", path))?;
    if let Some(reason) = app::display::missing() {
        return Err(Failure::Input(reason.to_owned()));
    }
    let options = app::AppOptions {
        scene: scene.or_else(scenes::default_path),
        overrides: overrides.overrides,
        threads: threads.threads.map(usize::from),
        stats,
        frame_stats,
        reset_layout,
        record,
    };
    app::run(options).map_err(|error| match error.downcast::<app::AppError>() {
        Ok(error) => Failure::Input(error.to_string()),
        Err(error) => Failure::Run(format!("{error:#}")),
    })
}
