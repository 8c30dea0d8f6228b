//! Borders between crates: what each of them may not be built from.
//!
//! Inside a border the compiler does the work: code cannot name a crate that its own crate does not depend on. What is left to check is
//! that no manifest lets one in, directly or by way of another, and `cargo tree` knows that. See `docs/adr/0024-borders-kept-by-the-compiler.md`.

use std::collections::BTreeSet;

use crate::workspace::Workspace;

/// A crate of ours and the packages that may not be anywhere below it. A name that ends in `*` stands for all that begin so.
struct Border {
    package: &'static str,
    forbidden: &'static [&'static str],
}

const fn border(package: &'static str, forbidden: &'static [&'static str]) -> Border {
    Border { package, forbidden }
}

/// Every crate in `crates/`, from the fluid outwards. A crate may use those above it.
const BORDERS: &[Border] = &[
    border("sph-core", &["sph-*", "viewer", "wgpu*", "winit*", "egui*"]),
    border(
        "sph-pbd",
        &["sph-io", "sph-color", "sph-render", "sph-commands", "sph-validation", "viewer", "wgpu*", "winit*", "egui*"],
    ),
    border("sph-io", &["sph-color", "sph-render", "sph-commands", "sph-validation", "viewer", "wgpu*", "winit*", "egui*"]),
    border("sph-color", &["sph-render", "sph-commands", "sph-validation", "viewer", "wgpu*", "winit*", "egui*"]),
    border("sph-render", &["sph-commands", "sph-validation", "viewer", "winit*", "egui*", "clap*"]),
    border("sph-commands", &["sph-render", "sph-validation", "viewer", "wgpu*", "winit*", "egui*"]),
    border("sph-validation", &["sph-render", "viewer", "wgpu*", "winit*", "egui*"]),
    border("sph-cli", &["sph-render", "viewer", "wgpu*", "winit*", "egui*"]),
    border("viewer", &["sph-cli"]),
    // Nothing at all: it must compile before, and faster than, anything else.
    border("xtask", &["*"]),
];

/// Checks that every crate has its border and keeps it; the error names each breach.
pub fn check(workspace: &Workspace) -> Result<(), String> {
    let mut breaches = unlisted(&crates(workspace)?);
    for border in BORDERS {
        let names = dependencies(workspace, border.package)?;
        breaches.extend(border.breaches(&names));
    }
    if breaches.is_empty() { Ok(()) } else { Err(format!("\n    {}", breaches.join("\n    "))) }
}

impl Border {
    fn breaches(&self, dependencies: &BTreeSet<String>) -> Vec<String> {
        let is_forbidden = |name: &&String| self.forbidden.iter().any(|pattern| matches(pattern, name));
        let package = self.package;
        let breach = |name| format!("{package} depends on {name} (cargo tree --package {package} --invert {name})");
        dependencies.iter().filter(is_forbidden).map(breach).collect()
    }
}

/// The crates without a border: a new one would otherwise go unchecked.
fn unlisted(crates: &BTreeSet<String>) -> Vec<String> {
    let is_listed = |name: &str| BORDERS.iter().any(|border| border.package == name);
    let without = crates.iter().filter(|name| !is_listed(name));
    without.map(|name| format!("{name} has no border: add it to crates/xtask/src/borders.rs")).collect()
}

/// The names of the workspace's crates: the folders in `crates/` with a manifest.
fn crates(workspace: &Workspace) -> Result<BTreeSet<String>, String> {
    let folder = workspace.root().join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let packages = entries.flatten().filter(|entry| entry.path().join("Cargo.toml").is_file());
    Ok(packages.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// The names of everything that a package is built from, with all its features and on every platform; what only its tests use is its
/// own affair.
fn dependencies(workspace: &Workspace, package: &str) -> Result<BTreeSet<String>, String> {
    let answer = workspace
        .cargo_at_root()
        .args(["tree", "--locked", "--package", package, "--edges", "normal,build", "--all-features", "--target", "all"])
        .args(["--prefix", "none", "--format", "{p}"])
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !answer.status.success() {
        return Err(format!("cargo tree --package {package}: {}", String::from_utf8_lossy(&answer.stderr).trim_end()));
    }
    Ok(below_root(&String::from_utf8_lossy(&answer.stdout)))
}

/// The package names in `cargo tree`'s lines (`name version …`), without the first, which is the package asked about.
fn below_root(tree: &str) -> BTreeSet<String> {
    tree.lines().skip(1).filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_tree_is_read_without_its_root() {
        let tree = "sph-io v0.1.0 (/somewhere)\nsph-core v0.1.0 (/somewhere)\nglam v0.34.0\n\nglam v0.34.0 (*)\n";
        assert_eq!(below_root(tree), names(&["glam", "sph-core"]));
        assert_eq!(below_root("xtask v0.1.0 (/somewhere)\n"), names(&[]));
    }

    #[test]
    fn a_star_stands_for_any_ending() {
        assert!(matches("wgpu*", "wgpu") && matches("wgpu*", "wgpu-core") && matches("*", "glam"));
        assert!(!matches("wgpu*", "egui-wgpu") && !matches("viewer", "viewer-core"));
    }

    #[test]
    fn a_forbidden_package_is_named() {
        let io = border("sph-io", &["viewer", "wgpu*"]);
        assert_eq!(io.breaches(&names(&["sph-core", "glam"])), [""; 0]);
        let breaches = io.breaches(&names(&["glam", "wgpu-core"]));
        assert_eq!(breaches, ["sph-io depends on wgpu-core (cargo tree --package sph-io --invert wgpu-core)"]);
    }

    #[test]
    fn a_crate_without_a_border_is_named() {
        assert_eq!(unlisted(&names(&["sph-io", "xtask"])), [""; 0]);
        assert!(unlisted(&names(&["sph-new"]))[0].starts_with("sph-new has no border"));
    }
}
