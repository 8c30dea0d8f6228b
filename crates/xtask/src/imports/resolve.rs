//! Names resolved to the files that define them, and so which file uses what of which.

use std::collections::{BTreeMap, BTreeSet};

use super::items::Space;
use super::mentions::Mention;
use super::modules::Modules;
use super::use_tree::Import;

/// The names that one file uses of another, by the paths of the two.
pub type Uses = BTreeMap<(String, String), BTreeSet<String>>;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning<'a> {
    Module(usize),
    /// An item, and the module that defines it.
    Item {
        name: &'a str,
        module: usize,
        space: Space,
    },
}

/// An import being followed: its module, and its place among the module's imports.
type Followed = (usize, usize);

/// Everything that a file of the package uses of another, tests aside.
///
/// `mod name;` uses nothing, nor does `pub use` of what is below the module: a parent may show its children.
pub fn uses(modules: &Modules) -> Uses {
    let mut uses = Uses::new();
    for (index, module) in modules.all.iter().enumerate() {
        let mut add = |meanings: Vec<Meaning<'_>>| {
            for meaning in meanings {
                let Meaning::Item { name, module: other, .. } = meaning else { continue };
                let other = &modules.all[other].file;
                if *other != module.file {
                    uses.entry((module.file.clone(), other.clone())).or_default().insert(name.to_owned());
                }
            }
        };
        for (number, import) in module.items.imports.iter().enumerate() {
            let mut meanings = follow(modules, index, &import.path, &mut vec![(index, number)]);
            if import.public {
                let below =
                    |item: &Meaning<'_>| matches!(item, Meaning::Item { module, .. } if modules.is_within(*module, index));
                meanings.retain(|meaning| !below(meaning));
            }
            add(meanings);
        }
        for mention in &module.items.mentions {
            add(meanings_of(modules, index, mention));
        }
    }
    uses
}

/// The items that a path in a module's code stands for.
fn meanings_of<'a>(modules: &'a Modules, module: usize, mention: &Mention) -> Vec<Meaning<'a>> {
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
fn macro_above<'a>(modules: &'a Modules, mut module: usize, name: &str) -> Option<Meaning<'a>> {
    loop {
        let found = defined(modules, module, name).find(|item| matches!(item, Meaning::Item { space: Space::Macros, .. }));
        if found.is_some() {
            return found;
        }
        module = modules.all[module].parent?;
    }
}

/// Follows a path that is written in a module; nothing where it leaves the package.
fn follow<'a>(modules: &'a Modules, module: usize, path: &[String], followed: &mut Vec<Followed>) -> Vec<Meaning<'a>> {
    let [first, rest @ ..] = path else { return Vec::new() };
    let mut meanings = match first.as_str() {
        "crate" => vec![Meaning::Module(modules.root_of(module))],
        "self" => vec![Meaning::Module(module)],
        "super" => modules.all[module].parent.map(Meaning::Module).into_iter().collect(),
        name => in_scope(modules, module, name, followed),
    };
    for name in rest {
        let next = |meaning: &Meaning<'a>| match *meaning {
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

/// The meanings of a path's first name: those that it has in the module, else the library.
fn in_scope<'a>(modules: &'a Modules, module: usize, name: &str, followed: &mut Vec<Followed>) -> Vec<Meaning<'a>> {
    let own = named(modules, module, name, followed);
    match &modules.library {
        Some((library, root)) if own.is_empty() && library == name => vec![Meaning::Module(*root)],
        _ => own,
    }
}

/// The meanings of a name in a module: its children, its items and its imports, or, where none has the name, imports of `*`.
fn named<'a>(modules: &'a Modules, module: usize, name: &str, followed: &mut Vec<Followed>) -> Vec<Meaning<'a>> {
    let here = &modules.all[module];
    let mut meanings: Vec<Meaning<'a>> = here.children.get(name).map(|&child| Meaning::Module(child)).into_iter().collect();
    meanings.extend(defined(modules, module, name));
    meanings.extend(imported(modules, module, name, |import| import.name.as_deref() == Some(name), followed));
    if meanings.is_empty() {
        meanings = imported(modules, module, name, |import| import.name.is_none(), followed);
    }
    meanings
}

/// The items of a name that a module defines.
fn defined<'a>(modules: &'a Modules, module: usize, name: &str) -> impl Iterator<Item = Meaning<'a>> {
    let found = modules.all[module].items.defined.get_key_value(name);
    found.into_iter().flat_map(move |(name, spaces)| spaces.iter().map(move |&space| Meaning::Item { name, module, space }))
}

/// The meanings that a name has through those imports that `asked` picks. An import that is being followed already leads in a
/// circle, and is left out.
fn imported<'a>(
    modules: &'a Modules,
    module: usize,
    name: &str,
    asked: impl Fn(&Import) -> bool,
    followed: &mut Vec<Followed>,
) -> Vec<Meaning<'a>> {
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
