//! The part of a device that may outlive it: its libraries, and the failures of drops that were not reported yet.
//!
//! Executors and descriptors keep this part only. The context is not in it, as it ends with the device: so whoever holds
//! a context holds the [`Device`](crate::Device).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::fork;

/// The part of a device that may outlive it.
#[derive(Debug)]
pub(crate) struct DeviceCore {
    backend: &'static Backend,
    /// The first failure that could not be reported where it happened.
    deferred: Mutex<Option<Error>>,
    /// Whether there is one.
    any: AtomicBool,
}

impl DeviceCore {
    pub(crate) fn new(backend: &'static Backend) -> Self {
        Self { backend, deferred: Mutex::default(), any: AtomicBool::new(false) }
    }

    #[inline]
    pub(crate) fn backend(&self) -> &'static Backend {
        self.backend
    }

    /// Keeps a failure of a drop for the next call that can report it.
    pub(crate) fn defer(&self, what: &'static str, result: Result<()>) {
        if let Err(cause) = result
            && !fork::is_forked()
        {
            self.keep(Error::Deferred { what, cause: cause.into() });
        }
    }

    /// Keeps a failure for the next call that can report it.
    pub(crate) fn keep(&self, error: Error) {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.any.store(true, Ordering::Release);
    }

    /// Takes the failure that is kept, if there is one.
    #[inline]
    pub(crate) fn take_deferred(&self) -> Option<Error> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let mut error = self.deferred.lock().unwrap_or_else(PoisonError::into_inner);
        self.any.store(false, Ordering::Release);
        error.take()
    }

    /// Reports a failure of a drop that was not reported yet.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        self.take_deferred().map_or(Ok(()), Err)
    }
}
