//! `cargo xtask run`: the simulator at work, in a window where there is a display, else as pictures.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};

use crate::arguments::RunArguments;
use crate::setup::{self, Purpose};
use crate::workspace::{Failure, Workspace};

/// Makes the machine ready, builds the program and runs it; its exit status becomes ours.
pub fn run(workspace: &Workspace, arguments: &RunArguments) -> Result<ExitCode, Failure> {
    let scene = arguments.scene.clone().unwrap_or_else(|| workspace.path("scenes/dam_break.toml"));
    // Said now, not after minutes of building.
    if !scene.is_file() {
        return Err(Failure::unready(format!("no scene file {}", scene.display())));
    }
    if let Some(status) = build_and_prepare(workspace)? {
        return Ok(status);
    }
    let mut program = program(workspace, "run");
    program.arg("--");
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
                remove_pictures(&out);
                out
            }
        };
        println!("xtask: no display, so no window: drawing pictures of {} into {}", scene.display(), out.display());
    }
    program.args(&arguments.extra);
    replace_with(program)
}

/// Builds an example of a crate, which is a tool for its developers, and becomes it.
pub fn example(workspace: &Workspace, package: &str, name: &str, arguments: &[String]) -> Result<ExitCode, Failure> {
    let mut command = workspace.cargo_at_root();
    command.args(["run", "--release", "--locked", "--package", package, "--example", name, "--"]).args(arguments);
    replace_with(command)
}

/// Removes the pictures that an earlier run left in the folder that is ours: a shorter run would otherwise leave the end of a longer
/// one behind its own. A folder that is not there has none.
fn remove_pictures(folder: &Path) {
    let pictures = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for picture in pictures.filter(|path| is_picture(path)) {
        // What cannot be removed cannot be overwritten either, and the program will say so.
        let _ = std::fs::remove_file(picture);
    }
}

/// True for a file with the name of one of the program's pictures: `frame_`, digits, `.png`.
fn is_picture(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    let number = name.and_then(|name| name.strip_prefix("frame_")?.strip_suffix(".png"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Builds the program, and installs meanwhile what the machine lacks to run it. Returns the exit status of a build that fails.
fn build_and_prepare(workspace: &Workspace) -> Result<Option<ExitCode>, Failure> {
    let mut build = program(workspace, "build").spawn().map_err(|error| cannot_run(&error))?;
    if let Err(failure) = setup::prepare(workspace, Purpose::Run) {
        stop(&mut build);
        return Err(failure);
    }
    let status = build.wait().map_err(|error| cannot_run(&error))?;
    Ok(if status.success() { None } else { Some(exit_code(status)) })
}

/// Ends cargo and the compilers that it has started, which would otherwise go on in the background.
fn stop(build: &mut Child) {
    // A group of its own would end all of them at once, but then Ctrl-C in the terminal would not reach the build. Without pkill they
    // finish their crates.
    if cfg!(unix) {
        let children = ["-TERM", "-P", &build.id().to_string()];
        let _ = Command::new("pkill").args(children).status();
    }
    // It may have ended; then there is nothing to stop.
    let _ = build.kill();
    let _ = build.wait();
}

/// `cargo run` or `cargo build` of the program, in the current folder, so that relative paths mean what they mean to the user.
fn program(workspace: &Workspace, subcommand: &str) -> Command {
    let mut command = Command::new(workspace.cargo());
    command.args([subcommand, "--release", "--locked", "--package", "viewer", "--bin", "sph", "--manifest-path"]);
    command.arg(workspace.root().join("Cargo.toml"));
    command
}

/// The exit status of a command as ours; 1 where that does not fit.
fn exit_code(status: ExitStatus) -> ExitCode {
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// Becomes the program, so that signals reach it (Ctrl-C ends a simulation with its pictures complete) and its exit status
/// is ours. It says itself, at its end, how many pictures it left where.
#[cfg(unix)]
fn replace_with(mut program: Command) -> Result<ExitCode, Failure> {
    use std::os::unix::process::CommandExt;
    Err(cannot_run(&program.exec()))
}

/// Runs the program and passes its exit status on.
#[cfg(not(unix))]
fn replace_with(mut program: Command) -> Result<ExitCode, Failure> {
    let status = program.status().map_err(|error| cannot_run(&error))?;
    Ok(exit_code(status))
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::unready(format!("cannot run cargo: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_programs_pictures_are_removed() {
        assert!(is_picture(Path::new("out/frame_0012.png")));
        for other in ["out/frame_.png", "out/frame_12.jpg", "out/my_frame_1.png", "out/frame_1a.png", "out"] {
            assert!(!is_picture(Path::new(other)), "{other}");
        }
    }
}
