//! `cargo xtask surface`: writes the table of the emulator's functions, and its list of operators that it refuses, from the
//! declarations and the table of all operators.

use crate::{
    output::{Mode, Output},
    workspace,
};
use aclnn_sys::operators::{self, Published};
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

/// Writes or checks the table and the list.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut output = Output::default();
    let sources = workspace::root().join("cann-stubs/src");
    output.file(sources.join("surface.md"), text()?);
    output.file(sources.join("refused/operators.rs"), list()?);
    output.finish(mode)
}

/// Returns the operators that the emulator exports and refuses: all that are not declared.
fn refused() -> impl Iterator<Item = Published> {
    let declared: BTreeSet<_> =
        operators::all().map(|operator| operator.name()).chain(operators::COMPUTED_ALONE).collect();
    operators::published().filter(move |operator| !declared.contains(operator.name))
}

fn list() -> Result<String> {
    let (pairs, alone): (Vec<_>, Vec<_>) = refused().partition(|operator| operator.is_pair);
    let mut text = String::from(
        "//! Written by `cargo xtask surface` from `sys/operators.tsv` and the declarations; change those instead.\n\n\
         /// Calls a macro with the operators that only refuse: those that are pairs of functions, then those that are one.\n\
         macro_rules! refused_operators {\n    ($callback:ident) => {\n        $callback! {\n",
    );
    for (kind, operators) in [("pairs", pairs), ("alone", alone)] {
        writeln!(text, "            {kind} {{")?;
        for operator in operators {
            writeln!(text, "                {}", operator.name)?;
        }
        writeln!(text, "            }}")?;
    }
    Ok(text + "        }\n    };\n}\npub(crate) use refused_operators;\n")
}

fn text() -> Result<String> {
    let published: BTreeSet<_> = operators::published().map(|operator| operator.name).collect();
    let mut rows: BTreeMap<&str, (Option<&str>, String)> = BTreeMap::new();
    for entry in cann_stubs::entry_points() {
        let function = entry.name();
        let operator = function.strip_prefix("aclnn").unwrap_or_default();
        let operator = operator.strip_suffix("GetWorkspaceSize").unwrap_or(operator);
        let function = match (published.contains(operator), entry.support()) {
            // The list that the emulator was built with may be older than the declarations.
            (true, Support::Refuses(_)) => continue,
            (true, _) => function.strip_suffix("GetWorkspaceSize").unwrap_or(function),
            (false, _) => function,
        };
        rows.insert(function, (aclnn_sys::since(function), entry.support().to_string()));
    }
    let mut by_library: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for operator in refused() {
        by_library.entry(operator.library.unwrap_or("~")).or_default().insert(operator.name);
    }
    let mut text = String::from(INTRODUCTION);
    text += "| function | CANN | |\n|---|---|---|\n";
    for (name, (since, support)) in rows {
        writeln!(text, "| `{name}` | {} | {support} |", since.unwrap_or_default())?;
    }
    text += REFUSED;
    for (library, operators) in by_library {
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
    fn the_table_and_the_list_are_those_of_the_code() {
        run(Mode::Check).unwrap();
    }
}
