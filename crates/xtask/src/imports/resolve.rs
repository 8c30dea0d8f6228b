//! Names resolved to the files that define them, and so which file uses what of which.

use std::collections::{BTreeMap, BTreeSet};

use super::items::{Import, Mention, Space};
use super::modules::Modules;

/// The names that one file uses of another, by the paths of the two.
pub type Uses = BTreeMap<(String, String), BTreeSet<String>>;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Module(usize),
    /// An item that the module defines.
    Item {
        module: usize,
        space: Space,
    },
}

/// An import being followed: its module, and its place among the module's imports.
type Followed = (usize, usize);

/// Everything that a file of the package uses of another.
///
/// `mod name;` uses nothing, nor does `pub use` of what is below the module: a parent may show what its children are.
pub fn uses(modules: &Modules) -> Uses {
    let mut uses = Uses::new();
    for (index, module) in modules.all.iter().enumerate() {
        let mut add = |meanings: &[Meaning], path: &[String]| {
            for meaning in meanings {
                let Meaning::Item { module: other, .. } = *meaning else { continue };
                let other = &modules.all[other].file;
                if *other != module.file {
                    let names = uses.entry((module.file.clone(), other.clone())).or_default();
                    names.insert(item_name(modules, index, path, *meaning).to_owned());
                }
            }
        };
        for (number, import) in module.items.imports.iter().enumerate() {
            let mut meanings = follow(modules, index, &import.path, &mut vec![(index, number)]);
            if import.public {
                meanings.retain(
                    |meaning| matches!(meaning, Meaning::Item { module: other, .. } if !modules.is_within(*other, index)),
                );
            }
            add(&meanings, &import.path);
        }
        for mention in &module.items.mentions {
            add(&meanings_of(modules, index, mention), &mention.path);
        }
    }
    uses
}

/// The part of a path that names the item itself, before its variant, constant or function.
fn item_name<'a>(modules: &Modules, module: usize, path: &'a [String], meaning: Meaning) -> &'a str {
    let names = |&length: &usize| follow(modules, module, &path[..length], &mut Vec::new()).contains(&meaning);
    let length = (1..path.len()).find(names).unwrap_or(path.len());
    path[..length].last().map_or("", String::as_str)
}

/// What a path in a module's code stands for.
fn meanings_of(modules: &Modules, module: usize, mention: &Mention) -> Vec<Meaning> {
    let mut meanings = follow(modules, module, &mention.path, &mut Vec::new());
    meanings.retain(|meaning| match meaning {
        Meaning::Item { space, .. } => (*space == Space::Macros) == mention.is_macro,
        Meaning::Module(_) => false,
    });
    if let ([name], true, true) = (&mention.path[..], mention.is_macro, meanings.is_empty()) {
        meanings.extend(macro_above(modules, module, name));
    }
    meanings
}

/// A macro that is in scope because a module above defines it before it declares its children.
fn macro_above(modules: &Modules, mut module: usize, name: &str) -> Option<Meaning> {
    loop {
        if modules.all[module].items.defined.get(name).is_some_and(|spaces| spaces.contains(&Space::Macros)) {
            return Some(Meaning::Item { module, space: Space::Macros });
        }
        module = modules.all[module].parent?;
    }
}

/// Follows a path that is written in a module; nothing where it leaves the package.
fn follow(modules: &Modules, module: usize, path: &[String], followed: &mut Vec<Followed>) -> Vec<Meaning> {
    let Some((first, rest)) = path.split_first() else { return Vec::new() };
    let mut meanings = match first.as_str() {
        "crate" => vec![Meaning::Module(modules.root_of(module))],
        "self" => vec![Meaning::Module(module)],
        "super" => modules.all[module].parent.map(Meaning::Module).into_iter().collect(),
        name => in_scope(modules, module, name, followed),
    };
    for name in rest {
        let next = |meaning: &Meaning| match *meaning {
            Meaning::Module(module) if name == "super" => modules.all[module].parent.map(Meaning::Module).into_iter().collect(),
            Meaning::Module(module) => named(modules, module, name, followed),
            // A variant, a constant or a function that belongs to the item.
            Meaning::Item { space: Space::Types, .. } => vec![*meaning],
            Meaning::Item { .. } => Vec::new(),
        };
        meanings = meanings.iter().flat_map(next).collect();
    }
    meanings
}

/// What a name alone stands for in a module: of the module itself, else the library's name.
fn in_scope(modules: &Modules, module: usize, name: &str, followed: &mut Vec<Followed>) -> Vec<Meaning> {
    let own = named(modules, module, name, followed);
    match &modules.library {
        Some((library, root)) if own.is_empty() && library == name => vec![Meaning::Module(*root)],
        _ => own,
    }
}

/// What a module calls by a name: what it defines and declares, what it imports, and, where there is none, what comes in with `*`.
fn named(modules: &Modules, module: usize, name: &str, followed: &mut Vec<Followed>) -> Vec<Meaning> {
    let here = &modules.all[module];
    let mut meanings: Vec<Meaning> = here.children.get(name).map(|&child| Meaning::Module(child)).into_iter().collect();
    let spaces = here.items.defined.get(name).into_iter().flatten();
    meanings.extend(spaces.map(|&space| Meaning::Item { module, space }));
    meanings.extend(imported(modules, module, name, |import| import.name.as_deref() == Some(name), followed));
    if meanings.is_empty() {
        meanings = imported(modules, module, name, |import| import.name.is_none(), followed);
    }
    meanings
}

/// What the imports that are asked for bring in. One that is being followed already leads in a circle, and is left out.
fn imported(
    modules: &Modules,
    module: usize,
    name: &str,
    asked: impl Fn(&Import) -> bool,
    followed: &mut Vec<Followed>,
) -> Vec<Meaning> {
    let mut meanings = Vec::new();
    for (number, import) in modules.all[module].items.imports.iter().enumerate() {
        if !asked(import) || followed.contains(&(module, number)) {
            continue;
        }
        followed.push((module, number));
        let found = follow(modules, module, &import.path, followed);
        if import.name.is_some() {
            meanings.extend(found);
        } else {
            for meaning in found {
                // The variants of an enum are not followed: they come with the import itself.
                if let Meaning::Module(other) = meaning {
                    meanings.extend(named(modules, other, name, followed));
                }
            }
        }
        followed.pop();
    }
    meanings
}
