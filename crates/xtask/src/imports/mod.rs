//! Circles of imports between the files of a crate, found in the sources without compiling them.
//!
//! A file uses another where its code, tests aside, names an item that the other defines, wherever it is re-exported.

mod circles;
mod items;
mod mentions;
mod modules;
mod resolve;
mod test_items;
#[cfg(test)]
mod tests;
pub mod tokens;
mod use_tree;

use crate::sources::{self, Files};
use crate::workspace::Workspace;
use circles::{Graph, components, shortest_circle};
use modules::Modules;
use resolve::{Uses, uses};

/// The uses that are shown of files that import each other in circles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// Those of one circle, as short as there is.
    OneCircle,
    /// All between these files.
    All,
}

/// Checks every crate of the workspace; the error shows the circles of each set of files that import each other.
pub fn check(workspace: &Workspace, shown: Shown) -> Result<(), String> {
    let mut found = String::new();
    for package in sources::packages(workspace)? {
        let folder = workspace.root().join("crates").join(&package);
        let files = sources::read(&folder, "src")?;
        found += &report(&package, &files, shown).map_err(|message| format!("crates/{package}: {message}"))?;
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The circles of a package in words, a line for each import; empty where there is none.
fn report(package: &str, files: &Files, shown: Shown) -> Result<String, String> {
    let uses = uses(&Modules::read(package, files)?);
    let mut graph = Graph::new();
    for (file, other) in uses.keys() {
        graph.entry(file).or_default().insert(other);
    }
    let mut text = String::new();
    for component in components(&graph) {
        let (example, steps) = match shown {
            Shown::OneCircle => (", for instance", steps(&shortest_circle(&graph, &component))),
            Shown::All => {
                let inside = |(file, other): &&(String, String)| component.contains(&**file) && component.contains(&**other);
                ("", uses.keys().filter(inside).cloned().collect())
            }
        };
        text += &format!("\n{package}: {} files import each other in circles{example}:\n", component.len());
        text.extend(steps.iter().map(|step| line(&uses, step)));
    }
    Ok(text)
}

/// From each file of a circle to the next, and from the last to the first.
fn steps(circle: &[&str]) -> Vec<(String, String)> {
    let next = circle.iter().cycle().skip(1);
    circle.iter().zip(next).map(|(file, next)| ((*file).to_owned(), (*next).to_owned())).collect()
}

fn line(uses: &Uses, step: &(String, String)) -> String {
    let names: Vec<&str> = uses.get(step).into_iter().flatten().map(String::as_str).collect();
    format!("    {} uses {} of {}\n", step.0, names.join(", "), step.1)
}
