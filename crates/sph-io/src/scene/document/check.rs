//! Check of the document against the schema: misspelt and missing keys, wrong types, unknown names, numbers out of range.

use super::Document;
use crate::scene::error::{Fault, Place};
use crate::scene::schema::{Shape, ValueKind, same_key, whole_file};
use crate::scene::tables::FORMAT;
use crate::words::{list, nearest};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

/// All faults of the document against the schema. A file of another version has that one fault only: this program does not know its form.
pub(crate) fn check(document: &Document<'_>) -> Vec<Fault> {
    let root = document.root().get_ref();
    if let Some(fault) = check_format(root) {
        return vec![fault];
    }
    let mut checker = Checker { faults: Vec::new() };
    checker.table(root, whole_file(), "", document.end());
    checker.faults
}

fn check_format(root: &DeTable<'_>) -> Option<Fault> {
    let label = format!("expected `format = {FORMAT}`");
    let Some(value) = root.get("format") else {
        // It belongs on the first line.
        return Some(Fault::new(Place::Span(0..0), "missing key `format`: this may not be a scene file", label));
    };
    match value.get_ref() {
        DeValue::Integer(number) if integer(number) == Some(FORMAT.into()) => None,
        other => {
            let message = format!("format {} is not supported: this program reads format {FORMAT}", text(other));
            Some(Fault::new(Place::Span(value.span()), message, label))
        }
    }
}

struct Checker {
    faults: Vec<Fault>,
}

impl Checker {
    /// Checks a table and its values. Faults of missing keys point at `place`.
    fn table(&mut self, table: &DeTable<'_>, shape: Shape<'_>, path: &str, place: Range<usize>) {
        let mut misspelt = Vec::new();
        for (key, value) in table {
            match shape.property(key.get_ref()) {
                Some(inner) if is_list_of_tables(value) && inner.kind() == ValueKind::Table => {
                    self.not_a_list(value, inner, shape, key.get_ref(), path);
                }
                Some(inner) => self.value(value, inner, &join(path, key.get_ref())),
                None => {
                    let meant = nearest(key.get_ref(), shape.properties().map(|(key, _)| key));
                    misspelt.extend(meant);
                    self.faults.push(unknown_key(key, meant, shape, path));
                }
            }
        }
        // A misspelt key is one fault, not two.
        for key in shape.required().filter(|key| !table.contains_key(*key) && !misspelt.contains(key)) {
            let of = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
            let fault = Fault::new(Place::Span(place.clone()), format!("missing key `{key}`{of}"), format!("expected `{key}`"));
            self.faults.push(explained(fault, shape.property(key)));
        }
    }

