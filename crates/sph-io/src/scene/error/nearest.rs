//! Suggestions for misspelt names, and lists of names.

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
