//! The description of a code, and lists of codes.

/// A code of CANN with its name, meaning and hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// The number of the code.
    pub code: i32,
    /// The C name of the code.
    pub name: &'static str,
    /// The meaning of the code, without a full stop.
    pub meaning: &'static str,
    /// The advice on the error, without a full stop.
    pub hint: Option<&'static str>,
}

macro_rules! codes {
    // Codes that are constants of an enumeration.
    ($Type:ident: $($name:ident $meaning:literal $(=> $hint:literal)?;)*) => {
        pub(super) const CODES: &[$crate::error_code::code::ErrorCode] = &[
            $($crate::error_code::code::ErrorCode {
                code: { let $crate::$Type(code) = $crate::$name; code.cast_signed() },
                name: stringify!($name),
                meaning: $meaning,
                hint: $crate::error_code::code::hint!($($hint)?),
            },)*
        ];
    };
    ($($name:ident $meaning:literal $(=> $hint:literal)?;)*) => {
        pub(super) const CODES: &[$crate::error_code::code::ErrorCode] = &[
            $($crate::error_code::code::ErrorCode {
                code: $crate::$name,
                name: stringify!($name),
                meaning: $meaning,
                hint: $crate::error_code::code::hint!($($hint)?),
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

pub(super) use {codes, hint};
