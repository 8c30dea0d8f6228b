//! Whether imports between the files of a crate run in circles, read from the sources without compiling them.
//!
//! A file uses another where its code, tests aside, names something that the other defines, wherever it is re-exported.

mod circles;
mod items;
mod modules;
mod resolve;
mod test_items;
mod tokens;

use std::fs;
use std::path::Path;

use crate::workspace::Workspace;
use circles::{Graph, components, shortest_circle};
use modules::{Files, Modules};
use resolve::{Uses, uses};

/// Checks every crate of the workspace. The error shows one circle of each knot of files; with `all`, every use between its files.
pub fn find(workspace: &Workspace, all: bool) -> Result<(), String> {
    let mut found = String::new();
    for package in packages(workspace)? {
        let folder = workspace.root().join("crates").join(&package);
        let mut files = Files::new();
        read_folder(&folder.join("src"), "src", &mut files)?;
        let modules = Modules::read(&package, &files).map_err(|message| format!("crates/{package}: {message}"))?;
        found += &report(&package, &uses(&modules), all);
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The circles of a package in words, a line for each import; empty where there is none.
fn report(package: &str, uses: &Uses, all: bool) -> String {
    let mut graph = Graph::new();
    for (file, other) in uses.keys() {
        graph.entry(file).or_default().insert(other);
    }
    let mut text = String::new();
    for component in components(&graph) {
        let (title, shown) = if all {
            let inside = uses.keys().filter(|(file, other)| component.contains(&**file) && component.contains(&**other));
            ("", inside.cloned().collect())
        } else {
            (", for instance", steps(&shortest_circle(&graph, &component)))
        };
        text += &format!("\n{package}: {} files import in circles{title}:\n", component.len());
        for (file, other) in shown {
            let names: Vec<&str> = uses.get(&(file.clone(), other.clone())).into_iter().flatten().map(String::as_str).collect();
            text += &format!("    {file} uses {} of {other}\n", names.join(", "));
        }
    }
    text
}

/// From each file of a circle to the next, and from the last to the first.
fn steps(circle: &[&str]) -> Vec<(String, String)> {
    let next = circle.iter().cycle().skip(1);
    circle.iter().zip(next).map(|(file, next)| ((*file).to_owned(), (*next).to_owned())).collect()
}

/// The names of the folders in `crates/`.
fn packages(workspace: &Workspace) -> Result<Vec<String>, String> {
    let folder = workspace.root().join("crates");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten() {
        if entry.path().join("src").is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Reads the Rust files of a folder and the folders in it.
fn read_folder(folder: &Path, name: &str, files: &mut Files) -> Result<(), String> {
    let cannot_read = |path: &Path, error| format!("{}: {error}", path.display());
    for entry in fs::read_dir(folder).map_err(|error| cannot_read(folder, error))?.flatten() {
        let path = entry.path();
        let inside = format!("{name}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            read_folder(&path, &inside, files)?;
        } else if inside.ends_with(".rs") {
            files.insert(inside, fs::read_to_string(&path).map_err(|error| cannot_read(&path, error))?);
        }
    }
    Ok(())
}
