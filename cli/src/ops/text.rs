//! Operators as text.

use std::fmt::Write as _;

use super::catalogue::{ByProduct, Form, Function, Undeclared};
use crate::output::{BAD, FAINT, GOOD, NOTED, STRONG};

/// Returns one line for each function, under the name of its family.
pub(super) fn list(functions: &[Function]) -> String {
    let width = functions.iter().map(|one| one.function.len()).max().unwrap_or_default();
    let (mut text, mut family) = (String::new(), "");
    for one in functions {
        if one.family != family {
            let gap = if text.is_empty() { "" } else { "\n" };
            _ = writeln!(text, "{gap}{GOOD}{}{GOOD:#}", one.family);
            family = one.family;
        }
        let forms: Vec<String> = one.forms.iter().map(form_name).collect();
        _ = writeln!(
            text,
            "  {STRONG}{:width$}{STRONG:#}  {}  {FAINT}{}{FAINT:#}",
            one.function,
            one.doc,
            forms.join(" ")
        );
    }
    let forms = functions.iter().flat_map(|one| &one.forms);
    let (count, missing) = (forms.clone().count(), forms.filter(|form| form.present == Some(false)).count());
    let gap = if text.is_empty() { "" } else { "\n" };
    _ = write!(text, "{gap}{} functions in {count} forms", functions.len());
    if missing > 0 {
        _ = write!(text, "; {NOTED}{missing} are not in the libraries{NOTED:#}, marked with !");
    }
    text + "\n"
}

fn form_name(form: &Form) -> String {
    format!("{}{}", form.name, if form.present == Some(false) { "!" } else { "" })
}

/// Returns everything about functions of one name.
pub(super) fn functions(functions: &[Function], asked: &str) -> String {
    functions.iter().map(|one| function(one, asked)).collect::<Vec<_>>().join("\n")
}

fn function(one: &Function, asked: &str) -> String {
    let mut text = format!("{STRONG}{}{STRONG:#}: {}\n", one.function, one.doc);
    _ = writeln!(text, "family {}: {}", one.family, one.rule);
    for (products, types) in types(&one.types) {
        _ = writeln!(text, "types on {products}: {types}");
    }
    for form in &one.forms {
        let style = if form.is_called(asked) { STRONG } else { anstyle::Style::new() };
        let since = form.since.map(|since| format!(", from CANN {since} on")).unwrap_or_default();
        let header = form.header.map(|header| format!(", {header}")).unwrap_or_default();
        _ = writeln!(text, "\n{style}aclnn{}{style:#}  {}{since}{header}", form.name, presence(form.present));
        for (products, types) in form.types.iter().flat_map(types) {
            _ = writeln!(text, "  types on {products}: {types}");
        }
        match (&form.call, &form.refused) {
            (Some(call), _) => _ = writeln!(text, "  aclnn run {call}"),
            (None, reason) => _ = writeln!(text, "  no call: {}", reason.as_deref().unwrap_or_default()),
        }
        text += &prototype(&form.symbols, &form.parameters);
    }
    text
}

/// Returns the types by the products that take them.
fn types(types: &ByProduct) -> Vec<(String, String)> {
    let mut groups: Vec<(String, String)> = Vec::new();
    for (product, types) in types {
        let types: Vec<&str> = types.iter().map(|dtype| dtype.short_name()).collect();
        let types = if types.is_empty() { "none".to_owned() } else { types.join(" ") };
        match groups.iter_mut().find(|(_, known)| *known == types) {
            Some((products, _)) => *products += &format!(", {product}"),
            None => groups.push((product.clone(), types)),
        }
    }
    groups
}

fn presence(present: Option<bool>) -> String {
    match present {
        Some(true) => format!("{GOOD}in the libraries{GOOD:#}"),
        Some(false) => format!("{BAD}not in the libraries{BAD:#}"),
        None => "no libraries are in use".to_owned(),
    }
}

/// Returns the C function of phase one, a parameter a line.
fn prototype(symbols: &[String], parameters: &[String]) -> String {
    let mut parameters = parameters.to_vec();
    if symbols.len() > 1 {
        parameters.extend(["uint64_t *workspaceSize".to_owned(), "aclOpExecutor **executor".to_owned()]);
    }
    let name = symbols.first().map(String::as_str).unwrap_or_default();
    format!("  {FAINT}aclnnStatus {name}(\n      {}){FAINT:#}\n", parameters.join(",\n      "))
}

/// Returns one line for each operator that is published and not declared.
pub(super) fn undeclared_list(operators: &[Undeclared]) -> String {
    let width = operators.iter().map(|one| one.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for one in operators {
        let mark = if one.present == Some(true) && !one.refuses { "in the libraries" } else { "" };
        let line = format!("{:width$}  {:20}  {mark}", one.name, one.library.unwrap_or("unknown"));
        _ = writeln!(text, "{}", line.trim_end());
    }
    _ = writeln!(text, "{} operators that CANN publishes and that are not declared here", operators.len());
    text
}

/// Returns everything about an operator that is published and not declared.
pub(super) fn undeclared(one: &Undeclared) -> String {
    let mut text = format!("{STRONG}{}{STRONG:#}: published by CANN, not declared here\n", one.name);
    _ = writeln!(text, "part of CANN: {}", one.library.unwrap_or("unknown"));
    if let Some(header) = one.header {
        _ = writeln!(text, "header aclnnop/{header}");
    }
    let presence = match one.present {
        Some(true) if one.refuses => format!("{NOTED}refused by the emulator{NOTED:#}"),
        present => presence(present),
    };
    _ = writeln!(text, "\naclnn{}  {presence}", one.name);
    match &one.parameters {
        Some(parameters) => text += &prototype(&one.symbols, parameters),
        None => text += "  its parameters are not known\n",
    }
    text + "\nThe macro `aclnn::operator!` makes a safe function of it.\n"
}
