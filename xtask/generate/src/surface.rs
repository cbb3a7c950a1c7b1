//! `cargo xtask surface`: the table of the emulator's functions, from their declarations.

use crate::{
    output::{Mode, Output},
    workspace,
};
use anyhow::Result;
use std::{collections::BTreeMap, fmt::Write};

const INTRODUCTION: &str = "\
# Functions

What each function of the emulator does. *Works*: as in CANN. *Stored only*: it checks what it is told and tells it again,
and nothing follows from it. *Refuses*: it fails with that code and a message that says what to do, and never gives a
wrong result. The operators stand for both of their functions.

Written by `cargo xtask surface` from the declarations.

";

/// Writes or checks the table.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut output = Output::default();
    output.file(workspace::root().join("cann-stubs/src/surface.md"), text()?);
    output.finish(mode)
}

fn text() -> Result<String> {
    let mut rows: BTreeMap<&str, (Option<&str>, String)> = BTreeMap::new();
    for entry in cann_stubs::entry_points() {
        let name = entry.name();
        let function = match name.strip_suffix("GetWorkspaceSize") {
            Some(operator) if name.starts_with("aclnn") => operator,
            _ => name,
        };
        rows.insert(function, (aclnn_sys::since(name), entry.support().to_string()));
    }
    let mut text = String::from(INTRODUCTION);
    text += "| function | CANN | |\n|---|---|---|\n";
    for (name, (since, support)) in rows {
        writeln!(text, "| `{name}` | {} | {support} |", since.unwrap_or_default())?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_code() {
        run(Mode::Check).unwrap();
    }
}
