//! Items behind `#[cfg(test)]` and `#[test]`, which only tests compile, left out of the tokens.

use super::tokens::{Token, end_of_group};

/// The tokens of a file without those of its test items.
pub fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match attribute(tokens, at) {
            Some((content, end)) if is_for_tests(content) => {
                if tokens[at + 1].is_mark('!') {
                    break;
                }
                at = end_of_item(tokens, end);
            }
            _ => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    kept
}

/// The content of the attribute that begins at `at`, if one does, and the index behind it.
pub fn attribute(tokens: &[Token], at: usize) -> Option<(&[Token], usize)> {
    let open = match tokens.get(at..)? {
        [Token::Mark('#'), Token::Mark('['), ..] => at + 1,
        [Token::Mark('#'), Token::Mark('!'), Token::Mark('['), ..] => at + 2,
        _ => return None,
    };
    let end = end_of_group(tokens, open);
    Some((&tokens[open + 1..(end - 1).max(open + 1)], end))
}

fn is_for_tests(content: &[Token]) -> bool {
    match content {
        [Token::Word(word)] => word == "test",
        [Token::Word(word), Token::Mark('('), condition @ .., Token::Mark(')')] if word == "cfg" => needs_test(condition),
        _ => false,
    }
}

/// True for a condition of `cfg` that holds in tests only.
fn needs_test(condition: &[Token]) -> bool {
    match condition {
        [Token::Word(word)] => word == "test",
        [Token::Word(word), Token::Mark('('), parts @ .., Token::Mark(')')] => {
            let mut parts = split_at_commas(parts).into_iter();
            match word.as_str() {
                "all" => parts.any(needs_test),
                "any" => parts.all(needs_test),
                _ => false,
            }
        }
        _ => false,
    }
}

fn split_at_commas(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        match tokens[at] {
            Token::Mark('(') => at = end_of_group(tokens, at),
            Token::Mark(',') => {
                parts.push(&tokens[start..at]);
                at += 1;
                start = at;
            }
            _ => at += 1,
        }
    }
    if start < tokens.len() {
        parts.push(&tokens[start..]);
    }
    parts
}

/// The index behind the item, field, variant, statement or match arm that begins at `at`, perhaps with more attributes.
pub fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    while let Some((_, end)) = attribute(tokens, at) {
        at = end;
    }
    let first = first_keyword(&tokens[at..]);
    let ends_at_semicolon = matches!(first, Some("use" | "const" | "static" | "type" | "let"));
    let is_item = first.is_some();
    while at < tokens.len() {
        match tokens[at] {
            Token::Mark(';') => return at + 1,
            Token::Mark(',') if !is_item => return at + 1,
            Token::Mark(')' | ']' | '}') => return at,
            Token::Mark('{') if !ends_at_semicolon => {
                let end = end_of_group(tokens, at);
                // A match arm's comma may follow its block.
                let comma = !is_item && tokens.get(end).is_some_and(|token| token.is_mark(','));
                return end + usize::from(comma);
            }
            Token::Mark('(' | '[' | '{') => at = end_of_group(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// The word that says which kind of item this is; `None` for a field, a variant or an expression.
fn first_keyword(tokens: &[Token]) -> Option<&str> {
    let mut at = 0;
    loop {
        match tokens.get(at)?.word()? {
            "pub" => {
                at += 1;
                if tokens.get(at).is_some_and(|token| token.is_mark('(')) {
                    at = end_of_group(tokens, at);
                }
            }
            // `const fn` is a function, `const NAME` a constant.
            "const"
                if !tokens.get(at + 1).is_some_and(|next| ["fn", "unsafe", "async"].iter().any(|word| next.is_word(word))) =>
            {
                return Some("const");
            }
            "unsafe" | "async" | "const" => at += 1,
            word @ ("use" | "static" | "type" | "let" | "fn" | "struct" | "enum" | "union" | "trait" | "impl" | "mod"
            | "extern" | "macro_rules") => return Some(word),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    /// The words that are left of a text.
    fn kept(text: &str) -> String {
        let left = without_tests(&tokens(text));
        left.iter().filter_map(Token::word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn items_of_tests_are_left_out() {
        assert_eq!(kept("mod a; #[cfg(test)] mod tests; fn b() {}"), "mod a fn b");
        assert_eq!(kept("#[cfg(test)] mod tests { fn a() { if b {} } } fn c() {}"), "fn c");
        assert_eq!(kept("#[cfg(test)] pub(crate) use a::{b, c}; use d;"), "use d");
        assert_eq!(kept("#[cfg(test)] #[allow(dead)] const A: B = B { c: 1 }; const D: E = 2;"), "const D E");
        assert_eq!(kept("#[test] fn a<B, C>() -> D { e() } fn f() {}"), "fn f");
        assert_eq!(kept("impl A { #[cfg(test)] const fn b() {} fn c() {} }"), "impl A fn c");
    }

    #[test]
    fn parts_of_items_are_left_out() {
        assert_eq!(kept("struct A { #[cfg(test)] b: C<D>, e: F }"), "struct A e F");
        assert_eq!(kept("match a { #[cfg(test)] B => { c() }, D => e }"), "match a D e");
        assert_eq!(kept("{ #[cfg(test)] let a = B { c }; d }"), "d");
        assert_eq!(kept("f(#[cfg(test)] a, b)"), "f b");
    }

    #[test]
    fn conditions_that_hold_without_tests_keep_their_items() {
        assert_eq!(kept("#[cfg(not(test))] fn a() {}"), "cfg not test fn a");
        assert_eq!(kept("#[cfg(any(test, unix))] fn a() {}"), "cfg any test unix fn a");
        assert_eq!(kept("#[cfg(all(unix, test))] fn a() {} #[cfg(any(test, all(test, unix)))] fn b() {}"), "");
        assert_eq!(kept("#[derive(test)] struct A;"), "derive test struct A");
    }

    #[test]
    fn a_file_may_be_for_tests_as_a_whole() {
        assert_eq!(kept("#![cfg(test)] use a; fn b() {}"), "");
        assert_eq!(kept("#![warn(missing)] use a;"), "warn missing use a");
    }
}
