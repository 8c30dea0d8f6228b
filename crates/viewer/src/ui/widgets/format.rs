//! Formatting of numbers.

use glam::IVec3;
use sph_core::Phase;

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

/// Coordinates of a cell: `(3, −1, 0)`.
pub fn cell(cell: IVec3) -> String {
    let [x, y, z] = cell.to_array().map(|coordinate| coordinate.to_string().replace('-', "−"));
    format!("({x}, {y}, {z})")
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

/// A memory size: `312 KiB`.
pub fn bytes(value: usize) -> String {
    let value = value as f64;
    match value {
        value if value < 1024.0 => format!("{value} B"),
        value if value < 1024.0 * 1024.0 => format!("{:.0} KiB", value / 1024.0),
        value => format!("{:.1} MiB", value / (1024.0 * 1024.0)),
    }
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

/// A value with three significant digits, in decimal or scientific notation; whole where it is large.
pub fn significant(value: f64) -> String {
    let magnitude = value.abs();
    match magnitude {
        0.0 => "0".to_owned(),
        magnitude if !(1e-3..1e6).contains(&magnitude) => {
            let text = format!("{value:.2e}");
            text.replace("0e", "e")
        }
        magnitude if magnitude < 1.0 => length(value),
        magnitude if magnitude < 10.0 => format!("{value:.2}"),
        magnitude if magnitude < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Like [`significant`], with thousands separators. For display only: in input, a comma may be a decimal comma.
pub fn grouped(value: f64) -> String {
    if (1e3..1e6).contains(&value.abs()) {
        let sign = if value < 0.0 { "−" } else { "" };
        return format!("{sign}{}", count(value.abs().round() as u64));
    }
    significant(value)
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
        Phase::Integrate => "Integrate",
        Phase::Statistics => "Statistics",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted() {
        assert_eq!([0, 999, 1000, 19_712, 16_777_216].map(count), ["0", "999", "1,000", "19,712", "16,777,216"]);
        assert_eq!([3.2e-6, 4.5e-4, 0.25, f64::INFINITY].map(seconds), ["3.2 µs", "0.45 ms", "0.25 s", "–"]);
        assert_eq!([7, 6, 5].map(|most| elided("/a/b/é/", most)), ["/a/b/é/", "/a…/é/", "/a…é/"]);
        assert_eq!([12, 320 * 1024, 3 << 20].map(bytes), ["12 B", "320 KiB", "3.0 MiB"]);
        assert_eq!(
            [0.0, 1e-6, 0.05, 3.24159, 19700.0, 2.5e7].map(significant),
            ["0", "1.0e-6", "0.0500", "3.24", "19700", "2.5e7"]
        );
        assert_eq!([5000.0, 19_700.4, 0.5, -2000.0].map(grouped), ["5,000", "19,700", "0.500", "−2,000"]);
        assert_eq!([-0.0, -0.004, -9.81, 1.0].map(component), ["0.00", "0.00", "-9.81", "1.00"]);
        assert_eq!([9.81, -99_999.0, 123_456.0, 1e12].map(|value| fixed(value, 2)), ["9.81", "-99999.00", "123456", "1.0e12"]);
        assert_eq!([1e12, -3.4e38].map(component), ["1.0e12", "-3.4e38"]);
        assert_eq!([0.04, 0.039_999_999, 0.1, 1.5, 0.0].map(length), ["0.0400", "0.0400", "0.100", "1.50", "0"]);
    }
}
