//! The emulator's list of operators that it refuses, from the table of all operators.

use crate::{output::Output, workspace};
use aclnn_sys::operators::{self, Published};
use anyhow::Result;
use std::fmt::Write;

/// Adds the list of operators that the emulator exports and refuses: all operators that are not declared.
pub(crate) fn generate(output: &mut Output) -> Result<()> {
    let declared = |operator: &Published| {
        operators::all().any(|declared| declared.name == operator.name)
            || operators::COMPUTED_ALONE.contains(&operator.name)
    };
    let (pairs, alone): (Vec<_>, Vec<_>) =
        operators::published().filter(|operator| !declared(operator)).partition(|operator| operator.is_pair);
    let mut text = String::from(
        "//! Written by `cargo xtask bindings` from `sys/operators.tsv` and the declarations; change those instead.\n\n\
         super::refused! {\n",
    );
    for (kind, operators) in [("pairs", pairs), ("alone", alone)] {
        writeln!(text, "    {kind} {{")?;
        for operator in operators {
            writeln!(text, "        {}", operator.name)?;
        }
        writeln!(text, "    }}")?;
    }
    text += "}\n";
    output.file(workspace::root().join("cann-stubs/src/operators/refused/list.rs"), text);
    Ok(())
}
