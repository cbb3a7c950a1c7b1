//! The lists of all functions of the emulator, one for each group of CANN's libraries.

use crate::surface::EntryPoint;
use crate::{collective, lifecycle, meta, operators, refused, runtime};

/// The functions of the runtime, of all releases.
pub(crate) fn runtime() -> impl Iterator<Item = EntryPoint> {
    let by_name = operators::BY_NAME.iter().chain(refused::runtime());
    runtime::symbols().chain(collective::symbols()).chain(lifecycle::SYMBOLS).chain(by_name).copied()
}

/// The functions of the library of descriptors.
pub(crate) fn meta() -> impl Iterator<Item = EntryPoint> {
    meta::symbols().chain(refused::meta()).copied()
}

/// The functions of the operators.
pub(crate) fn operators() -> impl Iterator<Item = EntryPoint> {
    operators::symbols().chain(operators::not_computed().copied())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::fault_rule::names;
    use crate::surface::Support;

    /// The rules for faults know the functions by name only, from the headers and from what is refused.
    #[test]
    fn rules_know_which_functions_work_and_which_refuse() {
        let all: Vec<EntryPoint> = runtime().chain(meta()).chain(operators()).collect();
        let listed = |refuses: bool| -> BTreeSet<&str> {
            let wanted = |entry: &&EntryPoint| matches!(entry.support(), Support::Refuses(_)) == refuses;
            all.iter().filter(wanted).map(|entry| entry.name()).collect()
        };
        assert_eq!(names::functions().collect::<BTreeSet<_>>(), listed(false));
        assert_eq!(names::refusing().collect::<BTreeSet<_>>(), listed(true));
        assert!(listed(false).contains("aclnnAdd") && listed(true).contains("aclmdlExecute"));
    }
}
