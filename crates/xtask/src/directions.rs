//! Directions of imports: between crates, asked of `cargo tree`; inside a crate, read from its sources.

use crate::imports::tokens::{Token, tokens};
use crate::sources;
use crate::workspace::Workspace;

/// A crate and the packages that may not be anywhere below it. A name ending in `*` stands for all that begin so.
struct CrateRule {
    package: &'static str,
    forbidden: &'static [&'static str],
}

const CRATES: &[CrateRule] = &[
    CrateRule { package: "sph-core", forbidden: &["sph-io", "viewer", "wgpu*", "winit", "egui*", "serde*"] },
    CrateRule { package: "sph-io", forbidden: &["viewer", "wgpu*", "winit", "egui*"] },
    // Everything: it must compile before, and faster than, anything else.
    CrateRule { package: "xtask", forbidden: &["*"] },
];

/// A folder of sources and the crates and types that may not be named in it.
struct FolderRule {
    folder: &'static str,
    forbidden: &'static [&'static str],
    /// The file that may name them; empty if there is none.
    exception: &'static str,
}

impl FolderRule {
    const fn new(folder: &'static str, forbidden: &'static [&'static str]) -> Self {
        Self { folder, forbidden, exception: "" }
    }
}

const FOLDERS: &[FolderRule] = &[
    FolderRule::new("crates/viewer/src/render", &["egui", "egui_wgpu", "egui_winit", "egui_plot"]),
    FolderRule::new("crates/viewer/src/ui", &["wgpu", "egui_wgpu"]),
    // Whoever reads a fluid or drives it does so whatever computes it.
    FolderRule::new("crates/sph-core/src/probes", &["Simulation"]),
    FolderRule::new("crates/sph-core/src/tuning", &["Simulation"]),
    FolderRule { exception: "crates/viewer/src/engine.rs", ..FolderRule::new("crates/viewer/src", &["Simulation"]) },
];

/// Checks every rule; the error names each breach.
pub fn check(workspace: &Workspace) -> Result<(), String> {
    let mut breaches = Vec::new();
    for rule in CRATES {
        let names = dependencies(workspace, rule.package)?;
        let forbidden = names.iter().filter(|name| rule.forbidden.iter().any(|pattern| matches(pattern, name)));
        breaches.extend(forbidden.map(|name| format!("{} depends on {name} (cargo tree -i {name})", rule.package)));
    }
    for rule in FOLDERS {
        let files = sources::read(workspace.root(), rule.folder)?;
        if !rule.exception.is_empty() && !files.contains_key(rule.exception) {
            breaches.push(format!("{} is not there any more", rule.exception));
        }
        for (path, text) in files.into_iter().filter(|(path, _)| path != rule.exception) {
            let named = names_in(&text, rule.forbidden);
            breaches.extend(named.into_iter().map(|(line, name)| format!("{path}:{line} names {name}")));
        }
    }
    if breaches.is_empty() { Ok(()) } else { Err(format!("\n    {}", breaches.join("\n    "))) }
}

/// The names of everything that a package is built from, on every platform; what only its tests use is its own affair.
fn dependencies(workspace: &Workspace, package: &str) -> Result<Vec<String>, String> {
    let answer = workspace
        .cargo_at_root()
        .args(["tree", "--locked", "--package", package, "--edges", "normal,build", "--all-features", "--target", "all"])
        .args(["--prefix", "none", "--format", "{p}"])
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !answer.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&answer.stderr).trim_end()));
    }
    Ok(below_root(&String::from_utf8_lossy(&answer.stdout)))
}

/// The package names in `cargo tree`'s lines (`name version …`), without the first, which is the package asked about.
fn below_root(tree: &str) -> Vec<String> {
    let mut names: Vec<String> =
        tree.lines().skip(1).filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |beginning| name.starts_with(beginning))
}

/// The lines, counted from one, on which code (not a comment or a string) has one of the names as a word of its own.
fn names_in<'a>(source: &str, names: &[&'a str]) -> Vec<(usize, &'a str)> {
    let named =
        |line: &str| tokens(line).iter().filter_map(Token::word).find_map(|word| names.iter().find(|&&name| name == word));
    source.lines().zip(1..).filter_map(|(line, number)| Some((number, *named(line)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_read_without_its_root() {
        let tree = "sph-io v0.1.0 (/somewhere)\nsph-core v0.1.0 (/somewhere)\nglam v0.34.0\n\nglam v0.34.0 (*)\n";
        assert_eq!(below_root(tree), ["glam", "sph-core"]);
        assert_eq!(below_root("xtask v0.1.0 (/somewhere)\n"), Vec::<String>::new());
    }

    #[test]
    fn a_star_stands_for_any_ending() {
        assert!(matches("wgpu*", "wgpu") && matches("wgpu*", "wgpu-core") && matches("*", "glam"));
        assert!(!matches("wgpu*", "egui-wgpu") && !matches("viewer", "viewer-core"));
    }

    #[test]
    fn code_counts_and_comments_and_strings_do_not() {
        let source = "//! no egui here\nuse wgpu::Device; // not egui\nlet egui_like = \"egui\";\nuse egui::Ui;\n";
        assert_eq!(names_in(source, &["egui"]), [(4, "egui")]);
        assert_eq!(names_in(source, &["egui", "wgpu"]), [(2, "wgpu"), (4, "egui")]);
    }
}
