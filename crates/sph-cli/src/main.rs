//! The program `sph-cli`: the commands of `sph` that draw no pictures, under the same names, for a cluster or a container. It is built
//! without wgpu, winit and egui.

use clap::{Args, Parser, Subcommand};
use sph_commands::{Failure, bench, cli};
use std::process::ExitCode;

/// Simulates fluids by SPH, without a window and without a GPU.
#[derive(Debug, Parser)]
#[command(name = "sph-cli", version, arg_required_else_help = true, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str = "\
The program `sph` has the same commands, and draws pictures as well.

Exit status: 0 done; 1 the simulation failed or a file could not be written; 2 bad arguments or scene; 128 and the signal's \
number if a signal ended it, with its outputs complete: 130 after Ctrl-C, 143 after SIGTERM.";

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Shared(cli::Command),
    /// Measure the time of each phase of a step
    #[command(display_order = 7)]
    Bench(bench::Options),
    /// Compare with experiments and analytical solutions
    #[command(display_order = 9)]
    Validate(sph_validation::Options),
    /// Known here only to say which program draws pictures
    #[command(hide = true, disable_help_flag = true)]
    Render(Anything),
}

/// Arguments that are not read.
#[derive(Debug, Args)]
struct Anything {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _words: Vec<String>,
}

fn main() -> ExitCode {
    cli::exit_code(match Cli::parse().command {
        Command::Shared(command) => command.execute(),
        Command::Bench(options) => bench::execute(&options),
        Command::Validate(options) => sph_validation::execute(&options),
        Command::Render(_) => Err(Failure::Input("sph-cli draws no pictures: `sph render` does".to_owned())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Every command of the window's program that needs no picture is here under the same name.
    #[test]
    fn the_commands_are_those_of_sph() {
        Cli::command().debug_assert();
        let names: Vec<_> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        for name in ["run", "check", "new", "import", "surface", "bench", "tune", "validate", "schema"] {
            assert!(names.iter().any(|other| other == name), "{name} is not among {names:?}");
        }
    }

    #[test]
    fn pictures_are_left_to_sph() {
        let cli = Cli::try_parse_from(["sph-cli", "render", "scene.toml", "--out", "pictures"]).expect("any arguments");
        assert!(matches!(cli.command, Command::Render(_)));
    }
}
