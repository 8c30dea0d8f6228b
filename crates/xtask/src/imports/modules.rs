//! The modules of a crate as a tree, read from its files.

use std::collections::BTreeMap;

use super::items::{Declaration, Items};
use super::test_items::without_tests;
use super::tokens::tokens;
use crate::sources::Files;

/// A module: a file, or a part of one between braces.
#[derive(Debug)]
pub struct Module {
    pub file: String,
    pub parent: Option<usize>,
    pub children: BTreeMap<String, usize>,
    pub items: Items,
}

/// The modules of a package's library and programs.
#[derive(Debug, Default)]
pub struct Modules {
    /// Parents stand before their children.
    pub all: Vec<Module>,
    /// The root of the library, which the programs see by the library's name.
    pub library: Option<(String, usize)>,
}

impl Modules {
    /// Follows `mod` from the roots on; the error names a file that is missing. Files that only tests see are not read.
    /// The files' paths begin at the package: `src/lib.rs`.
    pub fn read(package: &str, files: &Files) -> Result<Self, String> {
        let mut modules = Self::default();
        for root in files.keys().filter(|path| is_root(path)) {
            let index = modules.read_file(files, root, None)?;
            if root == "src/lib.rs" {
                modules.library = Some((package.replace('-', "_"), index));
            }
        }
        Ok(modules)
    }

    fn read_file(&mut self, files: &Files, file: &str, parent: Option<usize>) -> Result<usize, String> {
        let text = files.get(file).ok_or_else(|| format!("no file {file}"))?;
        let items = Items::read(&without_tests(&tokens(text)));
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        let children = if is_root(file) || stem == "mod" { folder.to_owned() } else { format!("{folder}/{stem}") };
        self.add(files, items, file, parent, &children)
    }

    /// Adds a module and those below it, whose files are in the folder `children`.
    fn add(
        &mut self,
        files: &Files,
        mut items: Items,
        file: &str,
        parent: Option<usize>,
        children: &str,
    ) -> Result<usize, String> {
        let declared = std::mem::take(&mut items.declared);
        let inline = std::mem::take(&mut items.inline);
        let index = self.all.len();
        self.all.push(Module { file: file.to_owned(), parent, children: BTreeMap::new(), items });
        for declaration in declared {
            let path = file_of(&declaration, files, file, children)?;
            let child = self.read_file(files, &path, Some(index))?;
            self.all[index].children.insert(declaration.name, child);
        }
        for (name, items) in inline {
            let child = self.add(files, items, file, Some(index), &format!("{children}/{name}"))?;
            self.all[index].children.insert(name, child);
        }
        Ok(index)
    }

    /// True if `module` is `above` or below it.
    pub fn is_within(&self, mut module: usize, above: usize) -> bool {
        while module != above {
            let Some(parent) = self.all[module].parent else { return false };
            module = parent;
        }
        true
    }

    /// The module at the root of the tree that a module is in.
    pub fn root_of(&self, mut module: usize) -> usize {
        while let Some(parent) = self.all[module].parent {
            module = parent;
        }
        module
    }
}

fn is_root(path: &str) -> bool {
    let program = path.strip_prefix("src/bin/").is_some_and(|name| name.ends_with(".rs") && !name.contains('/'));
    path == "src/lib.rs" || path == "src/main.rs" || program
}

/// The file that `mod name;` in `file` means.
fn file_of(declaration: &Declaration, files: &Files, file: &str, children: &str) -> Result<String, String> {
    let name = &declaration.name;
    if let Some(path) = &declaration.path {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        return Ok(joined(folder, path));
    }
    let candidates = [format!("{children}/{name}.rs"), format!("{children}/{name}/mod.rs")];
    let found = candidates.iter().find(|path| files.contains_key(*path)).cloned();
    found.ok_or_else(|| format!("{file}: no file for `mod {name};`: neither {} nor {}", candidates[0], candidates[1]))
}

/// A path relative to a folder, without `.` and `..`.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
