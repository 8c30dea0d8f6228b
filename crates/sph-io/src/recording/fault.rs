//! Faults of a line in words, with the key that the parser of JSON does not name.

use serde_json::error::Category;

/// Reason why `error` has refused `line`: with the key if a value is wrong, with the column if it is no JSON.
pub(super) fn reason(line: &str, error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The parser counts lines from the start of this one.
    let words = text.rsplit_once(" at line ").map_or(text.as_str(), |(words, _)| words);
    match error.classify() {
        Category::Data => match key_before(line, error.column()) {
            key if key.is_empty() => words.to_owned(),
            key => format!("{key}: {words}"),
        },
        Category::Eof => "it ends before its object does".to_owned(),
        Category::Syntax | Category::Io => format!("{words} at column {}", error.column()),
    }
}

/// Key of the value that ends in the first `length` bytes of the JSON `line`, with those of the objects around it: `hand.push.center`.
fn key_before(line: &str, length: usize) -> String {
    // The last key of each open object; `None` for an array.
    let mut open: Vec<Option<&str>> = Vec::new();
    let (mut is_key, mut at) = (false, 0);
    while let Some(byte) = line.as_bytes().get(at).filter(|_| at < length) {
        at += 1;
        match byte {
            b'{' => {
                open.push(Some(""));
                is_key = true;
            }
            b'[' => {
                open.push(None);
                is_key = false;
            }
            b'}' | b']' => {
                open.pop();
                is_key = false;
            }
            b',' => is_key = matches!(open.last(), Some(Some(_))),
            b'"' => {
                let start = at;
                while let Some(byte) = line.as_bytes().get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                if let (true, Some(last)) = (is_key, open.last_mut()) {
                    *last = line.get(start..at);
                }
                (is_key, at) = (false, at + 1);
            }
            _ => {}
        }
    }
    let keys: Vec<&str> = open.into_iter().flatten().filter(|key| !key.is_empty()).collect();
    keys.join(".")
}

#[cfg(test)]
mod tests {
    use super::key_before;

    #[test]
    fn the_key_is_that_of_the_value_which_ends_there() {
        let line = r#"{"a\"}": 1, "hand": {"push": {"center": [0, {"x": "]"}], "radius": 2}}, "b": 3}"#;
        for (end, key) in [
            ("\": 1", "a\\\"}"),
            ("[0", "hand.push.center"),
            ("\"]\"", "hand.push.center.x"),
            ("}]", "hand.push.center"),
            ("\": 2", "hand.push.radius"),
            (": 2}", "hand.push"),
            (": 2}}", "hand"),
            ("3", "b"),
            ("3}", ""),
        ] {
            let length = line.find(end).unwrap() + end.len();
            assert_eq!(key_before(line, length), key, "{}", &line[..length]);
        }
        assert_eq!(key_before("{\"cut", 99), "cut");
        assert_eq!(key_before("\\\"\\", 99), "");
    }
}
