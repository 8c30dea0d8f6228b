//! The command line: its commands and arguments.

use crate::app;
use crate::offscreen;
use clap::{Args, Parser, Subcommand};
use sph_commands::arguments::{SceneArgs, ThreadArgs};
use sph_commands::output::{Claims, check_writable};
use sph_commands::{Failure, cli, console, scenes};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

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
    #[command(flatten)]
    Shared(sph_commands::cli::Command),
    /// Simulate without a window and save pictures
    #[command(display_order = 2)]
    Render(offscreen::render::Options),
    /// Measure the time of each phase of a step
    #[command(display_order = 7)]
    Bench(offscreen::bench::Options),
    /// Compare with experiments and analytical solutions
    #[command(display_order = 9)]
    Validate(sph_validation::Options),
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
    /// Print frame timings of the window, one line per second, on standard error
    #[arg(long)]
    frame_stats: bool,
    /// Reset the layout of the panels
    #[arg(long)]
    reset_layout: bool,
    /// Save a recording of the session to this file when the window closes, for `sph run --replay`
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<PathBuf>,
    /// Known here only to say where it is
    #[arg(long, value_name = "FILE.jsonl", hide = true)]
    replay: Option<PathBuf>,
}

/// Parses the command line, executes it, and returns the exit status. Bad arguments exit at once with status 2.
pub fn main() -> ExitCode {
    // wgpu and winit log a lot; RUST_LOG enables it.
    let start = Instant::now();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off"))
        .format(move |out, record| {
            let (time, level, target) = (start.elapsed().as_secs_f64(), record.level(), record.target());
            writeln!(out, "[{time:8.3} s {level} {target}] {}", record.args())
        })
        .init();
    cli::exit_code(match Cli::parse() {
        Cli { command: None, window } => open_window(window),
        Cli { command: Some(command), .. } => command.execute(),
    })
}

impl Command {
    fn execute(self) -> Result<(), Failure> {
        match self {
            Self::Shared(command) => command.execute(),
            Self::Render(options) => offscreen::render::execute(&options),
            Self::Bench(options) => offscreen::bench::execute(&options),
            Self::Validate(options) => sph_validation::execute(&options),
        }
    }
}

/// True if a window can show the error of a scene file that is there.
fn opens_with_the_error(scene: Option<&Path>) -> bool {
    scene.is_some_and(Path::is_file) && app::platform::missing_display().is_none()
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
    match scenes::open(scene.as_deref(), &overrides.overrides) {
        Ok(opened) => {
            opened.remarks.iter().for_each(|remark| console::say(&format!("  remark: {remark}")));
            let mut claims = Claims::of_inputs(&opened);
            stats.iter().try_for_each(|path| claims.file("--stats", path))?;
            record.iter().try_for_each(|path| claims.file("--record", path))?;
            record.iter().try_for_each(|path| check_writable("the session recording", path))?;
        }
        // The window opens and shows the error: who has no terminal sees it, and opens another scene. An output would belong to no scene.
        Err(_) if opens_with_the_error(scene.as_deref()) && stats.is_none() && record.is_none() => {}
        Err(error) => return Err(error.into()),
    }
    if let Some(reason) = app::platform::missing_display() {
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
