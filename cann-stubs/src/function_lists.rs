//! The lists of all functions of the emulator, one for each group of CANN's libraries.

use aclnn_sys::SymbolList;

use crate::release::Release;
use crate::surface::EntryPoint;
use crate::{collective, defect, lifecycle, meta, operators, refused, runtime, settings};

/// Returns every function that the emulator provides, of all releases; the drop-in libraries export the same functions.
pub fn entry_points() -> impl Iterator<Item = EntryPoint> {
    [runtime(), meta(), operators()].concat().into_iter()
}

/// Returns the emulator as a source of symbols, for filling the tables of `aclnn_sys` without any library.
///
/// The source has the functions of the emulated release of CANN, but for those that are missing by `CANN_STUBS_DEFECT`.
pub fn source() -> SymbolList {
    defect::allow_missing();
    let settings = settings::get();
    // The latest release has all of them.
    let is_there = |entry: &EntryPoint| {
        (settings.release == Release::LATEST || entry.since() <= settings.release)
            && !settings.defects.lacks(entry.name())
    };
    SymbolList::new("the embedded emulator", entry_points().filter(is_there).map(|entry| entry.symbol()))
}

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
