//! Tables of a JSON scene, which remember what has been read of them, so that the rest can be reported; the report; values as TOML.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::json::{Json, Node};
use crate::scene::{Fault, Place};

/// Keys without an equivalent, by the reason.
pub(super) type Known<'k> = &'k [(&'k str, &'k [&'k str])];

/// A table, and the path at which it is.
#[derive(Debug)]
pub(super) struct Table<'a> {
    pub path: String,
    entries: &'a [(String, Node)],
    used: RefCell<BTreeSet<String>>,
}

impl<'a> Table<'a> {
    /// The table of a node, or a fault.
    pub fn of(node: &'a Node, path: impl Into<String>, report: &mut Report) -> Self {
        let path = path.into();
        let entries = match &node.value {
            Json::Table(entries) => entries.as_slice(),
            _ => {
                report.fault(node, format!("`{path}` must be an object"), "expected an object: `{ … }`");
                &[]
            }
        };
        Self { path, entries, used: RefCell::default() }
    }

    /// The value of a key, which then counts as read; `null` is no value. Of keys that are there twice, the last.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        let (key, node) = self.entries.iter().rev().find(|(name, _)| name == key)?;
        self.used.borrow_mut().insert(key.clone());
        (!matches!(node.value, Json::Null)).then_some(node)
    }

    /// True if there is a value, which then counts as no more read than before.
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, node)| name == key && !matches!(node.value, Json::Null))
    }

    pub fn number(&self, key: &str, report: &mut Report) -> Option<f64> {
        let node = self.get(key)?;
        let number = number_of(node);
        if number.is_none() {
            report.fault(node, format!("`{}.{key}` must be a number", self.path), "expected a number from -1e30 to 1e30");
        }
        number
    }

    /// A vector of two numbers or three; z is then 0.
    pub fn vector(&self, key: &str, report: &mut Report) -> Option<[f64; 3]> {
        let node = self.get(key)?;
        let vector = match &node.value {
            Json::List(items) => items.iter().map(number_of).collect::<Option<Vec<f64>>>(),
            _ => None,
        };
        match vector.as_deref() {
            Some(&[x, y]) => Some([x, y, 0.0]),
            Some(&[x, y, z]) => Some([x, y, z]),
            _ => {
                report.fault(
                    node,
                    format!("`{}.{key}` must be a vector", self.path),
                    "expected three numbers from -1e30 to 1e30",
                );
                None
            }
        }
    }

    /// A truth value, also as a number.
    pub fn flag(&self, key: &str, report: &mut Report) -> Option<bool> {
        let node = self.get(key)?;
        match node.value {
            Json::Bool(flag) => Some(flag),
            Json::Number(number) => Some(number != 0.0),
            _ => {
                report.fault(node, format!("`{}.{key}` must be true or false", self.path), "expected `true` or `false`");
                None
            }
        }
    }

    /// A name; ids may be numbers.
    pub fn text(&self, key: &str, report: &mut Report) -> Option<String> {
        let node = self.get(key)?;
        match &node.value {
            Json::Text(text) => Some(text.clone()),
            Json::Number(number) => Some(number.to_string()),
            _ => {
                report.fault(node, format!("`{}.{key}` must be a string", self.path), "expected a string in quotation marks");
                None
            }
        }
    }

    /// A method, which is given by its number or by its name, in lower case.
    pub fn method(&self, key: &str, report: &mut Report) -> Option<String> {
        self.text(key, report).map(|name| name.to_lowercase())
    }

    /// The tables of a list of them.
    pub fn tables(&self, key: &str, report: &mut Report) -> Vec<Table<'a>> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let Json::List(items) = &node.value else {
            report.fault(node, format!("`{key}` must be a list"), "expected a list of objects: `[ { … } ]`");
            return Vec::new();
        };
        items.iter().enumerate().map(|(index, item)| Table::of(item, format!("{key}[{index}]"), report)).collect()
    }

    /// The table of a method's own parameters: the first whose name, in lower case, `fits`.
    pub fn namespace(&self, fits: impl Fn(&str) -> bool, report: &mut Report) -> Option<Table<'a>> {
        let fits = |name: &str| fits(&name.to_lowercase());
        let (name, node) = self.entries.iter().find(|(name, node)| matches!(node.value, Json::Table(_)) && fits(name))?;
        self.used.borrow_mut().insert(name.clone());
        Some(Table::of(node, format!("{}.{name}", self.path), report))
    }

    /// Lists what has not been read: together by the reasons of `known`, and what is unknown.
    pub fn report_rest(&self, known: Known<'_>, report: &mut Report) {
        let reason = |key: &str| known.iter().position(|(_, keys)| keys.contains(&key));
        for (index, (text, _)) in known.iter().enumerate() {
            let keys: Vec<&str> = self.unread().map(|(key, _)| key).filter(|key| reason(key) == Some(index)).collect();
            report.list(&self.path, text, &keys);
        }
        let others = self.unread().filter(|(key, _)| reason(key).is_none());
        let (tables, unknown): (Vec<_>, Vec<_>) = others.partition(|(_, node)| matches!(node.value, Json::Table(_)));
        for (text, entries) in [("settings of methods that are not used", tables), ("unknown", unknown)] {
            report.list(&self.path, text, &entries.into_iter().map(|(key, _)| key).collect::<Vec<_>>());
        }
    }

    /// Keys that have not been read, each once, with their values.
    fn unread(&self) -> impl Iterator<Item = (&'a str, &'a Node)> {
        let mut seen = self.used.borrow().clone();
        self.entries.iter().filter_map(move |(key, node)| seen.insert(key.clone()).then_some((key.as_str(), node)))
    }
}

