//! The paths that code names: `module::Item`, and names alone that look like an item's.

use super::test_items::attribute;
use super::tokens::{Token, end_of_group};

/// A path in code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    pub path: Vec<String>,
    /// A macro is called.
    pub is_macro: bool,
}

/// Reads the path at a word, if one begins there, and returns the index behind.
pub fn mention_at(tokens: &[Token], start: usize) -> (Option<Mention>, usize) {
    let before = start.checked_sub(1).map(|before| &tokens[before]);
    let mut path = Vec::new();
    let mut at = start;
    while let Some(word) = tokens.get(at).and_then(Token::word) {
        path.push(word.to_owned());
        at += 1;
        match tokens.get(at..) {
            Some([Token::Separator, Token::Word(_), ..]) => at += 1,
            _ => break,
        }
    }
    let rest = &tokens[at..];
    let is_macro = matches!(rest, [Token::Mark('!'), next, ..] if !next.is_mark('='));
    let is_called = matches!(rest, [Token::Mark('(') | Token::Separator, ..]);
    let [first, ..] = &path[..] else { return (None, at.max(start + 1)) };
    // A small name alone that is not called is mostly a variable.
    let may_be_item = path.len() > 1 || is_macro || is_called || first.starts_with(char::is_uppercase);
    let counts = begins_path(first, before) && may_be_item;
    (counts.then_some(Mention { path, is_macro }), at)
}

/// True if a word begins a path, judged by the token before it. A word that continues a path, names a field or a method, stands
/// for a macro's argument, or is the name in an item's definition does not.
fn begins_path(word: &str, before: Option<&Token>) -> bool {
    match before {
        Some(Token::Separator | Token::Mark('.')) => false,
        Some(Token::Mark('$')) => word == "crate",
        Some(Token::Word(before)) => !["fn", "struct", "trait", "type", "const", "static", "mod"].contains(&before.as_str()),
        _ => true,
    }
}

/// The indices of the variants' names of the enum whose keyword is at `start`.
pub fn variants(tokens: &[Token], start: usize) -> Vec<usize> {
    let mut names = Vec::new();
    let Some(open) = (start..tokens.len()).find(|&at| tokens[at].is_mark('{')) else { return names };
    let end = end_of_group(tokens, open) - 1;
    let mut at = open + 1;
    while at < end {
        if let Some((_, behind)) = attribute(tokens, at) {
            at = behind;
            continue;
        }
        names.push(at);
        while at < end && !tokens[at].is_mark(',') {
            at = if matches!(tokens[at], Token::Mark('(' | '{' | '[')) { end_of_group(tokens, at) } else { at + 1 };
        }
        at += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn mentions(text: &str) -> Vec<String> {
        let tokens = tokens(text);
        let mut found = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let (mention, end) = mention_at(&tokens, at);
            found.extend(mention.map(|mention| mention.path.join("::")));
            at = end;
        }
        found
    }

    #[test]
    fn paths_types_calls_and_macros_are_mentioned() {
        assert_eq!(mentions("let x: Vec3 = a::b::C::new(y, f(z)) + m!(1);"), ["Vec3", "a::b::C::new", "f", "m"]);
        assert_eq!(mentions("sum::<f32>(x)"), ["sum"]);
    }

    #[test]
    fn fields_methods_and_variables_are_not() {
        assert_eq!(mentions("x.length() + self.y.z - length; a != b; $name::new()"), Vec::<String>::new());
        assert_eq!(mentions("$crate::a::B"), ["crate::a::B"]);
    }

    #[test]
    fn a_definition_does_not_mention_itself() {
        assert_eq!(mentions("fn f() -> A { } const C: B = 1;"), ["A", "B"]);
    }

    #[test]
    fn variants_are_known_from_their_fields() {
        let tokens = tokens("enum E<T> { A, #[x(Y)] B(F, G), C { d: H, e: I }, D = 4, }");
        let names: Vec<&str> = variants(&tokens, 0).into_iter().filter_map(|at| tokens[at].word()).collect();
        assert_eq!(names, ["A", "B", "C", "D"]);
    }
}
