//! `aclnn ops`: the operators, and whether the libraries have them.
//!
//! `catalogue` finds operators, `text` prints them.

mod catalogue;
mod text;

use std::process::ExitCode;

use aclnn::Backend;
use anyhow::bail;

use crate::calls;
use crate::output::Format;
use crate::suggest;
use catalogue::Presence;

/// Lists the operators, or describes one of them
///
/// Name an operator by its function (add) or by its C name (aclnnAdd, InplaceAdds). Of operators that CANN publishes
/// and that are not declared here, the command knows the name, the header and the parameters.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn ops add
  aclnn ops aclnnInplaceAddcmul --json
  aclnn ops --family reduction
  aclnn ops --find logical
  aclnn ops --undeclared --find norm")]
pub(crate) struct Arguments {
    /// The name of an operator
    name: Option<String>,
    /// List the operators of a family only
    #[arg(long, conflicts_with = "name")]
    family: Option<String>,
    /// List the operators whose names or formulas contain a text
    #[arg(long, value_name = "TEXT", conflicts_with = "name")]
    find: Option<String>,
    /// List the operators that CANN publishes and that are not declared here
    #[arg(long, conflicts_with_all = ["name", "family"])]
    undeclared: bool,
    /// List the operators that are missing in the libraries
    #[arg(long, conflicts_with = "name")]
    missing: bool,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    // Where nothing serves, it is not known what is there; everything else is.
    let presence = Presence::of(Backend::get().ok());
    if let Some(name) = &arguments.name {
        return one(arguments, name, &presence);
    }
    let wanted = arguments.find.as_deref().unwrap_or_default().to_lowercase();
    if arguments.undeclared {
        let found: Vec<_> = catalogue::undeclared(&presence)
            .filter(|one| one.name.to_lowercase().contains(&wanted))
            .filter(|one| !arguments.missing || one.present == Some(false))
            .collect();
        arguments.format.print(&found, |found| text::undeclared_list(found))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(family) = &arguments.family
        && !catalogue::families().any(|known| known == family)
    {
        let hint = match suggest::hint(family, catalogue::families()) {
            hint if hint.is_empty() => {
                format!("; there are {}", catalogue::families().collect::<Vec<_>>().join(", "))
            }
            hint => hint,
        };
        bail!("no family is called {family:?}{hint}");
    }
    let functions: Vec<_> = catalogue::functions(&presence)
        .into_iter()
        .filter(|one| arguments.family.as_ref().is_none_or(|family| one.family == family))
        .filter(|one| one.mentions(&wanted))
        .filter(|one| !arguments.missing || one.forms.iter().any(|form| form.present == Some(false)))
        .collect();
    arguments.format.print(&functions, |functions| text::list(functions))?;
    Ok(ExitCode::SUCCESS)
}

fn one(arguments: &Arguments, name: &str, presence: &Presence) -> anyhow::Result<ExitCode> {
    let functions: Vec<_> =
        catalogue::functions(presence).into_iter().filter(|one| one.is_called(name)).collect();
    if !functions.is_empty() {
        arguments.format.print(&functions, |functions| text::functions(functions, name))?;
    } else if let Some(operator) = catalogue::undeclared(presence).find(|one| one.is_called(name)) {
        arguments.format.print(&operator, text::undeclared)?;
    } else if let Ok(found) = calls::find(name) {
        // It has no operator of its own: it launches those of other functions, or none.
        let call = format!("aclnn run {}\n", found.function.usage());
        arguments.format.print(&call, String::clone)?;
    } else {
        bail!("no operator is called {name:?}{}", catalogue::hint(name));
    }
    Ok(ExitCode::SUCCESS)
}
