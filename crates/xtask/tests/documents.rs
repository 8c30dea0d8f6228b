//! Files and folders that the documents for developers name are there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The paths of a document: in backquotes or as the target of a link, with a slash, from the root or from `crates/`.
fn paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let is_path = |path: &&str| {
        path.contains('/') && !path.contains("://") && path.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
    };
    quoted.chain(linked).filter(is_path).collect()
}

/// Every file and folder below `folder`, build outputs and hidden ones left out.
fn tree(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name != "target" && !name.starts_with('.')
    };
    entries
        .filter(is_ours)
        .flat_map(|path| if path.is_dir() { [vec![path.clone()], tree(&path)].concat() } else { vec![path] })
        .collect()
}

/// The paths that a document names and that fail `exists`.
fn missing(document: &str, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(document)).expect("the document is there");
    let paths = paths(&text);
    assert!(paths.len() >= 20, "{document} names {} paths: are they still found?", paths.len());
    paths.into_iter().filter(|path| !exists(Path::new(path))).map(str::to_owned).collect()
}

#[test]
fn the_recipes_name_files_from_the_root() {
    assert_eq!(missing("CONTRIBUTING.md", |path| root().join(path).exists()), [""; 0]);
}

/// True for a name of Rust, such as `Structure::all()`, and for the name of a file without a folder.
fn is_name(quoted: &&str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    quoted.trim_end_matches("()").split("::").all(is_word) || quoted.strip_suffix(".rs").is_some_and(is_word)
}

/// A step that names a function which is not there any more leads nowhere.
#[test]
fn the_recipes_name_items_and_files_that_exist() {
    let recipes = std::fs::read_to_string(root().join("CONTRIBUTING.md")).expect("the document is there");
    let recipes = recipes.split_once("## Recipes").expect("recipes").1;
    let names: Vec<&str> = recipes.split('`').skip(1).step_by(2).filter(is_name).collect();
    assert!(names.len() >= 10, "{names:?}: are the names still found?");
    let sources: Vec<PathBuf> =
        tree(&root().join("crates")).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    let text: String = sources.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let words: HashSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let exists = |name: &str| match name.strip_suffix(".rs") {
        Some(_) => sources.iter().any(|path| path.ends_with(name)),
        None => name.trim_end_matches("()").split("::").all(|word| words.contains(word)),
    };
    assert_eq!(names.into_iter().filter(|name| !exists(name)).collect::<Vec<_>>(), [""; 0]);
}

/// Its paths begin anywhere: a table on a folder names what is in that folder.
#[test]
fn the_architecture_names_files_and_folders_that_exist() {
    let tree = tree(&root());
    let exists = |path: &Path| tree.iter().any(|entry| entry.ends_with(path) || entry.ends_with(path.with_extension("rs")));
    assert_eq!(missing("ARCHITECTURE.md", exists), [""; 0]);
}

#[test]
fn paths_are_found_in_backquotes_and_links() {
    assert_eq!(paths("see `a/b.rs`, `x = 1/2`, [c](d/e.md#f) and `g`"), ["a/b.rs", "d/e.md"]);
}
