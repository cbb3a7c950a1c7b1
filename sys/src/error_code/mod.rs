//! The codes of CANN: every `aclError`, `aclnnStatus` and `HcclResult`, with its name, its meaning and, where there is
//! one, a hint.
//!
//! The kinds of codes share no number but 0, so one table serves all. Codes of HCCL are small; of the others the first
//! digit tells where the failure lies: 1 with the caller, 2 with a resource, 3 with the business or the runtime, 5 inside
//! CANN.

mod acl;
mod aclnn;
mod code;
mod graph_engine;
mod hccl;
mod runtime;

pub use code::ErrorCode;

/// Returns every code.
pub fn all() -> impl Iterator<Item = &'static ErrorCode> {
    [acl::CODES, runtime::CODES, graph_engine::CODES, aclnn::CODES, hccl::CODES].into_iter().flatten()
}

/// Returns the description of `code`.
///
/// ```
/// let repeated = aclnn_sys::error_code::find(100002).unwrap();
/// assert_eq!(repeated.name, "ACL_ERROR_REPEAT_INITIALIZE");
/// ```
pub fn find(code: i32) -> Option<&'static ErrorCode> {
    all().find(|known| known.code == code)
}

/// Returns the C name of `code`.
pub fn name(code: i32) -> Option<&'static str> {
    find(code).map(|known| known.name)
}
