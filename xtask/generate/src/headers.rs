//! Headers of the operators, from their declarations.

use crate::{output::Output, workspace};
use aclnn_sys::operators::{self, OperatorInfo};
use anyhow::Result;
use std::{collections::BTreeMap, fmt::Write};

/// Written by hand beside the generated ones.
const KEPT: &[&str] = &["aclnn_util.h"];

/// Adds the header of every operator, its mirror and the aggregate.
pub(crate) fn generate(output: &mut Output) -> Result<()> {
    let directory = workspace::sys().join("include/aclnnop");
    let mut headers: BTreeMap<&str, Vec<&OperatorInfo>> = BTreeMap::new();
    for operator in operators::all() {
        headers.entry(operator.header).or_default().push(operator);
    }
    let mut aggregate = String::from("/** Every operator of element-wise mathematics. */\n");
    open(&mut aggregate, "aclnn_ops_math.h")?;
    for (header, operators) in &headers {
        output.file(directory.join(header), text(header, operators)?);
        output.file(directory.join("level2").join(header), format!("#include \"../{header}\"\n"));
        writeln!(aggregate, "#include \"{header}\"")?;
    }
    aggregate.push_str("\n#endif\n");
    output.file(directory.join("aclnn_ops_math.h"), aggregate);
    output.owns(&directory, KEPT);
    output.owns(&directory.join("level2"), &[]);
    Ok(())
}

fn open(text: &mut String, header: &str) -> Result<()> {
    let guard = format!("ACLNNOP_{}", header.to_uppercase().replace('.', "_"));
    writeln!(text, "#ifndef {guard}\n#define {guard}\n")?;
    Ok(())
}

fn text(header: &str, operators: &[&OperatorInfo]) -> Result<String> {
    let mut text = String::new();
    open(&mut text, header)?;
    text += "#include \"aclnn/aclnn_base.h\"\n#include \"aclnn_util.h\"\n\n";
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for operator in operators {
        declare(&mut text, operator)?;
    }
    text += "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    Ok(text)
}

fn declare(text: &mut String, operator: &OperatorInfo) -> Result<()> {
    let name = operator.name;
    writeln!(text, "\n/**\n * Prepares {name}: {}.", operator.doc)?;
    writeln!(text, " * @param workspaceSize receives the bytes of device memory that the launch needs")?;
    writeln!(text, " * @param executor receives the prepared call; untouched on failure\n */")?;
    let parameters = operator
        .parameters
        .iter()
        .map(|parameter| format!("{}{}", parameter.kind.c_type(), c_name(parameter.name)));
    let parameters =
        parameters.chain(["uint64_t *workspaceSize".to_owned(), "aclOpExecutor **executor".to_owned()]);
    wrap(text, &format!("ACLNN_API aclnnStatus aclnn{name}GetWorkspaceSize("), parameters)?;
    writeln!(
        text,
        "\n/** Launches what `aclnn{name}GetWorkspaceSize` prepared, and uses up the executor unless it is repeatable. */"
    )?;
    let parameters =
        ["void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor", "aclrtStream stream"];
    wrap(text, &format!("ACLNN_API aclnnStatus aclnn{name}("), parameters.map(str::to_owned).into_iter())
}

/// Names as C has them: words run together.
fn c_name(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let capital = letters.next().map(|letter| letter.to_ascii_uppercase());
        name + &capital.into_iter().chain(letters).collect::<String>()
    })
}

/// Writes a declaration in lines of at most 120 columns.
fn wrap(text: &mut String, start: &str, parameters: impl Iterator<Item = String>) -> Result<()> {
    let mut line = start.to_owned();
    let mut first = true;
    for parameter in parameters {
        if !first {
            line.push(',');
            if line.len() + parameter.len() + 3 > 120 {
                writeln!(text, "{line}")?;
                line = " ".repeat(start.len());
            } else {
                line.push(' ');
            }
        }
        first = false;
        line += &parameter;
    }
    writeln!(text, "{line});")?;
    Ok(())
}
