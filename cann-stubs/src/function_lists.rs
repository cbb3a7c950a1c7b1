//! The lists of all functions of the emulator, one for each group of CANN's libraries.

use crate::surface::EntryPoint;
use crate::{collective, lifecycle, meta, operators, refused, runtime};

/// The functions of the runtime, of all releases.
pub(crate) fn runtime() -> Vec<EntryPoint> {
    let mut all = runtime::symbols();
    all.extend(collective::symbols());
    all.extend_from_slice(lifecycle::SYMBOLS);
    all.extend_from_slice(operators::BY_NAME);
    all.extend(refused::runtime());
    all
}

/// The functions of the library of descriptors.
pub(crate) fn meta() -> Vec<EntryPoint> {
    [&meta::symbols()[..], refused::meta()].concat()
}

/// The functions of the operators.
pub(crate) fn operators() -> Vec<EntryPoint> {
    [&operators::symbols()[..], operators::not_computed()].concat()
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
        let all = [runtime(), meta(), operators()].concat();
        let listed = |refuses: bool| -> BTreeSet<&str> {
            let wanted = |entry: &&EntryPoint| matches!(entry.support(), Support::Refuses(_)) == refuses;
            all.iter().filter(wanted).map(|entry| entry.name()).collect()
        };
        assert_eq!(names::functions().collect::<BTreeSet<_>>(), listed(false));
        assert_eq!(names::refusing().into_iter().collect::<BTreeSet<_>>(), listed(true));
        assert!(listed(false).contains("aclnnAdd") && listed(true).contains("aclmdlExecute"));
    }
}
