//! The functions that only refuse: they fail with a code and a message, and read none of their arguments. Of operators, the
//! names alone are here.
//!
//! A program that does not find a function often does something else silently; it does report a function that refuses.

mod declare;
mod later;
mod meta;
pub(crate) mod operators;
mod runtime;

use crate::surface::EntryPoint;

/// The functions of the runtime, of collectives and of tools.
pub(crate) fn runtime() -> Vec<EntryPoint> {
    [runtime::SYMBOLS, later::SYMBOLS].concat().concat()
}

/// The functions of the library of descriptors.
pub(crate) fn meta() -> &'static [EntryPoint] {
    meta::SYMBOLS
}

macro_rules! names {
    (pairs { $($pair:ident)* } alone { $($single:ident)* }) => {
        /// The functions of operators that CANN publishes and the emulator does not compute.
        pub(crate) const OPERATOR_FUNCTIONS: &[&str] = &[
            $(
                concat!("aclnn", stringify!($pair), "GetWorkspaceSize"),
                concat!("aclnn", stringify!($pair)),
            )*
            $(concat!("aclnn", stringify!($single)),)*
        ];
    };
}

operators::refused_operators!(names);
