//! The failure of a function of the library.

use std::fmt;

use aclnn_sys::error_code;

/// A failed function of the library: its code, and the library's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The name of the C function.
    pub function: &'static str,
    /// The code that the function returned; `None` if it returned a null pointer.
    pub code: Option<i32>,
    /// The library's message, if there was one.
    pub message: Option<String>,
}

impl Failure {
    /// Returns the C name of the code, such as `ACLNN_ERR_PARAM_INVALID`, if it is known.
    pub fn name(&self) -> Option<&'static str> {
        error_code::name(self.code?)
    }

    /// Returns the meaning of the code, if it is known.
    pub fn meaning(&self) -> Option<&'static str> {
        error_code::find(self.code?).map(|known| known.meaning)
    }

    /// Returns advice on what to do, if there is any.
    pub fn hint(&self) -> Option<&'static str> {
        error_code::find(self.code?)?.hint
    }

    /// Returns whether the failure is a lack of memory.
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

/// The library's message stands before the advice: it tells of this call, and the advice of the code alone.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => {
                write!(f, "{} returned {code}", self.function)?;
                match error_code::find(code) {
                    Some(known) => write!(f, " {}: {}", known.name, known.meaning)?,
                    None => f.write_str(", a code that is not known")?,
                }
            }
            None => write!(f, "{} returned null", self.function)?,
        }
        if let Some(message) = &self.message {
            write!(f, "; the library says: {}", message.trim())?;
        }
        match self.hint() {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
