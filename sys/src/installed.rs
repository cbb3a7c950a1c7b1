//! All declarations in the headers of an installed CANN toolkit, read when this crate was built.
//!
//! The rest of this crate declares what its users need, the same for every release. This module declares everything
//! that one release has: the toolkit that `ACLNN_CANN_PATH`, `ASCEND_HOME_PATH` or `ASCEND_TOOLKIT_HOME` names, or the
//! one at a default place. Types and constants have their C names, and [`Functions`] is a table like
//! [`Runtime`](crate::Runtime). Handles such as [`aclTensor`] are those of this crate. Reading the headers requires
//! libclang and the headers of a C++ compiler.
//!
//! ```no_run
//! use aclnn_sys::{Environment, Toolkit, installed};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // SAFETY: what goes by CANN's names where the environment lets it be looked for is CANN's.
//! let toolkit = unsafe { Toolkit::find(&Environment::of_process(), None)? };
//! let functions = installed::Functions::load(&*toolkit.runtime);
//! let mut count = 0;
//! // SAFETY: `count` is valid for writing.
//! let code = unsafe { functions.aclrtGetDeviceCount(&mut count)? };
//! println!("{count} devices (code {code})");
//! # Ok(())
//! # }
//! ```

#![allow(
    missing_docs,
    non_snake_case,
    non_camel_case_types,
    non_upper_case_globals,
    unreachable_pub,
    unsafe_op_in_unsafe_fn,
    clippy::all,
    clippy::undocumented_unsafe_blocks,
    reason = "the names and the code are those of others"
)]

use crate::table::table;

pub use crate::bindings::types::{
    aclBoolArray, aclFloatArray, aclIntArray, aclOpExecutor, aclScalar, aclScalarList, aclTensor,
    aclTensorList,
};

include!(concat!(env!("OUT_DIR"), "/installed.rs"));
