//! Overrides: `--set grid.table_size=4096` replaces a value of a scene, named by its path.

use crate::scene::error::{Fault, Place, SceneError, Sources};
use crate::scene::schema::{Shape, ValueKind, all_keys, same_key, whole_file};
use crate::words::{list, nearest};
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value that replaces one of a scene.
///
/// ```
/// let change: sph_io::Override = "grid.table_size=4096".parse()?;
/// assert_eq!((change.path.as_str(), change.value.as_str()), ("grid.table_size", "4096"));
/// # Ok::<(), sph_io::OverrideError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The value's path: keys joined by dots, items of arrays by their index from 0, as in `fluid.blocks.0.max`.
    pub path: String,
    /// The value as TOML; a name needs no quotes: `teschner`.
    pub value: String,
}

/// Text that is not `PATH=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not PATH=VALUE, such as grid.table_size=4096")]
pub struct OverrideError(String);

impl FromStr for Override {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((path, value)) if !path.trim().is_empty() && !value.trim().is_empty() => {
                Ok(Self { path: path.trim().to_owned(), value: value.trim().to_owned() })
            }
            _ => Err(OverrideError(text.to_owned())),
        }
    }
}

/// Prefix of an override in messages: the option as typed.
pub(super) const OPTION: &str = "--set ";

/// One key of an override's path.
struct Segment<'a> {
    key: &'a str,
    /// Place in the sources.
    span: Range<usize>,
}

/// Sets the value in `root`. Missing tables of the path are created.
pub(crate) fn apply<'a>(change: &'a Override, root: &mut DeTable<'a>, sources: &mut Sources<'_>) -> Result<(), SceneError> {
    let start = sources.add_override(format!("{OPTION}{}={}", change.path, change.value)) + OPTION.len();
    let value_start = start + change.path.len() + 1;
    let value = match DeValue::parse(&change.value) {
        Ok(value) => shifted(value, value_start),
        Err(_) if is_bare_word(&change.value) => {
            Spanned::new(value_start..value_start + change.value.len(), DeValue::String(change.value.as_str().into()))
        }
        Err(error) => return Err(sources.syntax_error(&error, value_start)),
    };
    let mut place = start;
    let segments: Vec<Segment<'a>> = change
        .path
        .split('.')
        .map(|key| {
            let span = place..place + key.len();
            place = span.end + 1;
            Segment { key, span }
        })
        .collect();
    let change = check_path(change, &segments).and_then(|()| set_in_table(root, &segments, value));
    change.map_err(|fault| sources.error(vec![fault], |_| start..start))
}

/// True if a value that is not TOML is a string without quotes: a name, not an unfinished array.
fn is_bare_word(value: &str) -> bool {
    !value.starts_with(['"', '\'', '[', '{']) && !value.chars().any(char::is_control)
}

/// Checks that the schema has the key.
fn check_path(change: &Override, segments: &[Segment<'_>]) -> Result<(), Fault> {
    let mut shape = whole_file();
    for (depth, Segment { key, span }) in segments.iter().enumerate() {
        let inner = match shape.kind() {
            ValueKind::Array if key.parse::<usize>().is_ok() => shape.items(),
            _ => shape.property(key),
        };
        shape = match inner {
            Some(inner) => inner,
            None => return Err(unknown_key(change, shape, depth, key, span.clone())),
        };
    }
    Ok(())
}

fn unknown_key(change: &Override, shape: Shape<'_>, depth: usize, key: &str, span: Range<usize>) -> Fault {
    let path = &change.path;
    let parent: Vec<&str> = path.split('.').take(depth).collect();
    let with = |key: &str| parent.iter().copied().chain([key]).collect::<Vec<_>>().join(".");
    if shape.kind() == ValueKind::Array {
        let label = "expected the number of an item, from 0";
        return Fault::new(Place::Span(span), format!("`{}` is an array", parent.join(".")), label);
    }
    let siblings = || shape.properties().map(|(key, _)| key);
    // The nearest key of the same table; else the same key in another table. Where there is no such table: the nearest whole path.
    let name = path.rsplit('.').next().unwrap_or(path);
    let meant = nearest(key, siblings()).map(with).or_else(|| same_key(name).map(str::to_owned));
    let anywhere = || nearest(path, all_keys().iter().map(String::as_str)).map(str::to_owned);
    let is_in_table = depth > 0 && siblings().next().is_some();
    let label = match meant.or_else(|| if is_in_table { None } else { anywhere() }) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if is_in_table => format!("expected {}", list(siblings())),
        None => "no scene has this key".to_owned(),
    };
    Fault::new(Place::Span(span), format!("unknown key `{path}`"), label)
}

