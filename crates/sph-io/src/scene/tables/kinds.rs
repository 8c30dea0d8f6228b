//! Tables whose `kind` determines their other keys.

use super::vectors::Vectors;
use crate::scene::error::{Fault, list};

/// Name of a kind, its required keys and its optional ones.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    pub kind: &'static str,
    pub required: &'static [&'static str],
    pub optional: &'static [&'static str],
}

/// Adds a fault to those of `vectors` for each missing or superfluous key in the table of a `thing` at `path`. `given` lists the keys of all
/// kinds, true for those that are there.
pub(crate) fn check_keys(thing: &str, keys: Keys, given: &[(&str, bool)], path: &str, vectors: &mut Vectors) {
    let Keys { kind, required, optional } = keys;
    for &(key, given) in given {
        if !given && required.contains(&key) {
            vectors.faults.push(Fault::at_path(path, format!("missing key `{key}` in `{path}`"), format!("expected `{key}`")));
        } else if given && !required.contains(&key) && !optional.contains(&key) {
            let known: Vec<&str> = required.iter().chain(optional).copied().collect();
            let label = if known.is_empty() { "expected another `kind`".to_owned() } else { format!("it has {}", list(known)) };
            let message = format!("a {thing} of the kind `{kind}` has no `{key}`");
            vectors.faults.push(Fault::at_path(format!("{path}.{key}"), message, label));
        }
    }
}
