//! Every constant has the value that the table of facts gives it, in Rust, in C and in C++.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// Names and values, in `data/constants.txt`.
fn facts() -> BTreeMap<&'static str, i64> {
    let lines = include_str!("data/constants.txt").lines();
    lines
        .map(|line| line.split_once(' ').map(|(name, value)| (name, value.parse().unwrap())).unwrap())
        .collect()
}

/// The constants of the bindings, read from their source.
fn bindings() -> BTreeMap<&'static str, i64> {
    let source = include_str!("../src/bindings/types.rs");
    let constants = source.split("pub const ").skip(1).filter_map(|constant| {
        let (declaration, _) = constant.split_once(';')?;
        let (name, rest) = declaration.split_once(':')?;
        let (_, value) = rest.split_once('=')?;
        let number: String =
            value.chars().filter(|letter| letter.is_ascii_digit() || *letter == '-').collect();
        let number = match value.split_once('(') {
            Some((_, inside)) => inside.trim_matches([')', ',', ' ', '\n']).parse().ok()?,
            None => number.parse().ok()?,
        };
        Some((name, number))
    });
    constants.collect()
}

#[test]
fn bindings_hold_the_facts() {
    let (facts, bindings) = (facts(), bindings());
    assert!(facts.len() > 500);
    for (name, value) in &facts {
        assert_eq!(bindings.get(name), Some(value), "{name}");
    }
    for name in bindings.keys() {
        assert!(facts.contains_key(name), "{name} is not among the facts");
    }
}

#[test]
fn headers_hold_the_facts() {
    let facts = facts();
    let mut source = String::from(
        "#include <stdio.h>\n#include \"acl/acl.h\"\n#include \"acl/acl_op_compiler.h\"\n\
         #include \"acl/acl_prof.h\"\n#include \"acl/acl_rt_memory_soma.h\"\n\
         #include \"aclnn/opdev/op_errno.h\"\nint main(void) {\n",
    );
    for name in facts.keys() {
        writeln!(source, "    printf(\"%s %lld\\n\", \"{name}\", (long long)({name}));").unwrap();
    }
    source.push_str("    return 0;\n}\n");
    let expected: String =
        facts.iter().fold(String::new(), |text, (name, value)| text + &format!("{name} {value}\n"));
    for language in support::LANGUAGES {
        assert_eq!(support::run(language, &source), expected, "{language:?}");
    }
}

#[test]
fn every_code_has_a_meaning() {
    let mut codes = BTreeSet::from([0]);
    for (name, value) in facts() {
        if name.starts_with("ACL_ERROR_") || name.starts_with("ACLNN_ERR_") {
            codes.insert(value);
            let known = aclnn_sys::error_code::find(i32::try_from(value).unwrap());
            let known = known.unwrap_or_else(|| panic!("{name} is not known"));
            let alias = ["ACL_ERROR_NONE", "ACLNN_ERR_INNER_KEY_CONFILICT"].contains(&name);
            assert!(alias || known.name == name, "{name}: {}", known.name);
        }
    }
    let known: BTreeSet<i64> = aclnn_sys::error_code::all().map(|known| known.code.into()).collect();
    assert_eq!(known, codes);
}

#[test]
fn codes_are_known_once() {
    let mut seen = BTreeMap::new();
    for code in aclnn_sys::error_code::all() {
        assert_eq!(seen.insert(code.code, code.name), None, "{}", code.name);
        for text in [Some(code.meaning), code.hint].into_iter().flatten() {
            assert!(!text.is_empty() && !text.ends_with('.'), "{}", code.name);
        }
    }
    assert_eq!(aclnn_sys::error_code::name(0), Some("ACL_SUCCESS"));
    assert_eq!(aclnn_sys::error_code::name(1), None);
}
