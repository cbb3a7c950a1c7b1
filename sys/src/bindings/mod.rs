//! Bindings that `cargo xtask bindings` generates from the headers, and the type that all operators share.

#[allow(missing_docs, non_snake_case, non_camel_case_types, clippy::too_many_arguments)]
#[rustfmt::skip]
pub(crate) mod functions;
#[allow(missing_docs, non_snake_case, non_camel_case_types, non_upper_case_globals)]
#[rustfmt::skip]
pub(crate) mod types;

use types::{aclOpExecutor, aclnnStatus, aclrtStream};

/// The function of phase two, which has the same type for every operator.
pub type Launch = unsafe extern "C" fn(
    workspace: *mut core::ffi::c_void,
    workspace_size: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> aclnnStatus;
