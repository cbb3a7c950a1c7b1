//! The error of a handle that could not be closed.

use std::fmt;

use super::Error;

/// The reason why a handle did not close, or closed with a failure. It gives the handle back if the handle is still
/// valid, for example while other handles share it; otherwise the handle has ended.
///
/// The `?` operator converts it to an [`Error`], which is also its source; the message is the same.
pub struct CloseError<H> {
    handle: Option<Box<H>>,
    error: Error,
}

impl<H> CloseError<H> {
    pub(crate) fn new(handle: H, error: Error) -> Self {
        Self { handle: Some(Box::new(handle)), error }
    }

    /// Returns the reason.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// Returns the handle, if it is still valid.
    pub fn into_handle(self) -> Option<H> {
        self.handle.map(|handle| *handle)
    }
}

impl<H> From<Error> for CloseError<H> {
    fn from(error: Error) -> Self {
        Self { handle: None, error }
    }
}

impl<H> From<CloseError<H>> for Error {
    fn from(failed: CloseError<H>) -> Error {
        failed.error
    }
}

impl<H> fmt::Debug for CloseError<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<H> fmt::Display for CloseError<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl<H> std::error::Error for CloseError<H> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
