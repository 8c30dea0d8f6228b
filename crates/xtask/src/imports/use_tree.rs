//! `use` declarations, taken apart into the single names that they bring in.

use super::tokens::Token;

/// One name that a `use` brings in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub path: Vec<String>,
    /// The name that it has here; `None`: every name of the module that the path leads to.
    pub name: Option<String>,
    /// Brought in for others, by `pub use`.
    pub public: bool,
}

/// The names brought in by the tokens between `use` and `;`.
pub fn imports(tree: &[Token], public: bool) -> Vec<Import> {
    let mut reader = Reader { rest: tree, public, imports: Vec::new() };
    reader.read(&[]);
    reader.imports
}

struct Reader<'a> {
    rest: &'a [Token],
    public: bool,
    imports: Vec<Import>,
}

impl Reader<'_> {
    /// Reads a tree below `prefix`, up to the comma or bracket behind it.
    fn read(&mut self, prefix: &[String]) {
        let mut path = prefix.to_vec();
        loop {
            match self.rest {
                [Token::Word(word), Token::Word(name), rest @ ..] if word == "as" => {
                    self.rest = rest;
                    return self.add(path, Some(name.clone()));
                }
                [Token::Word(word), rest @ ..] => {
                    // `a::{self}` is `a`.
                    if word != "self" || path.is_empty() {
                        path.push(word.clone());
                    }
                    self.rest = rest;
                }
                // `$` stands before `crate` in macros.
                [Token::Separator | Token::Mark('$'), rest @ ..] => self.rest = rest,
                [Token::Mark('*'), rest @ ..] => {
                    self.rest = rest;
                    return self.add(path, None);
                }
                [Token::Mark('{'), rest @ ..] => {
                    self.rest = rest;
                    return self.read_group(&path);
                }
                _ => {
                    if let Some(name) = path.last().cloned() {
                        self.add(path, Some(name));
                    }
                    return;
                }
            }
        }
    }

    /// Reads the trees of a group, up to and with its closing brace.
    fn read_group(&mut self, prefix: &[String]) {
        while let Some((first, rest)) = self.rest.split_first() {
            match first {
                Token::Mark('}') => {
                    self.rest = rest;
                    return;
                }
                Token::Word(_) | Token::Separator | Token::Mark('*' | '{' | '$') => self.read(prefix),
                _ => self.rest = rest,
            }
        }
    }

    fn add(&mut self, path: Vec<String>, name: Option<String>) {
        self.imports.push(Import { path, name, public: self.public });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    /// The imports of `use text;`, as `path as name` or `path::*`.
    fn read(text: &str) -> Vec<String> {
        let shown = |import: Import| {
            let path = import.path.join("::");
            import.name.map_or(format!("{path}::*"), |name| format!("{path} as {name}"))
        };
        imports(&tokens(text), false).into_iter().map(shown).collect()
    }

    #[test]
    fn a_name_is_called_as_at_the_end_of_its_path() {
        assert_eq!(read("crate::a::B;"), ["crate::a::B as B"]);
        assert_eq!(read("super::B as C;"), ["super::B as C"]);
        assert_eq!(read("$crate::a::b;"), ["crate::a::b as b"]);
    }

    #[test]
    fn groups_may_lie_in_groups() {
        let expected = ["a as a", "a::B as B", "a::c::D as E", "a::c::*", "f::g as g"];
        assert_eq!(read("{a::{self, B, c::{D as E, *}}, f::g,};"), expected);
    }

    #[test]
    fn everything_is_a_star() {
        assert_eq!(read("super::*;"), ["super::*"]);
    }

    #[test]
    fn what_is_no_use_ends() {
        assert_eq!(read("a::{b, ; c"), ["a::b as b", "a::c as c"]);
        assert_eq!(read(""), Vec::<String>::new());
    }
}
