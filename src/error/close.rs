//! A handle that could not be closed.

use std::fmt;

use super::Error;

/// Why a device, stream or tensor did not close, or closed with a failure. It gives the handle back while others share it; after
/// any other failure it has ended.
///
/// `?` makes an [`Error`] of it.
pub struct CloseError<H> {
    /// In a box, as an error had better be small.
    handle: Option<Box<H>>,
    error: Error,
}

impl<H> CloseError<H> {
    pub(crate) fn new(handle: H, error: Error) -> Self {
        Self { handle: Some(Box::new(handle)), error }
    }

    /// Why.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// The handle, if it is still one.
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

impl<H> std::error::Error for CloseError<H> {}
