//! `cargo xtask run`: the simulator at work, in a window where there is a display, else as pictures.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::Failure;
use crate::arguments::RunArguments;
use crate::packages::Purpose;
use crate::setup;
use crate::workspace::Workspace;

/// Makes the machine ready, builds the program and runs it; its exit status becomes ours.
pub fn run(workspace: &Workspace, arguments: &RunArguments) -> Result<ExitCode, Failure> {
    let scene = arguments.scene.clone().unwrap_or_else(|| workspace.path("scenes/dam_break.toml"));
    // Said now, not after minutes of building.
    if !scene.is_file() {
        return Err(Failure::unready(format!("no scene file {}", scene.display())));
    }
    setup::prepare(workspace, Purpose::Run)?;
    let mut program = program(workspace);
    if setup::has_display() {
        program.arg(&scene);
    } else {
        program.arg("render").arg(&scene);
        // Mesa's choice of a GPU asks a Wayland compositor first, and complains on the terminal where there is none.
        program.env("NODEVICE_SELECT", "1");
        let out = match arguments.extra_option("--out") {
            Some(out) => PathBuf::from(out),
            None => {
                let out = workspace.path("out").join(scene.file_stem().unwrap_or(OsStr::new("pictures")));
                program.arg("--out").arg(&out);
                out
            }
        };
        println!("xtask: no display, so no window: drawing pictures of {} into {}", scene.display(), out.display());
    }
    program.args(&arguments.extra);
    replace_with(program)
}

/// `cargo run` of the program, in the current folder, so that relative paths mean what they mean to the user.
fn program(workspace: &Workspace) -> Command {
    let mut command = Command::new(workspace.cargo());
    command.args(["run", "--release", "--locked", "--package", "viewer", "--bin", "sph", "--manifest-path"]);
    command.arg(workspace.root().join("Cargo.toml")).arg("--");
    command
}

/// Becomes the program, so that signals reach it (Ctrl-C ends a simulation with its pictures complete) and its exit status
/// is ours. It says itself, at its end, how many pictures it left where.
#[cfg(unix)]
fn replace_with(mut program: Command) -> Result<ExitCode, Failure> {
    use std::os::unix::process::CommandExt;
    Err(cannot_run(&program.exec()))
}

/// Runs the program and passes its exit status on; 1 where that does not fit.
#[cfg(not(unix))]
fn replace_with(mut program: Command) -> Result<ExitCode, Failure> {
    let status = program.status().map_err(|error| cannot_run(&error))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::unready(format!("cannot run cargo: {error}"))
}
