//! The context of a device, and calls in it.

use std::ffi::CStr;
use std::ptr;

use aclnn_sys::aclrtContext;

use super::library::{Acl, call};
use crate::error::Result;
use crate::fork;
use crate::trace::Notes;

/// Calls a function of the runtime in the context of a [`Bound`], and checks its code. Nothing runs between making the
/// context current and the function.
macro_rules! call_in {
    ($bound:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let bound: &Bound<'_> = $bound;
        let acl = bound.acl;
        bound
            .make_current()
            .and_then(|()| acl.check(stringify!($function), acl.runtime().$function($($argument),*)))
    }};
}

/// As `call_in!`, for functions that release something. The function is called even if the context cannot be made
/// current: it may need no context, and otherwise it refuses.
macro_rules! release_in {
    ($bound:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let bound: &Bound<'_> = $bound;
        let current = bound.make_current();
        let released = bound.acl.check(stringify!($function), bound.acl.runtime().$function($($argument),*));
        current.and(released)
    }};
}

pub(super) use {call_in, release_in};

/// The context of a device.
#[derive(Debug)]
pub(crate) struct Context(aclrtContext);

// SAFETY: a handle that the runtime accepts on every thread.
unsafe impl Send for Context {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for Context {}

impl Context {
    pub(crate) fn as_raw(&self) -> aclrtContext {
        self.0
    }
}

impl Acl {
    /// Makes the device current on this thread and returns its context. [`Bound::reset`] undoes it.
    pub(crate) fn set_device(&self, device: i32) -> Result<Context> {
        // SAFETY: any number may be asked for.
        unsafe { call!(self, aclrtSetDevice(device)) }?;
        let mut context = ptr::null_mut();
        // SAFETY: a valid place.
        match unsafe { call!(self, aclrtGetCurrentContext(&mut context)) } {
            Ok(()) => Ok(Context(context)),
            Err(error) => {
                // SAFETY: set above. The first failure is the one to report.
                let _ = unsafe { call!(self, aclrtResetDevice(device)) };
                Err(error)
            }
        }
    }
}

/// Calls in the context of a device. Code that drops it must hold no lock, as subscribers are told then.
pub(crate) struct Bound<'a> {
    pub(super) acl: &'a Acl,
    /// The owning device lives as long as this borrow.
    context: &'a Context,
    pub(super) notes: Notes,
}

impl<'a> Bound<'a> {
    #[inline]
    pub(crate) fn new(acl: &'a Acl, context: &'a Context) -> Result<Self> {
        fork::check()?;
        Ok(Self { acl, context, notes: Notes::default() })
    }

    /// As [`Bound::new`], but fails if the context cannot be made current, for example while a thread ends.
    pub(crate) fn reached(acl: &'a Acl, context: &'a Context) -> Result<Self> {
        let bound = Self::new(acl, context)?;
        bound.make_current()?;
        Ok(bound)
    }

    /// Makes the context current on this thread.
    #[inline]
    pub(crate) fn make_current(&self) -> Result<()> {
        // SAFETY: the context lives as long as the device that owns it.
        unsafe { call!(self.acl, aclrtSetCurrentContext(self.context.0)) }
    }

    /// Returns the notes of these calls for subscribers.
    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Returns the SoC name, or `None` where the library does not tell it.
    pub(crate) fn soc_name(&self) -> Option<String> {
        // SAFETY: no arguments.
        let name = unsafe { self.acl.runtime().aclrtGetSocName() }.ok()?;
        if name.is_null() {
            return None;
        }
        // SAFETY: a text of the library, copied at once.
        Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    pub(crate) fn synchronize_device(&self) -> Result<()> {
        // SAFETY: no arguments.
        unsafe { call_in!(self, aclrtSynchronizeDevice()) }
    }

    /// Resets the device. Nothing of it may be used afterwards.
    pub(crate) fn reset(&self, device: i32) -> Result<()> {
        // SAFETY: pairs with `set_device`; the only caller is the end of the device.
        unsafe { call!(self.acl, aclrtResetDevice(device)) }
    }
}
