//! JSON with the place of every value, which `serde_json` does not give.

use std::ops::Range;

/// A value and its bytes in the text.
#[derive(Debug)]
pub(super) struct Node {
    pub span: Range<usize>,
    pub value: Json,
}

#[derive(Debug)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Table(Vec<(String, Node)>),
}

/// The text is not JSON: the byte at which that shows, and the reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotJson {
    pub offset: usize,
    pub message: String,
}

/// Parses a text. `serde_json` judges it, and bounds its depth; places are then found in valid text.
pub(super) fn parse(text: &str) -> Result<Node, NotJson> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let json = &text[start..];
    if let Err(error) = serde_json::from_str::<serde_json::Value>(json) {
        let line_start = json.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
        return Err(NotJson { offset: (start + line_start + error.column().saturating_sub(1)).min(text.len()), message });
    }
    let mut scanner = Scanner { text, at: start };
    scanner.node().ok_or_else(|| NotJson { offset: scanner.at, message: "invalid value".to_owned() })
}

/// Position in a text that is known to be JSON. `None` where it is not.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&mut self) -> Option<u8> {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        self.at += self.text.as_bytes().get(self.at..)?.iter().take_while(|byte| blank(byte)).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over `byte`, if it is next.
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn node(&mut self) -> Option<Node> {
        let first = self.peek()?;
        let start = self.at;
        let value = match first {
            b'{' => self.table()?,
            b'[' => self.list()?,
            b'"' => Json::Text(self.string()?),
            _ => self.word()?,
        };
        Some(Node { span: start..self.at, value })
    }

    fn table(&mut self) -> Option<Json> {
        let mut entries = Vec::new();
        self.at += 1;
        while !self.skip(b'}') {
            self.skip(b',');
            self.peek()?;
            let key = self.string()?;
            self.skip(b':').then_some(())?;
            entries.push((key, self.node()?));
        }
        Some(Json::Table(entries))
    }

    fn list(&mut self) -> Option<Json> {
        let mut items = Vec::new();
        self.at += 1;
        while !self.skip(b']') {
            self.skip(b',');
            items.push(self.node()?);
        }
        Some(Json::List(items))
    }

    fn string(&mut self) -> Option<String> {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        while *bytes.get(end)? != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let quoted = self.text.get(self.at..=end)?;
        self.at = end + 1;
        serde_json::from_str(quoted).ok()
    }

    fn word(&mut self) -> Option<Json> {
        let rest = self.text.get(self.at..)?;
        let word = &rest
            [..rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || "+-.".contains(letter))).unwrap_or(rest.len())];
        self.at += word.len();
        match word {
            "null" => Some(Json::Null),
            "true" => Some(Json::Bool(true)),
            "false" => Some(Json::Bool(false)),
            _ => word.parse().ok().map(Json::Number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_values() {
        let text = "\u{feff}{ \"ä\\\"\": [1, -2.5e1],\n \"b\": {\"c\": \"x\"}, \"d\": true, \"e\": null }";
        let Json::Table(entries) = parse(text).unwrap().value else { panic!("a table") };
        let shown: Vec<(&str, &str)> = entries.iter().map(|(key, node)| (key.as_str(), &text[node.span.clone()])).collect();
        assert_eq!(shown, [("ä\"", "[1, -2.5e1]"), ("b", "{\"c\": \"x\"}"), ("d", "true"), ("e", "null")]);
        let Json::List(items) = &entries[0].1.value else { panic!("a list") };
        assert!(matches!(items[1].value, Json::Number(-25.0)));
    }

    #[test]
    fn what_is_not_json_has_its_place() {
        let error = |text: &str| parse(text).map(|_| ()).unwrap_err();
        assert_eq!(error("{\n  \"a\": 1,\n  b\n}"), NotJson { offset: 14, message: "key must be a string".into() });
        assert_eq!(error("").offset, 0);
        assert!(error(&"[".repeat(100_000)).message.contains("recursion limit"));
        assert!(error("[1e999]").message.contains("out of range"));
    }
}
