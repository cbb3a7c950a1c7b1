//! Which paths are arrows, and to which file they lead. The compiler was asked for none of this: what a path names
//! follows from the reference of the language.

use super::{super::arrows, super::source::Source, tree};

/// Returns the arrows of a crate, as `from:line path to`.
fn found(text: &str) -> Vec<String> {
    let directory = tree(text);
    let source = Source::read(directory.path(), "lib.rs").unwrap();
    let mut all = arrows::find(&source);
    all.sort_by_key(|arrow| (source.files[arrow.from].path.clone(), arrow.line, arrow.path.clone()));
    let shown = |arrow: &arrows::Arrow| {
        let (from, to) = (&source.files[arrow.from].path, &source.files[arrow.to].path);
        format!("{from}:{} {} {to}", arrow.line, arrow.path)
    };
    all.iter().map(shown).collect()
}

/// Returns the arrows of a file `user.rs` beside a module `low`, which has some items and a child.
fn of_user(text: &str) -> Vec<String> {
    let low = "\
== low/mod.rs
pub mod deep;
pub use deep::{Hidden, hidden};
pub fn function() {}
pub struct Type;
pub trait Trait { fn method(&self) {} }
pub const CONSTANT: usize = 1;
pub static STATIC: usize = 1;
pub enum Enum { Variant, Other }
pub type Alias = Type;
macro_rules! local { () => {} }
pub(crate) use local;
== low/deep.rs
pub struct Hidden;
pub fn hidden() {}
== lib.rs
mod low;
mod user;
pub use low::{Hidden as Shown, Type};
pub use std::collections as outside;
";
    found(&format!("{low}== user.rs\n{text}"))
}

#[test]
fn each_kind_of_path_is_an_arrow_to_the_file_that_defines_the_name() {
    for (code, path, file) in [
        // `use` lines.
        ("use crate::low::Type;", "crate::low::Type", "mod"),
        ("use super::low::function;", "super::low::function", "mod"),
        ("use crate::{low::{Type as Other}};", "crate::low::Type", "mod"),
        ("use crate::low::Trait as _;", "crate::low::Trait", "mod"),
        ("use crate::low::Enum::{self};", "crate::low::Enum", "mod"),
        ("use crate::low::Enum::*;", "crate::low::Enum", "mod"),
        ("use crate::low::Enum::Variant;", "crate::low::Enum::Variant", "mod"),
        ("use crate::low::deep::Hidden;", "crate::low::deep::Hidden", "deep"),
        ("fn f() { use crate::low::CONSTANT; }", "crate::low::CONSTANT", "mod"),
        // Re-exports, with other names too.
        ("use crate::low::Hidden;", "crate::low::Hidden", "deep"),
        ("use crate::low::hidden;", "crate::low::hidden", "deep"),
        ("use crate::Shown;", "crate::Shown", "deep"),
        ("use crate::Type;", "crate::Type", "mod"),
        ("pub use crate::low::Hidden;", "crate::low::Hidden", "deep"),
        ("pub use crate::low::deep;", "crate::low::deep", "deep"),
        // Modules that are named first.
        ("use crate::low; fn f() { low::function() }", "low::function", "mod"),
        ("use crate::low; fn f() { low::hidden() }", "low::hidden", "deep"),
        ("use crate::low as other; type T = other::Type;", "other::Type", "mod"),
        ("use crate::low::{self}; const C: usize = low::CONSTANT;", "low::CONSTANT", "mod"),
        ("use crate::low; use low::Type;", "low::Type", "mod"),
        ("use crate::low;", "crate::low", "mod"),
        // Everything of a module.
        ("use crate::low::*; struct S(Type);", "Type", "mod"),
        ("use crate::low::*; struct S(Hidden);", "Hidden", "deep"),
        ("use crate::low::*;", "crate::low", "mod"),
        ("use super::*; struct S(Shown);", "Shown", "deep"),
        ("pub use crate::low::*;", "crate::low", "mod"),
        // Paths in types, expressions, patterns and attributes.
        ("type T = Vec<crate::low::Type>;", "crate::low::Type", "mod"),
        ("fn f<T: super::low::Trait>() {}", "super::low::Trait", "mod"),
        ("impl crate::low::Trait for u8 {}", "crate::low::Trait", "mod"),
        ("fn f() { <u8 as crate::low::Trait>::method(&1) }", "crate::low::Trait::method", "mod"),
        ("fn f() -> usize { crate::low::STATIC }", "crate::low::STATIC", "mod"),
        ("fn f() { g::<crate::low::Alias>() }", "crate::low::Alias", "mod"),
        ("fn f() { if let crate::low::Enum::Variant = g() {} }", "crate::low::Enum::Variant", "mod"),
        ("fn f() { crate::low::Type {} }", "crate::low::Type", "mod"),
        ("#[crate::low::local] fn f() {}", "crate::low::local", "mod"),
        ("#[derive(crate::low::Type)] struct S;", "crate::low::Type", "mod"),
        // Macros that a module lets out, and tokens.
        ("use crate::low::local;", "crate::low::local", "mod"),
        ("crate::low::local!();", "crate::low::local", "mod"),
        ("fn f() { println!(\"{}\", crate::low::function()) }", "crate::low::function", "mod"),
        ("fn f() { assert!(x.low == 1 && super::low::hidden() == 2) }", "super::low::hidden", "deep"),
        ("use crate::low; fn f() { vec![low::hidden()] }", "low::hidden", "deep"),
        ("macro_rules! m { () => { $crate::low::Type } }", "crate::low::Type", "mod"),
        (
            "macro_rules! m { () => { use crate::low::{deep::{Hidden}}; } }",
            "crate::low::deep::Hidden",
            "deep",
        ),
        ("macro_rules! m { ($x:ident) => { $crate::low::$x } }", "crate::low", "mod"),
        (
            "macro_rules! m { ($x:ident) => { mod $x { use super::super::low::Type; } } }",
            "super::super::low::Type",
            "mod",
        ),
        // Modules between braces.
        ("mod inner { use super::super::low::Type; }", "super::super::low::Type", "mod"),
        ("use crate::low::Hidden; mod inner { use super::Hidden; }", "crate::low::Hidden", "deep"),
    ] {
        let file = if file == "mod" { "low/mod.rs" } else { "low/deep.rs" };
        assert_eq!(of_user(code), [format!("user.rs:1 {path} {file}")], "{code}");
    }
}

