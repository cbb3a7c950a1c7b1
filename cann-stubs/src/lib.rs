//! The CANN runtime and aclnn operators on the CPU, for machines without an Ascend NPU.
//!
//! The emulator is every C entry point of CANN that programs use, under CANN's names and with CANN's error codes. It is
//! used in two ways: *embedded*, through [`source`], which looks functions up without any library; and as *drop-in
//! libraries*, which C and C++ programs link or open in place of CANN's.
//!
//! | room | holds |
//! |---|---|
//! | `entry` `handle` `status` | the border to C: parameters, handles that are never dereferenced, failures |
//! | [`control`] `fault` `trace` | for tests: modes, faults on demand, what was found, what ran |
//! | `check` | what is stricter than hardware: misuse, found and named |
//! | `runtime` | devices, contexts, streams, events, memory, errors, versions |
//! | `meta` | tensors, scalars, arrays, lists, executors |
//! | `operators` | phase one: checks in CANN's order, with CANN's codes, and a plan |
//! | `kernels` | phase two: the arithmetic, block by block |
//!
//! What a device does differently from a host, the emulator does too: the host cannot touch device memory, streams run
//! only when somebody waits for them or asks about them, and an executor is gone once it was launched.
//!
#![doc = include_str!("settings.md")]

mod check;
mod config;
pub mod control;
mod entry;
mod fault;
mod handle;
mod kernels;
mod meta;
mod operators;
mod runtime;
mod status;
mod trace;

use aclnn_sys::{Symbol, SymbolList};

/// Every function that the emulator provides.
fn symbols() -> impl Iterator<Item = Symbol> {
    runtime::symbols().chain(meta::symbols()).chain(operators::symbols()).copied()
}

/// Everything of the program that lives.
fn live() -> Vec<check::objects::Live> {
    let mut all = Vec::new();
    runtime::live(&mut all);
    meta::live(&mut all);
    all
}

/// The emulator as a source of symbols, for filling the tables of `aclnn_sys` without any library.
pub fn source() -> SymbolList {
    SymbolList::new("the embedded emulator", symbols())
}
