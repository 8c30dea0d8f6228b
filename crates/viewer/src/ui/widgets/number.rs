//! Numbers as people type them.

/// Parses a number as people type it, with or without its unit; `None` if it is invalid, which leaves the value unchanged.
///
/// A single comma is a decimal comma, except in a count, where commas are thousands separators.
pub fn parse(text: &str, unit: &str, count: bool) -> Option<f64> {
    let plain = |text: &str| -> String {
        let typed = |c: char| match c {
            '−' => '-',
            '²' => '2',
            c => c,
        };
        text.chars().filter(|c| !c.is_whitespace() && *c != '_').map(typed).collect()
    };
    let (text, unit) = (plain(text), plain(unit));
    let text = text.strip_suffix(&unit).unwrap_or(&text);
    let number = match (text.matches(',').count(), text.contains('.')) {
        (0, _) => text.to_owned(),
        (1, false) if !count => text.replace(',', "."),
        _ if has_thousands_separators(text) => text.replace(',', ""),
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

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_parse_as_people_type_them() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(parse(text, " m²/s", false), expected, "{text}");
        check("0.04", Some(0.04));
        check("0,05", Some(0.05));
        check(" 1e-6 m²/s", Some(1e-6));
        check("1e-6m2/s", Some(1e-6));
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