/// The number of a node, if single precision has it.
fn number_of(node: &Node) -> Option<f64> {
    match node.value {
        Json::Number(number) => Some(number).filter(|number| number.abs() <= 1e30),
        _ => None,
    }
}

// Report of an import: faults, which end it, and keys without an equivalent.

/// Longest key or text of the file that a remark shows, in characters.
const LONGEST: usize = 60;

/// Faults and remarks.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub faults: Vec<Fault>,
    /// Sentences without a full stop, each with the path that it is about.
    pub remarks: Vec<String>,
}

impl Report {
    pub fn fault(&mut self, node: &Node, message: String, label: &str) {
        self.faults.push(Fault::new(Place::Span(node.span.clone()), shown(&message, 400), label));
    }

    pub fn remark(&mut self, path: &str, text: impl AsRef<str>) {
        self.remarks.push(format!("{}: {}", shown(path, LONGEST), shown(text.as_ref(), 400)));
    }

    /// Lists keys of the table at `path` under one reason, if there are any.
    pub fn list(&mut self, path: &str, reason: &str, keys: &[&str]) {
        let keys: Vec<String> = keys.iter().map(|key| shown(key, LONGEST)).collect();
        if !keys.is_empty() {
            self.remarks.push(format!("{}: {reason}: {}", shown(path, LONGEST), keys.join(", ")));
        }
    }
}

/// A text of the file on one line, cut off where it is too long.
fn shown(text: &str, longest: usize) -> String {
    let escaped = |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    let mut short: String = text.chars().take(longest).map(escaped).collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}

// Values as TOML.

/// A number with the fewest digits that are the same in single precision: 0.03, where the file has 0.029999999329447746.
pub(super) fn number(number: f64) -> String {
    format!("{:?}", number as f32)
}

/// The numbers of a list.
pub(super) fn numbers(list: &[f64]) -> String {
    format!("[{}]", list.iter().map(|&item| number(item)).collect::<Vec<_>>().join(", "))
}

pub(super) fn text(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

/// Keys of a table, in the order in which they are set.
#[derive(Debug, Default)]
pub(super) struct Section {
    lines: String,
}

impl Section {
    /// A section under `header`, such as `[[bodies]]`.
    pub fn new(header: &str) -> Self {
        Self { lines: format!("\n{header}\n") }
    }

    pub fn set(&mut self, key: &str, value: impl AsRef<str>) {
        self.lines += &format!("{key} = {}\n", value.as_ref());
    }

    /// Sets a key with a comment above it.
    pub fn set_because(&mut self, key: &str, value: impl AsRef<str>, comment: &str) {
        self.lines += &format!("# {comment}\n");
        self.set(key, value);
    }

    pub fn text(&self) -> &str {
        &self.lines
    }
}
