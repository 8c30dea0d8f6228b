//! `sph bench --compare`: the settings of two results that differ, and their figures side by side.

use std::fmt::Write;
use std::path::PathBuf;

use crate::Failure;
use crate::console::counted;
use serde_json::{Value, json};
use sph_io::{BenchResult, Figure, Setting, grouped};

/// Widest value of a setting in the table, characters; a longer one is cut.
const WIDTH: usize = 34;

/// Reads the results at `paths`.
///
/// # Errors
/// The first that cannot be used.
pub fn read(paths: &[PathBuf]) -> Result<Vec<BenchResult>, Failure> {
    let read = |path: &PathBuf| BenchResult::load(path).map_err(|error| Failure::input("compare", path, &error));
    paths.iter().map(read).collect()
}

/// The comparison of the second result with the first, as a table or as JSON.
pub fn print(as_json: bool, results: &[&BenchResult; 2]) -> String {
    let [first, second] = *results;
    let (settings, figures) = (first.settings_beside(second), first.figures_beside(second));
    if as_json { json(results, &settings, &figures).to_string() } else { table(results, &settings, &figures) }
}

fn table(results: &[&BenchResult; 2], settings: &[Setting], figures: &[Figure]) -> String {
    let mut text = String::new();
    for (letter, result) in ["A", "B"].iter().zip(results) {
        let BenchResult { program, machine, scene, measured, .. } = result;
        let _ = writeln!(
            text,
            "{letter}: {}, {}, {} measured by {} on {}, {}",
            scene.title,
            counted(measured.particles, "particle"),
            counted(measured.steps, "step"),
            measured.by.label(),
            machine.processor,
            program.date
        );
    }
    let differing: Vec<&Setting> = settings.iter().filter(|row| row.differs()).collect();
    let rest = settings.len() - differing.len();
    let _ = writeln!(text, "\n{:<40}{:<WIDTH$}  B", "settings that differ", "A");
    for Setting { section, label, values: [a, b] } in differing {
        let _ = writeln!(text, "{:<40}{:<WIDTH$}  {}", cut(&format!("{section}: {label}"), 39), shown(a), shown(b));
    }
    let _ = writeln!(text, "the other {rest} settings are equal");
    let mut under = "";
    for Figure { section, label, unit, values: [a, b] } in figures {
        if *section != under {
            under = section;
            let _ = writeln!(text, "\n{section:<28}{:>16}{:>16}{:>10}", "A", "B", "B/A");
        }
        let name = if unit.is_empty() { label.clone() } else { format!("{label}, {unit}") };
        let ratio = if *a > 0.0 { format!("{:.3}", b / a) } else { "–".to_owned() };
        let _ = writeln!(text, "{name:<28}{:>16}{:>16}{ratio:>10}", number(*a), number(*b));
    }
    text
}

/// A value of a setting; a dash without one.
fn shown(value: &str) -> String {
    if value.is_empty() { "–".to_owned() } else { cut(value, WIDTH) }
}

/// The first `width` characters.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// Whole numbers with their digits in groups, others with four digits after the point.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value >= 0.0 { grouped(value as u64) } else { format!("{value:.4}") }
}

fn json(results: &[&BenchResult; 2], settings: &[Setting], figures: &[Figure]) -> Value {
    let settings = settings.iter().filter(|row| row.differs());
    let settings = settings.map(|row| json!({ "section": row.section, "label": row.label, "values": row.values }));
    let figures = figures.iter().map(|row| {
        json!({ "section": row.section, "label": row.label, "unit": row.unit, "values": row.values, "ratio": row.ratio() })
    });
    json!({
        "dates": results.map(|result| &result.program.date),
        "settings_that_differ": settings.collect::<Vec<_>>(),
        "figures": figures.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!((cut("größer", 6), cut("größer!", 6)), ("größer".to_owned(), "größe…".to_owned()));
        assert_eq!((number(3000.0), number(0.123_456)), ("3,000".to_owned(), "0.1235".to_owned()));
    }
}
