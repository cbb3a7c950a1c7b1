//! Functions by their names.

use aclnn::sys::operators::{self, Published};
use anyhow::{Result, bail};

use super::function::Function;
use super::given::Given;
use super::operation::Outcome;
use super::{along_axes, elementwise, indexed, made, moved, refused};
use crate::suggest;

/// A function that was found by a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) function: &'static Function,
    /// Whether the name is that of a form in place, which the function serves by writing its result to the operand.
    pub(super) in_place: bool,
}

impl Found {
    /// Calls the function with all arguments that are given.
    pub(crate) fn call(&self, mut given: Given<'_>) -> Result<Outcome> {
        given.in_place = self.in_place;
        self.function.call(given)
    }
}

/// Returns every function that can be called, each name once.
pub(crate) fn all() -> impl Iterator<Item = &'static Function> {
    let lists = [along_axes::FUNCTIONS, indexed::FUNCTIONS, moved::FUNCTIONS, made::FUNCTIONS];
    let mut functions: Vec<&Function> = Vec::new();
    for function in elementwise::lists().chain(lists).flatten() {
        if functions.iter().all(|known| known.name != function.name) {
            functions.push(function);
        }
    }
    functions.into_iter()
}

/// Returns the function that offers an operator, by its C name without the prefix: the first word of `aclnn run`. The
/// error is the reason why there is none.
pub(crate) fn offered(form: &str) -> Result<Found> {
    let found = all().find(|function| function.forms.contains(&form));
    match (found, refused::reason(form)) {
        (Some(function), _) => Ok(Found { function, in_place: is_served_in_place(function, form) }),
        (None, Some(reason)) => bail!(reason),
        (None, None) => bail!("aclnn{form} has no function in the safe layer"),
    }
}

/// Whether a form in place is one of a function that also makes new results.
fn is_served_in_place(function: &Function, form: &str) -> bool {
    form.starts_with("Inplace") && !function.name.ends_with("_in_place")
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
        return Ok(Found { function, in_place: false });
    }
    let form = in_c(name);
    let is_called = |known: &str| known.eq_ignore_ascii_case(form);
    if let Some(operator) = operators::all().find(|operator| is_called(operator.name)) {
        return offered(operator.name);
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
    use super::*;

    /// Every declared operator can be called by its C name, or is refused for a reason.
    #[test]
    fn every_declared_operator_is_callable_or_refused_by_name() {
        let mut missing = Vec::new();
        for operator in operators::all() {
            let offers = all().any(|function| function.forms.contains(&operator.name));
            if offers == refused::reason(operator.name).is_some() {
                missing.push(operator.name);
            }
        }
        assert!(missing.is_empty(), "neither callable nor refused, or both: {missing:?}");
    }

    #[test]
    fn forms_of_functions_are_declared_operators() {
        for function in all() {
            for form in function.forms {
                assert!(operators::all().any(|operator| operator.name == *form), "{}: {form}", function.name);
            }
        }
    }

    #[test]
    fn names_lead_to_functions() {
        for (name, function, in_place) in [
            ("add", "add", false),
            ("Add", "add", false),
            ("aclnnAdds", "add", false),
            ("aclnnaddGetWorkspaceSize", "add", false),
            ("aclnnInplaceAdds", "add_in_place", false),
            ("InplaceExp", "exp", true),
            ("where", "where_", false),
            ("Amax", "max", false),
            ("PowScalarTensor", "rpow", false),
        ] {
            let found = find(name).unwrap();
            assert_eq!((found.function.name, found.in_place), (function, in_place), "{name}");
        }
        for (name, reason) in [
            ("aclnnRmsNorm", "operator!"),
            ("InplaceZero", "zeros"),
            ("adcmul", "addcmul"),
            ("zzz", "aclnn ops"),
        ] {
            let error = find(name).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
