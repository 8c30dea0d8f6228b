//! The reference of keys: a Markdown table for each table of a scene file.

use super::generate::keys;
use super::key::Key;

/// The keys of every table of scene files: the dotted path of the table, empty for the top, and its keys as a Markdown table.
///
/// Keys that a scene must have come first.
pub fn reference() -> Vec<(String, String)> {
    let mut paths: Vec<&str> = Vec::new();
    for key in keys() {
        if !paths.contains(&key.table.as_str()) {
            paths.push(&key.table);
        }
    }
    paths.into_iter().map(|path| (path.to_owned(), table(path))).collect()
}

fn table(path: &str) -> String {
    let mut rows: Vec<&Key> = keys().iter().filter(|key| key.table == path).collect();
    rows.sort_by_key(|key| !key.required);
    let header = "| Key | Unit | Range | Default | Meaning |\n|---|---|---|---|---|\n";
    rows.into_iter().map(row).fold(header.to_owned(), |text, row| text + &row)
}

fn row(key: &Key) -> String {
    let unit = if key.unit.is_empty() { "–" } else { &key.unit };
    let names = || key.options.iter().map(|(name, _)| code(name)).collect::<Vec<_>>().join(", ");
    let range = match &key.range {
        Some(range) => range.clone(),
        None if key.options.is_empty() => "text".to_owned(),
        None => names(),
    };
    let default = key.default.as_deref().map(|default| default_cell(default, key)).unwrap_or_default();
    let options = key.options.iter().map(|(name, sentence)| format!("<br>{}: {sentence}", code(name)));
    let meaning = options.fold(key.documentation.clone(), |text, option| text + &option);
    let cells = [code(&key.name), unit.to_owned(), range, default, meaning];
    // A bar would end the cell.
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// Values as code, words as they are.
fn default_cell(default: &str, key: &Key) -> String {
    let is_value = key.options.iter().any(|(name, _)| name == default) || default.starts_with('[');
    if is_value || ["true", "false"].contains(&default) { code(default) } else { default.to_owned() }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}
