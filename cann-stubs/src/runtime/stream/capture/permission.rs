//! What a thread may do beside the graphs that are captured: the modes of captures, and the mode that a thread exchanges.

use std::cell::Cell;

use aclnn_sys::{
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL as GLOBAL, ACL_MODEL_RI_CAPTURE_MODE_RELAXED as RELAXED,
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL as THREAD_LOCAL,
};

use super::members;
use crate::runtime::code;
use crate::runtime::stream::context;
use crate::status::{Result, Status};
use crate::sync::number_of_thread;

thread_local! {
    /// The mode that this thread has exchanged.
    static MODE: Cell<u32> = const { Cell::new(GLOBAL.0) };
}

/// Refuses a mode that is none.
pub(super) fn must_be_mode(mode: u32) -> Result {
    let message = || Status::new(code::PARAM_INVALID, format_args!("mode is {mode}; known are 0 to 2"));
    if mode <= RELAXED.0 { Ok(()) } else { Err(message()) }
}

/// Gives this thread another mode, and returns the one before.
pub(super) fn exchange(mode: u32) -> u32 {
    MODE.with(|own| own.replace(mode))
}

/// Returns whether this thread may do what happens at once, beside the captures of its context.
fn allows() -> bool {
    let Ok(context) = context::with_current(|_, context| context.number()) else { return true };
    let thread = number_of_thread();
    let own_mode = MODE.with(Cell::get);
    !members::any(context, |graph| {
        let is_own = graph.thread == thread;
        if own_mode == GLOBAL.0 {
            graph.mode == GLOBAL.0 || (graph.mode == THREAD_LOCAL.0 && is_own)
        } else if own_mode == THREAD_LOCAL.0 {
            graph.mode != RELAXED.0 && is_own
        } else {
            false
        }
    })
}

const HINT: &str = "do it before the capture, capture with ACL_MODEL_RI_CAPTURE_MODE_RELAXED, or exchange the mode of the \
                    thread by aclmdlRICaptureThreadExchangeMode";

/// Refuses work that is done at once where a capture forbids it.
pub(crate) fn must_allow_at_once() -> Result {
    if allows() {
        return Ok(());
    }
    let message = "a graph is being captured, in whose mode nothing is copied or set at once";
    Err(Status::new(code::CAPTURE_MODE_NOT_SUPPORT, message).with_hint(HINT))
}

/// Refuses a queued copy of host memory that is not pinned, which a device makes at once, where a capture forbids it.
pub(crate) fn must_allow_pageable() -> Result {
    if allows() {
        return Ok(());
    }
    let message = "a graph is being captured, in whose mode host memory that is not pinned is not copied";
    Err(Status::new(code::CAPTURE_MODE_BLOCK_ASYNC, message).with_hint(HINT))
}
