//! The Rust files of the workspace, as text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::workspace::Workspace;

/// The text of each file by its path, with `/` between folders: `src/lib.rs`.
pub type Files = BTreeMap<String, String>;

/// The names of the workspace's crates: the folders in `crates/`.
pub fn packages(workspace: &Workspace) -> Result<Vec<String>, String> {
    let folder = workspace.root().join("crates");
    let has_sources = |name: &String| folder.join(name).join("src").is_dir();
    Ok(names_in(&folder)?.into_iter().filter(has_sources).collect())
}

/// Reads the Rust files of a folder and of the folders in it; their paths begin at `base`. A folder that is not there is an
/// error: a rule about a folder that was renamed would hold for ever.
pub fn read(base: &Path, folder: &str) -> Result<Files, String> {
    let mut files = Files::new();
    for name in names_in(&base.join(folder))? {
        let inside = format!("{folder}/{name}");
        let path = base.join(&inside);
        if path.is_dir() {
            files.extend(read(base, &inside)?);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            files.insert(inside, text);
        }
    }
    Ok(files)
}

/// The names of a folder's entries, in order.
fn names_in(folder: &Path) -> Result<Vec<String>, String> {
    let cannot_read = |error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot_read)? {
        names.push(entry.map_err(cannot_read)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
