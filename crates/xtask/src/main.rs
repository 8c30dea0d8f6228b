//! Set-up and chores: `cargo xtask run` shows the simulator at work, `cargo xtask test` runs every check.
//!
//! Both first bring the machine to where the command can work ([`setup`]), so that a fresh machine with Rust and a C
//! linker needs nothing else. No dependency: this must compile before anything else does, in a second or two.

mod arguments;
mod checks;
mod directions;
mod failure;
mod folders;
mod imports;
mod packages;
mod run;
mod setup;
mod sources;
mod workspace;

use std::process::ExitCode;

use arguments::{Command, USAGE};
use failure::Failure;
use workspace::Workspace;

fn main() -> ExitCode {
    let outcome = match Command::parse(std::env::args().skip(1)) {
        Ok(Command::Help) => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        Ok(Command::Run(arguments)) => Workspace::find().and_then(|workspace| run::run(&workspace, &arguments)),
        Ok(Command::Test) => Workspace::find().and_then(|workspace| checks::test(&workspace)),
        Ok(Command::Imports(shown)) => {
            Workspace::find().and_then(|workspace| checks::one("circles", imports::check(&workspace, shown)))
        }
        Ok(Command::Folders) => Workspace::find().and_then(|workspace| checks::one("folders", folders::check(&workspace))),
        Err(message) => Err(Failure::unready(format!("{message}\n\n{USAGE}"))),
    };
    outcome.unwrap_or_else(|failure| {
        eprintln!("xtask: {}", failure.message.trim_end());
        ExitCode::from(failure.status)
    })
}
