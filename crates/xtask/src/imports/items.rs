//! A file's modules as they are written: what each defines, what it imports, and the paths its code names.

use std::collections::{BTreeMap, BTreeSet};

use super::test_items::{attribute, end_of_item};
use super::tokens::{Token, end_of_group};

/// The space of names that an item is in: the same name may stand for one item in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    Types,
    Values,
    Macros,
}

/// One name that a `use` brings in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub path: Vec<String>,
    /// The name that it has here; `None`: every name of what the path leads to.
    pub name: Option<String>,
    /// Brought in for others, by `pub use`.
    pub public: bool,
}

/// A path in code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    pub path: Vec<String>,
    /// A macro is called.
    pub is_macro: bool,
}

/// `mod name;`, whose content is another file.
#[derive(Debug, PartialEq, Eq)]
pub struct Declaration {
    pub name: String,
    /// From `#[path = "…"]`.
    pub path: Option<String>,
}

/// A module's content in one file.
#[derive(Debug, Default)]
pub struct Items {
    pub defined: BTreeMap<String, BTreeSet<Space>>,
    pub imports: Vec<Import>,
    pub mentions: BTreeSet<Mention>,
    pub declared: Vec<Declaration>,
    /// `mod name { … }`
    pub inline: Vec<(String, Items)>,
}

impl Items {
    /// Reads the tokens of a module, without its tests.
    pub fn read(tokens: &[Token]) -> Self {
        let mut items = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            at = items.read_item(tokens, at);
        }
        items
    }

    /// Reads the item at `start` and returns the index behind it.
    fn read_item(&mut self, tokens: &[Token], start: usize) -> usize {
        let mut at = start;
        let mut path = None;
        while let Some((content, end)) = attribute(tokens, at) {
            if let [Token::Word(name), Token::Mark('='), Token::Literal(text)] = content
                && name == "path"
            {
                path = Some(text.clone());
            }
            self.read_code(content);
            at = end;
        }
        let mut public = false;
        if tokens.get(at).is_some_and(|token| token.is_word("pub")) {
            at += 1;
            public = true;
            if tokens.get(at).is_some_and(|token| token.is_mark('(')) {
                public = !tokens.get(at + 1).is_some_and(|token| token.is_word("self"));
                at = end_of_group(tokens, at);
            }
        }
        let end = end_of_item(tokens, at).max(at + 1).min(tokens.len().max(at + 1));
        let Some(rest) = tokens.get(at..end) else { return end };
        match rest {
            [Token::Word(word), tree @ ..] if word == "use" => self.read_use(tree, public),
            [Token::Word(word), Token::Word(name), Token::Mark(';')] if word == "mod" => {
                self.declared.push(Declaration { name: name.clone(), path });
            }
            [Token::Word(word), Token::Word(name), Token::Mark('{'), body @ .., Token::Mark('}')] if word == "mod" => {
                self.inline.push((name.clone(), Self::read(body)));
            }
            _ => {
                if let Some((name, space)) = definition(rest) {
                    self.defined.entry(name.to_owned()).or_default().insert(space);
                }
                self.read_code(rest);
            }
        }
        end
    }

    fn read_use(&mut self, tree: &[Token], public: bool) {
        let mut at = 0;
        read_tree(tree, &mut at, &[], public, &mut self.imports);
    }

    /// Collects the paths of code, and the imports inside functions as if they were the module's.
    fn read_code(&mut self, tokens: &[Token]) {
        let mut at = 0;
        let mut variants_until = 0;
        while at < tokens.len() {
            let Some(word) = tokens[at].word() else {
                at += 1;
                continue;
            };
            let before = at.checked_sub(1).map(|before| &tokens[before]);
            if word == "use" && !tokens.get(at + 1).is_some_and(|token| token.is_mark('<')) {
                let end = end_of_item(tokens, at);
                self.read_use(&tokens[at + 1..end], false);
                at = end;
            } else if word == "enum" {
                let open = (at..tokens.len()).find(|&open| tokens[open].is_mark('{')).unwrap_or(at);
                variants_until = end_of_group(tokens, open);
                at += 2;
            } else if is_path_start(word, before) && !(at < variants_until && is_variant(tokens, at)) {
                at = self.read_path(tokens, at);
            } else {
                at += 1;
            }
        }
    }

    fn read_path(&mut self, tokens: &[Token], start: usize) -> usize {
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
        let next = tokens.get(at);
        let is_macro =
            next.is_some_and(|token| token.is_mark('!')) && !tokens.get(at + 1).is_some_and(|token| token.is_mark('='));
        // A small name alone that is not called is mostly a variable.
        let called = next.is_some_and(|token| token.is_mark('(') || *token == Token::Separator);
        let is_large = path[0].starts_with(|c: char| c.is_uppercase());
        if path.len() > 1 || is_macro || called || is_large {
            self.mentions.insert(Mention { path, is_macro });
        }
        at
    }
}

