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
