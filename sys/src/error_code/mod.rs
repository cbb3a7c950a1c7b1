//! The codes of CANN: every `aclError` and `aclnnStatus`, with its name, its meaning and, where there is one, a hint.
//!
//! The two kinds of codes share no number but 0, so one table serves both. The first digit tells where the failure
//! lies: 1 with the caller, 2 with a resource, 3 with the business or the runtime, 5 inside CANN.

mod acl;
mod aclnn;
mod graph_engine;
mod runtime;

/// A code of CANN and what is known about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// The number of the code.
    pub code: i32,
    /// The C name of the code.
    pub name: &'static str,
    /// The meaning of the code, without a full stop.
    pub meaning: &'static str,
    /// What to do about the error, without a full stop.
    pub hint: Option<&'static str>,
}

macro_rules! codes {
    ($($name:ident $meaning:literal $(=> $hint:literal)?;)*) => {
        pub(super) const CODES: &[$crate::error_code::ErrorCode] = &[
            $($crate::error_code::ErrorCode {
                code: $crate::$name,
                name: stringify!($name),
                meaning: $meaning,
                hint: $crate::error_code::hint!($($hint)?),
            },)*
        ];
    };
}

macro_rules! hint {
    () => {
        None
    };
    ($hint:literal) => {
        Some($hint)
    };
}

use {codes, hint};

/// Returns every code.
pub fn all() -> impl Iterator<Item = &'static ErrorCode> {
    [acl::CODES, runtime::CODES, graph_engine::CODES, aclnn::CODES].into_iter().flatten()
}

/// Returns what is known about `code`.
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
