//! What the releases after 8.5 publish is declared as they do: functions, operators and structures, in tables that were
//! read from CANN's published headers and pages. Constants are with all others in `constants.rs`.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{self, Language, include, succeed};
use aclnn_sys::operators;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// The rows of a table, without its heading.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

/// A function of the table, with its types as a compiler sees them: without the names of pointers.
pub(crate) struct Function {
    header: &'static str,
    pub(crate) name: &'static str,
    result: &'static str,
    parameters: &'static str,
}

pub(crate) fn functions() -> impl Iterator<Item = Function> {
    rows(include_str!("../data/published_functions.tsv")).map(|row| {
        let [header, name, result, parameters] = row[..] else { panic!("{row:?}") };
        Function { header, name, result, parameters }
    })
}

/// A structure of the table.
pub(crate) struct Structure {
    pub(crate) name: &'static str,
    bytes: usize,
    /// Name, offset and bytes of each member.
    members: Vec<(&'static str, usize, usize)>,
}

pub(crate) fn structures() -> impl Iterator<Item = Structure> {
    rows(include_str!("../data/published_structures.tsv")).map(|row| {
        let [name, bytes, members] = row[..] else { panic!("{row:?}") };
        let mut words = members.split(", ");
        let mut read = Vec::new();
        while let (Some(place), Some(bytes)) = (words.next(), words.next()) {
            let (member, offset) = place.split_once(" at ").unwrap();
            read.push((member, offset.parse().unwrap(), bytes.parse().unwrap()));
        }
        Structure { name, bytes: bytes.parse().unwrap(), members: read }
    })
}

/// The lines of the tables that the headers declare otherwise, as "table name".
fn not_declared() -> BTreeSet<(&'static str, &'static str)> {
    let lines = include_str!("../data/not_declared.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let [table, name, reason] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            assert!(reason.len() > 20, "{line}");
            (table, name)
        })
        .collect()
}

/// Splits a list of parameters at the commas that stand in no function type.
fn split(parameters: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, letter) in parameters.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(parameters[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(parameters[start..].trim());
    parts
}

/// Returns a parameter as C++ writes it: the table has the name of a pointer to a function behind its type.
fn in_cpp(parameter: &str) -> String {
    let Some((before, after)) = parameter.split_once("( ") else { return parameter.to_owned() };
    let (stars, rest) = after.split_once(')').unwrap();
    let (types, name) = rest.rsplit_once(") ").unwrap();
    format!("{before}({stars} {name}){types})")
}

/// C++ refuses a second declaration of other types, and the address of a function that its header does not declare.
#[test]
fn functions_are_declared_in_their_headers_with_their_prototypes() {
    let mut by_header: BTreeMap<&str, Vec<Function>> = BTreeMap::new();
    for function in functions() {
        by_header.entry(function.header).or_default().push(function);
    }
    assert_eq!(by_header.values().map(Vec::len).sum::<usize>(), 374);
    for (header, functions) in by_header {
        let mut source = format!("#include \"{header}\"\nvoid used() {{\n");
        for function in &functions {
            writeln!(source, "    (void)&{};", function.name).unwrap();
        }
        source.push_str("}\nextern \"C\" {\n");
        for Function { name, result, parameters, .. } in &functions {
            let parameters: Vec<String> = split(parameters).into_iter().map(in_cpp).collect();
            writeln!(source, "{result} {name}({});", parameters.join(", ")).unwrap();
        }
        source.push_str("}\n");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, source).unwrap();
        let mut compiler = Language::Cpp17.compiler();
        succeed(compiler.arg("-I").arg(include()).arg("-fsyntax-only").arg(file.path()));
    }
}

/// The table of all operators, from which the headers are written, has their headers and parameters.
#[test]
fn operators_are_declared_with_their_parameters() {
    let known: BTreeMap<&str, operators::Published> =
        operators::published().map(|operator| (operator.name, operator)).collect();
    let mut compared = 0;
    for row in rows(include_str!("../data/published_operators.tsv")) {
        let [name, header, expected] = row[..] else { panic!("{row:?}") };
        let operator = known.get(name).unwrap_or_else(|| panic!("{name}"));
        assert!(operator.is_pair, "{name}");
        assert!(header.is_empty() || operator.header == Some(header), "{name}: {:?}", operator.header);
        let parameters = operator.parameters().unwrap_or_else(|| panic!("{name}"));
        let parameters: Vec<String> =
            parameters.iter().map(|parameter| format!("{}{}", parameter.c_type, parameter.name)).collect();
        assert_eq!(parameters.join(", "), expected, "{name}");
        compared += 1;
    }
    assert_eq!(compared, 213);
}

#[test]
fn structures_lie_as_published() {
    let mut source = String::from("#include <cstddef>\n#include <utility>\n");
    for header in support::headers().iter().filter(|header| !header.starts_with("aclnnop/")) {
        writeln!(source, "#include \"{header}\"").unwrap();
    }
    let otherwise = not_declared();
    let mut met = 0;
    for Structure { name, bytes, members } in structures() {
        writeln!(source, "static_assert(sizeof({name}) == {bytes}, \"{name}\");").unwrap();
        for (member, offset, bytes) in members {
            let shown = format!("{name}.{member}");
            if otherwise.contains(&("structures", shown.as_str())) {
                met += 1;
                continue;
            }
            let place = format!("offsetof({name}, {member}) == {offset}");
            let size = format!("sizeof(std::declval<{name} &>().{member}) == {bytes}");
            writeln!(source, "static_assert({place} && {size}, \"{shown}\");").unwrap();
        }
    }
    assert_eq!((structures().count(), met), (44, otherwise.len()));
    support::run(Language::Cpp17, &(source + "int main() { return 0; }\n"));
}
