//! The commands that every program has, with and without a window, and how a program ends.

use crate::simulate::Interrupt;
use crate::{Failure, check, console, import, new, run, surface, tune};
use clap::{Args, Subcommand};
use sph_io::Override;
use std::process::ExitCode;

/// The commands that need no arguments of a program's own. `render`, `bench` and `validate` are added by the programs. The order is that of
/// `--help`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate without a window
    #[command(display_order = 1)]
    Run(run::Options),
    /// Check scene files without simulating
    #[command(display_order = 3)]
    Check(check::Options),
    /// Write a commented scene as a starting point
    #[command(display_order = 4)]
    New(new::Options),
    /// Convert a SPlisHSPlasH scene into a scene file
    #[command(display_order = 5)]
    Import(import::Options),
    /// Make surface meshes of exported particles
    #[command(display_order = 6)]
    Surface(surface::Options),
    /// Find the grid that makes the neighbour search fastest on this machine
    #[command(display_order = 8)]
    Tune(tune::Options),
    /// Print the JSON Schema of scene files
    #[command(display_order = 10)]
    Schema(SchemaArgs),
}

/// Arguments of `sph schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Accepted for uniformity with the other commands: the schema does not depend on any scene
    #[arg(long = "set", value_name = "PATH=VALUE", hide = true)]
    _overrides: Vec<Override>,
}

impl Command {
    /// Executes the command.
    ///
    /// # Errors
    /// If its arguments or its scene cannot be used, or it failed.
    pub fn execute(self) -> Result<(), Failure> {
        match self {
            Self::Run(options) => run::execute(&options),
            Self::Check(options) => check::execute(&options),
            Self::New(options) => new::execute(&options),
            Self::Import(options) => import::execute(&options),
            Self::Surface(options) => surface::execute(&options),
            Self::Tune(options) => tune::execute(&options),
            Self::Schema(_) => console::print(&sph_io::json_schema()),
        }
    }
}

/// Says why a command failed, and returns the exit status of the program.
pub fn exit_code(outcome: Result<(), Failure>) -> ExitCode {
    if let Err(failure) = &outcome {
        console::say(&failure.report(console::wants_color()));
    }
    // Ended by a signal: what a batch system has to know, however complete the outputs are.
    let status = Interrupt::exit_status().unwrap_or(outcome.map_or_else(|failure| failure.exit_status(), |()| 0));
    ExitCode::from(status)
}