#[test]
fn what_names_no_other_file_is_no_arrow() {
    for code in [
        "use std::fmt; use other_crate::low::Type;",
        "use ::low::Type;",
        "use crate::outside::HashMap; type T = crate::outside::BTreeMap<u8, u8>;",
        "pub(in crate::low) fn f() {}",
        "macro_rules! m { () => { pub(in crate::low) fn f() {} } }",
        "/// [`Type`](crate::low::Type)\nfn f() { \"crate::low::Type\"; }",
        "// crate::low::Type",
        "#[cfg(test)] mod tests { use crate::low::Type; }",
        "#[cfg(test)] use crate::low::Type;",
        "#[cfg(all(unix, test))] fn f() { crate::low::function() }",
        "#[cfg(any(test, doctest))] fn f() { crate::low::function() }",
        "#[cfg(doctest)] mod readme { use crate::low::Type; }",
        "fn f() { #[cfg(test)] crate::low::function(); }",
        "struct S; impl S { #[cfg(test)] fn f() { crate::low::function() } }",
        "fn low() {} fn f(hidden: u8) { low(); hidden }",
        "fn f() { g.low::<u8>(); g.function() }",
        "fn f() { m!(value.hidden(), 'low, 0) }",
        "use self::inner::Type; mod inner { pub struct Type; }",
        "struct Type; impl Type { fn f() { Self::low() } }",
        "fn f() { let low = 1; low::<u8> }",
    ] {
        assert_eq!(of_user(code), [""; 0], "{code}");
    }
    // These may be compiled into the library.
    for code in ["#[cfg(not(test))] use crate::low::Type;", "#[cfg(any(test, unix))] use crate::low::Type;"] {
        assert_eq!(of_user(code), ["user.rs:1 crate::low::Type low/mod.rs"], "{code}");
    }
}

#[test]
fn an_item_is_one_arrow_at_the_first_line_that_uses_it() {
    let arrows =
        of_user("use crate::low::{\n    function,\n    Type,\n};\nfn f(t: Type) { Type::new(); function() }");
    assert_eq!(
        arrows,
        ["user.rs:2 crate::low::function low/mod.rs", "user.rs:3 crate::low::Type low/mod.rs"]
    );
}

#[test]
fn an_item_may_be_used_above_the_line_that_imports_it() {
    let arrows = of_user("fn f() { crate::low::function() }\nuse crate::low::function;");
    assert_eq!(arrows, ["user.rs:1 crate::low::function low/mod.rs"]);
}

#[test]
fn a_table_of_contents_is_no_arrow_but_its_use_is() {
    let parent = |text: &str| {
        let child =
            "== room/child.rs\npub struct Thing;\npub fn thing() {}\npub mod inner { pub struct Deep; }";
        found(&format!("== lib.rs\nmod room;\n== room/mod.rs\nmod child;\n{text}\n{child}"))
    };
    for code in [
        "",
        "pub use child::Thing;",
        "pub(crate) use child::{Thing as Other, thing};",
        "pub(super) use child::*;",
        "pub use child::inner;",
        "pub use child::Thing; fn f(thing: u8) -> u8 { thing }",
    ] {
        assert_eq!(parent(code), [""; 0], "{code}");
    }
    for (code, path) in [
        ("use child::Thing;", "child::Thing"),
        ("pub use child::Thing; fn f(thing: Thing) {}", "Thing"),
        ("pub use child::thing; fn f() { thing() }", "thing"),
        ("pub use child::*; fn f() { thing() }", "thing"),
        ("fn f() { child::thing() }", "child::thing"),
        ("fn f() { self::child::thing() }", "self::child::thing"),
        ("fn f() { vec![child::thing()] }", "child::thing"),
    ] {
        assert_eq!(parent(code), [format!("room/mod.rs:2 {path} room/child.rs")], "{code}");
    }
}

