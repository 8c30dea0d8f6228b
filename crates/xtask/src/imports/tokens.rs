//! Source text as tokens: words, literals and punctuation marks, without comments and lifetimes.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// An identifier or keyword; a raw one without its `r#`.
    Word(String),
    /// The text of a string, without its quotes; empty for numbers and characters, whose value nobody asks for.
    Literal(String),
    /// `::`
    Separator,
    /// Any other character.
    Mark(char),
}

impl Token {
    pub fn is_mark(&self, mark: char) -> bool {
        *self == Self::Mark(mark)
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Splits source text. Text that the compiler would refuse gives some tokens or other, never an error.
pub fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0 };
    let mut tokens = Vec::new();
    while let Some(c) = reader.peek(0) {
        match c {
            '/' if reader.peek(1) == Some('/') => reader.skip_while(|c| c != '\n'),
            '/' if reader.peek(1) == Some('*') => reader.skip_block_comment(),
            '"' => tokens.push(Token::Literal(reader.string())),
            '\'' => tokens.extend(reader.character_or_lifetime()),
            ':' if reader.peek(1) == Some(':') => {
                reader.at += 2;
                tokens.push(Token::Separator);
            }
            c if c.is_ascii_digit() => tokens.push(reader.number()),
            c if is_part_of_word(c) => tokens.push(reader.word_or_string()),
            c => {
                reader.at += 1;
                if !c.is_whitespace() {
                    tokens.push(Token::Mark(c));
                }
            }
        }
    }
    tokens
}

/// The index behind the group that opens at `open` with a bracket of any kind; the end of the tokens if it never closes.
pub fn end_of_group(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, holds: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&holds) {
            self.at += 1;
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0usize;
        while let Some(c) = self.peek(0) {
            match (c, self.peek(1)) {
                ('/', Some('*')) => depth += 1,
                ('*', Some('/')) => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                break;
            }
        }
    }

    /// A string from its quote on.
    fn string(&mut self) -> String {
        self.at += 1;
        let start = self.at;
        while let Some(c) = self.peek(0).filter(|&c| c != '"') {
            self.at += if c == '\\' { 2 } else { 1 };
        }
        let end = self.at.min(self.chars.len());
        self.at = end + 1;
        self.chars[start..end].iter().collect()
    }

    /// A raw string from its first `#` or quote on.
    fn raw_string(&mut self) -> String {
        let hashes = self.chars[self.at..].iter().take_while(|&&c| c == '#').count();
        self.at += hashes + 1;
        let start = self.at;
        let closes = |rest: &[char]| rest[0] == '"' && rest[1..].iter().take_while(|&&c| c == '#').count() >= hashes;
        while self.at < self.chars.len() && !closes(&self.chars[self.at..]) {
            self.at += 1;
        }
        let end = self.at;
        self.at += hashes + 1;
        self.chars[start..end].iter().collect()
    }

    fn character_or_lifetime(&mut self) -> Option<Token> {
        let is_character = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
        if !is_character {
            self.at += 1;
            self.skip_while(is_part_of_word);
            return None;
        }
        // Behind the first character, which may be a quote or, escaped, two characters.
        self.at += if self.peek(1) == Some('\\') { 3 } else { 2 };
        self.skip_while(|c| c != '\'');
        self.at += 1;
        Some(Token::Literal(String::new()))
    }

    fn number(&mut self) -> Token {
        self.skip_while(is_part_of_word);
        if self.peek(0) == Some('.') && self.peek(1).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
            self.skip_while(is_part_of_word);
        }
        Token::Literal(String::new())
    }

    fn word_or_string(&mut self) -> Token {
        let start = self.at;
        self.skip_while(is_part_of_word);
        let word: String = self.chars[start..self.at].iter().collect();
        match (word.as_str(), self.peek(0), self.peek(1)) {
            ("r" | "br" | "cr", Some('"'), _) | ("r" | "br" | "cr", Some('#'), Some('"' | '#')) => {
                Token::Literal(self.raw_string())
            }
            ("b" | "c", Some('"'), _) => Token::Literal(self.string()),
            ("b", Some('\''), _) => self.character_or_lifetime().unwrap_or(Token::Literal(String::new())),
            ("r", Some('#'), _) => {
                self.at += 1;
                self.word_or_string()
            }
            _ => Token::Word(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words and marks as they are, literals in `<>`, separated by spaces.
    fn shown(text: &str) -> String {
        let shown = |token| match token {
            Token::Word(word) => word,
            Token::Literal(text) => format!("<{text}>"),
            Token::Separator => "::".to_owned(),
            Token::Mark(mark) => mark.to_string(),
        };
        tokens(text).into_iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(shown("a // b \" c\nd /* e /* f */ g */ h /** i */"), "a d h");
    }

    #[test]
    fn strings_are_one_token() {
        assert_eq!(shown(r#"a "b \" // c" d"#), r#"a <b \" // c> d"#);
        assert_eq!(shown(r###"a r#"e " f"# g b"h" c"i" r"j\" k"###), r#"a <e " f> g <h> <i> <j\> k"#);
        assert_eq!(shown("a \"never ends"), "a <never ends>");
    }

    #[test]
    fn characters_are_told_from_lifetimes() {
        assert_eq!(shown(r"'a' b &'c d '\'' e '\u{1F}' f b'g' 'static h '\\' i '''"), "<> b & d <> e <> f <> h <> i <>");
    }

    #[test]
    fn numbers_do_not_swallow_ranges_and_methods() {
        assert_eq!(shown("1.5e3 0..n 2.max(a) 0xFFu8"), "<> <> . . n <> . max ( a ) <>");
    }

    #[test]
    fn paths_have_separators() {
        assert_eq!(shown("a::b: r#type"), "a :: b : type");
    }

    #[test]
    fn a_group_ends_behind_its_bracket() {
        let tokens = tokens("f(a, [b], {c}) d");
        assert_eq!(end_of_group(&tokens, 1), tokens.len() - 1);
        assert_eq!(end_of_group(&tokens[..4], 1), 4);
    }
}
