//! Functions by their names.

use std::collections::HashSet;
use std::sync::LazyLock;

use aclnn::sys::operators::{self, OperatorInfo, Parameter, ParameterKind, Published};
use anyhow::{Result, bail};

use super::function::Function;
use super::{
    along_axes, attention, elementwise, images, in_place, indexed, linalg, losses, made, matrix, moved,
    normalization, quantisation, random, recurrent, refused,
};
use crate::suggest;

/// A function that was found by a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) function: &'static Function,
    /// The operator, if its C name was asked for.
    pub(crate) form: Option<&'static str>,
}

/// Returns every function that can be called, each name once.
pub(crate) fn all() -> impl Iterator<Item = &'static Function> {
    static ALL: LazyLock<Vec<&Function>> = LazyLock::new(|| {
        let lists = [
            along_axes::FUNCTIONS,
            attention::FUNCTIONS,
            images::FUNCTIONS,
            indexed::FUNCTIONS,
            moved::FUNCTIONS,
            made::FUNCTIONS,
            matrix::FUNCTIONS,
            normalization::FUNCTIONS,
            quantisation::FUNCTIONS,
            random::FUNCTIONS,
            recurrent::FUNCTIONS,
            linalg::FUNCTIONS,
            losses::FUNCTIONS,
        ];
        let mut names = HashSet::new();
        elementwise::lists()
            .chain(in_place::lists())
            .chain(lists)
            .flatten()
            .filter(|function| names.insert(function.name))
            .collect()
    });
    ALL.iter().copied()
}

/// Returns the function that offers an operator, by its C name without the prefix. The error is the reason why there is
/// none.
pub(crate) fn offered(form: &str) -> Result<Found> {
    let writes = operators::named(form).is_some_and(writes_operand);
    let found = all().find_map(|function| {
        let form =
            function.forms.iter().find(|known| **known == form && function.writes_operand() == writes)?;
        Some(Found { function, form: Some(form) })
    });
    match (found, refused::reason(form)) {
        (Some(found), _) => Ok(found),
        (None, Some(reason)) => bail!(reason),
        (None, None) => bail!("aclnn{form} has no function in the safe layer"),
    }
}

fn writes_operand(operator: &OperatorInfo) -> bool {
    let is_written =
        |parameter: Parameter| matches!(parameter.kind, ParameterKind::InOut | ParameterKind::InOutConst);
    operator.parameters.iter().any(is_written)
}

/// Returns the name of an operator without what its C functions have around it.
pub(crate) fn in_c(name: &str) -> &str {
    let name = name.strip_prefix("aclnn").unwrap_or(name);
    name.strip_suffix("GetWorkspaceSize").unwrap_or(name)
}

/// Finds a function by its name in the safe layer, or by the C name of an operator, with or without `aclnn`.
pub(crate) fn find(name: &str) -> Result<Found> {
    let is_named = |function: &&Function| function.name.trim_end_matches('_') == name.trim_end_matches('_');
    if let Some(function) = all().find(is_named) {
        return Ok(Found { function, form: None });
    }
    let form = in_c(name);
    let is_called = |known: &str| known.eq_ignore_ascii_case(form);
    if let Some(operator) = operators::all().find(|operator| is_called(operator.name())) {
        return offered(operator.name());
    }
    if let Some(Published { name: form, .. }) =
        operators::published().find(|operator| is_called(operator.name))
    {
        bail!(
            "aclnn{form} is an operator of CANN that is not declared here; `aclnn::operator!` makes a safe function of it \
             in a program of your own"
        );
    }
    match suggest::hint(name, all().map(|function| function.name)) {
        hint if hint.is_empty() => {
            bail!("there is no operator {name}; `aclnn ops` lists those that there are")
        }
        hint => bail!("there is no operator {name}{hint}"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Every declared operator can be called by its C name, or is refused for a reason; no reason is left over.
    #[test]
    fn every_declared_operator_is_callable_or_refused_by_name() {
        let refused = || operators::all().filter(|operator| offered(operator.name()).is_err());
        let missing = refused().filter(|operator| refused::reason(operator.name()).is_none());
        let missing: Vec<_> = missing.map(|operator| operator.name()).collect();
        assert!(missing.is_empty(), "neither callable nor refused: {missing:?}");
        let functions: HashSet<_> = refused().map(|operator| operator.function()).collect();
        let needless: Vec<_> =
            refused::INSTEAD.iter().filter(|(function, _)| !functions.contains(function)).collect();
        assert!(needless.is_empty(), "each form can be called: {needless:?}");
    }

    /// Names that a reason tells are those of functions that can be called, or of others in the sources of the safe layer.
    #[test]
    fn what_is_told_instead_is_there() {
        fn read(path: &Path, text: &mut String) {
            if path.is_dir() {
                std::fs::read_dir(path).unwrap().for_each(|entry| read(&entry.unwrap().path(), text));
            } else {
                *text += &std::fs::read_to_string(path).unwrap();
            }
        }
        let mut sources = String::new();
        read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../src")), &mut sources);
        let defines = |name: &str| {
            let starts = ["pub fn ", "pub struct "].map(|start| format!("{start}{name}"));
            starts.iter().any(|start| {
                let mut behind = sources.split(start.as_str()).skip(1);
                behind.any(|rest| rest.starts_with(['(', '<', ' ']))
            })
        };
        for (function, instead) in refused::INSTEAD {
            let names: Vec<&str> = instead.split('`').skip(1).step_by(2).collect();
            assert!(
                !names.is_empty() || ["no ", "none"].iter().any(|start| instead.starts_with(start)),
                "{function}: {instead} names nothing"
            );
            for name in names {
                let last = name.rsplit("::").next().unwrap();
                assert!(
                    all().any(|known| known.name == name) || defines(last),
                    "{function}: there is no {name}"
                );
            }
        }
    }

    #[test]
    fn forms_of_functions_are_declared_operators() {
        for function in all() {
            for form in function.forms {
                assert!(operators::named(form).is_some(), "{}: {form}", function.name);
            }
        }
    }

    #[test]
    fn names_lead_to_functions() {
        for (name, function) in [
            ("add", "add"),
            ("Add", "add"),
            ("aclnnAdds", "add"),
            ("aclnnaddGetWorkspaceSize", "add"),
            ("aclnnInplaceAdds", "add_in_place"),
            ("InplaceExp", "exp_in_place"),
            ("InplaceEqScalar", "eq_in_place"),
            ("ScatterNdUpdate", "scatter_nd_in_place"),
            ("where", "where_"),
            ("Amax", "max"),
            ("PowScalarTensor", "rpow"),
        ] {
            assert_eq!(find(name).unwrap().function.name, function, "{name}");
        }
        for (name, reason) in [
            ("aclnnRasterizer", "operator!"),
            ("InplaceZero", "zeros"),
            ("adcmul", "addcmul"),
            ("zzz", "aclnn ops"),
        ] {
            let error = find(name).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