#[test]
fn a_child_uses_what_its_parent_defines_or_lists() {
    let arrows = found(
        "\
== lib.rs
mod room;
== room/mod.rs
mod first;
mod second;
pub use first::First;
pub struct Own;
use first::First as Private;
== room/first.rs
pub struct First;
== room/second.rs
use super::Own;
use super::First;
fn f(p: super::Private) {}
",
    );
    assert_eq!(
        arrows,
        [
            "room/mod.rs:5 first::First room/first.rs",
            "room/second.rs:1 super::Own room/mod.rs",
            "room/second.rs:2 super::First room/first.rs",
        ]
    );
}

#[test]
fn macros_define_names_and_modules() {
    let arrows = found(
        "\
== lib.rs
#[macro_use]
mod macros;
mod types;
mod user;
pub use types::Made;
pub use types::other::*;
== macros.rs
macro_rules! textual { () => {} }
#[macro_export]
macro_rules! exported { () => {} }
== types/mod.rs
types! { Made other }
pub use self::other::Deep;
== types/other.rs
make! { struct Wonder; }
pub struct Deep;
== user.rs
use crate::Made;
use crate::types::Made as Again;
use crate::Wonder;
use crate::Deep;
textual!();
fn f() { crate::exported!(); }
",
    );
    assert_eq!(
        arrows,
        [
            "user.rs:1 crate::Made types/mod.rs",
            "user.rs:3 crate::Wonder types/other.rs",
            "user.rs:4 crate::Deep types/other.rs",
            "user.rs:5 textual macros.rs",
            "user.rs:6 crate::exported macros.rs",
        ]
    );
}

#[test]
fn a_name_may_stand_for_a_module_and_for_a_function() {
    let arrows = found(
        "\
== lib.rs
mod since;
mod user;
pub mod shape;
pub use since::since;
== shape/mod.rs
mod broadcast;
mod rules;
pub use rules::broadcast;
pub use broadcast::walk;
mod walk;
pub use walk::walk as step;
== shape/broadcast.rs
pub fn walk() {}
== shape/rules.rs
pub fn broadcast() {}
== shape/walk.rs
pub fn walk() {}
== user.rs
fn f() { crate::shape::broadcast() }
fn g() { crate::shape::walk() }
fn h() { crate::since() }
== since.rs
pub fn since() {}
",
    );
    assert_eq!(
        arrows,
        [
            "user.rs:1 crate::shape::broadcast shape/rules.rs",
            "user.rs:2 crate::shape::walk shape/broadcast.rs",
            "user.rs:3 crate::since since.rs",
        ]
    );
}

#[test]
fn names_of_other_crates_belong_to_the_module_that_lets_them_out_unless_it_is_the_root() {
    let arrows = found(
        "\
== lib.rs
mod codes;
mod kinds;
mod user;
pub use other::Thing;
pub use other as whole;
pub use other::deep::*;
== codes.rs
pub(crate) use other::{LONG_NAME as SHORT, whole as part};
use other::Private;
== kinds.rs
pub use other::kinds::*;
== user.rs
use crate::codes;
fn f() { codes::SHORT }
use crate::codes::part::Inner;
use crate::{Thing, whole::Other, Deep};
use crate::kinds::Kind;
fn g() { codes::Private }
",
    );
    assert_eq!(
        arrows,
        [
            "user.rs:2 codes::SHORT codes.rs",
            "user.rs:3 crate::codes::part::Inner codes.rs",
            "user.rs:5 crate::kinds::Kind kinds.rs",
        ]
    );
}

#[test]
fn files_are_found_as_the_compiler_finds_them() {
    let directory = tree(
        "\
== lib.rs
mod plain;
#[path = \"odd/name.rs\"]
mod renamed;
mod braces { mod inside; #[path = \"far.rs\"] mod far; }
#[cfg(test)]
mod tests;
mod r#type;
== plain.rs
mod child;
== plain/child.rs
== odd/name.rs
mod beside;
== odd/beside.rs
== braces/inside.rs
== braces/far.rs
== type.rs
#![cfg(test)]
use crate::plain;
",
    );
    let source = Source::read(directory.path(), "lib.rs").unwrap();
    let modules: Vec<(String, &str)> =
        source.files.iter().map(|file| (source.path(file.module).join("::"), file.path.as_str())).collect();
    let expected = [
        ("", "lib.rs"),
        ("plain", "plain.rs"),
        ("plain::child", "plain/child.rs"),
        ("renamed", "odd/name.rs"),
        ("renamed::beside", "odd/beside.rs"),
        ("braces::inside", "braces/inside.rs"),
        ("braces::far", "braces/far.rs"),
        ("type", "type.rs"),
    ];
    assert_eq!(modules, expected.map(|(path, file)| (path.to_owned(), file)));
    assert!(arrows::find(&source).is_empty());

    let missing = tree("== lib.rs\n\nmod nowhere;\n");
    let error = format!("{:#}", Source::read(missing.path(), "lib.rs").err().unwrap());
    assert!(error.contains("lib.rs:2") && error.contains("nowhere"), "{error}");
}
