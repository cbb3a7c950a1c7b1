//! Failures of collectives, with the codes of HCCL.

use std::fmt::Display;

use aclnn_sys::{
    HCCL_E_IN_STATUS, HCCL_E_INTERNAL, HCCL_E_OOM, HCCL_E_PARA, HCCL_E_PTR, HCCL_E_RUNTIME, HCCL_SUCCESS,
    HcclResult,
};

use crate::outcome::Outcome;
use crate::status::{self, Status};

pub(super) type Result<T = ()> = crate::status::Result<T>;

/// A failure with a code of HCCL.
#[inline(never)]
pub(super) fn failed(code: HcclResult, message: impl Display) -> Status {
    Status::new(code.0.cast_signed(), message.to_string())
}

pub(super) fn refused<T>(message: impl Display) -> Result<T> {
    Err(failed(HCCL_E_PARA, message))
}

pub(super) fn null(name: &str) -> Status {
    failed(HCCL_E_PTR, format_args!("{name} is null"))
}

/// The code of a failure; those of the runtime have one in common.
pub(super) fn code_of(status: &Status) -> HcclResult {
    match status.code.cast_unsigned() {
        code if code <= HCCL_E_OOM.0 || code == HCCL_E_IN_STATUS.0 => HcclResult(code),
        _ => HCCL_E_RUNTIME,
    }
}

/// The result of a function of HCCL.
impl Outcome for HcclResult {
    type Body = Result;

    fn from_body(entry: &'static str, body: Result) -> Self {
        match body {
            Ok(()) => HCCL_SUCCESS,
            Err(status) => {
                status::remember(entry, &status);
                code_of(&status)
            }
        }
    }

    fn failure(body: &Result) -> Option<&Status> {
        body.as_ref().err()
    }

    fn failed(entry: &'static str, status: Status) -> Option<Self> {
        Some(Self::from_body(entry, Err(status)))
    }

    fn defect(entry: &'static str) -> Self {
        let message = "internal error of the emulator; please report it with the call that led here";
        status::remember(entry, &failed(HCCL_E_INTERNAL, message));
        HCCL_E_INTERNAL
    }
}
