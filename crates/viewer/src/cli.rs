//! The command line: its commands and arguments.

use crate::app;
use crate::offscreen;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use sph_commands::arguments::{SceneArgs, ThreadArgs};
use sph_commands::output::{Claims, check_writable};
use sph_commands::{Failure, cli, console, scenes};
use sph_io::Override;
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

Exit status: 0 done; 1 the simulation failed or a file could not be written; 2 bad arguments or scene (a scene file that is \
there opens a window with its error), no GPU driver, no display; 128 plus the signal's number if a signal ended it \
(130 after Ctrl-C, 143 after SIGTERM), with its outputs complete.";

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
    /// Print the frame timings of the window to standard error, one line per second
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
    cli::exit_code(match Cli::try_parse() {
        Ok(Cli { command: None, window }) => open_window(window),
        Ok(Cli { command: Some(command), .. }) => command.execute(),
        Err(error) => match misspelt_command(&error) {
            Some(word) => Err(unknown(&word)),
            None => error.exit(),
        },
    })
}

/// The first argument, if `error` comes from arguments after it and it is most likely a misspelt command: clap takes it for a scene.
fn misspelt_command(error: &clap::Error) -> Option<PathBuf> {
    let word = PathBuf::from(std::env::args_os().nth(1)?);
    let is_word = word.extension().is_none() && !word.to_string_lossy().starts_with('-') && !word.exists();
    let is_command = Cli::command().get_subcommands().any(|command| *command.get_name() == *word);
    (error.kind() == ErrorKind::ArgumentConflict && is_word && !is_command).then_some(word)
}

/// The failure that `word` is neither a scene file nor a command.
fn unknown(word: &Path) -> Failure {
    let cli = Cli::command();
    let commands = cli.get_subcommands().map(clap::Command::get_name);
    let hint = match sph_io::nearest(&word.to_string_lossy(), commands) {
        Some(meant) => format!(": did you mean `sph {meant}`?"),
        None => "; `sph --help` lists the commands".to_owned(),
    };
    Failure::Input(format!("`{}` is neither a scene file nor a command{hint}", word.display()))
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

/// True if a window can show the error of a scene file that is there: without overrides, since a wrong one is an error of the command line.
fn opens_with_the_error(scene: Option<&Path>, overrides: &[Override]) -> bool {
    scene.is_some_and(Path::is_file) && overrides.is_empty() && app::platform::missing_display().is_none()
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
        return Err(unknown(word));
    }
    match scenes::open(scene.as_deref(), &overrides.overrides) {
        Ok(opened) => {
            opened.remarks.iter().for_each(|remark| console::say(&format!("  remark: {remark}")));
            let mut claims = Claims::of_inputs(&opened);
            stats.iter().try_for_each(|path| claims.file("--stats", path))?;
            record.iter().try_for_each(|path| claims.file("--record", path))?;
            record.iter().try_for_each(|path| check_writable("the session recording", path))?;
        }
        // The window opens and shows the error: who has no terminal sees it too, and opens another scene. An output would belong to no scene.
        Err(error) if opens_with_the_error(scene.as_deref(), &overrides.overrides) && stats.is_none() && record.is_none() => {
            console::say(&Failure::from(error).report(console::wants_color()));
        }
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
