//! Brings the machine to where a command can work: asks what it has, installs what it lacks.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::workspace::{Failure, Workspace};

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
    let needed = needed(purpose, machine);
    if !(answers("apt-get", &["--version"]) && answers("dpkg-query", &["--version"])) {
        println!("xtask: no apt-get here, so nothing is installed; what must be there: {}", list(&needed));
        return Ok(());
    }
    // dpkg-query exits with 1 as soon as it does not know one of the packages; its answer is complete all the same.
    let answer = Command::new("dpkg-query")
        .args(QUERY)
        .args(needed.iter().map(|package| package.name))
        .stderr(Stdio::null())
        .output()
        .map_err(|error| Failure::unready(format!("cannot run dpkg-query: {error}")))?;
    let missing = missing(&needed, &String::from_utf8_lossy(&answer.stdout));
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
    let [update, install] = install_commands(as_root, missing);
    match announce_and_run(&update) {
        Some(0) => {}
        // One source of packages out of reach is no reason to stop: another may have what we need.
        Some(APT_ERROR) => println!("xtask: not every list of packages is up to date; going on with those at hand"),
        _ => return failure("this user may not install them"),
    }
    match announce_and_run(&install) {
        Some(0) => Ok(()),
        _ => failure("their installation failed"),
    }
}

fn not_installed(purpose: Purpose, reason: &str, missing: &[&str]) -> Failure {
    let [update, install] = install_commands(&[], missing).map(|words| words.join(" "));
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
    if answers(python_interpreter(workspace), &PYTHON_PROBE) {
        return;
    }
    let is_done = python_install_commands(workspace).iter().all(|command| announce_and_run(command) == Some(0));
    if !is_done {
        println!("xtask: no Python with {} here: the test `export_readers` will fail", PYTHON_LIBRARIES.join(", "));
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
    is_set("VK_DRIVER_FILES") || is_set("VK_ICD_FILENAMES") || vulkan_driver_folders(home).into_iter().any(holds_driver)
}

fn list(packages: &[&Package]) -> String {
    packages.iter().map(|package| package.provides).collect::<Vec<_>>().join(", ")
}

/// The command that a machine is made ready for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Purpose {
    Run,
    Test,
}

/// Properties of a machine that decide, beside the command, which packages are needed.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Some Vulkan driver is registered with the loader, of whatever make.
    vulkan_driver: bool,
    /// A window can be opened.
    display: bool,
}

/// When a package is needed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Need {
    /// To draw at all.
    Always,
    /// To draw where no other driver is; and by the tests, whose pictures are those of this driver.
    Driver,
    /// To open a window.
    Window,
    /// To open a window on a display of our own, drive it with mouse and keyboard, and look at it.
    VirtualDisplay,
    /// To read exports back by software of others.
    Python,
}

/// A Debian package, and what it brings, for those who have to find it under another name.
#[derive(Debug, PartialEq)]
struct Package {
    /// Debian's and Ubuntu's name for it.
    name: &'static str,
    /// The part of it that is used.
    provides: &'static str,
    need: Need,
}

/// Everything that any command needs. The X libraries are opened while running, not linked: building needs none of them.
const PACKAGES: &[Package] = &[
    Package { name: "libvulkan1", provides: "libvulkan.so.1", need: Need::Always },
    Package { name: "mesa-vulkan-drivers", provides: "a Vulkan driver (Mesa's lavapipe needs no GPU)", need: Need::Driver },
    Package { name: "libegl1", provides: "libEGL.so.1", need: Need::Window },
    Package { name: "libx11-6", provides: "libX11.so.6", need: Need::Window },
    Package { name: "libx11-xcb1", provides: "libX11-xcb.so.1", need: Need::Window },
    Package { name: "libxcursor1", provides: "libXcursor.so.1", need: Need::Window },
    Package { name: "libxi6", provides: "libXi.so.6", need: Need::Window },
    Package { name: "libxkbcommon-x11-0", provides: "libxkbcommon-x11.so.0", need: Need::Window },
    Package { name: "xvfb", provides: "Xvfb", need: Need::VirtualDisplay },
    Package { name: "xauth", provides: "xauth", need: Need::VirtualDisplay },
    Package { name: "xdotool", provides: "xdotool", need: Need::VirtualDisplay },
    Package { name: "python3-venv", provides: "python3 with venv", need: Need::Python },
];

/// The packages that a command needs on a machine.
fn needed(purpose: Purpose, machine: Machine) -> Vec<&'static Package> {
    let test = purpose == Purpose::Test;
    let is_needed = |package: &&Package| match package.need {
        Need::Always => true,
        Need::Driver => test || !machine.vulkan_driver,
        Need::Window => test || machine.display,
        Need::VirtualDisplay | Need::Python => test,
    };
    PACKAGES.iter().filter(is_needed).collect()
}

/// Arguments of `dpkg-query` for an answer that [`missing`] understands: a line `name status` for each package.
const QUERY: [&str; 3] = ["--show", "--showformat", "${Package} ${db:Status-Status}\n"];

/// The names among `packages` that are not installed, according to what `dpkg-query` printed.
///
/// It prints nothing for a package that was never heard of, and a line with another status for one that was removed or
/// only half installed. A package of several architectures has a line for each.
fn missing(packages: &[&Package], dpkg_answer: &str) -> Vec<&'static str> {
    packages.iter().map(|package| package.name).filter(|name| !is_installed(name, dpkg_answer)).collect()
}

