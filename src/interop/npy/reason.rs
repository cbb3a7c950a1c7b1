//! Reasons why a file is not read or written.

/// A result, or the reason of a refusal.
pub(super) type Outcome<T> = std::result::Result<T, String>;

macro_rules! bail {
    ($($reason:tt)*) => {
        return Err(format!($($reason)*))
    };
}

macro_rules! ensure {
    ($condition:expr, $($reason:tt)*) => {
        if !$condition {
            return Err(format!($($reason)*));
        }
    };
}

pub(super) use {bail, ensure};
