//! `cargo xtask run`: the simulator at work, in a window where there is a display, else as pictures.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

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
    if setup::has_display() {
        let mut viewer = program(workspace);
        viewer.arg(&scene).args(&arguments.extra);
        return replace_with(viewer);
    }

    let (chosen, pictures) = match arguments.extra_option("--out") {
        Some(out) => (true, PathBuf::from(out)),
        None => (false, workspace.path("out").join(scene.file_stem().unwrap_or(OsStr::new("pictures")))),
    };
    println!("xtask: no display here, so no window: drawing pictures of {} into {}", scene.display(), pictures.display());
    let mut render = program(workspace);
    render.arg("render").arg(&scene);
    if !chosen {
        render.arg("--out").arg(&pictures);
    }
    render.args(&arguments.extra);
    let status = render.status().map_err(|error| cannot_run(&error))?;
    if status.success() {
        println!("xtask: {} pictures (PNG) in {}", count_pictures(&pictures), pictures.display());
    }
    Ok(exit_code(status))
}

/// `cargo run` of the program, in the current folder, so that relative paths mean what they mean to the user.
fn program(workspace: &Workspace) -> Command {
    let mut command = Command::new(workspace.cargo());
    command.args(["run", "--release", "--locked", "--package", "viewer", "--bin", "sph", "--manifest-path"]);
    command.arg(workspace.root().join("Cargo.toml")).arg("--");
    command
}

/// Becomes the program, so that signals sent to us reach it.
#[cfg(unix)]
fn replace_with(mut command: Command) -> Result<ExitCode, Failure> {
    use std::os::unix::process::CommandExt;
    Err(cannot_run(&command.exec()))
}

#[cfg(not(unix))]
fn replace_with(mut command: Command) -> Result<ExitCode, Failure> {
    command.status().map(exit_code).map_err(|error| cannot_run(&error))
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::unready(format!("cannot run cargo: {error}"))
}

/// The same status; 1 where there is none to pass on (ended by a signal, or out of range).
fn exit_code(status: ExitStatus) -> ExitCode {
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn count_pictures(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter(|file| file.path().extension() == Some(OsStr::new("png"))).count()
}
