//! The traits of [`EarlierError`], which is an error of an earlier call inside the error that reports it.

use std::fmt;
use std::ops::Deref;

use super::{EarlierError, Error};

impl From<Error> for EarlierError {
    fn from(error: Error) -> Self {
        Self(Box::new(error))
    }
}

impl Deref for EarlierError {
    type Target = Error;

    fn deref(&self) -> &Error {
        &self.0
    }
}

impl fmt::Debug for EarlierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for EarlierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
