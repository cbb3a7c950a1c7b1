//! Results of an entry point for C: a code, a pointer or a plain value, and the message of a failure.

use aclnn_sys::{
    ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED, ACL_SUBSCRIBE_NONE, ACL_TENSOR_DATA_UNDEFINED, aclDataType,
    aclFormat, aclprofSubscribeOpFlag, acltdtTensorType,
};

use crate::status::{self, Result, Status};

/// A result of an entry point, made from what its body returns.
pub(crate) trait Outcome: Sized {
    type Body;
    fn from_body(entry: &'static str, body: Self::Body) -> Self;
    /// The failure of a body, if it failed.
    fn failure(body: &Self::Body) -> Option<&Status> {
        let _ = body;
        None
    }
    /// The result for C of a call that fails before its body runs; `None` where the interface cannot report a failure.
    fn failed(entry: &'static str, status: Status) -> Option<Self> {
        let _ = (entry, status);
        None
    }
    /// The result for C when the body panicked: a defect of the emulator, reported instead of unwinding into C.
    fn defect(entry: &'static str) -> Self;

    /// The result for C of a function that always refuses; the error message of the thread says why.
    fn refused(entry: &'static str, status: Status) -> Self {
        Self::failed(entry, status.clone()).unwrap_or_else(|| {
            status::remember(entry, &status);
            Self::defect(entry)
        })
    }
}

impl Outcome for i32 {
    type Body = Result;

    fn from_body(entry: &'static str, body: Result) -> i32 {
        match body {
            Ok(()) => 0,
            Err(status) => {
                status::remember(entry, &status);
                status.code
            }
        }
    }

    fn failure(body: &Result) -> Option<&Status> {
        body.as_ref().err()
    }

    fn failed(entry: &'static str, status: Status) -> Option<i32> {
        Some(Self::from_body(entry, Err(status)))
    }

    fn defect(entry: &'static str) -> i32 {
        let code = if entry.starts_with("aclrt") { 500_000 } else { 561_000 };
        let status =
            Status::new(code, "internal error of the emulator; please report it with the call that led here");
        status::remember(entry, &status);
        code
    }
}

macro_rules! plain_outcomes {
    ($($type:ty => $defect:expr),* $(,)?) => {$(
        impl Outcome for $type {
            type Body = $type;
            fn from_body(_: &'static str, body: $type) -> $type { body }
            fn defect(_: &'static str) -> $type { $defect }
        }
    )*};
}

plain_outcomes! {
    () => (), usize => 0, u64 => 0, u32 => 0, u16 => 0, f32 => f32::NAN, aclDataType => ACL_DT_UNDEFINED,
    aclFormat => ACL_FORMAT_UNDEFINED, aclprofSubscribeOpFlag => ACL_SUBSCRIBE_NONE,
    acltdtTensorType => ACL_TENSOR_DATA_UNDEFINED,
}

impl<T> Outcome for *const T {
    type Body = *const T;
    fn from_body(_: &'static str, body: *const T) -> *const T {
        body
    }
    fn defect(_: &'static str) -> *const T {
        std::ptr::null()
    }
}

/// A function that makes an object returns null when it fails; the error message of the thread says why.
impl<T> Outcome for *mut T {
    type Body = Result<*mut T>;
    fn from_body(entry: &'static str, body: Result<*mut T>) -> *mut T {
        body.unwrap_or_else(|status| {
            status::remember(entry, &status);
            std::ptr::null_mut()
        })
    }
    fn failure(body: &Result<*mut T>) -> Option<&Status> {
        body.as_ref().err()
    }
    fn failed(entry: &'static str, status: Status) -> Option<*mut T> {
        Some(Self::from_body(entry, Err(status)))
    }
    fn defect(_: &'static str) -> *mut T {
        std::ptr::null_mut()
    }
}
