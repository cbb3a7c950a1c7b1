//! Headers of the operators, from the table of all operators.

use crate::{output::Output, workspace};
use aclnn_sys::operators::{self, Published, PublishedParameter};
use anyhow::{Context, Result};
use std::{collections::BTreeMap, fmt::Write};

/// Written by hand beside the generated ones.
const KEPT: &[&str] = &["aclnn_util.h"];

/// Headers that include all others of a library.
const AGGREGATES: &[(&str, &str, &str)] = &[
    ("math", "aclnn_ops_math.h", "Every operator of element-wise mathematics and its kin."),
    ("nn", "aclnn_ops_nn.h", "Every operator of neural networks."),
    ("cv", "aclnn_ops_cv.h", "Every operator of images."),
    ("transformer", "aclnn_ops_transformer.h", "Every operator of transformers."),
];

/// Adds the header of every operator whose header and parameters are known, the mirrors and the aggregates.
pub(crate) fn generate(output: &mut Output) -> Result<()> {
    let directory = workspace::sys().join("include/aclnnop");
    let mut headers: BTreeMap<&str, Vec<Declaration>> = BTreeMap::new();
    for operator in operators::published() {
        if let (Some(header), Some(parameters)) = (operator.header, operator.parameters()) {
            headers.entry(header).or_default().push(Declaration { operator, parameters });
        }
    }
    for (header, declarations) in &headers {
        output.file(directory.join(header), text(header, declarations)?);
        output.file(directory.join("level2").join(header), format!("#include \"../{header}\"\n"));
    }
    for (library, aggregate, doc) in AGGREGATES {
        let mut text = format!("/** {doc} */\n");
        open(&mut text, aggregate)?;
        let of_library = |declarations: &[Declaration]| {
            declarations.iter().any(|one| one.operator.library == Some(library))
        };
        for (header, _) in headers.iter().filter(|(_, declarations)| of_library(declarations)) {
            writeln!(text, "#include \"{header}\"")?;
        }
        text.push_str("\n#endif\n");
        output.file(directory.join(aggregate), text);
    }
    output.owns(&directory, KEPT);
    output.owns(&directory.join("level2"), &[]);
    Ok(())
}

/// An operator as a header declares it.
struct Declaration {
    operator: Published,
    parameters: Vec<PublishedParameter>,
}

fn open(text: &mut String, header: &str) -> Result<()> {
    let guard = format!("ACLNNOP_{}", header.to_uppercase().replace('.', "_"));
    writeln!(text, "#ifndef {guard}\n#define {guard}\n")?;
    Ok(())
}

fn text(header: &str, declarations: &[Declaration]) -> Result<String> {
    let mut text = String::new();
    open(&mut text, header)?;
    text += "#include \"aclnn/aclnn_base.h\"\n#include \"aclnn_util.h\"\n\n";
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for declaration in declarations {
        declaration.write(&mut text).with_context(|| format!("declaring {}", declaration.operator.name))?;
    }
    text += "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    Ok(text)
}

impl Declaration {
    fn write(&self, text: &mut String) -> Result<()> {
        let name = self.operator.name;
        let parameters =
            self.parameters.iter().map(|parameter| format!("{}{}", parameter.c_type, parameter.name));
        if !self.operator.is_pair {
            writeln!(text, "\n/** A single function, without a launch. */")?;
            return wrap(text, &format!("ACLNN_API aclnnStatus aclnn{name}("), parameters);
        }
        match operators::all().find(|declared| declared.name == name) {
            None => writeln!(text, "\n/** Prepares {name}. */")?,
            Some(declared) => {
                writeln!(text, "\n/**\n * Prepares {name}: {}.", declared.doc)?;
                writeln!(
                    text,
                    " * @param workspaceSize receives the bytes of device memory that the launch needs"
                )?;
                writeln!(text, " * @param executor receives the prepared call; untouched on failure\n */")?;
            }
        }
        let results = ["uint64_t *workspaceSize", "aclOpExecutor **executor"].map(str::to_owned);
        wrap(
            text,
            &format!("ACLNN_API aclnnStatus aclnn{name}GetWorkspaceSize("),
            parameters.chain(results),
        )?;
        let launch = "Launches what was prepared, and uses up the executor unless it is repeatable.";
        writeln!(text, "\n/** {launch} */")?;
        let parameters =
            ["void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor", "aclrtStream stream"];
        wrap(text, &format!("ACLNN_API aclnnStatus aclnn{name}("), parameters.map(str::to_owned).into_iter())
    }
}

/// Writes a declaration in lines of at most 120 columns.
fn wrap(text: &mut String, start: &str, parameters: impl Iterator<Item = String>) -> Result<()> {
    let parameters: Vec<String> = parameters.collect();
    // Below a long name there is no room beside it.
    let widest = parameters.iter().map(String::len).max().unwrap_or_default();
    let indent = if start.len() + widest + 2 > 120 { 4 } else { start.len() };
    let mut line = start.to_owned();
    for (position, parameter) in parameters.iter().enumerate() {
        if position > 0 {
            line.push(',');
        }
        if line.len() + parameter.len() + 3 > 120 {
            writeln!(text, "{line}")?;
            line = " ".repeat(indent);
        } else if position > 0 {
            line.push(' ');
        }
        line += parameter;
    }
    writeln!(text, "{line});")?;
    Ok(())
}
