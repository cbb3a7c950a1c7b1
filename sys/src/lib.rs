//! The C boundary of `aclnn`: headers, bindings, tables of functions, and the search for the libraries that hold them.
//!
//! CANN keeps its functions in four groups of libraries. Each group is a table here, a struct with one method per C
//! function, under its C name:
//!
//! | table | CANN's libraries | holds |
//! |---|---|---|
//! | [`Runtime`] | `libacl_rt`, `libascendcl`, `libacl_op_compiler` | devices, streams, events, memory, errors |
//! | [`Meta`] | `libnnopbase` | tensors, scalars, arrays, executors |
//! | [`Operators`] | `libopapi*`, `libcust_opapi` | operators such as `aclnnAdd`, two functions each |
//! | [`Collectives`] | `libhccl`, `libhcomm` | communicators of several devices, opened at the first use |
//!
//! A table is filled from a [`SymbolSource`]: a [`Library`] opened at run time, a [`Chain`] of sources, or the
//! [`SymbolList`] of an emulator in the same program. Filling never fails; a function that the source lacks returns
//! [`MissingSymbol`] when it is called. [`Toolkit::find`] looks for an installed CANN and reports what it tried.
//!
//! ```no_run
//! use aclnn_sys::{Environment, Runtime, Toolkit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // SAFETY: what goes by CANN's names where the environment lets it be looked for is CANN's.
//! let toolkit = unsafe { Toolkit::find(&Environment::of_process(), None)? };
//! let runtime = Runtime::load(&*toolkit.runtime);
//! let mut count = 0;
//! // SAFETY: `count` is valid for writing.
//! let code = unsafe { runtime.aclrtGetDeviceCount(&mut count)? };
//! println!("{count} devices (code {code})");
//! # Ok(())
//! # }
//! ```
//!
//! [`operator!`] binds a further operator, such as a custom one. [`operators`] holds the declared operators and the
//! macros that the other crates expand. [`error_code`] holds the meaning of every code. With the feature `bindgen`, the
//! module `installed` has everything that the toolkit on this machine declares, read from its headers at build time.
//! The C headers of this crate are in `include/`, in the layout of CANN's own headers. Those of the operators are written by
//! `cargo xtask toolkit` and `cargo xtask headers` of the repository, from `operators.tsv`.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `families`, `language`: the declared operators as data; the language of messages
// 2. `since`: the releases that functions are known from
// 3. `symbol`: sources of functions, and the error for a missing one
// 4. `table`: C functions as a struct of optional pointers
// 5. `bindings`: types and tables, made of the headers
// 6. `error_code`, `format`, `installed`, `load`, `operators`: codes; storage formats; an installed toolkit; finding CANN;
//    typed operators

mod bindings;
pub mod error_code;
mod families;
mod format;
#[cfg(feature = "bindgen")]
pub mod installed;
#[doc(hidden)]
pub mod language;
mod load;
pub mod operators;
mod since;
mod symbol;
mod table;

pub use bindings::{Launch, functions::*, types::*};
pub use load::{Attempt, Environment, NotFound, Toolkit, file_of};
pub use operators::Operators;
pub use since::{since, since_of_function};
pub use symbol::{Chain, Library, MissingSymbol, Symbol, SymbolList, SymbolSource};

/// The types of the C functions, under their names: `pfn::aclInit` is the type of a pointer to `aclInit`.
pub mod pfn {
    pub use crate::bindings::functions::{collectives_pfn::*, meta_pfn::*, runtime_pfn::*};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
