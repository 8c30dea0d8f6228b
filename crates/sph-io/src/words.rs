//! Words of messages: numbers, suggestions for misspelt names, and lists of names.

/// Length rounded to a tenth of a millimetre.
pub(crate) fn round(length: f32) -> f64 {
    (f64::from(length) * 1e4).round() / 1e4
}

/// The value, enlarged by 2 % and rounded up to two digits.
pub(crate) fn rounded_up(value: f64) -> f64 {
    let roomy = value * 1.02;
    let unit = 10f64.powf(roomy.log10().floor() - 1.0);
    // A whole number times a power of ten is not always the nearest double of the decimal number: formatting and parsing makes it so.
    let rounded = (roomy / unit).ceil() * unit;
    format!("{rounded:.1e}").parse().unwrap_or(rounded)
}

/// A number of bytes in words: 1.4 TiB.
pub fn bytes_in_words(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    // Three digits at most: 1023 KiB are 1.0 MiB.
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = if value < 9.95 && unit > 0 { 1 } else { 0 };
    format!("{value:.digits$} {}", units[unit])
}

/// A count with its digits in groups: 20,000,000.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

// Suggestions for misspelt names, and lists of names.

/// The candidate nearest to `word` by edit distance, if at most a third of its letters differ.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The comparison is quadratic, and no name is that long.
    let word = if word.len() <= 64 { word.to_lowercase() } else { return None };
    let score = |candidate: &str| strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
    let like = |candidate: &str, wrong: usize| wrong * 3 <= candidate.chars().count().max(word.chars().count());
    candidates
        .into_iter()
        .map(|candidate| (score(candidate), candidate))
        .filter(|&(wrong, candidate)| like(candidate, wrong))
        .min_by_key(|&(wrong, _)| wrong)
        .map(|(_, candidate)| candidate)
}

/// The words as a list: `a`, `b` or `c`, each in backquotes.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(20_000_000), "20,000,000");
        assert_eq!(grouped(999), "999");
        assert_eq!(bytes_in_words(999), "999 B");
        assert_eq!(bytes_in_words(3 << 19), "1.5 MiB");
        assert_eq!(bytes_in_words(23 << 30), "23 GiB");
        assert_eq!(bytes_in_words((1 << 30) - 1), "1.0 GiB");
        assert_eq!(bytes_in_words(u64::MAX), "16 EiB");
        assert_eq!(rounded_up(0.0123), 0.013);
        assert_eq!(rounded_up(0.0995), 0.11);
    }

    #[test]
    fn finds_the_nearest_name_within_a_third() {
        let keys = ["structure", "table_size", "cell_size", "hash"];
        assert_eq!(nearest("tabel_size", keys), Some("table_size"));
        assert_eq!(nearest("Cell_Size", keys), Some("cell_size"));
        assert_eq!(nearest("hsah", keys), Some("hash"));
        assert_eq!(nearest("viscosity", keys), None);
        assert_eq!(nearest("", keys), None);
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
