//! Headers of the operators, from the table of all operators.

use aclnn_sys::operators::{self, Published, published};
use anyhow::{Context, Result};
use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

/// Headers that include all others of a library.
const AGGREGATES: &[(&str, &str, &str)] = &[
    ("math", "aclnn_ops_math.h", "Every operator of element-wise mathematics and its kin."),
    ("nn", "aclnn_ops_nn.h", "Every operator of neural networks."),
    ("cv", "aclnn_ops_cv.h", "Every operator of images."),
    ("transformer", "aclnn_ops_transformer.h", "Every operator of transformers."),
];

/// Writes the headers of the operators, the mirrors and the aggregates into a directory.
pub(crate) fn write(directory: &Path) -> Result<()> {
    let mut headers: BTreeMap<&str, Vec<Published>> = BTreeMap::new();
    for operator in published() {
        if let Some(header) = operator.header {
            headers.entry(header).or_default().push(operator);
        }
    }
    let level2 = directory.join("level2");
    fs::create_dir_all(&level2).with_context(|| format!("creating {}", level2.display()))?;
    for (header, operators) in &headers {
        file(&directory.join(header), &text(header, operators)?)?;
        file(&level2.join(header), &format!("#include \"../{header}\"\n"))?;
    }
    for (library, aggregate, doc) in AGGREGATES {
        let mut text = format!("/** {doc} */\n");
        open(&mut text, aggregate)?;
        let of_library = |operators: &[Published]| operators.iter().any(|one| one.library == Some(library));
        for (header, _) in headers.iter().filter(|(_, operators)| of_library(operators)) {
            writeln!(text, "#include \"{header}\"")?;
        }
        text.push_str("\n#endif\n");
        file(&directory.join(aggregate), &text)?;
    }
    Ok(())
}

fn file(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

fn open(text: &mut String, header: &str) -> Result<()> {
    let guard = format!("ACLNNOP_{}", header.to_uppercase().replace('.', "_"));
    writeln!(text, "#ifndef {guard}\n#define {guard}\n")?;
    Ok(())
}

fn text(header: &str, operators: &[Published]) -> Result<String> {
    let mut text = String::new();
    open(&mut text, header)?;
    text += "#include \"aclnn/aclnn_base.h\"\n#include \"aclnn_util.h\"\n\n";
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for operator in operators {
        declare(&mut text, operator).with_context(|| format!("declaring {}", operator.name))?;
    }
    text += "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    Ok(text)
}

fn declare(text: &mut String, operator: &Published) -> Result<()> {
    let name = operator.name;
    let parameters = operator.parameters().map(|parameters| {
        let parameters = parameters.into_iter();
        parameters.map(|parameter| format!("{}{}", parameter.c_type, parameter.name)).collect::<Vec<_>>()
    });
    if !operator.is_pair {
        let Some(mut parameters) = parameters else {
            writeln!(
                text,
                "\n/* The parameters of `aclnn{name}`, a single function without a launch, are not known. */"
            )?;
            return Ok(());
        };
        if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        writeln!(text, "\n/** A single function, without a launch. */")?;
        return wrap(text, &format!("ACLNN_API aclnnStatus aclnn{name}("), &parameters);
    }
    match operators::named(name) {
        None if parameters.is_none() => {
            writeln!(text, "\n/* The parameters of `aclnn{name}GetWorkspaceSize` are not known. */")?;
        }
        None => writeln!(text, "\n/** Prepares {name}. */")?,
        Some(declared) => {
            writeln!(text, "\n/**\n * Prepares {name}: {}.", declared.doc())?;
            writeln!(
                text,
                " * @param workspaceSize receives the bytes of device memory that the launch needs"
            )?;
            writeln!(text, " * @param executor receives the prepared call; untouched on failure\n */")?;
        }
    }
    if let Some(mut parameters) = parameters {
        parameters.extend(["uint64_t *workspaceSize", "aclOpExecutor **executor"].map(str::to_owned));
        wrap(text, &format!("ACLNN_API aclnnStatus aclnn{name}GetWorkspaceSize("), &parameters)?;
    }
    let launch = "Launches what was prepared, and uses up the executor unless it is repeatable.";
    writeln!(text, "\n/** {launch} */")?;
    let parameters =
        ["void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor", "aclrtStream stream"];
    wrap(text, &format!("ACLNN_API aclnnStatus aclnn{name}("), &parameters.map(str::to_owned))
}

/// Writes a declaration in lines of at most 120 columns.
fn wrap(text: &mut String, start: &str, parameters: &[String]) -> Result<()> {
    // Parameters do not fit beside a long name, so they are written below it.
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
