//! Small packages, and the uses and circles found in them.

use super::*;

fn files(texts: &[(&str, &str)]) -> Files {
    texts.iter().map(|(name, text)| (format!("src/{name}.rs"), (*text).to_owned())).collect()
}

/// The uses between the files of a package, as `file names other`, files without `src/` and `.rs`.
fn found(texts: &[(&str, &str)]) -> Vec<String> {
    let modules = Modules::read("the-crate", &files(texts)).unwrap();
    let short = |file: &str| file.trim_start_matches("src/").trim_end_matches(".rs").to_owned();
    let line = |((file, other), names): (&(String, String), &std::collections::BTreeSet<String>)| {
        format!("{} {} {}", short(file), names.iter().cloned().collect::<Vec<_>>().join(","), short(other))
    };
    uses(&modules).iter().map(line).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn an_import_is_a_use_of_the_file_that_defines_the_name() {
    let b = ("b", "pub struct B; pub fn f() {}");
    assert_eq!(found(&[("lib", "mod a; mod b;"), b, ("a", "use crate::b::{B as C, f};")]), ["a B,f b"]);
    assert_eq!(found(&[("lib", "mod a; mod b;"), b, ("a", "use super::b; fn g() { b::f() }")]), ["a f b"]);
    assert_eq!(found(&[("lib", "mod a; mod b;"), b, ("a", "fn g(b: &crate::b::B) { b.f() }")]), ["a B b"]);
    assert_eq!(found(&[("lib", "mod a; mod b;"), b, ("a", "use std::b::B; fn b() { self::b() }")]), NONE);
}

#[test]
fn re_exports_are_followed_to_the_end() {
    let c = ("a/b/c", "pub struct C; pub enum Kind { One }");
    let b = ("a/b", "mod c; pub use c::C as D; pub use c::*;");
    let a = ("a/mod", "mod b; pub use self::b::{D, Kind};");
    let d = ("d", "use crate::a::{D, Kind}; const K: Kind = Kind::One;");
    assert_eq!(found(&[("lib", "mod a; mod d;"), a, b, c, d]), ["d C,Kind a/b/c"]);
    let root = ("lib", "mod a; mod d; pub use a::D;");
    assert_eq!(found(&[root, a, b, c, ("d", "use super::D;")]), ["d C a/b/c"]);
}

#[test]
fn names_that_come_in_with_a_star_are_uses_where_they_are_named() {
    let a = ("a", "pub struct A; pub fn quiet() {}");
    assert_eq!(found(&[("lib", "mod a; mod b;"), a, ("b", "use crate::a::*; fn f(a: A, quiet: u8) { quiet + 1 }")]), ["b A a"]);
    assert_eq!(found(&[("lib", "mod a; mod b;"), a, ("b", "use crate::a::*; fn f() { quiet() }")]), ["b quiet a"]);
    let kind = ("a", "pub enum Kind { A, B }");
    assert_eq!(found(&[("lib", "mod a; mod b;"), kind, ("b", "fn f() { use crate::a::Kind::*; g(A) }")]), ["b Kind a"]);
}

#[test]
fn a_module_and_a_function_may_share_a_name() {
    let parent = ("lib", "mod b; mod nearest; pub use nearest::nearest;");
    let nearest = ("nearest", "pub fn nearest() {} pub fn list() {}");
    assert_eq!(
        found(&[parent, nearest, ("b", "use crate::nearest; fn f() { nearest(); nearest::list() }")]),
        ["b list,nearest nearest"]
    );
}

#[test]
fn macros_are_found_by_path_and_by_order() {
    let m = ("m", "macro_rules! make { () => { $crate::t::T::new() } } pub(crate) use make;");
    let t = ("t", "pub struct T;");
    assert_eq!(
        found(&[("lib", "mod a; mod m; mod t;"), m, t, ("a", "use crate::m::make; fn f() { make!() }")]),
        ["a make m", "m T t"]
    );
    assert_eq!(found(&[("lib", "mod a; mod m; mod t;"), m, t, ("a", "fn f() { super::m::make!() }")]), ["a make m", "m T t"]);
    let parent = ("a/mod", "macro_rules! list { () => {} } mod b; list!();");
    assert_eq!(found(&[("lib", "mod a;"), parent, ("a/b", "list!(); fn list() {}")]), ["a/b list a/mod"]);
}

#[test]
fn a_parent_that_declares_and_re_exports_uses_nothing() {
    let files = [("lib", "mod a; mod b; pub use a::A;"), ("a", "pub struct A;"), ("b", "use crate::A;")];
    assert_eq!(found(&files), ["b A a"]);
}

#[test]
fn a_parent_whose_code_names_a_child_uses_it() {
    let child = ("a/b", "use super::Own; pub struct B(Own);");
    assert_eq!(found(&[("lib", "mod a;"), ("a", "mod b; use b::B; pub struct Own;"), child]), ["a B a/b", "a/b Own a"]);
    assert_eq!(found(&[("lib", "mod a;"), ("a", "mod b; pub use b::B; pub struct Own;"), child]), ["a/b Own a"]);
    let names = ("a", "mod b; pub use b::B; pub struct Own; fn f() -> B { todo!() }");
    assert_eq!(found(&[("lib", "mod a;"), names, child]), ["a B a/b", "a/b Own a"]);
}

#[test]
fn a_re_export_from_elsewhere_is_a_use() {
    assert_eq!(found(&[("lib", "mod a; mod b;"), ("a", "pub struct A;"), ("b", "pub use crate::a::A;")]), ["b A a"]);
}

#[test]
fn variants_and_items_of_the_same_name_are_not_uses() {
    let parent = ("a", "mod b; pub use b::B; pub enum Choice { B, C(u8) } impl Choice { fn c(self) {} }");
    assert_eq!(found(&[("lib", "mod a;"), parent, ("a/b", "pub struct B;")]), NONE);
}

#[test]
fn tests_comments_and_strings_use_nothing() {
    let a = (
        "a",
        "#[cfg(test)] use crate::b::B; // crate::b::B\n fn f() { \"crate::b::B\"; } #[cfg(test)] mod tests { use crate::b::B; }",
    );
    let lib = ("lib", "mod a; mod b; #[cfg(test)] mod missing;");
    assert_eq!(found(&[lib, a, ("b", "pub struct B;")]), NONE);
}

#[test]
fn inline_modules_and_paths_lead_to_their_files() {
    let lib = ("lib", "mod a { mod b; pub struct A; } #[path = \"other/place.rs\"] mod c;");
    let b = ("a/b", "use super::A; use super::super::c::C;");
    assert_eq!(found(&[lib, b, ("other/place", "pub struct C;")]), ["a/b A lib", "a/b C other/place"]);
}

#[test]
fn a_program_sees_the_library_by_its_name() {
    let files = [("main", "fn main() { the_crate::a::run(); }"), ("lib", "pub mod a;"), ("a", "pub fn run() {}")];
    assert_eq!(found(&files), ["main run a"]);
}

#[test]
fn re_exports_in_circles_end() {
    let files = [("lib", "mod a; mod b; fn f(x: a::Nothing) {}"), ("a", "pub use super::b::*;"), ("b", "pub use super::a::*;")];
    assert_eq!(found(&files), NONE);
}

#[test]
fn a_file_that_is_missing_is_named() {
    let error = Modules::read("x", &files(&[("lib", "mod a;"), ("a/mod", "mod gone;")])).unwrap_err();
    assert_eq!(error, "src/a/mod.rs: no file for `mod gone;`: neither src/a/gone.rs nor src/a/gone/mod.rs");
}

#[test]
fn circles_are_reported_step_by_step() {
    let three = files(&[
        ("lib", "mod a; mod b; mod c; mod d;"),
        ("a", "use crate::b::{f, B}; pub struct A;"),
        ("b", "use crate::c::C; pub struct B; pub fn f() {}"),
        ("c", "use crate::{a::A, d::D}; pub struct C;"),
        ("d", "pub struct D;"),
    ]);
    let expected = "\nx: 3 files import each other in circles, for instance:\n    src/a.rs uses B, f of src/b.rs\n    \
                    src/b.rs uses C of src/c.rs\n    src/c.rs uses A of src/a.rs\n";
    assert_eq!(report("x", &three, Shown::OneCircle).as_deref(), Ok(expected));
    assert_eq!(report("x", &three, Shown::All), Ok(expected.replace(", for instance", "")));
    assert_eq!(report("x", &files(&[("lib", "mod a; use a::A;"), ("a", "pub struct A;")]), Shown::All), Ok(String::new()));
}
