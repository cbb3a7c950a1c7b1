//! What a function of the library returned.

use std::fmt;

use aclnn_sys::error_code;

/// A function of the library that failed: its code, and what the library said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The C function.
    pub function: &'static str,
    /// The code it returned; `None` where it returned a null pointer.
    pub code: Option<i32>,
    /// The library's own words, if it had any.
    pub message: Option<String>,
}

impl Failure {
    /// The C name of the code, such as `ACLNN_ERR_PARAM_INVALID`, if it is known.
    pub fn name(&self) -> Option<&'static str> {
        error_code::name(self.code?)
    }

    /// What the code means, if it is known.
    pub fn meaning(&self) -> Option<&'static str> {
        error_code::find(self.code?).map(|known| known.meaning)
    }

    /// What to do about it, if something is known.
    pub fn hint(&self) -> Option<&'static str> {
        error_code::find(self.code?)?.hint
    }

    /// Whether memory was lacking.
    pub(crate) fn is_out_of_memory(&self) -> bool {
        matches!(
            self.code,
            Some(
                aclnn_sys::ACL_ERROR_RT_MEMORY_ALLOCATION
                    | aclnn_sys::ACL_ERROR_RT_DEVICE_OOM
                    | aclnn_sys::ACL_ERROR_BAD_ALLOC
            )
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => {
                write!(f, "{} returned {code}", self.function)?;
                match error_code::find(code) {
                    Some(known) => {
                        write!(f, " {}: {}", known.name, known.meaning)?;
                        if let Some(hint) = known.hint {
                            write!(f, "; {hint}")?;
                        }
                    }
                    None => f.write_str(", a code that is not known")?,
                }
            }
            None => write!(f, "{} returned null", self.function)?,
        }
        match &self.message {
            Some(message) => write!(f, "; the library says: {}", message.trim()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
