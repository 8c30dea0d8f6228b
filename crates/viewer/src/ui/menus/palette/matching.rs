//! Fuzzy matching: the letters of a pattern in their order within a name.

/// Score of a letter that follows the letter matched before.
const ADJACENT: i32 = 8;

/// Score of the first letter of a word.
const WORD_START: i32 = 10;

/// Most points that are lost for letters skipped between two matches.
const MOST_SKIPPED: usize = 6;

/// Score of `name` for `pattern`, the higher the better; `None` unless each word of the pattern has its letters in the name, in
/// their order. Case is ignored.
pub fn score(pattern: &str, name: &str) -> Option<i32> {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let words = pattern.split_whitespace().map(|word| score_word(&word.to_lowercase(), &name));
    let total: i32 = words.sum::<Option<i32>>()?;
    // Of equal matches the shortest name.
    Some(total - name.len() as i32 / 8)
}

/// Best score over all places where the first letter may match; the others match as early as they can.
fn score_word(word: &str, name: &[char]) -> Option<i32> {
    let first = word.chars().next()?;
    let starts = (0..name.len()).filter(|&index| name[index] == first);
    starts.filter_map(|start| score_from(word, name, start)).max()
}

fn score_from(word: &str, name: &[char], start: usize) -> Option<i32> {
    let (mut total, mut next) = (0, start);
    for (number, letter) in word.chars().enumerate() {
        let index = next + name[next..].iter().position(|&other| other == letter)?;
        let starts_word = index == 0 || !name[index - 1].is_alphanumeric();
        total += match (starts_word, number > 0 && index == next) {
            (true, _) => WORD_START,
            (false, true) => ADJACENT,
            (false, false) => -((index - next).min(MOST_SKIPPED) as i32),
        };
        next = index + 1;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn letters_match_in_order_and_words_in_any() {
        assert!(score("kv", "Kinematic viscosity").is_some());
        assert!(score("visc kin", "Kinematic viscosity").is_some());
        assert_eq!(score("vk", "Kinematic viscosity"), None);
        assert_eq!(score("ü", "Kinematic viscosity"), None);
        assert!(score("", "anything") == Some(-1) && score("  ", "x") == Some(0));
    }

    #[test]
    fn starts_of_words_and_runs_of_letters_come_first() {
        let better = |pattern: &str, best: &str, other: &str| {
            assert!(score(pattern, best) > score(pattern, other), "{pattern}: {best} before {other}");
        };
        better("cell", "Cell spacing", "Cancel selection");
        better("so", "Speed of sound", "Density tolerance so");
        better("open", "Open scene…", "Drop an enemy");
        better("grid", "Compare grids", "Gravity in depth");
        better("plots", "Plots", "Plots of the probes and more");
    }
}
