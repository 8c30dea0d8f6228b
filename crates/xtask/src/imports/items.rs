//! A module as it is written: the names that it defines, declares and imports, and the paths that its code names.

use std::collections::{BTreeMap, BTreeSet};

use super::mentions::{Mention, mention_at, variants};
use super::test_items::{attribute, end_of_item};
use super::tokens::{Token, end_of_group};
use super::use_tree::{Import, imports};

/// The space of names that an item is in: the same name may stand for one item in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    Types,
    Values,
    Macros,
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
            match content {
                [Token::Word(name), Token::Mark('='), Token::Literal(text)] if name == "path" => path = Some(text.clone()),
                _ => self.read_code(content),
            }
            at = end;
        }
        let (public, at) = visibility(tokens, at);
        let end = end_of_item(tokens, at).max(at + 1);
        let item = tokens.get(at..end).unwrap_or_default();
        match item {
            [Token::Word(word), tree @ ..] if word == "use" => self.imports.extend(imports(tree, public)),
            [Token::Word(word), Token::Word(name), Token::Mark(';')] if word == "mod" => {
                self.declared.push(Declaration { name: name.clone(), path });
            }
            [Token::Word(word), Token::Word(name), Token::Mark('{'), body @ .., Token::Mark('}')] if word == "mod" => {
                self.inline.push((name.clone(), Self::read(body)));
            }
            _ => {
                if let Some((name, space)) = definition(item) {
                    self.defined.entry(name.to_owned()).or_default().insert(space);
                }
                self.read_code(item);
            }
        }
        end
    }

    /// Collects the paths of code, and the imports inside functions as if they were the module's.
    fn read_code(&mut self, tokens: &[Token]) {
        let mut variant_names = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            match tokens[at].word() {
                // Not `impl Trait + use<'a>`.
                Some("use") if !tokens.get(at + 1).is_some_and(|next| next.is_mark('<')) => {
                    let end = end_of_item(tokens, at);
                    self.imports.extend(imports(&tokens[at + 1..end], false));
                    at = end;
                }
                Some("enum") => {
                    variant_names = variants(tokens, at);
                    at += 2;
                }
                Some(_) if !variant_names.contains(&at) => {
                    let (mention, end) = mention_at(tokens, at);
                    self.mentions.extend(mention);
                    at = end;
                }
                _ => at += 1,
            }
        }
    }
}

/// True if the item at `at` is visible outside its module, and the index behind its `pub`.
fn visibility(tokens: &[Token], at: usize) -> (bool, usize) {
    match tokens.get(at..) {
        Some([Token::Word(word), Token::Mark('('), within, ..]) if word == "pub" => {
            (!within.is_word("self"), end_of_group(tokens, at + 1))
        }
        Some([Token::Word(word), ..]) if word == "pub" => (true, at + 1),
        _ => (false, at),
    }
}

/// The name that an item defines, if it does.
fn definition(item: &[Token]) -> Option<(&str, Space)> {
    let [first, rest @ ..] = item else { return None };
    let next = rest.first()?;
    let space = match first.word()? {
        "macro_rules" => return Some((rest.get(1)?.word()?, Space::Macros)),
        "struct" | "enum" | "union" | "trait" | "type" => Space::Types,
        "static" if next.is_word("mut") => return Some((rest.get(1)?.word()?, Space::Values)),
        "fn" | "static" => Space::Values,
        // `const unsafe extern "C" fn name` and the like: the function follows.
        "unsafe" | "async" => return definition(rest),
        "const" if ["fn", "unsafe", "async", "extern"].iter().any(|word| next.is_word(word)) => return definition(rest),
        "const" => Space::Values,
        "extern" if matches!(next, Token::Literal(_)) => return definition(&rest[1..]),
        "extern" => return definition(rest),
        _ => return None,
    };
    Some((next.word()?, space))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn items_of_every_kind_define_their_names() {
        let text = "pub struct A(B); enum C<T> { D } union E { f: u8 } pub(crate) trait G: H {} type I = J; const K: L = M; \
                    static mut N: u8 = 0; pub const unsafe fn o() {} extern \"C\" fn p() {} async fn q() {} macro_rules! r { () => {} } \
                    impl A {} const _: () = assert!(true); unsafe impl Send for A {}";
        let items = Items::read(&tokens(text));
        let names: Vec<&str> = items.defined.keys().map(String::as_str).collect();
        assert_eq!(names, ["A", "C", "E", "G", "I", "K", "N", "_", "o", "p", "q", "r"]);
    }

    #[test]
    fn an_item_may_share_its_name_with_another_of_another_space() {
        let items = Items::read(&tokens("struct a; fn a() {} macro_rules! a { () => {} }"));
        assert_eq!(items.defined["a"], BTreeSet::from([Space::Types, Space::Values, Space::Macros]));
    }

    #[test]
    fn modules_are_declared_or_inline() {
        let items = Items::read(&tokens("#[path = \"x/y.rs\"] pub mod a; mod b; mod c { struct D; }"));
        let declared: Vec<(&str, Option<&str>)> =
            items.declared.iter().map(|declaration| (&*declaration.name, declaration.path.as_deref())).collect();
        assert_eq!(declared, [("a", Some("x/y.rs")), ("b", None)]);
        assert!(items.inline[0].0 == "c" && items.inline[0].1.defined.contains_key("D"), "{items:?}");
    }
}
