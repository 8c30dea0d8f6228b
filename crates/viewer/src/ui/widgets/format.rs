//! Numbers and names as text, and numbers as people type them.

use glam::IVec3;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{Dimensions, Phase};

/// A count with thousands separators: `19,712`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 cell`, `1,204 cells`.
pub fn counted(value: u64, name: &str) -> String {
    format!("{} {name}{}", count(value), if value == 1 { "" } else { "s" })
}

/// Text for a comparison with what a user types: in lower case, and with hyphens for dashes.
pub fn plain(text: &str) -> String {
    text.to_lowercase().replace(['–', '—', '−'], "-")
}

/// A word with a capital letter: `Velocity`.
pub fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A count with two significant digits: `39,000`.
pub fn rough_count(value: u64) -> String {
    let unit = 10_u64.pow(value.checked_ilog10().unwrap_or(0).saturating_sub(1));
    count((value + unit / 2) / unit * unit)
}

/// Coordinates of a cell: `(3, −1, 0)`.
pub fn cell(cell: IVec3) -> String {
    cell_in(cell, Dimensions::Three)
}

/// Coordinates of a cell: `(3, −1)` in two dimensions.
pub fn cell_in(cell: IVec3, dimensions: Dimensions) -> String {
    let coordinates = cell.to_array().map(|coordinate| coordinate.to_string().replace('-', "−"));
    format!("({})", coordinates[..dimensions.count()].join(", "))
}

/// A duration with a suitable unit: `3.2 µs`, `0.45 ms`, `1.20 s`.
pub fn seconds(value: f64) -> String {
    match value {
        value if !value.is_finite() => "–".to_owned(),
        value if value < 1e-4 => format!("{:.1} µs", 1e6 * value),
        value if value < 0.1 => format!("{:.2} ms", 1e3 * value),
        value => format!("{value:.2} s"),
    }
}

/// A table size: `1 bucket`, `13,608 buckets`.
pub fn buckets(table_size: u32) -> String {
    if table_size == 1 { "1 bucket".to_owned() } else { format!("{} buckets", count(table_size.into())) }
}

/// An estimated time, with two digits: `15 ms`, `0.16 s`.
pub fn rough_seconds(value: f64) -> String {
    match value {
        value if !value.is_finite() => "–".to_owned(),
        value if value < 1e-4 => format!("{:.0} µs", 1e6 * value),
        value if value < 9.95e-3 => format!("{:.1} ms", 1e3 * value),
        value if value < 0.1 => format!("{:.0} ms", 1e3 * value),
        value if value < 1.0 => format!("{value:.2} s"),
        value => format!("{value:.1} s"),
    }
}

/// A memory size: `312 KiB`.
pub fn bytes(value: usize) -> String {
    sph_io::bytes_in_words(value as u64)
}

/// `text` with at most `most` characters: those in the middle give way to `…`.
pub fn elided(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let tail = most / 2;
    let head = text.chars().take(most.saturating_sub(tail + 1));
    head.chain(['…']).chain(text.chars().skip(length - tail)).collect()
}

/// A value with three significant digits, in decimal or scientific notation (`8.2 × 10⁻⁵`); whole where it is large.
pub fn significant(value: f64) -> String {
    let magnitude = value.abs();
    match magnitude {
        0.0 => "0".to_owned(),
        magnitude if !(1e-4..1e6).contains(&magnitude) => scientific(value),
        magnitude if magnitude < 1.0 => length(value),
        magnitude if magnitude < 10.0 => format!("{value:.2}"),
        magnitude if magnitude < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Superscripts of the digits.
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A value with two or three digits and a power of ten.
fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| SUPERSCRIPTS[digit as usize]);
    let exponent: String = exponent.chars().map(raised).collect();
    format!("{} × 10{exponent}", mantissa.strip_suffix('0').unwrap_or(mantissa))
}

/// Like [`significant`], with thousands separators. For display only: in input, a comma may be a decimal comma.
pub fn grouped(value: f64) -> String {
    if (1e3..1e6).contains(&value.abs()) {
        let sign = if value < 0.0 { "−" } else { "" };
        return format!("{sign}{}", count(value.abs().round() as u64));
    }
    significant(value)
}

/// A ratio with two decimals; whole, with thousands separators, where it is large.
pub fn ratio(value: f64) -> String {
    if value < 1e3 { format!("{value:.2}") } else { grouped(value) }
}

/// A component of a vector with two decimals, or in scientific notation where that would be long; never `-0.00`.
pub fn component(value: f64) -> String {
    // Adding 0 turns −0 into 0.
    fixed((100.0 * value).round() / 100.0 + 0.0, 2)
}

/// Magnitude from which a number with decimals is written in scientific notation, so that no number is long.
const LONG: f64 = 1e5;

/// A value with this many decimals, or in scientific notation where that would be long.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() < LONG { format!("{value:.decimals$}") } else { significant(value) }
}

/// A length in metres with three significant digits, without the unit.
pub fn length(value: f64) -> String {
    let magnitude = value.abs();
    // Decimals for three significant digits; the factor corrects powers of ten that are rounded down.
    let decimals = if magnitude > 0.0 { (2.0 - (1.0001 * magnitude).log10().floor()).clamp(0.0, 9.0) as usize } else { 0 };
    format!("{value:.decimals$}")
}

/// A tick label of an axis, with at most three decimals.
pub fn tick(value: f64) -> String {
    let rounded = (value * 1e3).round() / 1e3;
    format!("{rounded}")
}

/// Capitalised name of a phase.
pub fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Sort => "Sort",
        Phase::Build => "Build",
        Phase::Query => "Query",
        Phase::Density => "Density",
        Phase::Walls => "Walls",
        Phase::Forces => "Forces",
        Phase::Pressure => "Pressure",
        Phase::Points => "Cloth, balls",
        Phase::Integrate => "Integrate",
        Phase::Statistics => "Statistics",
    }
}

