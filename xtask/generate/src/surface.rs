//! `cargo xtask surface`: writes the table of the emulator's functions from their declarations.

use crate::{
    output::{Mode, Output},
    workspace,
};
use aclnn_sys::operators;
use anyhow::Result;
use cann_stubs::Support;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

const INTRODUCTION: &str = "\
# Functions

What each function of the emulator does. *Works*: as in CANN. *Stored only*: it checks what it is told and tells it again,
and nothing follows from it. *Refuses*: it fails with that code and a message that says what to do, and never gives a
wrong result. The operators stand for both of their functions.

Written by `cargo xtask surface` from the declarations.

";

const REFUSED: &str = "
## Operators that are not computed

Every operator that CANN publishes is there, so that a program which looks it up gets a plain answer: both functions of
those below, or the only one, refuse with 561003. Their headers are in `include/aclnnop` of a toolkit; where the
parameters are not known, only the launch is declared.
";

/// Writes or checks the table.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut output = Output::default();
    output.file(workspace::root().join("cann-stubs/src/surface.md"), text()?);
    output.finish(mode)
}

fn text() -> Result<String> {
    let published: BTreeMap<_, _> =
        operators::published().map(|operator| (operator.name, operator.library)).collect();
    let mut rows: BTreeMap<&str, (Option<&str>, String)> = BTreeMap::new();
    let mut refused: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in cann_stubs::entry_points() {
        let function = entry.name();
        let operator = function.strip_prefix("aclnn").unwrap_or_default();
        let operator = operator.strip_suffix("GetWorkspaceSize").unwrap_or(operator);
        match (published.get(operator), entry.support()) {
            (Some(library), Support::Refuses(_)) => {
                refused.entry(library.unwrap_or("~")).or_default().insert(operator);
            }
            (Some(_), support) => {
                let function = function.strip_suffix("GetWorkspaceSize").unwrap_or(function);
                rows.insert(function, (aclnn_sys::since(function), support.to_string()));
            }
            (None, support) => {
                rows.insert(function, (aclnn_sys::since(function), support.to_string()));
            }
        }
    }
    let mut text = String::from(INTRODUCTION);
    text += "| function | CANN | |\n|---|---|---|\n";
    for (name, (since, support)) in rows {
        writeln!(text, "| `{name}` | {} | {support} |", since.unwrap_or_default())?;
    }
    text += REFUSED;
    for (library, operators) in refused {
        let library = if library == "~" { "of a library that is not known" } else { library };
        write!(text, "\n*{library}* ({}):\n{}", operators.len(), filled(&operators))?;
    }
    Ok(text)
}

/// Joins words with blanks, in lines of at most 120 columns.
fn filled(words: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 {
            let fits = column + 1 + word.len() <= 120;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text += word;
        column += word.len();
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_code() {
        run(Mode::Check).unwrap();
    }
}
