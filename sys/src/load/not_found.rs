//! The directories and libraries that were tried, and the outcomes.

use std::{error::Error, fmt, path::PathBuf};

/// A directory or library that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The reason why the path was tried: a variable, the dynamic linker, a default.
    pub origin: &'static str,
    /// The path that was tried.
    pub path: PathBuf,
    /// The reason why the path cannot be used; `None` for a library that opened.
    pub error: Option<String>,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = self.error.as_deref().unwrap_or("opened");
        write!(f, "{} ({}): {outcome}", self.path.display(), self.origin)
    }
}

/// The origin of a path that the caller gave, beside which nothing else is tried.
pub(super) const AS_TOLD: &str = "as told";

/// An error: CANN was not found, or cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound {
    /// Everything that was tried, in order.
    pub tried: Vec<Attempt>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = !self.tried.is_empty() && self.tried.iter().all(|attempt| attempt.origin == AS_TOLD);
        f.write_str(if told {
            "no usable CANN is there; name a toolkit, or a directory with the libraries of the runtime, of operator descriptions \
             and of operators. Tried:"
        } else {
            "no usable CANN was found; source its set_env.sh, or set ACLNN_CANN_PATH to where it stands. Tried:"
        })?;
        if self.tried.is_empty() {
            write!(f, " nothing")?;
        }
        self.tried.iter().try_for_each(|attempt| write!(f, "\n  {attempt}"))
    }
}

impl std::error::Error for NotFound {}

/// Returns the message of the dynamic linker.
pub(super) fn reason(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
