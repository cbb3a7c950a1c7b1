//! Every constant has the value that the table of facts gives it, in Rust, in C and in C++.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use crate::support;

/// Names and values, in `data/constants.txt`.
fn facts() -> BTreeMap<&'static str, i64> {
    let lines = include_str!("../data/constants.txt").lines();
    lines
        .map(|line| line.split_once(' ').map(|(name, value)| (name, value.parse().unwrap())).unwrap())
        .collect()
}

/// The constants of the bindings, read from their source.
fn bindings() -> BTreeMap<&'static str, i64> {
    let source = include_str!("../../src/bindings/types.rs");
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
    let mut source = String::from("#include <stdio.h>\n");
    for header in support::headers().iter().filter(|header| !header.starts_with("aclnnop/")) {
        writeln!(source, "#include \"{header}\"").unwrap();
    }
    source.push_str("int main(void) {\n");
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

/// Widths matter where a program shifts, negates or prints a flag.
#[test]
fn flags_that_are_macros_have_the_types_of_c() {
    let lines = include_str!("../data/macros.txt").lines().filter(|line| !line.starts_with('#'));
    let types: BTreeMap<&str, &str> = lines.map(|line| line.split_once(' ').unwrap()).collect();
    let mut source = String::from(
        "#include <type_traits>\n#include \"acl/acl.h\"\n#include \"acl/acl_dump.h\"\n#include \"acl/acl_prof.h\"\n",
    );
    for (name, c_type) in &types {
        writeln!(source, "static_assert(std::is_same<decltype({name}), {c_type}>::value, \"{name}\");")
            .unwrap();
    }
    support::run(support::Language::Cpp17, &(source + "int main() { return 0; }\n"));

    // Every flag is among them.
    let headers = support::headers().into_iter().filter(|header| header.starts_with("acl/"));
    let text: String =
        headers.map(|header| std::fs::read_to_string(support::include().join(header)).unwrap()).collect();
    let macros = text.lines().filter_map(|line| line.strip_prefix("#define ACL_")?.split_once(' '));
    let sizes = ["_SIZE", "_NUM", "DEV_FEATURE_SUPPORT", "DEV_FEATURE_NOT_SUPPORT"];
    let flags = macros.filter(|(name, value)| {
        let size = sizes.iter().any(|end| name.ends_with(end));
        !size && value.trim().starts_with(|first: char| first.is_ascii_digit())
    });
    let unlisted: Vec<_> =
        flags.filter(|(name, _)| !types.contains_key(format!("ACL_{name}").as_str())).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");

    let _: [u64; 6] = [
        aclnn_sys::ACL_HOST_REG_MAPPED,
        aclnn_sys::ACL_HOST_REG_IOMEMORY,
        aclnn_sys::ACL_HOST_REG_READONLY,
        aclnn_sys::ACL_HOST_REG_PINNED,
        aclnn_sys::ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY,
        aclnn_sys::ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE,
    ];
}

#[test]
fn every_code_has_a_meaning() {
    let mut codes = BTreeSet::from([0]);
    for (name, value) in facts() {
        if ["ACL_ERROR_", "ACLNN_ERR_", "HCCL_E_"].iter().any(|kind| name.starts_with(kind)) {
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
    assert_eq!(aclnn_sys::error_code::name(9), Some("HCCL_E_TIMEOUT"));
    assert_eq!(aclnn_sys::error_code::name(-1), None);
}
