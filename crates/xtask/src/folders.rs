//! Folders of sources that a reader takes in at a glance: few entries, and a first line that says what belongs there.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{self, Files};
use crate::workspace::Workspace;

/// The most entries of a folder: about fifteen, and the `mod.rs` that opens it. `x.rs` and the folder `x` count as one.
const MOST_ENTRIES: usize = 16;

/// Checks the folders of every crate; the error names each that breaks a rule.
pub fn check(workspace: &Workspace) -> Result<(), String> {
    let mut breaches = Vec::new();
    for package in sources::packages(workspace)? {
        let files = sources::read(&workspace.root().join("crates").join(&package), "src")?;
        breaches.extend(breaches_in(&files).into_iter().map(|breach| format!("crates/{package}/{breach}")));
    }
    if breaches.is_empty() { Ok(()) } else { Err(format!("\n    {}", breaches.join("\n    "))) }
}

fn breaches_in(files: &Files) -> Vec<String> {
    let mut breaches = Vec::new();
    for (folder, entries) in entries(files) {
        if entries.len() > MOST_ENTRIES {
            breaches.push(format!(
                "{folder}: {} entries, at most {MOST_ENTRIES}: some belong in a folder of their own",
                entries.len()
            ));
        }
        let faces =
            [format!("{folder}/lib.rs"), format!("{folder}/main.rs"), format!("{folder}/mod.rs"), format!("{folder}.rs")];
        match faces.iter().find_map(|face| files.get_key_value(face)) {
            Some((face, text)) if !text.starts_with("//!") => {
                breaches.push(format!("{face}: the first line must say, after `//!`, what belongs in {folder}"));
            }
            Some(_) => {}
            None => breaches.push(format!("{folder}: neither {folder}/mod.rs nor {folder}.rs says what belongs in it")),
        }
    }
    breaches
}

/// The entries of each folder, without the `.rs` of files.
fn entries(files: &Files) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut entries: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in files.keys() {
        let mut path = path.strip_suffix(".rs").unwrap_or(path);
        while let Some((folder, name)) = path.rsplit_once('/') {
            entries.entry(folder).or_default().insert(name);
            path = folder;
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Files {
        texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_file_and_its_folder_are_one_entry() {
        let files =
            files(&[("src/lib.rs", ""), ("src/a.rs", ""), ("src/a/b.rs", ""), ("src/a/c/mod.rs", ""), ("src/a/c/d.rs", "")]);
        let entries = entries(&files);
        assert_eq!(entries["src"], BTreeSet::from(["a", "lib"]));
        assert_eq!(entries["src/a"], BTreeSet::from(["b", "c"]));
        assert_eq!(entries["src/a/c"], BTreeSet::from(["d", "mod"]));
    }

    #[test]
    fn a_folder_may_have_so_many_entries_and_no_more() {
        let mut files = files(&[("src/lib.rs", "//! All.")]);
        files.extend((1..MOST_ENTRIES).map(|number| (format!("src/{number}.rs"), String::new())));
        assert_eq!(breaches_in(&files), Vec::<String>::new());
        files.insert("src/more.rs".to_owned(), String::new());
        assert_eq!(breaches_in(&files), ["src: 17 entries, at most 16: some belong in a folder of their own"]);
    }

    #[test]
    fn a_folder_says_what_belongs_in_it() {
        let good =
            files(&[("src/main.rs", "//! All."), ("src/a.rs", "//! A."), ("src/a/b/mod.rs", "//! B."), ("src/a/c.rs", "")]);
        assert_eq!(breaches_in(&good), Vec::<String>::new());
        let bad =
            files(&[("src/main.rs", "//! All."), ("src/a.rs", "use b;\n//! A."), ("src/a/c.rs", ""), ("src/d/e.rs", "//! E.")]);
        let expected = [
            "src/a.rs: the first line must say, after `//!`, what belongs in src/a",
            "src/d: neither src/d/mod.rs nor src/d.rs says what belongs in it",
        ];
        assert_eq!(breaches_in(&bad), expected);
    }
}