// Numbers as people type them.

/// Parses a number as people type it, with or without its unit; `None` if it is invalid, which leaves the value unchanged.
///
/// A single comma is a decimal comma, except in a count, where commas are thousands separators.
pub fn parse(text: &str, unit: &str, count: bool) -> Option<f64> {
    let plain = |text: &str| -> String {
        let typed = |c: char| match SUPERSCRIPTS.iter().position(|&superscript| superscript == c) {
            Some(digit) => char::from(b'0' + digit as u8),
            None if matches!(c, '−' | '⁻') => '-',
            None => c,
        };
        text.chars().filter(|c| !c.is_whitespace() && *c != '_').map(typed).collect()
    };
    let (text, unit) = (plain(text), plain(unit));
    let text = text.strip_suffix(&unit).unwrap_or(&text).replacen("×10", "e", 1);
    let number = match (text.matches(',').count(), text.contains('.')) {
        (0, _) => text,
        (1, false) if !count => text.replace(',', "."),
        _ if has_thousands_separators(&text) => text.replace(',', ""),
        _ => return None,
    };
    // Rust also reads "inf" and "nan".
    number.parse().ok().filter(|number: &f64| number.is_finite())
}

/// True if the commas of `text` are valid thousands separators.
fn has_thousands_separators(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or(text).trim_start_matches(['-', '+']);
    let mut groups = whole.split(',');
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && digits(group) && !group.starts_with('0'));
    first && groups.all(|group| group.len() == 3 && digits(group)) && !text.split('.').skip(1).any(|rest| rest.contains(','))
}

// Names of structures and grids in the panels.

/// Name of a structure with its options.
pub fn full_name(structure: Structure) -> String {
    let options = structure.option_names();
    let name = structure.label();
    if options.is_empty() { name.to_owned() } else { format!("{name} ({})", options.join(", ")) }
}

/// Description of a configuration: `Cell hash (rebuilt), 8,192 buckets, 0.0800 m`.
pub fn describe(grid: &GridParameters) -> String {
    let mut text = full_name(grid.structure);
    if grid.structure.has_table() {
        text += &format!(", {}", buckets(grid.table_size));
    }
    if grid.structure != Structure::BruteForce {
        text += &format!(", {} m", length(grid.cell_size.into()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_two_digits() {
        let times = [2e-5, 0.001_23, 0.015_09, 0.158, 7.0];
        assert_eq!(times.map(rough_seconds), ["20 µs", "1.2 ms", "15 ms", "0.16 s", "7.0 s"]);
    }

    #[test]
    fn numbers_are_formatted() {
        assert_eq!([0, 999, 1000, 19_712, 16_777_216].map(count), ["0", "999", "1,000", "19,712", "16,777,216"]);
        assert_eq!([3.2e-6, 4.5e-4, 0.25, f64::INFINITY].map(seconds), ["3.2 µs", "0.45 ms", "0.25 s", "–"]);
        assert_eq!([7, 6, 5].map(|most| elided("/a/b/é/", most)), ["/a/b/é/", "/a…/é/", "/a…é/"]);
        assert_eq!([12, 320 * 1024, 3 << 20].map(bytes), ["12 B", "320 KiB", "3.0 MiB"]);
        assert_eq!(
            [0.0, 1e-6, 0.05, 3.24159, 19700.0, 2.5e7].map(significant),
            ["0", "1.0 × 10⁻⁶", "0.0500", "3.24", "19700", "2.5 × 10⁷"]
        );
        assert_eq!([5000.0, 19_700.4, 0.5, -2000.0].map(grouped), ["5,000", "19,700", "0.500", "−2,000"]);
        assert_eq!([-0.0, -0.004, -9.81, 1.0].map(component), ["0.00", "0.00", "-9.81", "1.00"]);
        assert_eq!(
            [9.81, -99_999.0, 123_456.0, 1e12].map(|value| fixed(value, 2)),
            ["9.81", "-99999.00", "123456", "1.0 × 10¹²"]
        );
        assert_eq!([1e12, -3.4e38].map(component), ["1.0 × 10¹²", "-3.4 × 10³⁸"]);
        assert_eq!([8.24e-4, -1.234e-5].map(significant), ["0.000824", "-1.23 × 10⁻⁵"]);
        assert_eq!([0.04, 0.039_999_999, 0.1, 1.5, 0.0].map(length), ["0.0400", "0.0400", "0.100", "1.50", "0"]);
    }

    #[test]
    fn numbers_parse_as_people_type_them() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(parse(text, " m²/s", false), expected, "{text}");
        check("0.04", Some(0.04));
        check("0,05", Some(0.05));
        check(" 1e-6 m²/s", Some(1e-6));
        check("1e-6m2/s", Some(1e-6));
        check("1.0 × 10⁻⁶ m²/s", Some(1e-6));
        check("2.5 × 10⁷", Some(2.5e7));
        check("−9,81", Some(-9.81));
        check("1,234.5", Some(1234.5));
        check("1,234,567", Some(1_234_567.0));
        let nonsense = ["", "water", "12abc", "0.04 s", "1.234,5", "1,2,3", "1..2", "nan", "inf", "1e999", ",", "-"];
        for text in nonsense {
            check(text, None);
        }
    }

    #[test]
    fn commas_in_counts_are_thousands_separators() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(parse(text, "", true), expected, "{text}");
        check("20,160", Some(20_160.0));
        check("1_000 000", Some(1_000_000.0));
        check("16,777,216", Some(16_777_216.0));
        for text in ["0,05", "1,5", "20,16", "2016,000", ",160"] {
            check(text, None);
        }
    }
}