    /// Adds the fault of a list of tables in place of the one table `key`, such as `[[ball]]`: it may be meant for the list `balls`.
    fn not_a_list(&mut self, value: &Spanned<DeValue<'_>>, inner: Shape<'_>, shape: Shape<'_>, key: &str, path: &str) {
        let plural = format!("{key}s");
        match shape.property(&plural).filter(|list| list.kind() == ValueKind::Array) {
            Some(_) => {
                let (here, list) = (join(path, key), join(path, &plural));
                let message = format!("`{here}` is one table, but is given as a list");
                let label = format!("did you mean `[[{list}]]`?");
                self.faults.push(Fault::new(Place::Span(value.span()), message, label));
            }
            None => self.value(value, inner, &join(path, key)),
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, shape: Shape<'_>, path: &str) {
        let is_row = |item: &Spanned<DeValue<'_>>| matches!(item.get_ref(), DeValue::Array(_));
        let shape = match value.get_ref() {
            // A curve in place of a number, or of a vector.
            DeValue::Array(items) if shape.kind() != ValueKind::Array || items.first().is_some_and(is_row) => {
                shape.curve().unwrap_or(shape)
            }
            _ => shape,
        };
        match (value.get_ref(), shape.kind()) {
            (DeValue::Table(table), ValueKind::Table) => self.table(table, shape, path, value.span()),
            (DeValue::Array(items), ValueKind::Array) => {
                self.length(value, items.len(), shape, path);
                for (index, item) in items.iter().enumerate() {
                    if let Some(inner) = shape.items() {
                        self.value(item, inner, &format!("{path}.{index}"));
                    }
                }
            }
            (DeValue::Integer(digits), kind @ (ValueKind::Integer | ValueKind::Number)) => {
                self.number(value, integer(digits).map(|number| number as f64), kind, shape, path);
            }
            (DeValue::Float(digits), kind @ ValueKind::Number) => {
                self.number(value, digits.as_str().parse().ok(), kind, shape, path);
            }
            (DeValue::Boolean(_), ValueKind::Boolean) => {}
            (DeValue::String(name), ValueKind::String) => self.choice(value, name, shape, path),
            (other, kind) => {
                let message = format!("`{path}` must be {}, but is {}", kind.words(), kind_of(other));
                self.push(value, message, format!("expected {}", expected(shape)), shape);
            }
        }
    }

    fn length(&mut self, value: &Spanned<DeValue<'_>>, length: usize, shape: Shape<'_>, path: &str) {
        let (least, most) = (shape.limit("minItems").unwrap_or(0.0), shape.limit("maxItems").unwrap_or(f64::INFINITY));
        if !(least..=most).contains(&(length as f64)) {
            self.push(
                value,
                format!("`{path}` has {length} {}", if length == 1 { "item" } else { "items" }),
                format!("expected {}", expected(shape)),
                shape,
            );
        }
    }

    fn number(&mut self, value: &Spanned<DeValue<'_>>, number: Option<f64>, kind: ValueKind, shape: Shape<'_>, path: &str) {
        let in_range = |number: f64| {
            shape.limit("minimum").is_none_or(|least| number >= least)
                && shape.limit("maximum").is_none_or(|most| number <= most)
                && shape.limit("exclusiveMinimum").is_none_or(|bound| number > bound)
        };
        let choices = shape.choices();
        let chosen = |number: f64| choices.is_empty() || choices.contains(&number.to_string());
        // The simulation computes in f32, where larger numbers overflow to infinity.
        let usable = |number: f64| (number as f32).is_finite();
        let problem = match number {
            Some(number) if usable(number) && in_range(number) && chosen(number) => return,
            Some(number) if !number.is_finite() && kind == ValueKind::Number => "must be a finite number".to_owned(),
            Some(number) if usable(number) => format!("must be {}", expected(shape)),
            Some(_) => format!("is beyond ±{:.1e}", f32::MAX),
            None => "does not fit into 64 bits".to_owned(),
        };
        let is = if problem.starts_with("must") { ", but is" } else { ":" };
        let message = format!("`{path}` {problem}{is} {}", text(value.get_ref()));
        self.push(value, message, format!("expected {}", expected(shape)), shape);
    }

    fn choice(&mut self, value: &Spanned<DeValue<'_>>, name: &str, shape: Shape<'_>, path: &str) {
        let choices = shape.choices();
        if choices.is_empty() || choices.iter().any(|choice| choice == name) {
            return;
        }
        let names = choices.iter().map(String::as_str);
        let label = match nearest(name, names.clone()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("expected {}", list(names.clone())),
        };
        let message = format!("`{path}` must be {}, but is `{}`", list(names), shortened(name));
        self.push(value, message, label, shape);
    }

    fn push(&mut self, value: &Spanned<DeValue<'_>>, message: String, label: String, shape: Shape<'_>) {
        self.faults.push(explained(Fault::new(Place::Span(value.span()), message, label), Some(shape)));
    }
}

/// The fault with the description of the key as help.
fn explained(fault: Fault, shape: Option<Shape<'_>>) -> Fault {
    match shape.and_then(Shape::description) {
        Some(description) => fault.help(description),
        None => fault,
    }
}

fn unknown_key(key: &Spanned<DeString<'_>>, meant: Option<&str>, shape: Shape<'_>, path: &str) -> Fault {
    let name = key.get_ref();
    let message = match path {
        "" => format!("unknown key `{}`", shortened(name)),
        path => format!("unknown key `{}` in `{path}`", shortened(name)),
    };
    let place = Place::Span(key.span());
    if let Some(meant) = meant {
        return Fault::new(place, message, format!("did you mean `{meant}`?"));
    }
    let fault = Fault::new(place, message, format!("expected {}", list(shape.properties().map(|(key, _)| key))));
    // A key of another table is the other common mistake.
    match same_key(name) {
        Some(whole) if whole == name => {
            fault.help(format!("`{name}` is a key of the top level: move it before the first table"))
        }
        Some(whole) => fault.help(format!("there is a key `{whole}`: does this belong there?")),
        None => fault,
    }
}

/// The expected value of a place in words: `a number of at least 0`, `2 or 3 numbers`.
fn expected(shape: Shape<'_>) -> String {
    let choices = shape.choices();
    if !choices.is_empty() {
        return list(choices.iter().map(String::as_str));
    }
    let kind = shape.kind().words();
    if shape.kind() == ValueKind::Array {
        return shape.items_in_words().unwrap_or_else(|| kind.to_owned());
    }
    match (shape.limit("minimum"), shape.limit("exclusiveMinimum"), shape.limit("maximum")) {
        (Some(least), _, Some(most)) => format!("{kind} from {least} to {most}"),
        (Some(least), _, None) => format!("{kind} of at least {least}"),
        (None, Some(bound), Some(most)) => format!("{kind} above {bound} and at most {most}"),
        (None, Some(bound), None) => format!("{kind} above {bound}"),
        _ => kind.to_owned(),
    }
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a floating-point number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

/// The value as in its file, or its kind.
fn text(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(digits) => shortened(&digits.to_string()),
        DeValue::Float(digits) => shortened(digits.as_str()),
        DeValue::String(text) => format!("`{}`", shortened(text)),
        other => kind_of(other).to_owned(),
    }
}

/// The beginning of a long text, and an ellipsis.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// True for `[[…]]`.
fn is_list_of_tables(value: &Spanned<DeValue<'_>>) -> bool {
    let is_table = |item: &Spanned<DeValue<'_>>| matches!(item.get_ref(), DeValue::Table(_));
    matches!(value.get_ref(), DeValue::Array(items) if items.first().is_some_and(is_table))
}

fn integer(digits: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(digits.as_str(), digits.radix()).ok()
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
