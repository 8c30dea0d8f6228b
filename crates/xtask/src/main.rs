//! Set-up and chores: `cargo xtask run` shows the simulator at work, `cargo xtask test` runs every check.
//!
//! Both first bring the machine to where the command can work ([`setup`]), so that a fresh machine with Rust and a C
//! linker needs nothing else. No dependency: this must compile before anything else does, in a second or two.

mod arguments;
mod borders;
mod checks;
mod run;
mod setup;
mod steps;
mod trials;
mod workspace;

use std::process::ExitCode;

use arguments::{Command, USAGE};
use workspace::{Failure, Workspace};

fn main() -> ExitCode {
    let command = Command::parse(std::env::args().skip(1));
    let command = command.map_err(|message| Failure::unready(format!("{message}\n\n{USAGE}")));
    command.and_then(execute).unwrap_or_else(|failure| {
        eprintln!("xtask: {}", failure.message.trim_end());
        ExitCode::from(failure.status)
    })
}

fn execute(command: Command) -> Result<ExitCode, Failure> {
    let workspace = Workspace::find();
    match command {
        Command::Help => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        Command::Fuzz(arguments) => run::example(&workspace?, "sph-io", "fuzz", &arguments),
        Command::Run(arguments) => run::run(&workspace?, &arguments),
        Command::Test(suite) => checks::test(&workspace?, suite),
        Command::Soak(arguments) => trials::soak::run(&workspace?, &arguments),
        Command::KillTest(arguments) => trials::kill_test::run(&workspace?, &arguments),
    }
}
