//! The functions of a runtime, and their codes as errors.

use std::ffi::{CStr, c_char};
use std::sync::{Arc, OnceLock};

use aclnn_sys::{ACL_SUCCESS, Collectives, MissingSymbol, Runtime, SymbolSource, aclError};

use crate::error::{Failure, Result};

/// The functions of a runtime, and what its release can do.
pub(crate) struct Acl {
    runtime: Runtime,
    extended_events: bool,
    /// The functions of collectives, whose libraries are opened at the first use.
    collectives: OnceLock<Collectives>,
    collective_source: Arc<dyn SymbolSource>,
}

/// Calls a function of an [`Acl`] and checks its code.
macro_rules! call {
    ($acl:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let acl: &Acl = $acl;
        let code = acl.runtime().$function($($argument),*);
        acl.check(stringify!($function), code)
    }};
}

pub(super) use call;

impl Acl {
    pub(crate) fn new(runtime: Runtime, collective_source: Arc<dyn SymbolSource>) -> Self {
        let extended_events = !runtime.missing().any(|lack| lack.symbol == "aclrtCreateEventExWithFlag");
        Self { runtime, extended_events, collectives: OnceLock::new(), collective_source }
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Returns the functions of collectives.
    pub(crate) fn collectives(&self) -> &Collectives {
        self.collectives.get_or_init(|| Collectives::load(&*self.collective_source))
    }

    /// Returns whether events of this release hold a hardware id only while they are recorded and not done.
    pub(crate) fn has_extended_events(&self) -> bool {
        self.extended_events
    }

    /// Returns the message of the last failure on this thread, which clears it.
    pub(crate) fn recent_message(&self) -> Option<String> {
        // SAFETY: no arguments.
        let message = unsafe { self.runtime.aclGetRecentErrMsg() }.ok()?;
        if message.is_null() {
            return None;
        }
        // SAFETY: a text that stays until this thread asks again, and is copied at once.
        let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
        let message = message.trim();
        (!message.is_empty()).then(|| message.to_owned())
    }

    /// Returns an error for every code but success, with the library's message.
    #[inline]
    pub(crate) fn check(&self, function: &'static str, code: Result<aclError, MissingSymbol>) -> Result<()> {
        match code? {
            ACL_SUCCESS => Ok(()),
            code => Err(self.failed(function, Some(code)).into()),
        }
    }

    #[cold]
    pub(crate) fn failed(&self, function: &'static str, code: Option<i32>) -> Failure {
        Failure { function, code, message: self.recent_message() }
    }

    /// Returns the number of devices.
    pub(crate) fn device_count(&self) -> Result<u32> {
        let mut count = 0;
        // SAFETY: a valid place.
        unsafe { call!(self, aclrtGetDeviceCount(&mut count)) }?;
        Ok(count)
    }

    /// Returns whether these are the emulator's libraries, which their version strings show.
    pub(crate) fn is_emulated(&self) -> bool {
        let mut package = *b"runtime\0";
        let mut version = [0 as c_char; 256];
        let (name, text) = (package.as_mut_ptr().cast(), version.as_mut_ptr());
        // SAFETY: a text that ends with a zero byte, and a place for twice the bytes that are asked for.
        let code = unsafe { self.runtime.aclsysGetVersionStr(name, text) };
        if code != Ok(ACL_SUCCESS) {
            return false;
        }
        let bytes = version.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect::<Vec<_>>();
        String::from_utf8_lossy(&bytes).to_lowercase().contains("emulat")
    }
}
