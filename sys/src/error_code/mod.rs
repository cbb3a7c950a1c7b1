//! What the codes mean: every `aclError` and `aclnnStatus`, with its name, its meaning and, where there is one, a hint.
//!
//! The two kinds share no number but 0, so one table serves both. The first digit tells whose failure it is: 1 the
//! caller's, 2 a resource's, 3 the business's or the runtime's, 5 an internal one.

mod acl;
mod aclnn;
mod graph_engine;
mod runtime;

/// A code and what is known about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// The number.
    pub code: i32,
    /// Its C name.
    pub name: &'static str,
    /// What it says, without a full stop.
    pub meaning: &'static str,
    /// What to do about it, without a full stop.
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

/// Every code.
pub fn all() -> impl Iterator<Item = &'static ErrorCode> {
    [acl::CODES, runtime::CODES, graph_engine::CODES, aclnn::CODES].into_iter().flatten()
}

/// What is known about `code`.
///
/// ```
/// let repeated = aclnn_sys::error_code::find(100002).unwrap();
/// assert_eq!(repeated.name, "ACL_ERROR_REPEAT_INITIALIZE");
/// ```
pub fn find(code: i32) -> Option<&'static ErrorCode> {
    all().find(|known| known.code == code)
}

/// The C name of `code`.
pub fn name(code: i32) -> Option<&'static str> {
    find(code).map(|known| known.name)
}