fn set_in_table<'a>(table: &mut DeTable<'a>, segments: &[Segment<'a>], new: Spanned<DeValue<'a>>) -> Result<(), Fault> {
    let Some((Segment { key, span }, rest)) = segments.split_first() else { return Ok(()) };
    if rest.is_empty() || !table.contains_key(*key) {
        let value = if rest.is_empty() {
            new
        } else {
            // A new table for the rest of the path.
            let mut made = Spanned::new(span.clone(), DeValue::Table(DeTable::new()));
            set_in_value(&mut made, rest, new)?;
            made
        };
        // Removed first: an insertion alone would keep the span of the old key.
        table.remove(*key);
        table.insert(Spanned::new(span.clone(), (*key).into()), value);
        return Ok(());
    }
    table.get_mut(*key).map_or(Ok(()), |value| set_in_value(value, rest, new))
}

fn set_in_value<'a>(
    value: &mut Spanned<DeValue<'a>>,
    segments: &[Segment<'a>],
    new: Spanned<DeValue<'a>>,
) -> Result<(), Fault> {
    let Some((Segment { key, span }, rest)) = segments.split_first() else {
        *value = new;
        return Ok(());
    };
    let fault = |message: String| Err(Fault::new(Place::Span(span.clone()), message, "the scene has no such value"));
    match (value.get_mut(), key.parse::<usize>()) {
        // An index below a table that was created just now: its array is missing too.
        (DeValue::Table(table), Ok(index)) if table.is_empty() => fault(format!("there is no item {index} to change")),
        (DeValue::Table(table), _) => set_in_table(table, segments, new),
        (DeValue::Array(items), Ok(index)) => match items.get_mut(index) {
            Some(item) => set_in_value(item, rest, new),
            None => fault(format!("there is no item {index}: the array has {}, counted from 0", items.len())),
        },
        (_, _) => fault(format!("`{key}` cannot be set: the scene has neither a table nor an array there")),
    }
}

/// The value with every span moved by `offset`.
pub(super) fn shifted(value: Spanned<DeValue<'_>>, offset: usize) -> Spanned<DeValue<'_>> {
    let moved = |span: Range<usize>| span.start + offset..span.end + offset;
    let span = moved(value.span());
    let inner = match value.into_inner() {
        DeValue::Array(items) => DeValue::Array(items.into_iter().map(|item| shifted(item, offset)).collect()),
        DeValue::Table(table) => {
            let entry =
                |(key, value): (Spanned<_>, _)| (Spanned::new(moved(key.span()), key.into_inner()), shifted(value, offset));
            DeValue::Table(table.into_iter().map(entry).collect())
        }
        simple => simple,
    };
    Spanned::new(span, inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_a_path_and_a_value() {
        for text in ["", "grid.table_size", "=3", "grid.table_size=", " = "] {
            assert!(text.parse::<Override>().is_err(), "{text}");
        }
        let change: Override = " view.color = speed ".parse().unwrap();
        assert_eq!((change.path.as_str(), change.value.as_str()), ("view.color", "speed"));
        let nested: Override = "view={ color = \"speed\" }".parse().unwrap();
        assert_eq!(nested.value, "{ color = \"speed\" }");
    }
}