fn is_installed(name: &str, dpkg_answer: &str) -> bool {
    dpkg_answer.lines().any(|line| line.split_once(' ') == Some((name, "installed")))
}

/// The exit status of `apt-get` when it failed, as against not having been allowed to start.
const APT_ERROR: i32 = 100;

/// The two commands that install packages, each with the words before it that make it run as root.
///
/// Other installations (a fresh machine's first upgrade, say) are waited for, and nothing is asked.
fn install_commands(as_root: &[&str], names: &[&str]) -> [Vec<String>; 2] {
    let words = |tail: &[&str]| -> Vec<String> {
        let head = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"];
        [as_root, &head, tail].concat().into_iter().map(str::to_owned).collect()
    };
    let install = ["install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    [words(&["update"]), words(&[&install, names].concat())]
}

/// Folders in which the Vulkan loader looks for drivers: the system's and the user's own.
fn vulkan_driver_folders(home: Option<PathBuf>) -> Vec<PathBuf> {
    let system = ["/etc", "/usr/share", "/usr/local/etc", "/usr/local/share"].map(PathBuf::from);
    let user = home.into_iter().flat_map(|home| [home.join(".config"), home.join(".local/share")]);
    system.into_iter().chain(user).map(|folder| folder.join("vulkan/icd.d")).collect()
}

/// The libraries: tested with NumPy 2.4.6, plyfile 1.1.5 and trimesh 4.12.2.
const PYTHON_LIBRARIES: [&str; 4] = ["numpy>=1.26,<3", "meshio==5.3.5", "plyfile>=1,<2", "trimesh>=4,<5"];

/// A program that ends well if the libraries are there.
const PYTHON_PROBE: [&str; 2] = ["-c", "import numpy, meshio, plyfile, trimesh"];

/// The interpreter.
fn python_interpreter(workspace: &Workspace) -> PathBuf {
    python_folder(workspace).join("bin/python")
}

/// The two commands that make it and install the libraries.
fn python_install_commands(workspace: &Workspace) -> [Vec<String>; 2] {
    let environment = ["python3", "-m", "venv"].map(str::to_owned).into_iter();
    let environment = environment.chain([python_folder(workspace).display().to_string()]).collect();
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"].into_iter().chain(PYTHON_LIBRARIES);
    let install = [python_interpreter(workspace).display().to_string()].into_iter().chain(install.map(str::to_owned)).collect();
    [environment, install]
}

fn python_folder(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target/python")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(purpose: Purpose, vulkan_driver: bool, display: bool) -> Vec<&'static str> {
        needed(purpose, Machine { vulkan_driver, display }).iter().map(|package| package.name).collect()
    }

    #[test]
    fn pictures_need_a_driver_only() {
        assert_eq!(names(Purpose::Run, false, false), ["libvulkan1", "mesa-vulkan-drivers"]);
    }

    #[test]
    fn a_desktop_keeps_its_own_driver() {
        let desktop = names(Purpose::Run, true, true);
        assert!(!desktop.contains(&"mesa-vulkan-drivers"), "{desktop:?}");
        assert!(desktop.contains(&"libxkbcommon-x11-0"), "{desktop:?}");
        assert!(!desktop.contains(&"xvfb"), "{desktop:?}");
    }

    #[test]
    fn tests_need_everything_wherever_they_run() {
        for (vulkan_driver, display) in [(false, false), (true, false), (false, true), (true, true)] {
            assert_eq!(names(Purpose::Test, vulkan_driver, display).len(), PACKAGES.len());
        }
    }

    #[test]
    fn only_installed_is_installed() {
        let packages = needed(Purpose::Run, Machine { vulkan_driver: false, display: true });
        let answer = "libvulkan1 installed\nlibegl1 not-installed\nlibegl1 installed\nlibx11-6 config-files\n\
                      libxi6 half-installed\nlibxcursor1 installed\nlibxi6-extra installed\n";
        let expected = ["mesa-vulkan-drivers", "libx11-6", "libx11-xcb1", "libxi6", "libxkbcommon-x11-0"];
        assert_eq!(missing(&packages, answer), expected);
    }

    #[test]
    fn nothing_known_means_everything_missing() {
        let packages = needed(Purpose::Test, Machine { vulkan_driver: false, display: false });
        assert_eq!(missing(&packages, "").len(), PACKAGES.len());
    }

    #[test]
    fn the_commands_run_as_root_and_ask_nothing() {
        let [update, install] = install_commands(&["sudo"], &["xvfb", "xauth"]).map(|words| words.join(" "));
        assert_eq!(update, "sudo env DEBIAN_FRONTEND=noninteractive apt-get -q update");
        assert!(install.starts_with("sudo env DEBIAN_FRONTEND=noninteractive apt-get -q install -y "), "{install}");
        assert!(install.ends_with(" xvfb xauth"), "{install}");
        assert_eq!(install_commands(&[], &[])[0][0], "env");
    }

    #[test]
    fn the_libraries_are_installed_beside_the_build() {
        let [environment, install] = python_install_commands(&Workspace::find().ok().unwrap()).map(|words| words.join(" "));
        assert!(environment.starts_with("python3 -m venv ") && environment.ends_with("target/python"), "{environment}");
        assert!(install.contains("target/python/bin/python -m pip install ") && install.contains(" meshio=="), "{install}");
    }
}
