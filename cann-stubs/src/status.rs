//! Failures of calls: a code of CANN and a message that says what is wrong and what to do.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt;
use std::ops::Deref;
use std::ptr;

use aclnn_sys::{
    ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_AICPU_EXCEPTION, ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACLNN_ERR_INNER_NULLPTR,
};
use cann_kernels::Cause;

use crate::messages::localised;
use crate::misuse::Check;

/// A failed call. It is as large as a pointer, so that a result which tells of success fits a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Status(Box<Failure>);

/// The code that C gets, and the message behind `aclGetRecentErrMsg`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The `aclError` or `aclnnStatus` that the entry point returns.
    pub(crate) code: i32,
    /// What is wrong and what to do about it.
    pub(crate) message: String,
    /// The misuse that it is, if it is one.
    pub(crate) check: Option<Check>,
}

/// The result of an entry point's body.
pub(crate) type Result<T = ()> = std::result::Result<T, Status>;

impl Deref for Status {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl Status {
    /// A failure with `code`; `message` says what to do.
    #[cold]
    #[inline(never)]
    pub(crate) fn new(code: i32, message: impl fmt::Display) -> Self {
        Self(Box::new(Failure { code, message: message.to_string(), check: None }))
    }

    /// The same failure, which is misuse of a known kind.
    pub(crate) fn of(mut self, check: Check) -> Self {
        self.0.check = Some(check);
        self
    }

    /// Adds to the message what to do, or what was missed.
    pub(crate) fn with_hint(self, hint: &str) -> Self {
        let message = format!("{}; {hint}", self.message);
        self.with_message(message)
    }

    /// The same failure in other words.
    #[inline(never)]
    pub(crate) fn with_message(mut self, message: impl fmt::Display) -> Self {
        self.0.message = message.to_string();
        self
    }

    /// The same failure with a code that its caller answers with.
    pub(crate) fn with_code(mut self, code: i32) -> Self {
        self.0.code = code;
        self
    }
}

impl From<cann_kernels::Failure> for Status {
    #[cold]
    fn from(failure: cann_kernels::Failure) -> Self {
        let code = match failure.cause() {
            Cause::AiCore => ACL_ERROR_RT_AICORE_EXCEPTION,
            Cause::AiCpu => ACL_ERROR_RT_AICPU_EXCEPTION,
            Cause::NoKernel => ACLNN_ERR_INNER_NULLPTR,
            Cause::HostMemory => ACL_ERROR_RT_MEMORY_ALLOCATION,
        };
        Self::new(code, failure.message())
    }
}

thread_local! {
    static RECENT: RefCell<Recent> = const { RefCell::new(Recent { unread: None, handed_out: None, code: 0 }) };
}

/// What went wrong last on this thread.
struct Recent {
    unread: Option<String>,
    handed_out: Option<CString>,
    code: i32,
}

/// Stores `status` as this thread's most recent failure.
#[cold]
pub(crate) fn remember(entry: &str, status: &Status) {
    let message = format!("{entry}: {} [code {}, emulator]", status.message, status.code);
    // Lost only while the thread ends.
    let _ = RECENT.try_with(|recent| {
        let mut recent = recent.borrow_mut();
        recent.unread = Some(message);
        recent.code = status.code;
    });
}

/// Takes this thread's message, in the language of the process; the pointer stays valid until the next call on the thread.
/// Null when there is none.
pub(crate) fn take_message() -> *const c_char {
    let taken = RECENT.try_with(|recent| {
        let mut recent = recent.borrow_mut();
        recent.handed_out =
            recent.unread.take().and_then(|text| CString::new(localised(&text).replace('\0', " ")).ok());
        recent.handed_out.as_ref().map_or(ptr::null(), |text| text.as_ptr())
    });
    taken.unwrap_or(ptr::null())
}

/// The code of the last failed call on this thread; cleared when `clear`.
pub(crate) fn last_code(clear: bool) -> i32 {
    let code = RECENT.try_with(|recent| {
        let mut recent = recent.borrow_mut();
        if clear { std::mem::take(&mut recent.code) } else { recent.code }
    });
    code.unwrap_or(0)
}