/// The name that an item defines, if it does.
fn definition(item: &[Token]) -> Option<(&str, Space)> {
    let mut at = 0;
    loop {
        let space = match item.get(at)?.word()? {
            "macro_rules" => {
                return Some((item.get(at + 2)?.word()?, Space::Macros));
            }
            "const" if !["fn", "unsafe", "async", "extern"].contains(&item.get(at + 1)?.word()?) => Space::Values,
            "struct" | "enum" | "union" | "trait" | "type" => Space::Types,
            "fn" | "static" => Space::Values,
            "unsafe" | "async" | "const" => {
                at += 1;
                continue;
            }
            "extern" => {
                at += 1;
                at += usize::from(matches!(item.get(at)?, Token::Literal(_)));
                continue;
            }
            _ => return None,
        };
        at += 1 + usize::from(item.get(at + 1)?.is_word("mut"));
        return Some((item.get(at)?.word()?, space));
    }
}

fn is_path_start(word: &str, before: Option<&Token>) -> bool {
    match before {
        Some(Token::Separator | Token::Mark('.')) => false,
        Some(Token::Mark('$')) => word == "crate",
        Some(Token::Word(before)) => !["fn", "struct", "trait", "type", "const", "static", "mod"].contains(&before.as_str()),
        _ => true,
    }
}

/// Whether the word at `at`, inside an enum, is where a variant's name is.
fn is_variant(tokens: &[Token], at: usize) -> bool {
    let before = &tokens[at - 1];
    let begins = before.is_mark('{') || before.is_mark(',') || before.is_mark(']');
    let ends = tokens.get(at + 1).is_none_or(|next| matches!(next, Token::Mark('{' | '(' | ',' | '}' | '=')));
    begins && ends
}

/// Reads a `use` tree below `prefix` and adds its leaves.
fn read_tree(tokens: &[Token], at: &mut usize, prefix: &[String], public: bool, imports: &mut Vec<Import>) {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(*at) {
            Some(Token::Mark('{')) => {
                *at += 1;
                while tokens.get(*at).is_some_and(|token| !token.is_mark('}')) {
                    if tokens[*at].is_mark(',') {
                        *at += 1;
                    } else {
                        read_tree(tokens, at, &path, public, imports);
                    }
                }
                *at += 1;
                return;
            }
            Some(Token::Mark('*')) => {
                *at += 1;
                imports.push(Import { path, name: None, public });
                return;
            }
            Some(Token::Word(word)) if word == "as" => {
                let name = tokens.get(*at + 1).and_then(Token::word).map(str::to_owned);
                *at += 2;
                imports.push(Import { path, name: Some(name.unwrap_or_else(|| "_".to_owned())), public });
                return;
            }
            Some(Token::Word(word)) => {
                // `{self}` is what the braces are behind of.
                if word != "self" || path.is_empty() {
                    path.push(word.clone());
                }
                *at += 1;
            }
            Some(Token::Separator | Token::Mark('$')) => *at += 1,
            _ => {
                // At `,`, `}`, `;` or the end; whatever else stands here is passed over so that reading goes on.
                if tokens.get(*at).is_some_and(|token| !matches!(token, Token::Mark(',' | '}' | ';'))) {
                    *at += 1;
                }
                if let Some(name) = path.last().cloned() {
                    imports.push(Import { path, name: Some(name), public });
                } else {
                    *at += usize::from(tokens.get(*at).is_some_and(|token| token.is_mark(';')));
                }
                return;
            }
        }
    }
}
