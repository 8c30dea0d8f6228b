//! Brings the machine to where a command can work: asks what it has, installs what it lacks.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::packages::{self, Machine, Package, Purpose};
use crate::python;
use crate::workspace::Workspace;

/// Installs what the command needs and the machine lacks; does nothing, and says nothing, where nothing is missing.
pub fn prepare(workspace: &Workspace, purpose: Purpose) -> Result<(), Failure> {
    // macOS and Windows bring their drivers and window libraries along.
    if cfg!(target_os = "linux") {
        system_packages(purpose)?;
    }
    if purpose == Purpose::Test {
        rust_components(workspace)?;
        python_libraries(workspace);
    }
    Ok(())
}

/// True if a window can be opened.
pub fn has_display() -> bool {
    let always = cfg!(any(target_os = "macos", target_os = "windows"));
    always || ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"].into_iter().any(is_set)
}

fn system_packages(purpose: Purpose) -> Result<(), Failure> {
    let machine = Machine { vulkan_driver: has_vulkan_driver(), display: has_display() };
    let needed = packages::needed(purpose, machine);
    if !(answers("apt-get", &["--version"]) && answers("dpkg-query", &["--version"])) {
        println!("xtask: no apt-get here, so nothing is installed; what must be there: {}", list(&needed));
        return Ok(());
    }
    // dpkg-query exits with 1 as soon as it does not know one of the packages; its answer is complete all the same.
    let answer = Command::new("dpkg-query")
        .args(packages::QUERY)
        .args(needed.iter().map(|package| package.name))
        .stderr(Stdio::null())
        .output()
        .map_err(|error| Failure::unready(format!("cannot run dpkg-query: {error}")))?;
    let missing = packages::missing(&needed, &String::from_utf8_lossy(&answer.stdout));
    if missing.is_empty() { Ok(()) } else { install(purpose, &missing) }
}

fn install(purpose: Purpose, missing: &[&str]) -> Result<(), Failure> {
    println!("xtask: not installed yet: {}", missing.join(" "));
    let failure = |reason| Err(not_installed(purpose, reason, missing));
    let as_root: &[&str] = if is_root() {
        &[]
    } else if answers("sudo", &["--version"]) {
        &["sudo"]
    } else {
        return failure("this user is not root, and there is no sudo");
    };
    let [update, install] = packages::install_commands(as_root, missing);
    match announce_and_run(&update) {
        Some(0) => {}
        // One source of packages out of reach is no reason to stop: another may have what we need.
        Some(packages::APT_ERROR) => println!("xtask: not every list of packages is up to date; going on with those at hand"),
        _ => return failure("this user may not install them"),
    }
    match announce_and_run(&install) {
        Some(0) => Ok(()),
        _ => failure("their installation failed"),
    }
}

fn not_installed(purpose: Purpose, reason: &str, missing: &[&str]) -> Failure {
    let [update, install] = packages::install_commands(&[], missing).map(|words| words.join(" "));
    let without = match purpose {
        Purpose::Run => "cargo run --release",
        Purpose::Test => "cargo test --workspace",
    };
    Failure::unready(format!(
        "packages are missing, and {reason}. As root:\n    {update}\n    {install}\n\
         or leave them out, for what works without them: {without}"
    ))
}

/// Installs rustfmt and clippy where rustup's minimal profile has left them out: the tests need them.
pub fn rust_components(workspace: &Workspace) -> Result<(), Failure> {
    let missing: Vec<&str> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(subcommand, _)| !answers(workspace.cargo(), &[subcommand, "--version"]))
        .map(|(_, component)| component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let add: Vec<String> = ["rustup", "component", "add"].iter().chain(&missing).map(|&word| word.to_owned()).collect();
    if announce_and_run(&add) == Some(0) {
        Ok(())
    } else {
        Err(Failure::unready(format!("missing of Rust's tools: {}. Try: {}", missing.join(" and "), add.join(" "))))
    }
}

/// Installs what reads exports back. Where that fails, all but one test can still run, and that one says what it lacks.
fn python_libraries(workspace: &Workspace) {
    if answers(python::interpreter(workspace), &python::PROBE) {
        return;
    }
    let is_done = python::install_commands(workspace).iter().all(|command| announce_and_run(command) == Some(0));
    if !is_done {
        println!("xtask: no Python with {} here: the test `export_readers` will fail", python::LIBRARIES.join(", "));
    }
}

/// Says what is going to run, runs it, and returns its exit status, if it came to have one.
fn announce_and_run(words: &[String]) -> Option<i32> {
    println!("xtask: running: {}", words.join(" "));
    match Command::new(&words[0]).args(&words[1..]).status() {
        Ok(status) => status.code(),
        Err(error) => {
            eprintln!("xtask: cannot run {}: {error}", words[0]);
            None
        }
    }
}

/// True if a program is there and answers a harmless question.
fn answers(program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    let quiet = Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn has_vulkan_driver() -> bool {
    let holds_driver = |folder: PathBuf| {
        let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.any(|file| file.path().extension() == Some(OsStr::new("json")))
    };
    let home = std::env::var_os("HOME").map(PathBuf::from);
    is_set("VK_DRIVER_FILES")
        || is_set("VK_ICD_FILENAMES")
        || packages::vulkan_driver_folders(home).into_iter().any(holds_driver)
}

fn list(packages: &[&Package]) -> String {
    packages.iter().map(|package| package.provides).collect::<Vec<_>>().join(", ")
}
