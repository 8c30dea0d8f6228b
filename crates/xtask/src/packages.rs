//! Debian packages that a command needs, and those of them that a machine lacks. Pure: asks the machine nothing.

use std::path::PathBuf;

/// The command that a machine is made ready for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Purpose {
    Run,
    Test,
}

/// Properties of a machine that decide, beside the command, which packages are needed.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Some Vulkan driver is registered with the loader, of whatever make.
    pub vulkan_driver: bool,
    /// A window can be opened.
    pub display: bool,
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
pub struct Package {
    /// Debian's and Ubuntu's name for it.
    pub name: &'static str,
    /// The part of it that is used.
    pub provides: &'static str,
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
pub fn needed(purpose: Purpose, machine: Machine) -> Vec<&'static Package> {
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
pub const QUERY: [&str; 3] = ["--show", "--showformat", "${Package} ${db:Status-Status}\n"];

/// The names among `packages` that are not installed, according to what `dpkg-query` printed.
///
/// It prints nothing for a package that was never heard of, and a line with another status for one that was removed or
/// only half installed. A package of several architectures has a line for each.
pub fn missing(packages: &[&Package], dpkg_answer: &str) -> Vec<&'static str> {
    packages.iter().map(|package| package.name).filter(|name| !is_installed(name, dpkg_answer)).collect()
}

fn is_installed(name: &str, dpkg_answer: &str) -> bool {
    dpkg_answer.lines().any(|line| line.split_once(' ') == Some((name, "installed")))
}

/// The exit status of `apt-get` when it failed, as against not having been allowed to start.
pub const APT_ERROR: i32 = 100;

/// The two commands that install packages, each with the words before it that make it run as root.
///
/// Other installations (a fresh machine's first upgrade, say) are waited for, and nothing is asked.
pub fn install_commands(as_root: &[&str], names: &[&str]) -> [Vec<String>; 2] {
    let words = |tail: &[&str]| -> Vec<String> {
        let head = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"];
        [as_root, &head, tail].concat().into_iter().map(str::to_owned).collect()
    };
    let install = ["install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    [words(&["update"]), words(&[&install, names].concat())]
}

/// Folders in which the Vulkan loader looks for drivers: the system's and the user's own.
pub fn vulkan_driver_folders(home: Option<PathBuf>) -> Vec<PathBuf> {
    let system = ["/etc", "/usr/share", "/usr/local/etc", "/usr/local/share"].map(PathBuf::from);
    let user = home.into_iter().flat_map(|home| [home.join(".config"), home.join(".local/share")]);
    system.into_iter().chain(user).map(|folder| folder.join("vulkan/icd.d")).collect()
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
}
