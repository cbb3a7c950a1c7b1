//! The CANN runtime and aclnn operators on the CPU, for machines without an Ascend NPU.
//!
//! The emulator is every C entry point of CANN that programs use, under CANN's names and with CANN's error codes. It is
//! used in two ways: *embedded*, through [`source`], which looks functions up without any library; and as *drop-in
//! libraries*, which C and C++ programs link or open in place of CANN's.
//!
//! | module | holds |
//! |---|---|
//! | `entry` `surface` `handle` `status` `drop_in` | the border to C: parameters, the list of functions, handles that are never dereferenced, failures |
//! | `sync` | locks and threads, which a model checker can replace by its own |
//! | [`control`] `fault` `names` `trace` | for tests: modes, faults on demand and the names of functions, reports of the checks, records of the work that ran |
//! | `check` | the checks that are stricter than hardware: they find misuse and name it |
//! | `runtime` | devices, contexts, streams, events, memory, errors, versions |
//! | `meta` | tensors, scalars, arrays, lists, executors |
//! | `operators` | phase one: checks in CANN's order, with CANN's codes, and a plan |
//! | `kernels` | phase two: the arithmetic, block by block |
//!
//! The emulator behaves like a device where a device differs from a host: the host cannot touch device memory, streams
//! run only when a thread waits for them or queries them, and an executor is gone once it was launched.
//!
#![doc = include_str!("settings.md")]
//!
#![doc = include_str!("surface.md")]

mod check;
pub mod control;
#[cfg(feature = "drop-in")]
mod drop_in;
mod entry;
mod fault;
mod handle;
mod kernels;
mod libraries;
mod meta;
mod misuse;
mod mode;
mod operators;
mod outcome;
#[cfg(test)]
mod random;
mod refused;
mod release;
mod rule;
mod runtime;
mod settings;
mod status;
mod surface;
mod sync;
mod trace;

use aclnn_sys::SymbolList;

pub use surface::{EntryPoint, Support};

/// Returns every function that the emulator provides, of all releases; the drop-in libraries export the same functions.
pub fn entry_points() -> impl Iterator<Item = EntryPoint> {
    libraries::runtime().chain(libraries::meta()).chain(libraries::operators()).copied()
}

/// Returns every live object and allocation of the program.
fn live() -> Vec<check::objects::Live> {
    let mut all = Vec::new();
    runtime::live(&mut all);
    meta::live(&mut all);
    all
}

/// Returns the emulator as a source of symbols, for filling the tables of `aclnn_sys` without any library.
///
/// The source has the functions of the emulated release of CANN.
pub fn source() -> SymbolList {
    let release = settings::get().release;
    let symbols = entry_points().filter(|entry| entry.since() <= release).map(|entry| entry.symbol());
    SymbolList::new("the embedded emulator", symbols)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
