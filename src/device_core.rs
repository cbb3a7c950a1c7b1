//! What everything on a device needs of it: the libraries, the context, and the failures of drops that nobody has heard
//! of. This module knows no stream and no memory; [`Device`](crate::Device) is the handle.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::acl::{Bound, Context};
use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::process;

/// The part of a device that may outlive its handles.
#[derive(Debug)]
pub(crate) struct DeviceCore {
    backend: &'static Backend,
    context: Context,
    deferred: Deferred,
}

/// The first failure that could not be reported where it happened.
#[derive(Debug, Default)]
struct Deferred {
    any: AtomicBool,
    error: Mutex<Option<Error>>,
}

impl DeviceCore {
    pub(crate) fn new(backend: &'static Backend, context: Context) -> Self {
        Self { backend, context, deferred: Deferred::default() }
    }

    #[inline]
    pub(crate) fn backend(&self) -> &'static Backend {
        self.backend
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Starts calls in the context of the device. Reports failures of earlier drops first.
    #[inline]
    pub(crate) fn bind(&self) -> Result<Bound<'_>> {
        process::check()?;
        self.check()?;
        Bound::new(self.backend.acl(), &self.context)
    }

    /// As [`DeviceCore::bind`], for drops: an earlier failure is not reported, and nothing new is started. Fails if the
    /// context cannot be made current, for example while a thread ends.
    pub(crate) fn bind_to_drop(&self) -> Result<Bound<'_>> {
        Bound::reached(self.backend.acl(), &self.context)
    }

    /// Keeps a failure of a drop for the next call that can report it.
    pub(crate) fn defer(&self, what: &'static str, result: Result<()>) {
        if let Err(cause) = result
            && !process::is_forked()
        {
            self.keep(Error::Deferred { what, cause: cause.into() });
        }
    }

    /// Keeps a failure for the next call that can report it.
    pub(crate) fn keep(&self, error: Error) {
        let Deferred { any, error: kept } = &self.deferred;
        kept.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        any.store(true, Ordering::Release);
    }

    /// Takes the failure that is kept, if there is one.
    #[inline]
    pub(crate) fn take_deferred(&self) -> Option<Error> {
        let Deferred { any, error: kept } = &self.deferred;
        if !any.load(Ordering::Acquire) {
            return None;
        }
        let mut error = kept.lock().unwrap_or_else(PoisonError::into_inner);
        any.store(false, Ordering::Release);
        error.take()
    }

    /// Reports a failure of a drop that was not reported yet.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        self.take_deferred().map_or(Ok(()), Err)
    }
}
